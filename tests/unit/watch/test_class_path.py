"""Class files on the class path of a process, read from outside."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import time
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from jvmscope.watch.class_path import ClassPath
from jvmscope.watch.machines import JavaVm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

_WAITS = [
    *(sys.executable, "-c"),
    "import sys; files = [*map(open, sys.argv[1:])]; print(flush=True); sys.stdin.read()",
]
"""A process that holds the files that it is given, as a VM its jars."""
_KNOWN_BY = "the class path"
_LOOP = (
    "loop.jar cannot be read (Too many levels of symbolic links), and may have another file of it"
)


def _vm(pid: int, entries: str, version: str | None = None, **facts: str) -> JavaVm:
    nothing = (None, None, None, None)
    return JavaVm(pid, pid, os.getuid(), version, *nothing, class_path=entries, **facts)


@contextmanager
def _class_path(
    directory: Path, entries: str, version: str | None = None, **facts: str
) -> Iterator[ClassPath]:
    """The class path of a process that starts now, in a directory; it has ended when we look."""
    with subprocess.Popen(_WAITS, cwd=directory, stdin=subprocess.PIPE) as process:
        found = ClassPath(_vm(process.pid, entries, version, **facts))
        process.communicate()
    yield found
    found.close()


def _content_after(
    directory: Path, change: Callable[[Path], object], entries: Sequence[str], *words: str
) -> list[str | None]:
    """What is known of a class on each class path of a process; all is written before it starts."""
    found = []
    command, pipe = [*_WAITS, *words], subprocess.PIPE
    with subprocess.Popen(command, cwd=directory, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.05)  # what is changed sooner was so when the VM started
        change(directory)
        for each in entries:
            path = ClassPath(_vm(process.pid, each))
            row = path.row("app/Main")
            path.close()
            assert row is None or (row[4] is None) != (row[6] is None)
            found.append(row and row[4])
        process.communicate()
    return found


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _written(tmp_path: Path) -> str:
    """A directory and two jars; a second file of a class is not seen."""
    (tmp_path / "classes" / "app").mkdir(parents=True)
    (tmp_path / "classes" / "app" / "Main.class").write_bytes(b"main")
    for name, content in (("a.jar", b"in a"), ("b.jar", b"in b")):
        with zipfile.ZipFile(tmp_path / name, "w") as jar:
            jar.writestr("app/Main.class", content)
            jar.writestr("app/Lib.class", content)
            jar.writestr("app/New.class", content)
            jar.writestr("META-INF/versions/17/app/New.class", b"newer")
    return f"nowhere:classes:{tmp_path / 'a.jar'}:b.jar:"


def test_the_first_file_counts(tmp_path: Path) -> None:
    jar = str(tmp_path / "a.jar")
    with _class_path(tmp_path, _written(tmp_path)) as path:
        found = [path.row(f"app/{name}") for name in ("Main", "Lib", "Other", "Main/Deeper")]

    assert found == [
        ("app/Main", _KNOWN_BY, None, "classes", _sha256(b"main"), None, None),
        ("app/Lib", _KNOWN_BY, None, jar, _sha256(b"in a"), None, None),
        None,
        None,
    ]


def test_a_file_that_may_be_another_one_has_a_reason(tmp_path: Path) -> None:
    with _class_path(tmp_path, _written(tmp_path)) as path:
        time.sleep(0.05)  # a file that was written sooner was there when the VM started
        (tmp_path / "classes" / "app" / "Main.class").write_bytes(b"written anew")
        found = [path.row(f"app/{name}") for name in ("Main", "New")]

    reasons = [(row[4], row[6]) for row in found if row is not None]
    assert reasons == [
        (None, "the file was written after the VM had started"),
        (_sha256(b"in a"), None),  # the manifest does not say that there are several releases
    ]


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_jar_is_no_failure(seed: int, tmp_path: Path) -> None:
    """Bytes anywhere are others, or the end is missing; what is left may still be the class."""
    chance = random.Random(seed)  # noqa: S311
    with zipfile.ZipFile(tmp_path / "a.jar", "w", chance.choice([0, zipfile.ZIP_DEFLATED])) as jar:
        manifest = "Class-Path: b.jar\nMulti-Release: true\n"
        jar.writestr("META-INF/MANIFEST.MF", manifest)
        jar.writestr("app/Main.class", b"main" * 20)
        jar.writestr("META-INF/versions/17/app/Main.class", b"newer" * 20)
    content = bytearray((tmp_path / "a.jar").read_bytes())
    for _ in range(chance.choice([1, 3, 30])):
        content[chance.randrange(len(content))] = chance.randrange(256)
    if chance.random() < 0.3:
        del content[chance.randrange(len(content)) :]
    (tmp_path / "a.jar").write_bytes(content)
    with _class_path(tmp_path, "a.jar", version="17") as path:
        row = path.row("app/Main")

    assert row is None or row[3] == "a.jar"


def test_a_damaged_jar_has_no_class(tmp_path: Path) -> None:
    (tmp_path / "a.jar").write_bytes(b"no jar")
    with _class_path(tmp_path, "a.jar") as path:
        assert path.row("app/Main") is None


@pytest.mark.parametrize(
    ("version", "expected", "reason"),
    [
        ("17.0.15", b"newer", None),
        ("26-ea", b"newer", None),
        ("16.0.2", b"in c", None),
        (None, None, "the jar has several versions of it, and which the VM takes is not known"),
    ],
)
def test_a_jar_of_several_releases_has_the_file_of_the_vm(
    version: str | None, expected: bytes | None, reason: str | None, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "c.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMulti-Release: true\n")
        jar.writestr("app/New.class", b"in c")
        jar.writestr("META-INF/versions/17/app/New.class", b"newer")
        jar.writestr("META-INF/versions/99/app/New.class", b"newest")
    with _class_path(tmp_path, "c.jar", version=version) as path:
        row = path.row("app/New")

    assert row is not None
    assert row[4] == (expected and _sha256(expected))
    assert row[6] == reason


def test_a_place_that_cannot_be_read_may_have_the_class(tmp_path: Path) -> None:
    """A loop of links cannot be opened, not even by root."""
    entries = _written(tmp_path)
    (tmp_path / "loop.jar").symlink_to(tmp_path / "loop.jar")
    with _class_path(tmp_path, f"loop.jar:{entries}") as path:
        row = path.row("app/Main")

    assert row is not None
    assert row[3:] == ("classes", None, None, _LOOP)


def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """GIVEN one as a place, and one as a class file, to which nobody writes."""
    entries = _written(tmp_path)
    os.mkfifo(tmp_path / "pipe.jar")
    os.mkfifo(tmp_path / "classes" / "app" / "Lib.class")
    with _class_path(tmp_path, f"pipe.jar:{entries}") as path:
        rows = [path.row("app/Main"), path.row("app/Lib")]

    reasons = [row and row[6] for row in rows]
    assert reasons[0] == (
        "pipe.jar cannot be read (neither a file nor a directory), and may have another file of it"
    )
    assert reasons[1] is not None
    assert "neither a file nor a directory" in reasons[1]


def test_a_place_behind_the_file_does_not_matter(tmp_path: Path) -> None:
    """Also when a class that is nowhere has been looked for in all places."""
    entries = _written(tmp_path)
    (tmp_path / "loop.jar").symlink_to(tmp_path / "loop.jar")
    with _class_path(tmp_path, f"{entries}loop.jar") as path:
        assert path.row("app/Other") is None
        row = path.row("app/Main")

    assert row is not None
    assert row[3:] == ("classes", _sha256(b"main"), None, None)


def test_a_damaged_file_is_not_that_of_the_next_jar(tmp_path: Path) -> None:
    """Its checksum is wrong, at which the VM does not look."""
    entries = _written(tmp_path)
    content = (tmp_path / "a.jar").read_bytes()
    (tmp_path / "a.jar").write_bytes(content.replace(b"in a", b"in x"))
    with _class_path(tmp_path, entries) as path:
        row = path.row("app/Lib")

    assert row is not None
    assert row[3:] == (str(tmp_path / "a.jar"), None, None, "its file in the jar is damaged")


def test_options_that_choose_other_files_are_a_reason(tmp_path: Path) -> None:
    """The file of a module that is patched may come from elsewhere."""
    _written(tmp_path)
    (tmp_path / "mods").mkdir()
    (tmp_path / "a.jar").rename(tmp_path / "mods" / "a.jar")
    arguments = "--module-path=mods --patch-module=a=classes"
    with _class_path(tmp_path, "", module_path="mods", arguments=arguments) as path:
        row = path.row("app/Lib")

    assert row is not None
    assert row[1:5] == ("the module path", None, "mods/a.jar", None)
    assert row[6] == "the VM was started with --patch-module"


_RELEASE, _NEXT, _EMPTY = "base/app", "base/next", "base/empty"


def _put(path: Path, content: bytes, name: str = "Main") -> Path:
    """Writes a class ``app/Main``, into a directory or a jar."""
    if path.suffix == ".jar":
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w") as jar:
            jar.writestr(f"app/{name}.class", content)
    else:
        (path / "app").mkdir(parents=True, exist_ok=True)
        (path / "app" / f"{name}.class").write_bytes(content)
    return path


def _linked(link: Path, target: str | Path) -> None:
    """Makes a link, or switches one, as ``ln -sfn`` does."""
    new = link.with_name("new link")
    new.symlink_to(target)
    new.replace(link)


def _exchanged(path: Path, other: Path) -> None:
    path.rename(path.with_name("away"))
    other.rename(path)


def _two_releases(at: Path) -> None:
    """Directories with the same places; links lead to the first. One has places without class."""
    for release in (_RELEASE, _NEXT, "spare"):
        for place in ("classes", "lib/a.jar"):
            _put(at / release / place, release.encode())
    for link, target in (("current", "base/app"), ("outer", at / "current")):
        _linked(at / link, target)
    _linked(at / "base" / "app" / "now", "classes")
    _linked(at / "base" / "app" / "now.jar", at / "base" / "app" / "lib" / "a.jar")
    for place in ("classes", "a.jar"):
        _put(at / _EMPTY / place, b"", "Lib")
    _put(at / "base" / "last", b"last")


_PLACES = ("base/app/classes", "base/app/lib/a.jar", "base/app/now", "base/app/now.jar")
_PLACES += ("current/classes", "current/lib/a.jar", "outer/classes", "outer/lib/../lib/a.jar")
_EXCHANGES: dict[str, Callable[[Path], object]] = {
    "a directory": lambda at: _exchanged(at / _RELEASE / "classes", at / _NEXT / "classes"),
    "a package": lambda at: _exchanged(
        at / _RELEASE / "classes" / "app", at / _NEXT / "classes" / "app"
    ),
    "a directory for one without the class": lambda at: _exchanged(
        at / _RELEASE / "classes", at / _EMPTY / "classes"
    ),
    "a file is removed": lambda at: (at / _RELEASE / "classes/app/Main.class").unlink(),
    "a jar": lambda at: (at / _NEXT / "lib/a.jar").replace(at / _RELEASE / "lib/a.jar"),
    "a jar for one without the class": lambda at: (at / _EMPTY / "a.jar").replace(
        at / _RELEASE / "lib/a.jar"
    ),
    "the directory of a jar": lambda at: _exchanged(at / _RELEASE / "lib", at / _NEXT / "lib"),
    "a directory above": lambda at: _exchanged(at / _RELEASE, at / _NEXT),
    "a directory above, that is written into": lambda at: (
        _exchanged(at / _RELEASE, at / _NEXT),
        (at / _RELEASE / "log").touch(),
    ),
    "a link": lambda at: (
        _linked(at / _RELEASE / "now", at / _NEXT / "classes"),
        _linked(at / _RELEASE / "now.jar", at / _NEXT / "lib/a.jar"),
    ),
    "a link above": lambda at: _linked(at / "current", _NEXT),
    "a link to a link": lambda at: _linked(at / "outer", _NEXT),
    "a link above for a directory": lambda at: (
        (at / "current").unlink(),
        (at / "spare").rename(at / "current"),
    ),
    "nothing": lambda _: None,
}


def _content(place: Path) -> bytes | None:
    """The content of the class in a place now; None: it is not there."""
    if not place.name.endswith(".jar"):
        file = place / "app" / "Main.class"
        return file.read_bytes() if file.exists() else None
    if not place.exists():
        return None
    with zipfile.ZipFile(place) as jar:
        return jar.read("app/Main.class") if "app/Main.class" in jar.namelist() else None


@pytest.mark.parametrize("is_absolute", [False, True], ids=["relative", "absolute"])
@pytest.mark.parametrize("change", _EXCHANGES)
def test_what_was_exchanged_is_not_believed(change: str, is_absolute: bool, tmp_path: Path) -> None:
    """A place is believed if it still has what it had, and what comes behind it never is."""
    _two_releases(tmp_path)
    prefix = f"{tmp_path}/" if is_absolute else ""
    entries = [f"{prefix}{place}:{prefix}base/last" for place in _PLACES]
    found = _content_after(tmp_path, _EXCHANGES[change], entries)

    same = [_content(tmp_path / place) == _RELEASE.encode() for place in _PLACES]
    assert found == [_sha256(_RELEASE.encode()) if is_same else None for is_same in same]


def test_the_directory_of_the_vm_may_be_exchanged(tmp_path: Path) -> None:
    """It goes on to load classes from the path that it had, which has others now."""
    _two_releases(tmp_path)
    entries = ["classes", f"{tmp_path}/{_RELEASE}/classes"]
    found = _content_after(
        tmp_path / _RELEASE, lambda _: _exchanged(tmp_path / _RELEASE, tmp_path / _NEXT), entries
    )

    assert found == [None, None]


@pytest.mark.parametrize("is_beside", [False, True], ids=["above", "beside"])
def test_files_that_a_program_writes_are_no_exchange(is_beside: bool, tmp_path: Path) -> None:
    """GIVEN a program that writes where it works and above that, or beside its classes."""
    _two_releases(tmp_path)
    entries = [
        f"{prefix}{place}"
        for prefix in ("", f"{tmp_path}/{_RELEASE}/")
        for place in ("classes", "lib/a.jar", "now", "now.jar", "missing:classes")
    ]

    def written(at: Path) -> None:
        above = (at, at.parent, at.parent.parent)
        for directory in (at / "classes", at / "lib") if is_beside else above:
            (directory / "log").touch()

    found = _content_after(tmp_path / _RELEASE, written, entries)

    assert found == [_sha256(_RELEASE.encode())] * len(entries)


def test_a_jar_that_the_vm_holds_is_that_of_the_vm(tmp_path: Path) -> None:
    """Its directory has been moved there and back; of a jar that is not held, that is not known."""
    _two_releases(tmp_path)
    lib, away = tmp_path / _RELEASE / "lib", tmp_path / _RELEASE / "away"
    jar, other = lib / "a.jar", _put(lib / "b.jar", _RELEASE.encode())
    found = _content_after(
        tmp_path, lambda _: lib.rename(away).rename(lib), [str(jar), str(other)], str(jar)
    )

    assert found == [_sha256(_RELEASE.encode()), None]


@pytest.mark.parametrize("entry", ["/link", "link", "/above", "../classes"])
def test_paths_start_at_the_root_of_the_vm(
    entry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a process that sees a part of the files, as in a container, and links within it."""
    root, process = tmp_path / "root", tmp_path / "proc" / str(os.getpid())
    root.mkdir()
    _put(root / "classes", b"main")
    _linked(root / "link", "/classes")
    _linked(root / "above", "../../classes")
    process.mkdir(parents=True)
    for name in ("root", "cwd"):
        (process / name).symlink_to(root)
    started = time.clock_gettime_ns(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK") // 10**9
    (process / "stat").write_text(f"1 (java) S {'0 ' * 18}{started}")
    monkeypatch.setattr("jvmscope.watch.vm_paths._PROC", tmp_path / "proc")
    path = ClassPath(_vm(os.getpid(), entry))
    row = path.row("app/Main")
    path.close()

    assert row is not None
    assert row[3:] == (entry, _sha256(b"main"), None, None)

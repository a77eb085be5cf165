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
    from collections.abc import Iterator
    from pathlib import Path

_WAITS = [sys.executable, "-c", "import sys; sys.stdin.read()"]
_KNOWN_BY = "the class path"
_LOOP = (
    "loop.jar cannot be read (Too many levels of symbolic links), and may have another file of it"
)


@contextmanager
def _class_path(
    directory: Path, entries: str, version: str | None = None, **facts: str
) -> Iterator[ClassPath]:
    """The class path of a process that starts now, in a directory; it has ended when we look."""
    with subprocess.Popen(_WAITS, cwd=directory, stdin=subprocess.PIPE) as process:
        pid = process.pid
        nothing = (None, None, None, None)
        vm = JavaVm(pid, pid, os.getuid(), version, *nothing, class_path=entries, **facts)
        found = ClassPath(vm)
        process.communicate()
    yield found
    found.close()


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

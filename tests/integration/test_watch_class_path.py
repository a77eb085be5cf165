"""The file of a class that is found from outside is the one that the VM has loaded.

A class knows the place that its file lies in, so the VM says itself what it has loaded.
"""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from integration.recording import compile_java, jdks
from oracle.toolchain import PROGRAMS, Jdk

from jvmscope.watch import find_vm
from jvmscope.watch.class_path import ClassPath

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

_NOWHERE, _UNSET = "nowhere", "0" * 9
_NAMES = ("A", "B", "C", "D", "E", "F")
_PACKAGE = "lib"
_SEVERAL = "several modules, or a module and the class path, have its package"


@dataclass
class _Files:
    """Class files for places, each named by nine characters."""

    main: bytes
    module: bytes
    classes: Mapping[str, bytes]

    def content(self, name: str, place: str) -> bytes:
        return self.classes[name].replace(_UNSET.encode(), f"{place:_<9}".encode())

    def directory(self, path: Path, place: str, names: Sequence[str]) -> None:
        for name in names:
            file = path / _PACKAGE / f"{name}.class"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(self.content(name, place))

    def jar(
        self, path: Path, place: str, names: Sequence[str], manifest: str = "", **versions: str
    ) -> None:
        """Writes a jar; ``v17="AB"`` are classes that it has for a release."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w") as jar:
            jar.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\n{manifest}\r\n")
            for name in names:
                jar.writestr(f"{_PACKAGE}/{name}.class", self.content(name, place))
            for version, versioned in versions.items():
                for name in versioned:
                    inner = f"META-INF/versions/{version[1:]}/{_PACKAGE}/{name}.class"
                    jar.writestr(inner, self.content(name, f"{place}{version}"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> _Files:
    directory = tmp_path_factory.mktemp("compiled")
    main = (PROGRAMS / "watch" / "Places.java").read_text(encoding="utf-8")
    body = f'{{ public static String PLACE = "{_UNSET}"; }}'
    lib = {name: f"package lib; public final class {name} {body}" for name in _NAMES}
    module = "module exploded { exports lib; }"
    compiled = compile_java(jdks()[0], directory, Places=main, **lib, **{"module-info": module})
    return _Files(
        (compiled / "Places.class").read_bytes(),
        (compiled / "module-info.class").read_bytes(),
        {name: (compiled / _PACKAGE / f"{name}.class").read_bytes() for name in _NAMES},
    )


def _directories_and_jars(files: _Files, at: Path) -> Sequence[str]:
    """The first place counts; what is damaged or missing has nothing; empty is where it runs."""
    files.directory(at, "here", "AF")
    files.directory(at / "classes", "classes", "AB")
    files.jar(at / "one.jar", "one", "BC", v17="C")
    files.jar(at / "two.jar", "two", "CDE")
    (at / "damaged.jar").write_bytes(b"no jar")
    return "-cp", f"main:missing:damaged.jar:classes:one.jar:{at}/two.jar:missing.jar:", "Places"


def _jars_of_several_releases(files: _Files, at: Path) -> Sequence[str]:
    """Of each class the newest file that the release may have, if the manifest says so."""
    several = "Multi-Release: true\r\n"
    files.jar(at / "a.jar", "a", "ABC", several, v8="A", v9="B", v11="BC", v17="C", v99="ABC")
    files.jar(at / "b.jar", "b", "D", several, v18="DE", v25="D", v26="E")
    files.jar(at / "c.jar", "c", "EF", "Multi-Release: false\r\n", v17="EF")
    return "-cp", "main:a.jar:b.jar:c.jar", "Places"


def _jars_that_name_others(files: _Files, at: Path) -> Sequence[str]:
    """What a manifest names comes behind its jar, before the rest; jars may name each other."""
    named = (
        "Main-Class: Places\r\nClass-Path: lib/b%20b.jar main/ ../x/lib/c.jar nowhere.ja\r\n r\r\n"
    )
    files.jar(at / "a.jar", "a", "A", named)
    files.jar(at / "lib" / "b b.jar", "b", "AB", "Class-Path: d.jar ../a.jar classes/\r\n")
    files.jar(at / "lib" / "c.jar", "c", "BCDE", "Class-Path: ../lib/d.jar\r\n")
    files.jar(at / "lib" / "d.jar", "d", "CD")
    files.directory(at / "lib" / "classes", "classes", "DE")
    return "-jar", "a.jar"


def _modules_in_directories(files: _Files, at: Path) -> Sequence[str]:
    """Whether a module is one that the VM has is not known, so the class path may count."""
    files.jar(at / "mods" / "auto.jar", "auto", "ABC", v17="C")
    files.directory(at / "main", "main", "CD")
    return "-p", "nothing:mods", "-cp", "main", "--add-modules", "ALL-MODULE-PATH", "Places"


def _a_module_in_a_directory(files: _Files, at: Path) -> Sequence[str]:
    files.directory(at / "mods" / "exploded", "exploded", "ABC")
    (at / "mods" / "exploded" / "module-info.class").write_bytes(files.module)
    return "-p", f"{at}/mods/exploded", "-cp", "main", "--add-modules", "exploded", "Places"


_LAYOUTS: Mapping[Callable[[_Files, Path], Sequence[str]], Mapping[str, str]] = {
    _directories_and_jars: {},
    _jars_of_several_releases: {},
    _jars_that_name_others: {},
    _modules_in_directories: dict.fromkeys("CD", _SEVERAL),
    _a_module_in_a_directory: {},
}
"""Ways to lay out classes, and of which classes it has to be said that the file is not known."""


@contextmanager
def _started(jdk: Jdk, directory: Path, words: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    command = [str(jdk.home / "bin" / "java"), *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=directory, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("layout", _LAYOUTS, ids=lambda layout: layout.__name__.strip("_"))
def test_the_file_is_that_of_the_loaded_class(
    layout: Callable[[_Files, Path], Sequence[str]], jdk: Jdk, files: _Files, tmp_path: Path
) -> None:
    at = tmp_path / "x"
    (at / "main").mkdir(parents=True)
    (at / "main" / "Places.class").write_bytes(files.main)
    with _started(jdk, at, layout(files, at)) as process:
        names = [f"{_PACKAGE}.{name}" for name in _NAMES]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{name}\n" for name in names))
        process.stdin.flush()
        places = {name: process.stdout.readline().strip().rstrip("_") for name in _NAMES}
        vm = find_vm(process.pid)
        assert vm is not None
        path = ClassPath(vm)
    rows = {name: path.row(f"{_PACKAGE}/{name}") for name in _NAMES}
    path.close()

    doubted = _LAYOUTS[layout]
    assert {name: row[6] for name, row in rows.items() if row is not None and row[6]} == doubted
    assert {name: row and row[4] for name, row in rows.items() if name not in doubted} == {
        name: None if place == _NOWHERE else _sha256(files.content(name, place))
        for name, place in places.items()
        if name not in doubted
    }
    assert len(set(places.values())) > 1


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

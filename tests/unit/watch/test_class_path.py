"""Class files on the class path of a process, read from outside."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jvmscope.watch.class_path import ClassPath
from jvmscope.watch.machines import JavaVm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WAITS = [sys.executable, "-c", "import sys; sys.stdin.read()"]
_KNOWN_BY = "the class path"


@contextmanager
def _class_path(directory: Path, entries: str) -> Iterator[ClassPath]:
    """The class path of a process that starts now, in a directory; it has ended when we look."""
    with subprocess.Popen(_WAITS, cwd=directory, stdin=subprocess.PIPE) as process:
        pid = process.pid
        vm = JavaVm(pid, pid, os.getuid(), None, None, None, None, None, class_path=entries)
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
        (tmp_path / "classes" / "app" / "Main.class").write_bytes(b"written anew")
        found = [path.row(f"app/{name}") for name in ("Main", "New")]

    reasons = [(row[4], row[6]) for row in found if row is not None]
    assert reasons == [
        (None, "the file was written after the VM had started"),
        (None, "the jar has several versions of it"),
    ]


def test_a_damaged_jar_has_no_class(tmp_path: Path) -> None:
    (tmp_path / "a.jar").write_bytes(b"no jar")
    with _class_path(tmp_path, "a.jar") as path:
        assert path.row("app/Main") is None

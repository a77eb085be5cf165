"""The class files on the class path of a VM, as they are seen from outside.

Nothing of this asks the VM. Directories and jars are opened when the watch begins, so that they can
be read after the VM has ended. A file that was written after the VM has started may not be the one
that was loaded, so its content says nothing.
"""

from __future__ import annotations

import hashlib
import os
import time
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from jvmscope.watch.machines import JavaVm

__all__ = ["ClassPath"]

_KNOWN_BY = "the class path"
_VERSIONS = "META-INF/versions/"
_SEVERAL = "the jar has several versions of it"
_CHANGED = "the file was written after the VM had started"
_TICK_NS = 20_000_000
"""The start of a process is known to 10 ms, and no VM loads a class of a program so soon."""

Row = tuple[str, str, str | None, str | None, str | None, str | None, str | None]


@dataclass
class _Place:
    """A directory, or a jar, whose table of contents is read when a class is looked for.

    Attributes:
        name: as the class path has it.
        file: what is open.
        archive: the jar; None: it is a directory, or was not read yet.
        versioned: the class files that it has for newer releases of Java, by their usual paths.
    """

    name: str
    file: BinaryIO | int
    archive: zipfile.ZipFile | None = None
    versioned: frozenset[str] = frozenset()


class ClassPath:
    """The class path of one VM, until ``close``.

    Args:
        vm: the VM, which runs.
    """

    def __init__(self, vm: JavaVm) -> None:
        self._started_ns = _started_ns(vm.pid)
        self._places: list[_Place] = []
        for entry in (vm.class_path or "").split(os.pathsep):
            opened = _opened(vm, entry) if entry else None
            if opened is not None:
                self._places.append(_Place(entry, opened))

    def row(self, class_name: str) -> Row | None:
        """Returns the row of ``class_content`` of a class; None: it has no file here."""
        path = f"{class_name}.class"
        for place in self._places:
            with suppress(OSError, zipfile.BadZipFile, RuntimeError):
                found = _read(place, path)
                if found is not None:
                    content, written_ns = found
                    reason = self._doubt(place, path, written_ns)
                    sha256 = hashlib.sha256(content).hexdigest() if reason is None else None
                    return class_name, _KNOWN_BY, None, place.name, sha256, None, reason
        return None

    def _doubt(self, place: _Place, path: str, written_ns: int) -> str | None:
        """Returns why a file may be another one than that which was loaded; None: it is that."""
        if self._started_ns is None or written_ns > self._started_ns + _TICK_NS:
            return _CHANGED
        return _SEVERAL if path in place.versioned else None

    def close(self) -> None:
        """Closes what is open."""
        for place in self._places:
            if isinstance(place.file, int):
                os.close(place.file)
            else:
                place.file.close()
        self._places.clear()


def _started_ns(pid: int) -> int | None:
    """Returns when a process started, in nanoseconds since 1970, to 10 ms; None: it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    ticks = int(text.rpartition(")")[2].split()[19])
    since_boot = ticks * 1_000_000_000 // os.sysconf("SC_CLK_TCK")
    return time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME) + since_boot


def _opened(vm: JavaVm, entry: str) -> BinaryIO | int | None:
    """Opens an entry of the class path as the VM sees it; None: there is no such."""
    at = Path(f"/proc/{vm.pid}/cwd", entry)
    if entry.startswith("/"):
        at = vm.root / entry.lstrip("/")
    try:
        if at.is_dir():
            return os.open(at, os.O_RDONLY | os.O_DIRECTORY)
        return at.open("rb")
    except OSError:
        return None


def _read(place: _Place, path: str) -> tuple[bytes, int] | None:
    """Returns the content of a class file and when it was written; None: it is not there."""
    if isinstance(place.file, int):
        with suppress(FileNotFoundError, NotADirectoryError):
            descriptor = os.open(path, os.O_RDONLY, dir_fd=place.file)
            with os.fdopen(descriptor, "rb") as file:
                return file.read(), _written_ns(descriptor)
        return None
    if place.archive is None:
        place.archive = zipfile.ZipFile(place.file)
        names = (name for name in place.archive.namelist() if name.startswith(_VERSIONS))
        place.versioned = frozenset(name.split("/", 3)[-1] for name in names)
    try:
        return place.archive.read(path), _written_ns(place.file.fileno())
    except KeyError:
        return None


def _written_ns(descriptor: int) -> int:
    facts = os.fstat(descriptor)
    return max(facts.st_mtime_ns, facts.st_ctime_ns)

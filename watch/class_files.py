"""Directories and jars of a VM, and the class files in them, as they are seen from outside.

They are opened at once, so that they can be read after the VM has ended.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote, urlsplit

from jvmscope.watch.vm_paths import VmPaths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jvmscope.watch.machines import JavaVm

__all__ = ["ClassFile", "Directory", "Files", "Jar", "Place", "Unreadable"]

_MANIFEST = "META-INF/MANIFEST.MF"
_VERSIONS = "META-INF/versions/"
_FIRST_VERSIONED = 8
"""Releases begin at 9, says the format, but ``java.util.jar.JarFile`` takes files for 8, too."""

_DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, struct.error)
"""What ``zipfile`` raises of other files, and of jars that are damaged or encrypted."""

_DAMAGED = "its file in the jar is damaged"
_EXCHANGED = "its directory, or a link to it, may have come there after the VM had started"
_SEVERAL = "the jar has several versions of it, and which the VM takes is not known"


@dataclass(frozen=True)
class ClassFile:
    """A class file that was found.

    Attributes:
        content: its bytes; none if it is damaged.
        written_ns: when it, or the jar that has it, was written, in nanoseconds since 1970.
        doubt: why the VM may take another one of the same place; None: it takes this one.
    """

    content: bytes
    written_ns: int
    doubt: str | None = None


@dataclass(frozen=True)
class Directory:
    """A directory with class files, or with modules.

    Attributes:
        name: its path, as the VM has it.
        descriptor: what is open.
        paths_of_vm: how paths in it are followed.
        is_moved: whether it may have come to its path after the VM had started.
    """

    name: str
    descriptor: int
    paths_of_vm: VmPaths
    is_moved: bool

    @property
    def class_path(self) -> list[str]:
        """The paths that it adds to the class path: none."""
        return []

    def find(self, path: str) -> ClassFile | None:
        """Returns the file of a path; None: it is not there.

        Raises:
            OSError: it cannot be read.
        """
        walked = self.paths_of_vm.walk(path, self.descriptor)
        if walked.descriptor is None:
            return None
        with os.fdopen(walked.descriptor, "rb") as file:
            doubt = _EXCHANGED if walked.is_moved else None
            return ClassFile(file.read(), _written_ns(walked.descriptor), doubt)

    def may_have_had(self, path: str) -> bool:
        """Whether a file that is not there may have been when the VM started.

        A program writes other files into the directory itself, so that only says something of a
        package.

        Raises:
            OSError: it cannot be read.
        """
        walked = self.paths_of_vm.walk(path, self.descriptor)
        if walked.descriptor is not None:
            os.close(walked.descriptor)
        return walked.is_moved or (walked.is_removed and "/" in path)

    def has_package(self, package: str) -> bool:
        """Whether there is a directory of this name.

        Raises:
            OSError: it cannot be read.
        """
        with suppress(FileNotFoundError, NotADirectoryError):
            return stat.S_ISDIR(os.stat(package, dir_fd=self.descriptor).st_mode)
        return False

    def paths(self) -> list[str]:
        """Returns the paths of what is directly in it, by name."""
        with os.scandir(self.descriptor) as entries:
            return sorted(str(Path(self.name, entry.name)) for entry in entries)

    def close(self) -> None:
        """Closes what is open."""
        os.close(self.descriptor)


@dataclass
class Jar:
    """A jar, whose table of contents is read when something is looked for.

    Attributes:
        name: its path, as the VM has it.
        file: what is open.
        release: the release of Java that the VM has; None: it is not known.
        is_moved: whether it may have come to its path after the VM had started.
        is_new: whether it was written after the VM had started.
    """

    name: str
    file: BinaryIO
    release: int | None
    is_moved: bool = False
    is_new: bool = False
    _is_known: bool = False
    _archive: zipfile.ZipFile | None = None
    _versions: Mapping[str, list[int]] = field(default_factory=dict)
    _manifest: Mapping[str, str] = field(default_factory=dict)
    _packages: frozenset[str] = frozenset()

    def find(self, path: str) -> ClassFile | None:
        """Returns the file that the VM takes for a path; None: there is none.

        Raises:
            OSError: it cannot be read.
        """
        archive, doubt = self._opened(), None
        versions = self._versions.get(path, [])
        if versions and self.release is None:
            doubt = _SEVERAL
        newest = max((each for each in versions if each <= (self.release or 0)), default=None)
        inner = path if newest is None else f"{_VERSIONS}{newest}/{path}"
        if archive is None or inner not in archive.NameToInfo:
            return None
        content = _content(archive, inner)
        if content is None:  # the VM does not look at checksums, and may have read it
            content, doubt = b"", _DAMAGED
        return ClassFile(content, _written_ns(self.file.fileno()), doubt)

    def may_have_had(self, _path: str) -> bool:
        """Whether a file that is not there may have been when the VM started."""
        return self.is_new

    def has_package(self, package: str) -> bool:
        """Whether there is a file in a directory of this name.

        Raises:
            OSError: it cannot be read.
        """
        self._opened()
        return package in self._packages

    @property
    def class_path(self) -> list[str]:
        """The paths of what its manifest adds to the class path, behind the jar itself.

        Raises:
            OSError: it cannot be read.
        """
        return self._paths("class-path")

    @property
    def boot_class_path(self) -> list[str]:
        """The paths of what its manifest adds to the boot class path if it is an agent's.

        Raises:
            OSError: it cannot be read.
        """
        return self._paths("boot-class-path")

    def _paths(self, attribute: str) -> list[str]:
        self._opened()
        here = Path(self.name).parent
        paths = [_path(word) for word in self._manifest.get(attribute, "").split()]
        return [os.path.normpath(here / path) for path in paths if path]

    def close(self) -> None:
        """Closes what is open."""
        self.file.close()

    def _opened(self) -> zipfile.ZipFile | None:
        """Returns what the jar has; None: it is damaged, and the VM takes nothing of it."""
        if not self._is_known:
            try:
                self._archive = zipfile.ZipFile(self.file)
                names = self._archive.namelist()
            except _DAMAGES:
                self._archive, names = None, []
            self._packages = frozenset(name.rpartition("/")[0] for name in names)
            self._manifest = _main_attributes(_content(self._archive, _MANIFEST) or b"")
            if self._manifest.get("multi-release", "").lower() == "true":
                self._versions = _versions(names)
            self._is_known = True
        return self._archive


@dataclass(frozen=True)
class Unreadable:
    """A directory or jar that is there, but cannot be read, so what it has is not known.

    Attributes:
        name: its path, as the VM has it.
        error: why.
        is_moved: whether it may have come there after the VM had started: it does not matter.
    """

    name: str
    error: OSError
    is_moved: bool = False

    @property
    def class_path(self) -> list[str]:
        """The paths that it adds to the class path: none that are known."""
        return []

    def find(self, path: str) -> ClassFile | None:
        """Raises why it cannot be read.

        Raises:
            OSError: always.
        """
        raise OSError(self.error.errno, self.error.strerror, path)

    def may_have_had(self, path: str) -> bool:
        """Raises why it cannot be read.

        Raises:
            OSError: always.
        """
        raise OSError(self.error.errno, self.error.strerror, path)

    def has_package(self, package: str) -> bool:
        """Raises why it cannot be read.

        Raises:
            OSError: always.
        """
        raise OSError(self.error.errno, self.error.strerror, package)

    def close(self) -> None:
        """Closes nothing."""


Place = Directory | Jar | Unreadable


class Files:
    """The files that a VM can see, also when it has ended.

    Args:
        vm: the VM, which runs.
        release: the release of Java that it has; None: it is not known.
    """

    def __init__(self, vm: JavaVm, release: int | None) -> None:
        self._release = release
        self._paths = VmPaths(vm)

    def is_new(self, written_ns: int) -> bool:
        """Tells whether what was written then may have been written after the VM had started."""
        return self._paths.is_new(written_ns)

    def open(self, path: str) -> Place | None:
        """Opens a directory or a jar; None: it is not there, or is neither.

        Raises:
            OSError: it is there, but cannot be opened, or may have been there.
        """
        walked = self._paths.walk(path)
        descriptor, is_moved = walked.descriptor, walked.is_moved
        if descriptor is None:
            if is_moved:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
            return None
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            return Directory(path, descriptor, self._paths, is_moved)
        is_moved = is_moved and not self._paths.is_open(descriptor)
        is_new = self.is_new(_written_ns(descriptor))
        return Jar(path, os.fdopen(descriptor, "rb"), self._release, is_moved, is_new)

    def close(self) -> None:
        """Closes what is open; jars stay."""
        self._paths.close()


def _content(archive: zipfile.ZipFile | None, path: str) -> bytes | None:
    """Returns the content of a file; None: it is not there, or is damaged."""
    try:
        return None if archive is None else archive.read(path)
    except (KeyError, *_DAMAGES):
        return None


def _path(url: str) -> str | None:
    """Returns the path that a URL in a manifest means; None: it means no file.

    >>> _path("lib/a%20b.jar"), _path("file:/lib/c.jar"), _path("http://d/e.jar"), _path("http://[")
    ('lib/a b.jar', '/lib/c.jar', None, None)
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return unquote(parts.path) if parts.scheme in ("", "file") else None


def _main_attributes(content: bytes) -> Mapping[str, str]:
    r"""Returns the main attributes of a manifest, by their names in small letters.

    >>> _main_attributes(b"Manifest-Version: 1.0\r\nClass-Path: lib/a.j\r\n ar\r\n\r\nName: x\r\n")
    {'manifest-version': '1.0', 'class-path': 'lib/a.jar'}
    """
    found: dict[str, str] = {}
    name = ""
    for line in content.decode(errors="replace").splitlines():
        if not line:
            break
        if line.startswith(" "):
            found[name] = found.get(name, "") + line[1:]
        else:
            name, _, value = line.partition(": ")
            name = name.lower()
            found[name] = value
    return found


def _versions(names: Iterable[str]) -> Mapping[str, list[int]]:
    """Returns for which releases a jar has a file of its own, by the usual path of the file.

    >>> _versions(["A.class", "META-INF/versions/11/A.class", "META-INF/versions/x/A.class"])
    {'A.class': [11]}
    """
    found: dict[str, list[int]] = {}
    for name in names:
        if name.startswith(_VERSIONS):
            number, _, path = name.removeprefix(_VERSIONS).partition("/")
            if number.isdecimal() and int(number) >= _FIRST_VERSIONED:
                found.setdefault(path, []).append(int(number))
    return found


def _written_ns(descriptor: int) -> int:
    facts = os.fstat(descriptor)
    return max(facts.st_mtime_ns, facts.st_ctime_ns)

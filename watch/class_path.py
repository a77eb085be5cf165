"""The class files on the class path and the module path of a VM, as they are seen from outside.

Nothing of this asks the VM. Files are looked for as the VM's application loader does: in the order
of the class path, with what the manifest of a jar names behind that jar, and in a jar of several
releases of Java in the files of the VM's. A file that was written after the VM has started, or may
have come to its path after that, may not be the one that was loaded, so its content says nothing.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from jvmscope.watch.class_files import Directory, Files, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.watch.class_files import ClassFile, Place
    from jvmscope.watch.machines import JavaVm

__all__ = ["ClassPath"]

_CLASS_PATH, _MODULE_PATH = "the class path", "the module path"
_CHANGED = "the file was written after the VM had started"
_MOVED = "may have been put at its path after the VM had started"
_CHANGED_PLACE = "was changed after the VM had started, and may have had another file of it"
_SEVERAL = "several modules, or a module and the class path, have its package"
_PATCHED = "the VM was started with --patch-module"
_PATCHES = "--patch-module"
_OWN_RELEASES = "-Djdk.util.jar."
"""Properties by which a VM takes other files of jars than those of its release."""

_MODULE_INFO = "module-info.class"

Row = tuple[str, str, str | None, str | None, str | None, str | None, str | None]


class ClassPath:
    """The class path and the module path of one VM, until ``close``.

    Args:
        vm: the VM, which runs.
    """

    def __init__(self, vm: JavaVm) -> None:
        arguments = vm.arguments or ""
        self._is_patched = _PATCHES in arguments
        self._files = Files(vm, None if _OWN_RELEASES in arguments else vm.release)
        self._followed: set[str] = set()
        self._class_path = self._opened(_class_path(vm))
        self._modules = list(self._opened_modules((vm.module_path or "").split(os.pathsep)))

    def row(self, class_name: str) -> Row | None:
        """Returns the row of ``class_content`` of a class; None: it has no file here."""
        path = f"{class_name}.class"
        doubts: list[str] = []
        of_modules = list(self._found(self._modules, path, doubts))
        of_class_path = next(self._found(self._places(), path, doubts), None)
        found = [*of_modules, *([of_class_path] if of_class_path is not None else [])]
        if not found:
            return None
        place, file = found[0]
        known_by = _MODULE_PATH if of_modules else _CLASS_PATH
        reason = self._doubt(file, doubts)
        if reason is None and (len(found) > 1 or (not of_modules and self._has_module(path))):
            reason = _SEVERAL
        if reason is None and of_modules and self._is_patched:
            reason = _PATCHED
        sha256 = hashlib.sha256(file.content).hexdigest() if reason is None else None
        return class_name, known_by, None, place.name, sha256, None, reason

    def close(self) -> None:
        """Closes what is open."""
        for place in (*self._class_path, *self._modules):
            place.close()
        self._class_path.clear()
        self._modules.clear()
        self._files.close()

    def _doubt(self, file: ClassFile, doubts: list[str]) -> str | None:
        """Returns why a file may be another one than that which was loaded; None: it is that."""
        if self._files.is_new(file.written_ns):
            return _CHANGED
        return doubts[0] if doubts else file.doubt

    def _found(
        self, places: Iterable[Place], path: str, doubts: list[str]
    ) -> Iterator[tuple[Place, ClassFile]]:
        """Finds the files of a path in places, in their order; adds why there may be others."""
        for place in places:
            if place.is_moved:
                doubts.append(f"{place.name} {_MOVED}")
            try:
                file = place.find(path)
                if file is None and place.may_have_had(path):
                    doubts.append(f"{place.name} {_CHANGED_PLACE}")
            except OSError as error:
                unread = f"{place.name} cannot be read ({error.strerror})"
                doubts.append(f"{unread}, and may have another file of it")
                continue
            if file is not None:
                yield place, file

    def _has_module(self, path: str) -> bool:
        """Tells whether a module has the package of a class: none of the class path counts then."""
        package = path.rpartition("/")[0]
        for place in self._modules:
            with suppress(OSError):
                if place.has_package(package):
                    return True
        return False

    def _places(self) -> Iterator[Place]:
        """Yields the places of the class path; behind a jar comes what its manifest names."""
        at = 0
        while at < len(self._class_path):
            place = self._class_path[at]
            at += 1
            if place.name not in self._followed:
                self._followed.add(place.name)
                before = {each.name for each in self._class_path[:at]}
                named: list[str] = []
                with suppress(OSError):  # said when a class is looked for there
                    named = [name for name in place.class_path if name not in before]
                self._class_path[at:at] = self._opened(dict.fromkeys(named))
            yield place

    def _opened(self, paths: Iterable[str]) -> list[Place]:
        """Opens directories and jars that are there."""
        found: list[Place] = []
        for path in paths:
            place: Place | None
            try:
                place = self._files.open(path)
            except OSError as error:
                place = Unreadable(path, error)
            if place is not None:
                found.append(place)
        return found

    def _opened_modules(self, paths: Iterable[str]) -> Iterator[Place]:
        """Opens modules: jars, directories that are modules, and those in other directories."""
        for place in self._opened(path for path in paths if path):
            try:
                if not isinstance(place, Directory) or place.find(_MODULE_INFO) is not None:
                    yield place
                    continue
                inner = place.paths()
            except OSError as error:
                yield Unreadable(place.name, error)
            else:
                yield from self._opened(inner)
            if place.is_moved:  # other modules may have been there, and are not found
                yield place
            else:
                place.close()


def _class_path(vm: JavaVm) -> list[str]:
    """Returns the entries of the class path; an empty one is the current directory."""
    if vm.class_path is None or (not vm.class_path and vm.module_path):
        return []
    return [entry or "." for entry in vm.class_path.split(os.pathsep)]

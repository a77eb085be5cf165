"""The paths of a VM as it sees them, and whether they lead now where they led when it started.

Where a file, a directory or a link is made or moved, its last change (``ctime``) is of that time,
and so is that of the directory that has it. So what has not changed since the VM started was at its
path then, and so was all that is in a directory which has not changed. Where both have changed, it
may have been exchanged, or a program may have written files here and there. Of the directory in
which the VM works, and of those above it, we believe that they were written into: the VM holds that
directory, and it is not at the path if another one is. But one that was moved and not written into
since has a change that is newer than its newest entry (``mtime``).

That a file system was mounted over a directory leaves no trace.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmscope.watch.machines import JavaVm

__all__ = ["VmPaths", "Walked"]

_PROC = Path("/proc")
_TICK_NS = 20_000_000
"""The start of a process is known to 10 ms, and no VM loads a class of a program so soon."""

_MOST_LINKS = 40
"""As many as Linux follows on one path."""


@dataclass(frozen=True)
class Walked:
    """What is at a path.

    Attributes:
        descriptor: the file or directory, open to be read; None: there is none.
        is_moved: whether it may have come there after the VM had started.
        is_removed: whether there is none, but its directory is there and has changed since then.
    """

    descriptor: int | None
    is_moved: bool
    is_removed: bool = False


class VmPaths:
    """The paths that a VM sees, also when it has ended, until ``close``.

    Args:
        vm: the VM, which runs.
    """

    def __init__(self, vm: JavaVm) -> None:
        self._pid = vm.pid
        self._started_ns = _started_ns(vm.pid)
        self._at: dict[str, int] = {}
        with suppress(OSError):
            for name in ("root", "cwd"):
                self._at[name] = os.open(_PROC / str(vm.pid) / name, os.O_PATH)
        self._held: set[tuple[int, int]] = set()
        chain = self._chain()
        self._held.update(_identity(facts) for facts in chain)
        self._is_cwd_moved = any(map(self._is_moved, chain, chain[1:]))

    def is_new(self, changed_ns: int) -> bool:
        """Tells whether the VM may have started before a time, in nanoseconds since 1970."""
        return self._started_ns is None or changed_ns > self._started_ns + _TICK_NS

    def is_open(self, descriptor: int) -> bool:
        """Tells whether the VM, which runs, has a file open that is open here."""
        identity = _identity(os.fstat(descriptor))
        with suppress(OSError), os.scandir(_PROC / str(self._pid) / "fd") as entries:
            for entry in entries:
                with suppress(OSError):  # closed meanwhile
                    if _identity(entry.stat()) == identity:
                        return True
        return False

    def walk(self, path: str, directory: int | None = None) -> Walked:
        """Goes along a path, from a directory or from where the VM does; waits for no named pipe.

        Raises:
            OSError: it is there, but cannot be opened, or is neither a file nor a directory.
        """
        if directory is not None:
            return self._walk(path, directory, is_moved=False)
        is_absolute = path.startswith("/")
        start = self._at.get("root" if is_absolute else "cwd")
        if start is None:  # the VM had just ended
            return Walked(None, is_moved=True)
        return self._walk(path, start, is_moved=self._is_cwd_moved and not is_absolute)

    def close(self) -> None:
        """Closes what is open; what was found stays."""
        for descriptor in self._at.values():
            os.close(descriptor)
        self._at.clear()

    def _walk(self, path: str, directory: int, *, is_moved: bool) -> Walked:
        """Goes along a path step by step: a link starts at the root of the VM, not at ours."""
        here, links = os.dup(directory), 0
        names = _names(path)
        try:
            while names:
                name = names.pop()
                if name == "..":
                    here = _replaced(here, self._above(here))
                    continue
                facts = os.stat(name, dir_fd=here, follow_symlinks=False)
                if self.is_new(facts.st_ctime_ns):
                    is_moved = is_moved or self._is_moved(facts, os.fstat(here))
                if not stat.S_ISLNK(facts.st_mode):
                    here = _replaced(here, _opened(name, here, is_last=not names))
                    continue
                links += 1
                if links > _MOST_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
                target = os.readlink(name, dir_fd=here)
                names += _names(target)
                if target.startswith("/"):
                    here = _replaced(here, os.dup(self._at["root"]))
            return Walked(_readable(here), is_moved)
        except (FileNotFoundError, NotADirectoryError):
            is_removed = not names and self.is_new(os.fstat(here).st_ctime_ns)
            return Walked(None, is_moved, is_removed)
        finally:
            os.close(here)

    def _is_moved(self, facts: os.stat_result, above: os.stat_result) -> bool:
        """Tells whether something may have come into the directory above after the VM started."""
        if not self.is_new(min(facts.st_ctime_ns, above.st_ctime_ns)):
            return False
        if _identity(facts) not in self._held:
            return True
        return facts.st_ctime_ns != facts.st_mtime_ns  # a file made in it sets both alike

    def _chain(self) -> list[os.stat_result]:
        """Returns the facts of the directory in which the VM works, and of all above it."""
        if "cwd" not in self._at:
            return []
        here = os.dup(self._at["cwd"])
        chain = [os.fstat(here)]
        with suppress(OSError):  # what we may not see, a VM of the same user does not see either
            while True:
                here = _replaced(here, self._above(here))
                facts = os.fstat(here)
                if _identity(facts) == _identity(chain[-1]):
                    break
                chain.append(facts)
        os.close(here)
        return chain

    def _above(self, directory: int) -> int:
        """Opens the directory above another one; that of the root of the VM is the root itself."""
        is_root = os.path.sameopenfile(directory, self._at["root"])
        return os.dup(directory) if is_root else os.open("..", os.O_PATH, dir_fd=directory)


def _names(path: str) -> list[str]:
    """Returns the names on a path, the last one first.

    >>> _names("/a/./b//..")
    ['..', 'b', 'a']
    """
    return [name for name in reversed(path.split("/")) if name not in ("", ".")]


def _opened(name: str, directory: int, *, is_last: bool) -> int:
    """Opens a directory to go on, or a file to be read; fails if it is a link by now."""
    flags = os.O_NOFOLLOW | (os.O_RDONLY | os.O_NONBLOCK if is_last else os.O_PATH | os.O_DIRECTORY)
    return os.open(name, flags, dir_fd=directory)


def _readable(descriptor: int) -> int:
    """Opens a directory anew, as it may be open only to go on; a file is read as it is."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode):
        return os.open(".", os.O_RDONLY, dir_fd=descriptor)
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "neither a file nor a directory")
    return os.dup(descriptor)


def _replaced(descriptor: int, other: int) -> int:
    """Closes what was open, and returns what is open instead."""
    os.close(descriptor)
    return other


def _identity(facts: os.stat_result) -> tuple[int, int]:
    return facts.st_dev, facts.st_ino


def _started_ns(pid: int) -> int | None:
    """Returns when a process started, in nanoseconds since 1970, to 10 ms; None: it has ended."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    ticks = int(text.rpartition(")")[2].split()[19])
    since_boot = ticks * 1_000_000_000 // os.sysconf("SC_CLK_TCK")
    return time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME) + since_boot

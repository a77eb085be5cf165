"""A process that gives up, for good, what it does not need: to write, to connect, to start others.

    python -m jvmscope.confinement     reads one line from stdin, confines itself, runs a module

What is given up is given up by a thread and those that it starts later. So it happens before any
library is imported that may start threads (Arrow does), and this package imports none.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.confinement import landlock, seccomp

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Barriers", "address_space_bytes", "confine"]

_TASKS, _SIZE = "/proc/self/task", "/proc/self/statm"
_open: list[int] = []  # a descriptor of _SIZE, which cannot be opened any more


@dataclass(frozen=True)
class Barriers:
    """What holds a process back.

    Attributes:
        landlock: the version of Landlock in force, 0 if none is.
        seccomp: whether system calls are filtered.
    """

    landlock: int = 0
    seccomp: bool = False

    @property
    def prevent_writing(self) -> bool:
        """Whether the operating system lets the process change no file."""
        return self.seccomp or self.landlock >= landlock.ABI_OF_TRUNCATION


def confine(readable: Iterable[str], barriers: Iterable[str] = ("landlock", "seccomp")) -> Barriers:
    """Confines this process to reading the given files, by all means that the system has.

    Args:
        readable: files, and directories with all below them.
        barriers: those to use; a test leaves one out to see that the other one holds.

    Returns:
        What is in force. Nothing is where the system has neither, or another thread runs already.
    """
    if _n_threads() != 1:
        return Barriers()
    if os.path.exists(_SIZE):  # noqa: PTH110
        _open.append(os.open(_SIZE, os.O_RDONLY | os.O_CLOEXEC))
    version = landlock.restrict(readable) if "landlock" in barriers else 0
    is_filtered = seccomp.restrict() if "seccomp" in barriers else False
    return Barriers(version, is_filtered)


def address_space_bytes() -> int:
    """Returns the size of this process's address space, which a confined one may still know."""
    descriptor = _open[0] if _open else os.open(_SIZE, os.O_RDONLY | os.O_CLOEXEC)
    return int(os.pread(descriptor, 100, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _n_threads() -> int:
    """Returns how many threads this process has; 1 where the system does not say."""
    return len(os.listdir(_TASKS)) if os.path.isdir(_TASKS) else 1  # noqa: PTH112, PTH208

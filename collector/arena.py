"""The header of a recording's arena: the last words of a JVM, whatever ended it."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ArenaHeader", "read_arena_header"]

_MAGIC = 0x314E45574353564A
_LAYOUT = struct.Struct("<QIIiIQQIIQI4xq")
_VERSION = 1

RUNNING, SHUT_DOWN, HALTED = 0, 1, 2
_FOLDED, _DISK_FULL, _CLASS_LOG_FULL, _STARTED_LATE, _EDGES_LOST = 1, 2, 4, 8, 16


@dataclass(frozen=True)
class ArenaHeader:
    """What the agent wrote at the arena's start.

    ``state`` is 0 while the VM runs, and for ever if it was killed; 1 after the last
    non-daemon thread ended; 2 after System.exit, Runtime.halt or a signal that the VM
    handles, and only then ``status`` is the VM's exit status.
    """

    state: int
    status: int
    flags: int
    used_bytes: int
    java_major: int
    pid: int

    @property
    def is_folded(self) -> bool:
        """Whether the memory limit was reached and deeper calls were folded."""
        return bool(self.flags & _FOLDED)

    @property
    def is_cut(self) -> bool:
        """Whether calls were lost: the disk, the log of classes or the room to fold was full."""
        return bool(self.flags & (_DISK_FULL | _CLASS_LOG_FULL | _EDGES_LOST))

    @property
    def is_class_log_full(self) -> bool:
        """Whether the log of loaded classes was full."""
        return bool(self.flags & _CLASS_LOG_FULL)

    @property
    def has_lost_edges(self) -> bool:
        """Whether even folded calls found no room, and were lost."""
        return bool(self.flags & _EDGES_LOST)

    @property
    def is_disk_full(self) -> bool:
        """Whether the disk was full."""
        return bool(self.flags & _DISK_FULL)


def read_arena_header(path: Path) -> ArenaHeader | None:
    """Returns the header; None if the agent had not begun to write one."""
    try:
        with path.open("rb") as file:
            data = file.read(_LAYOUT.size)
    except OSError:
        return None
    if len(data) < _LAYOUT.size:
        return None
    magic, version, state, status, flags, used, _, _, major, _, _, pid = _LAYOUT.unpack(data)
    if magic != _MAGIC or version != _VERSION:
        return None
    return ArenaHeader(state, status, flags, used, major, pid)

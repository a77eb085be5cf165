"""The header of the memory-mapped file in which a JVM counts; it says how the JVM ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ArenaHeader", "read_arena_header"]

# Named as in ArenaLayout.java, which a test compares these with: where the fields are,
MAGIC = 0x314E45574353564A
VERSION = 1
VERSION_AT, STATE, EXIT_STATUS, FLAGS, TOP, JAVA_VERSION, PID = 8, 12, 16, 20, 24, 44, 64
# the states,
RUNNING, SHUT_DOWN, HALTED = 0, 1, 2
# and the flags.
FOLDED, DISK_FULL, LOG_FULL, EDGES_LOST = 1, 2, 4, 16

_READ_BYTES = PID + 8


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
        return bool(self.flags & FOLDED)

    @property
    def is_cut(self) -> bool:
        """Whether calls were lost: the disk, the log of classes or the room to fold was full."""
        return bool(self.flags & (DISK_FULL | LOG_FULL | EDGES_LOST))

    @property
    def is_class_log_full(self) -> bool:
        """Whether classes are missing in the log of loaded ones."""
        return bool(self.flags & LOG_FULL)

    @property
    def has_lost_edges(self) -> bool:
        """Whether even folded calls found no room, and were lost."""
        return bool(self.flags & EDGES_LOST)

    @property
    def is_disk_full(self) -> bool:
        """Whether the disk was full."""
        return bool(self.flags & DISK_FULL)


def read_arena_header(path: Path) -> ArenaHeader | None:
    """Returns the header; None if the agent had not begun to write one."""
    try:
        with path.open("rb") as file:
            data = file.read(_READ_BYTES)
    except OSError:
        return None
    if len(data) < _READ_BYTES or _int64(data, 0) != MAGIC or _int32(data, VERSION_AT) != VERSION:
        return None
    return ArenaHeader(
        state=_int32(data, STATE),
        status=_int32(data, EXIT_STATUS),
        flags=_int32(data, FLAGS),
        used_bytes=_int64(data, TOP),
        java_major=_int32(data, JAVA_VERSION),
        pid=_int64(data, PID),
    )


def _int32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little", signed=True)


def _int64(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little", signed=True)

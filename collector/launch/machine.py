"""What the machine has and runs: room in memory, processes.

The shim imports this module for every JVM: nothing but `os`.
"""

from __future__ import annotations

import os

__all__ = ["has_room", "process_start_ticks"]

_SPARE_BYTES = 1 << 30


def has_room(directory: str, n_bytes: int) -> bool:
    """Whether `n_bytes` fit into the memory file system of `directory`, and into memory."""
    try:
        status = os.statvfs(directory)
        available = _available_memory()
    except (OSError, ValueError):
        return False
    free = status.f_bavail * status.f_frsize
    return free >= n_bytes + _SPARE_BYTES // 4 and available >= n_bytes + _SPARE_BYTES


def _available_memory() -> int:
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def process_start_ticks(pid: int) -> int | None:
    """When the process `pid` started, in clock ticks since boot; None if there is none alive."""
    try:
        stat = _read(f"/proc/{pid}/stat")
    except OSError:
        return None
    fields = stat[stat.rindex(")") + 2 :].split()
    return None if fields[0] in ("Z", "X") else int(fields[19])


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return os.fsdecode(file.read())

"""What the machine has and runs: room in memory, processes.

The shim imports this module for every JVM: nothing but `os`.
"""

from __future__ import annotations

import os

__all__ = ["has_room", "may_start_java", "process_start_ticks"]

_SPARE_BYTES = 1 << 30
_FORKED_NO_EXEC = 0x40  # PF_FORKNOEXEC of the kernel's task flags


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


def may_start_java(directory: str) -> tuple[bool, bool]:
    """Whether processes are on their way to a Java that has its shim below `directory`.

    The first says that a shim runs, which becomes Java soon, the second that a process
    with such a shim in its environment was forked and has not become a program yet.
    """
    prefix = f"{directory}/"
    is_shim = is_forked = False
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            # In this order: what becomes a shim after the first is seen by the second.
            is_forked = is_forked or (
                _has_only_forked(name) and prefix in _read(f"/proc/{name}/environ")
            )
            words = _read(f"/proc/{name}/cmdline").split("\0")
            is_shim = is_shim or (words[1:2] == ["-IS"] and words[2].startswith(prefix))
        except OSError:
            continue  # it has ended, or is another user's
    return is_shim, is_forked


def _has_only_forked(pid: str) -> bool:
    stat = _read(f"/proc/{pid}/stat")
    return bool(int(stat[stat.rindex(")") + 2 :].split()[6]) & _FORKED_NO_EXEC)


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return os.fsdecode(file.read())

"""What the operating system says that a process has used: times, page faults, memory."""

from __future__ import annotations

import os
import time
from pathlib import Path

__all__ = ["process_usage"]

_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")

# Places in /proc/PID/stat behind the name of the process, as proc(5) numbers them, less 3.
_MINOR, _MAJOR, _USER, _SYSTEM, _THREADS, _RESIDENT, _IO_WAIT = 7, 9, 11, 12, 17, 21, 39


def process_usage(pid: int) -> tuple[int | None, ...] | None:
    """Returns a row of ``process_usage``; None if the process has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    values = text.rpartition(")")[2].split()
    if values[0] in ("Z", "X"):
        return None
    waited = int(values[_IO_WAIT])
    return (
        time.time_ns(),
        int(values[_USER]) * _TICK_NS,
        int(values[_SYSTEM]) * _TICK_NS,
        int(values[_MINOR]),
        int(values[_MAJOR]),
        waited * _TICK_NS if waited or _counts_waits() else None,
        int(values[_RESIDENT]) * _PAGE,
        int(values[_THREADS]),
    )


def _counts_waits() -> bool:
    """Tells whether the kernel counts how long tasks wait for block devices."""
    try:
        return Path("/proc/sys/kernel/task_delayacct").read_text(encoding="ascii").strip() == "1"
    except OSError:
        return False

"""How many processors and how much memory one of several worker processes may use."""

from __future__ import annotations

import os

__all__ = ["n_processors", "n_sharing", "share_machine"]

_n_sharing = 1


def share_machine(n_processes: int) -> None:
    """Has databases that are opened from now on take no more than one of so many equal shares."""
    global _n_sharing  # noqa: PLW0603 - the process has one share
    _n_sharing = max(1, n_processes)


def n_sharing() -> int:
    """Returns how many processes share the machine, this one included."""
    return _n_sharing


def n_processors() -> int:
    """Returns how many processors this process may keep busy, at least one."""
    return max(1, len(os.sched_getaffinity(0)) // _n_sharing)

"""DuckDB's settings for memory: the limit, and the directory for data that exceeds it.

DuckDB by itself takes four fifths of the machine; one query that sorts or joins too much would
then push everything else out. Here it is half of what there is, a container's limit counted, and
3 GiB at most, so that Python and Arrow have room below 4 GiB; processes that share the machine
share this half. What does not fit goes to files in a directory of the database's own, since
databases that share one overwrite each other's files. Evaluation on trees, which keeps all in
memory, may take as much.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from pathlib import Path
from typing import Any

from jvmscope.queries.limits.share import n_processors, n_sharing
from jvmscope.temporary_files import temporary_directory

__all__ = ["memory_settings", "most_bytes", "own_bytes"]

_MOST_BYTES = 3 << 30
_LEAST_BYTES = 512 << 20
_UNLIMITED = 1 << 60  # what the kernel says where a container has no limit
_LIMITS = ("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes")
_numbers = itertools.count()


def memory_settings() -> dict[str, Any]:
    """Returns the settings with which a database of one's own is opened."""
    name = f"jvmscope-duckdb-{os.getpid()}-{next(_numbers)}"
    return {
        "memory_limit": f"{most_bytes()}B",
        "temp_directory": str(Path(temporary_directory()) / name),
        **({"threads": n_processors()} if n_sharing() > 1 else {}),  # each needs memory, too
    }


def most_bytes() -> int:
    """Returns how much memory a query may take, on top of what the process has."""
    return _limit_bytes(_machine_bytes() // n_sharing())


def own_bytes() -> int:
    """Returns the memory that this process holds, files left out; 0 where Linux does not say."""
    try:
        resident, shared = Path("/proc/self/statm").read_text(encoding="ascii").split()[1:3]
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")


def _limit_bytes(n_bytes: int) -> int:
    """Returns the limit of a database where there are so many bytes of memory.

    >>> [_limit_bytes(n << 30) >> 20 for n in (64, 8, 0)]
    [3072, 3072, 512]
    """
    return max(_LEAST_BYTES, min(_MOST_BYTES, n_bytes // 2))


def _machine_bytes(root: Path = Path("/")) -> int:
    """Returns the machine's memory, or the container's limit if that is less."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for name in _LIMITS:
        with contextlib.suppress(OSError, ValueError):  # "max", or no such file
            found.append(int((root / name).read_text(encoding="ascii")))
    return min(n for n in found if 0 < n < _UNLIMITED)

"""Which files the process of an untrusted query may read: the run's tables and Python's needs."""

from __future__ import annotations

import os
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["python_path", "readable_files"]

_PACKAGES = (
    "jvmscope",
    "jvmscope.queries",
    "jvmscope.schema",
    "_duckdb",
    "duckdb",
    "elementpath",
    "lxml",
    "numpy",
    "pyarrow",
    "regex",
    "tzdata",
)
_SYSTEM = (
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/dev/null",
    "/dev/urandom",
    # by which DuckDB and allocators learn how much memory and how many processors there are
    "/proc/self/cgroup",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
)


def readable_files(tables: Iterable[Path]) -> list[str]:
    """Returns files, and directories with all below them, without which no query is answered.

    Args:
        tables: the files of the run's tables; nothing else of the run is among what is returned.
    """
    found = [*_SYSTEM, *_python(), *_libraries(), *(str(path.absolute()) for path in tables)]
    return sorted({path for path in found if path})


def python_path() -> list[str]:
    """Returns the directories that the caller's ``PYTHONPATH`` names, for a process elsewhere."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [str(Path(path).absolute()) for path in named if path]


def _python() -> Iterator[str]:
    """Yields where the process finds modules: Python's own, those that are installed, and ours."""
    paths = sysconfig.get_paths()
    yield from (paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib"))
    yield sysconfig.get_config_var("LIBDIR") or ""  # what its own modules are linked with
    yield from os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    yield from python_path()
    for name in _PACKAGES:
        spec = find_spec(name)
        if spec is not None:
            yield from spec.submodule_search_locations or [spec.origin or ""]


def _libraries() -> Iterator[str]:
    """Yields the shared libraries that this process has loaded, which the other one will load."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return
    for line in maps.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        path = line.partition("/")[2]
        if ".so" in path.rpartition("/")[2]:
            yield f"/{path}"

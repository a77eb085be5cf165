"""What the machine has and runs: room in memory, processes.

The shim imports this module for every JVM: nothing but `os`.
"""

from __future__ import annotations

import os

__all__ = [
    "address_space",
    "group_memory",
    "has_room",
    "machine_memory",
    "may_start_java",
    "process_start_ticks",
]

_SPARE_BYTES = 1 << 30
_GROUPS = "/sys/fs/cgroup"
_ADDRESS_SPACE = "Max address space"
_FORKED_NO_EXEC = 0x40  # PF_FORKNOEXEC of the kernel's task flags


def has_room(directory: str, n_bytes: int) -> bool:
    """Whether `n_bytes` fit into the memory file system of `directory`, and into memory."""
    try:
        status = os.statvfs(directory)
        available = min([_available_memory(), *(limit - used for limit, used in group_memory())])
    except (OSError, ValueError):
        return False
    free = status.f_bavail * status.f_frsize
    return free >= n_bytes + _SPARE_BYTES // 4 and available >= n_bytes + _SPARE_BYTES


def machine_memory() -> int:
    """The bytes of memory of the machine, or of the container that we are in if it has less.

    Where addresses are limited, it is at most half of them: the VM's classes and code, and what
    the recording counts, take the others.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limits = [limit for limit, _ in group_memory()]
    space = address_space()
    return min([memory, *limits] if space is None else [memory, *limits, space // 2])


def address_space(limits: str = "/proc/self/limits") -> int | None:
    """How many bytes of addresses a process may use (``ulimit -v``); None: it has no limit."""
    try:
        lines = _read(limits).splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith(_ADDRESS_SPACE):
            soft = line[len(_ADDRESS_SPACE) :].split()[0]
            return None if soft == "unlimited" else int(soft)
    return None


def group_memory(groups: str = _GROUPS, own: str = "/proc/self/cgroup") -> list[tuple[int, int]]:
    """Limit and use in bytes of each control group that we are in and that has a limit."""
    found = []
    try:
        lines = _read(own).splitlines()
    except OSError:
        return []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":  # version 2
            base, limit, used = groups, "memory.max", "memory.current"
        elif controllers == "memory":  # version 1
            base, limit, used = f"{groups}/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
        else:
            continue
        # In a container the group may go by a name of the host, and is the base itself.
        directory = os.path.normpath(base + path)
        while directory.startswith(base):
            try:
                pair = int(_read(f"{directory}/{limit}")), int(_read(f"{directory}/{used}"))
                found.append(pair)
            except (OSError, ValueError):
                pass  # there is no such group, or its limit is "max"
            directory = os.path.dirname(directory)
    return found


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

"""A program of a test that does not end: its JVMs say where they wait, and all is killed."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["kill_telling", "kill_tree", "tell_threads"]

_TELLING_S = 15.0  # a JVM prints its threads in far less, unless the machine is busy


def kill_telling(pid: int) -> None:
    """Kills a process and those below it, after its JVMs had time to print their threads."""
    if tell_threads(pid):
        time.sleep(_TELLING_S)
    kill_tree(pid)


def tell_threads(pid: int) -> int:
    """Asks JVMs at and below a process to print their threads on standard output; how many."""
    jvms = [process for process in _tree(pid) if _name(process) == "java"]
    for jvm in jvms:
        _send(jvm, signal.SIGQUIT)
    return len(jvms)


def kill_tree(pid: int) -> None:
    """Kills a process and those below it."""
    for process in _tree(pid):
        _send(process, signal.SIGKILL)


def _tree(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, children.read_text(encoding="ascii").split())
    return found


def _name(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    return ""


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)

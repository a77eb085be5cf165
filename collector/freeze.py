"""Copies of the raw files of a JVM that goes on running after COMMAND."""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector.sparse import copy_sparsely

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.collector.launch.launch_notes import LaunchNote

__all__ = ["freeze"]

_STILL = "TtZX"  # stopped, traced, or ended
_STOP_S = 30.0
_POLL_S = 0.001


def freeze(note: LaunchNote) -> None:
    """Replaces the raw files of a running JVM by copies that it does not write into.

    It goes on writing into the files that it has, which no longer have a name.

    Raises:
        OSError: there is no room for the copies.
    """
    raw = note.directory / "raw"
    with _stopped(note):
        for path in list(raw.iterdir()):
            copy = path.with_name(f"{path.name}.frozen")
            copy_sparsely(path, copy)
            copy.replace(path)


@contextmanager
def _stopped(note: LaunchNote) -> Iterator[None]:
    with suppress(ProcessLookupError):
        os.kill(note.pid, signal.SIGSTOP)
    try:
        _wait_until_still(note.pid)
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(note.pid, signal.SIGCONT)


def _wait_until_still(pid: int) -> None:
    """Waits until no thread runs: each stops by itself, on a busy machine some time later."""
    deadline = time.monotonic() + _STOP_S
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(_POLL_S)


def _runs(pid: int) -> bool:
    """Whether a thread of the process is not stopped."""
    for path in Path(f"/proc/{pid}/task").glob("*/stat"):
        with suppress(OSError):  # the thread has ended
            text = path.read_bytes()
            if chr(text[text.rindex(b")") + 2]) not in _STILL:
                return True
    return False

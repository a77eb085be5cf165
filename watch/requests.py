"""Signals that ask a watch to end: they are noted, and acted upon between two reads.

An exception in the middle of a read would lose the events that were read and not yet kept. One that
comes again, later than what is sent to a whole group at once, ends the watch where it is.
"""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["noted_signals"]

_AGAIN_S = 0.5
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def noted_signals() -> Iterator[Callable[[], int | None]]:
    """Notes SIGINT, SIGTERM and SIGHUP, as long as this is the main thread.

    Returns:
        A context manager; its value returns the last of them that came, or None.
    """
    noted: list[int] = []
    first: list[float] = []
    handlers: dict[int, Any] = {}

    def note(number: int, frame: object) -> None:
        noted.append(number)
        first.append(time.monotonic())
        if first[-1] - first[0] >= _AGAIN_S and callable(handlers[number]):
            handlers[number](number, frame)

    if current_thread() is main_thread():
        for asking in _ENDING:
            if signal.getsignal(asking) is not signal.SIG_IGN:
                handlers[asking] = signal.signal(asking, note)
    try:
        yield lambda: noted[-1] if noted else None
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)

"""Signals that ask a watch to end: they are noted, and acted upon between two reads.

An exception in the middle of a read would lose the events that were read and not yet kept.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["noted_signals"]

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def noted_signals() -> Iterator[Callable[[], int | None]]:
    """Notes SIGINT, SIGTERM and SIGHUP, as long as this is the main thread.

    Returns:
        A context manager; its value returns the last of them that came, or None.
    """
    noted: list[int] = []
    handlers = {}
    if current_thread() is main_thread():
        for number in _ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                handlers[number] = signal.signal(number, lambda came, _frame: noted.append(came))
    try:
        yield lambda: noted[-1] if noted else None
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)

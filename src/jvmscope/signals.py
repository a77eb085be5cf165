"""Handles signals that end this process: temporary and half-written files are removed first."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

from jvmscope.whole_files import remove_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Ended", "cleaning_up"]

_ENDING = (signal.SIGTERM, signal.SIGHUP)  # Python makes KeyboardInterrupt of SIGINT
_IMPATIENT = (signal.SIGINT, *_ENDING)


class Ended(SystemExit):
    """A signal ends this process; the status is what a shell shows for it."""

    def __init__(self, number: int) -> None:
        self.status = 128 + number
        super().__init__(self.status)
        self.name = signal.Signals(number).name


@contextmanager
def cleaning_up() -> Iterator[None]:
    """Makes SIGTERM and SIGHUP end this process in order.

    They may come again, as may Ctrl-C, while what they end cleans up: so what is unfinished is
    removed once more, undisturbed.
    """
    handlers = {}
    for number in _ENDING:
        if signal.getsignal(number) is signal.SIG_DFL and current_thread() is main_thread():
            handlers[number] = signal.signal(number, _leave)
    try:
        yield
    except (KeyboardInterrupt, Ended):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _IMPATIENT)
        remove_unfinished()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        raise
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: object) -> None:
    raise Ended(number)

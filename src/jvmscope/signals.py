"""Handles signals that end this process: temporary and half-written files are removed first.

A signal becomes an exception wherever Python is at that moment. Where Python or a library drops it,
as in a destructor or in C code that tries whether it can import a module, it is raised again. Where
a half-done step would be lost with it, it is held until the step is done.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any

from jvmscope.whole_files import remove_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Ended", "cleaning_up", "heard", "held"]

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_NOT_OURS = (signal.SIG_DFL, signal.default_int_handler)
_AGAIN_S = 0.001


class _Unheard:
    """The signal that nothing has acted upon yet."""

    number: int | None = None


class _Held:
    """How many blocks hold signals, and the signal that came while they did."""

    n_blocks = 0
    number: int | None = None


class Ended(SystemExit):
    """A signal ends this process; the status is what a shell shows for it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.status = 128 + number
        super().__init__(self.status)
        self.name = signal.Signals(number).name

    def __del__(self) -> None:
        _repeat()


class _Interrupted(KeyboardInterrupt):
    """Ctrl-C."""

    def __del__(self) -> None:
        _repeat()


def heard() -> int | None:
    """Notes that whoever caught the exception of a signal acts upon it; returns the signal."""
    number, _Unheard.number = _Unheard.number, None
    return number


@contextmanager
def held() -> Iterator[None]:
    """Has a signal that comes in the block wait for its end; so the block has to be short.

    Signals reach the main thread only, so there is nothing to hold in others.
    """
    if current_thread() is not main_thread():
        yield
        return
    _Held.n_blocks += 1
    try:
        yield
    finally:
        _Held.n_blocks -= 1
        if not _Held.n_blocks and _Held.number is not None:
            number, _Held.number = _Held.number, None
            raise _exception(number)


@contextmanager
def cleaning_up() -> Iterator[None]:
    """Makes SIGINT, SIGTERM and SIGHUP end this process in order.

    They may come again while what they end cleans up: so what is unfinished is removed once more,
    undisturbed. A library may turn the exception of a signal into one of its own: it is Ended or
    KeyboardInterrupt again from here on.
    """
    with _handlers(), _drops_untold():
        try:
            yield
        except BaseException as error:
            number = heard()
            is_ours = isinstance(error, KeyboardInterrupt | Ended)
            if number is None and not is_ours:
                raise
            _remove_undisturbed()
            if is_ours or number is None:
                raise
            raise _exception(number) from None
        number = heard()
        if number is not None:
            _remove_undisturbed()
            raise _exception(number)


@contextmanager
def _handlers() -> Iterator[None]:
    """Handles the signals that nobody else handles, as long as this is the main thread."""
    handlers: dict[int, Any] = {}
    if current_thread() is main_thread():
        for number in _ENDING:
            if signal.getsignal(number) in _NOT_OURS:
                handlers[number] = signal.signal(number, _leave)
        if handlers and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL:
            handlers[signal.SIGALRM] = signal.signal(signal.SIGALRM, _leave_again)
    try:
        yield
    finally:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
        if signal.SIGALRM in handlers:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for handled, handler in handlers.items():
            signal.signal(handled, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _drops_untold() -> Iterator[None]:
    """Has nothing printed where Python drops the exception of a signal, which comes again."""
    before = sys.unraisablehook

    def tell(dropped: sys.UnraisableHookArgs) -> None:
        if not isinstance(dropped.exc_value, Ended | _Interrupted):
            before(dropped)

    sys.unraisablehook = tell
    try:
        yield
    finally:
        if sys.unraisablehook is tell:
            sys.unraisablehook = before


def _leave(number: int, _frame: object) -> None:
    _Unheard.number = number
    if _Held.n_blocks:
        _Held.number = number
        return
    raise _exception(number)


def _leave_again(_number: int, _frame: object) -> None:
    if _Held.n_blocks:
        _Held.number = _Unheard.number
    elif _Unheard.number is not None:
        raise _exception(_Unheard.number)


def _repeat() -> None:
    """Raises the exception anew, soon: it is gone, and nothing has acted upon it."""
    if _Unheard.number is not None and signal.getsignal(signal.SIGALRM) is _leave_again:
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)


def _exception(number: int) -> BaseException:
    return _Interrupted() if number == signal.SIGINT else Ended(number)


def _remove_undisturbed() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    with contextlib.suppress(Exception):
        remove_unfinished()
    signal.pthread_sigmask(signal.SIG_SETMASK, before)

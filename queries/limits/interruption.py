"""Work that Ctrl-C and the clock can end, inside DuckDB and in Python."""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
import time
from typing import TYPE_CHECKING, Generic, TypeVar

from jvmscope.queries.limits.threads import start_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.queries.limits.deadline import Deadline

__all__ = ["in_time", "interruptible"]

_T = TypeVar("_T")
_AGAIN_S = 0.05
_TICK_S = 0.2
_STACK_BYTES = 512 << 20  # what recurses in a query recurses in Python; only what is used is taken


class _Stopped(SystemExit):
    """Raised in a thread from outside: ``except Exception`` lets it pass, and nobody prints it."""


def interruptible(
    work: Callable[[], _T],
    interrupt: Callable[[], object],
    deadline: float | None,
    tick: Callable[[], None] | None = None,
) -> _T:
    """Returns what the work returns, which runs in a thread of its own.

    Python handles a signal when it is back in its main thread, and Arrow's reader stays in
    DuckDB for a whole batch, however long that takes (DuckDB 2.0). So the thread that may
    be interrupted only waits.

    Args:
        work: has DuckDB do something.
        interrupt: makes DuckDB give up what it does; called again while the work goes on,
            since DuckDB forgets an interrupt that comes before it has begun.
        deadline: when to give up, by ``time.monotonic``; None: never.
        tick: called in this thread, some times a second, while the work goes on.

    Raises:
        TimeoutError: the deadline came; the work has ended.
        KeyboardInterrupt: Ctrl-C; the work has ended.
    """
    thread = start_thread(lambda: _Thread(work))
    return _outcome(thread, interrupt, deadline, tick)


def in_time(work: Callable[[], _T], deadline: Deadline) -> _T:
    """Returns what work in Python returns, which a deadline ends wherever it is.

    Parsing, planning and writing text have no loop in which all their time passes, so they do
    not look at the clock: they run in a thread in which an exception is raised when it is time.
    Without a deadline they run in this thread, where Ctrl-C reaches them, and so they do where the
    deadline ends the process.

    Raises:
        LimitReached: the deadline came; the work has ended.
        KeyboardInterrupt: Ctrl-C; the work has ended.
    """
    if deadline.at is None or deadline.ends_process:
        return work()
    thread = start_thread(lambda: _Thread(work), _STACK_BYTES)
    try:
        with _stops_untold():
            return _outcome(thread, thread.stop, deadline.at, None)
    except TimeoutError:
        raise deadline.error() from None


@contextlib.contextmanager
def _stops_untold() -> Iterator[None]:
    """Has nothing printed where Python drops a stop, as in what the collector calls.

    The stop is repeated, so dropping one does no harm; what else Python drops, it tells as before.
    """
    before = sys.unraisablehook

    def tell(dropped: sys.UnraisableHookArgs) -> None:
        if dropped.exc_type is not _Stopped:
            before(dropped)

    sys.unraisablehook = tell
    try:
        yield
    finally:
        if sys.unraisablehook is tell:  # else another query's, which calls this one
            sys.unraisablehook = before


class _Thread(threading.Thread, Generic[_T]):
    """A thread that does some work, and keeps what comes of it.

    It is joined once the work has ended, no earlier: ``join`` takes a thread for ended when Ctrl-C
    comes meanwhile (Python 3.11).
    """

    def __init__(self, work: Callable[[], _T]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self._goes_on = threading.Lock()
        self._goes_on.acquire()
        self.values: list[_T] = []
        self.errors: list[BaseException] = []

    def run(self) -> None:
        try:
            self.values.append(self._work())
        except BaseException as error:  # raised again where the work is awaited
            self.errors.append(error)
        finally:
            self._goes_on.release()

    def wait(self, seconds: float | None) -> bool:
        """Waits for the work's end, or for some seconds; tells whether it has ended."""
        if self._goes_on.acquire(timeout=-1 if seconds is None else seconds):
            self._goes_on.release()
            return True
        return not self.is_alive()  # a second exception may end it before it says so

    def stop(self) -> None:
        """Raises an exception in the thread, which Python does between two of its instructions."""
        if self.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.ident), ctypes.py_object(_Stopped)
            )


def _outcome(
    thread: _Thread[_T],
    interrupt: Callable[[], object],
    deadline: float | None,
    tick: Callable[[], None] | None,
) -> _T:
    is_late = True
    try:
        is_late = not _is_done(thread, deadline, tick)
    finally:
        while not thread.wait(0):
            interrupt()
            thread.wait(_AGAIN_S)
        thread.join()  # what its frames hold would be alive where Python ends before it does
        if is_late:
            thread.errors.clear()  # which hold the thread, the query and the run in a cycle
    if is_late:
        raise TimeoutError
    if thread.errors:
        raise thread.errors.pop()
    return thread.values.pop()


def _is_done(thread: _Thread[_T], deadline: float | None, tick: Callable[[], None] | None) -> bool:
    """Waits for a thread's end; tells whether it came before the deadline."""
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        step = _TICK_S if tick else left
        if thread.wait(step if left is None or step is None else min(step, left)):
            return True
        if deadline is not None and time.monotonic() >= deadline:
            return False
        if tick:
            tick()

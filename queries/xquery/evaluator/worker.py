"""Evaluation on a thread with a deep stack, in batches, ended when its time or its memory is over.

What recurses in a query recurses in Python, and in 3.11 a generator takes part of the C stack for
each level; the main thread's 8 MB would be too little.
"""

from __future__ import annotations

import ctypes
import threading
import time
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from jvmscope.queries.limits.memory import most_bytes, own_bytes
from jvmscope.queries.limits.recursion_limit import frames_allowed
from jvmscope.queries.limits.threads import start_thread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.evaluator.context import Runtime
    from jvmscope.queries.xquery.items.types import Item

__all__ = ["Worker"]

_STACK_BYTES = 512 << 20
_FRAMES = 400_000
_FIRST_BATCH, _LARGEST_BATCH = 16, 1024
_TICK_S = 0.2
_GRACE_S = 1.0
"""How long a worker may take to notice that it is to stop."""


class _Stopped(BaseException):
    """Raised in a worker that did not stop by itself: no ``try`` of a query catches it."""


class Worker:
    """Evaluates items on a thread of its own.

    Args:
        items: the items; they are asked for on that thread alone.
        runtime: the state of their evaluation.
    """

    def __init__(self, items: Iterator[Item], runtime: Runtime) -> None:
        self._items = items
        self._runtime = runtime
        self._wanted = threading.Semaphore(0)
        self._ready = threading.Semaphore(0)
        self._batch: list[Item] = []
        self._error: BaseException | None = None
        self._is_done = False
        self._most = most_bytes()
        self._held = own_bytes()

    def _thread(self) -> threading.Thread:
        return threading.Thread(target=self.work, name="jvmscope query", daemon=True)

    def items(self) -> Iterator[Item]:
        """Returns the items as they are evaluated.

        Raises:
            QueryError: what their evaluation raises.
            LimitReached: the time is over, or the memory.
        """
        timeout = self._runtime.environment.timeout
        deadline = None if timeout is None else time.monotonic() + timeout
        self._runtime.deadline = deadline
        thread = start_thread(self._thread, _STACK_BYTES)
        try:
            while True:
                self._wanted.release()
                self._await(thread, deadline)
                yield from self._batch
                if isinstance(self._error, _Stopped):
                    self._runtime.stop()
                if self._error is not None:
                    raise self._error
                if self._is_done:
                    return
        finally:
            self._runtime.is_cancelled = not self._is_done
            self._runtime.is_expired = True
            self._is_done = True
            self._wanted.release()
            _end(thread)

    def _await(self, thread: threading.Thread, deadline: float | None) -> None:
        """Waits for a batch; gives up when the time is over, or the memory."""
        while not self._ready.acquire(timeout=_until(deadline)):
            self._runtime.environment.on_wait()
            is_late = deadline is not None and time.monotonic() >= deadline
            if not is_late and own_bytes() - self._held > self._most:
                self._runtime.exceeded = (
                    f"the query needs more than {self._most >> 20:,} MiB of memory on trees; "
                    f"select less, or ask in SQL"
                )
            if is_late or self._runtime.exceeded is not None:
                self._give_up(thread)
                return

    def _give_up(self, thread: threading.Thread) -> None:
        """Lets the worker know that it is to end, at last by force."""
        self._runtime.is_expired = True
        last = time.monotonic() + 10 * _GRACE_S
        while not self._ready.acquire(timeout=_GRACE_S):
            _stop(thread)
            if time.monotonic() > last:
                self._runtime.stop()

    def work(self) -> None:
        """Evaluates batch after batch, each when it is wanted."""
        size = _FIRST_BATCH
        with suppress(_Stopped), frames_allowed(_FRAMES):
            self._wanted.acquire()
            while not self._is_done:
                self._batch = []
                try:
                    for item in islice(self._items, size):
                        self._batch.append(item)
                except BaseException as error:  # noqa: BLE001, RUF100 - the caller raises it
                    self._error = error
                self._is_done = self._error is not None or len(self._batch) < size
                size = min(2 * size, _LARGEST_BATCH)
                self._ready.release()
                if not self._is_done:
                    self._wanted.acquire()


def _until(deadline: float | None) -> float:
    """Returns the seconds until somebody has to look at the clock or the memory, or to say so."""
    return _TICK_S if deadline is None else max(0.0, min(_TICK_S, deadline - time.monotonic()))


def _end(thread: threading.Thread) -> None:
    """Waits for a worker that knows that it is to end; what no exception reaches is left alone."""
    thread.join(_GRACE_S)
    if thread.is_alive():
        _stop(thread)
        thread.join(_GRACE_S)


def _stop(thread: threading.Thread) -> None:
    """Raises an exception in a thread: for loops in Python that do not ask whether to go on."""
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident), ctypes.py_object(_Stopped)
        )

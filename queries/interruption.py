"""Work inside DuckDB that Ctrl-C and the clock can end."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["interruptible"]

_T = TypeVar("_T")
_AGAIN_S = 0.05
_TICK_S = 0.2


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
    answer: Future[_T] = Future()
    threading.Thread(target=_answer, args=(work, answer), daemon=True).start()
    is_late = False
    try:
        is_late = not _is_done(answer, deadline, tick)
    finally:
        while not answer.done():
            interrupt()
            wait([answer], _AGAIN_S)
    if is_late:
        raise TimeoutError
    return answer.result()


def _is_done(answer: Future[_T], deadline: float | None, tick: Callable[[], None] | None) -> bool:
    """Waits for an answer; tells whether it came before the deadline."""
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        step = _TICK_S if tick else left
        patience = step if left is None or step is None else min(step, left)
        if wait([answer], patience).done:
            return True
        if deadline is not None and time.monotonic() >= deadline:
            return False
        if tick:
            tick()


def _answer(work: Callable[[], _T], answer: Future[_T]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # raised again where the answer is awaited
        answer.set_exception(error)

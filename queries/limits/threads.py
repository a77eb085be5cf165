"""Threads with stacks of a size of their own."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, TypeVar

from jvmscope.errors import LimitReached

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["start_thread"]

_Thread = TypeVar("_Thread", bound=threading.Thread)
_SIZE_LOCK = threading.Lock()  # the size is the interpreter's, for all threads that it starts
_PATIENCE_S = 1.0
_AGAIN_S = 0.01


def start_thread(make: Callable[[], _Thread], stack_bytes: int = 0) -> _Thread:
    """Returns a thread that has started.

    A thread that has ended holds its stack until the system has ended it, too, which takes a
    moment: where there is no room for another one, that is waited for.

    Args:
        make: returns the thread, not started; called again if it could not be.
        stack_bytes: of address space, of which only what is used takes memory; 0: the usual size.

    Raises:
        LimitReached: there is no room for the stack.
    """
    give_up = time.monotonic() + _PATIENCE_S
    while True:
        thread = make()
        if _is_started(thread, stack_bytes):
            return thread
        if time.monotonic() > give_up:
            raise LimitReached("not enough memory for the stack of a query")
        time.sleep(_AGAIN_S)


def _is_started(thread: threading.Thread, stack_bytes: int) -> bool:
    with _SIZE_LOCK:
        before = threading.stack_size(stack_bytes)
        try:
            thread.start()
        except RuntimeError:
            return False
        finally:
            threading.stack_size(before)
    return True

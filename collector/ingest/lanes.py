"""Threads that write table files while the dump is read, each with a bounded queue."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Lane"]

_MOST_WAITING = 4


class Lane:
    """Does work in the order in which it came, in a thread of its own.

    The queue is short: whoever brings work faster than it is done waits, so that memory stays
    bounded. After the first error the lane does nothing more; ``put`` and ``close`` raise it.
    """

    def __init__(self, name: str) -> None:
        self._queue: queue.Queue[Callable[[], object] | None] = queue.Queue(_MOST_WAITING)
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, work: Callable[[], object]) -> None:
        """Appends work; waits while the queue is full."""
        if self._error is not None:
            raise self._error
        self._queue.put(work)

    def close(self) -> None:
        """Waits until all work is done, and ends the thread."""
        self.abandon()
        if self._error is not None:
            raise self._error

    def abandon(self) -> None:
        """As ``close``, but keeps the error to itself."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            if self._error is None:
                try:
                    work()
                except BaseException as error:  # it is raised where work is put
                    self._error = error

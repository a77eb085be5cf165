"""Work on several runs at a time, each run in a process of its own.

What is done with a run is Python as well as SQL, and Python does one thing at a time. Workers are
started anew, since a process with threads cannot be forked; so they pay off from some runs on.
Each has its share of the processors and of the memory. They end with whoever started them, however
that ends: a worker whose pipe to it is closed ends at once, whatever it does.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from jvmscope.errors import LimitReached, is_worded_for_options, word_for_options
from jvmscope.queries import share_machine
from jvmscope.whole_files import remove_unfinished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

__all__ = ["in_processes", "n_workers"]

_FEWEST = 3
"""Runs for each worker, at least: starting one takes as long as two or three kept reports."""

_Item = TypeVar("_Item")
_Found = TypeVar("_Found")


def n_workers(n_items: int, jobs: int | None) -> int:
    """Returns how many processes work; 1: this one does all by itself.

    Args:
        n_items: runs that there are.
        jobs: processes that are asked for; None: as many as there are processors, where there are
            runs enough for each.

    >>> n_workers(5, 2), n_workers(1, 8), n_workers(2, None)
    (2, 1, 1)
    """
    most = len(os.sched_getaffinity(0)) if jobs is None else jobs
    return max(1, min(most, n_items // _FEWEST if jobs is None else n_items))


def in_processes(
    work: Callable[[_Item], _Found], items: Sequence[_Item], n_processes: int
) -> Iterator[_Found]:
    """Yields what the work makes of each item, in their order.

    An error of the work is raised in its place; then, and upon Ctrl-C, the others are given up.

    Args:
        work: what is done, which can be pickled, as the items and what it returns.
        items: what it is done with.
        n_processes: how many items are worked on at a time, each in a process of its own.

    Raises:
        LimitReached: the system ended a worker, as it does where there is no memory.
    """
    context = multiprocessing.get_context("spawn")
    alive, held = context.Pipe(duplex=False)
    told = (alive, n_processes, is_worded_for_options())
    pool = ProcessPoolExecutor(n_processes, context, _begin, told)
    try:
        for future in [pool.submit(work, item) for item in items]:
            yield future.result()
    except BrokenProcessPool:
        message = "a process that measured a run was killed; use fewer --jobs to need less memory"
        raise LimitReached(message, in_python={"--jobs": "jobs"}) from None
    except BaseException:
        held.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        held.close()
        alive.close()


def _begin(alive: Connection, n_processes: int, names_options: bool) -> None:
    """Makes a worker of this process."""
    for number in (signal.SIGINT, signal.SIGHUP):  # for the parent, which ends this process
        signal.signal(number, signal.SIG_IGN)
    _end_upon(signal.SIGTERM)
    share_machine(n_processes)
    word_for_options(names_options)
    threading.Thread(target=_end_with, args=(alive,), daemon=True).start()


def _end_with(alive: Any) -> None:
    """Waits until the parent closes the pipe, or is no more."""
    with suppress(EOFError, OSError):
        alive.recv_bytes()
    _end()


def _end_upon(number: signal.Signals) -> None:
    """Ends this process in order upon a signal, whichever thread gets it.

    No mask would do: libraries have started threads by now, which get what others block. So Python
    has to handle the signal; and since its handler waits while the main thread is in a library, a
    thread of our own reads that the signal came.
    """
    came, noted = os.pipe()
    os.set_blocking(noted, False)
    signal.set_wakeup_fd(noted)
    signal.signal(number, lambda _number, _frame: _end())
    threading.Thread(target=_end_once_noted, args=(came, number), daemon=True).start()


def _end_once_noted(came: int, number: int) -> None:
    while os.read(came, 1)[0] != number:
        pass
    _end()


def _end() -> None:
    """Ends this process at once, whatever its other threads do."""
    remove_unfinished()
    os._exit(0)

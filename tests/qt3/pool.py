"""Cases run by several processes; one that hangs is ended, and the next takes over its set."""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from qt3.outcome import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    from qt3.catalog import Case

__all__ = ["run_in_processes"]


class _Worker:
    """A process that works through the cases of one set.

    Attributes:
        pending: the cases of its set that it has not yet told of.
        since: when it was last heard of.
    """

    def __init__(self, cases: list[Case], check: Callable[[Case], Outcome]) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, inner = context.Pipe()
        self.process = context.Process(target=_serve, args=(inner, cases, check), daemon=True)
        self.process.start()
        inner.close()
        self.pending = deque(cases)
        self.since = time.monotonic()


def run_in_processes(
    sets: list[list[Case]], check: Callable[[Case], Outcome], n_jobs: int, timeout: float
) -> Iterator[tuple[Case, Outcome]]:
    """Returns the outcomes of cases, in no particular order.

    Args:
        sets: the cases, those of a set together.
        check: runs a case.
        n_jobs: how many processes.
        timeout: seconds after which a case counts as crashed.
    """
    queue = deque(cases for cases in sets if cases)
    workers: list[_Worker] = []
    while queue or workers:
        while queue and len(workers) < n_jobs:
            workers.append(_Worker(queue.popleft(), check))
        for connection in wait([w.connection for w in workers], timeout=1):
            worker = next(w for w in workers if w.connection is connection)
            yield from _received(worker)
        for worker in list(workers):
            late = worker.pending and time.monotonic() - worker.since > timeout
            is_dead = not worker.process.is_alive() and not worker.connection.poll()
            if late or (worker.pending and is_dead):
                worker.process.kill()
                case = worker.pending.popleft()
                what = "no answer in time" if late else "the process died"
                yield case, Outcome(Verdict.CRASHED, "crashed", what)
                if worker.pending:
                    queue.appendleft(list(worker.pending))
                worker.pending.clear()
            if not worker.pending:
                worker.process.kill()
                worker.process.join()
                workers.remove(worker)


def _received(worker: _Worker) -> Iterator[tuple[Case, Outcome]]:
    try:
        outcome: Any = worker.connection.recv()
    except EOFError:
        return
    worker.since = time.monotonic()
    yield worker.pending.popleft(), outcome


def _serve(connection: Connection, cases: list[Case], check: Callable[[Case], Outcome]) -> None:
    """Runs in the new process, which inherits the cases: no pipe carries their elements."""
    for case in cases:
        connection.send(check(case))

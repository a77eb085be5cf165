"""What runs the recordings of a suite: threads here, or the workers of a Dask cluster.

Both call the same function, ``record_one``; it starts a process for each benchmark.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.collector.launch.workspace import clear_abandoned
from jvmscope.errors import SuiteError
from jvmscope.extras import missing
from jvmscope.suite.execution import record_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from jvmscope.schema.suite import Row
    from jvmscope.suite.planning import Planned
    from jvmscope.suite.storage import Storage

__all__ = ["Engine", "Task", "engine_of"]

_DASK = "dask://"
_CONNECT_S = 30


@dataclass(frozen=True)
class Task:
    """One recording to make, as it is sent to whoever makes it.

    Attributes:
        before: when the finished row that it is to replace was recorded; None: there is none.
    """

    planned: Planned
    identity: str
    suite: str
    storage: Storage
    before: str | None = None


@dataclass(frozen=True)
class Engine:
    """Takes tasks.

    Attributes:
        submit: starts a task as soon as there is a free slot.
        n_slots: how many tasks run at a time.
    """

    submit: Callable[[Task], concurrent.futures.Future[Row]]
    n_slots: int


def engine_of(name: str | None, jobs: int) -> AbstractContextManager[Engine]:
    """Returns an engine; when it is left, no recording of it goes on.

    Args:
        name: ``dask://HOST:PORT`` of a scheduler, or None for this machine.
        jobs: how many recordings run at a time on this machine.

    Raises:
        SuiteError: there is no such engine.
    """
    if name is None:
        return _threads(jobs)
    if not name.startswith(_DASK) or name == _DASK:
        raise SuiteError(f"--engine {name}: expected dask://HOST:PORT of a Dask scheduler")
    return _cluster(f"tcp://{name.removeprefix(_DASK)}")


@contextlib.contextmanager
def _threads(jobs: int) -> Iterator[Engine]:
    is_over = threading.Event()

    def record(task: Task) -> Row:
        return _record(task, lambda: not is_over.is_set())

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            yield Engine(lambda task: pool.submit(record, task), jobs)
        finally:
            is_over.set()
            pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _cluster(address: str) -> Iterator[Engine]:
    absent = missing("recording on a Dask cluster", "distributed")
    if absent is not None:
        raise SuiteError(absent)
    from distributed import Client

    connect: Any = Client  # its methods have no types
    try:
        client = connect(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SuiteError(f"{address}: no Dask scheduler answers: {error}") from None
    with _silent(logging.getLogger("distributed.client")), client:
        n_slots = sum(client.nthreads().values())
        if not n_slots:
            raise SuiteError(f"{address}: the scheduler has no workers")
        pool = client.get_executor(pure=False)
        try:
            yield Engine(lambda task: pool.submit(_record_on_worker, task), n_slots)
        except concurrent.futures.CancelledError:
            message = f"{address}: the scheduler is gone; run the same command again with another"
            raise SuiteError(message) from None
        finally:
            pool.shutdown(wait=False)


@contextlib.contextmanager
def _silent(logger: logging.Logger) -> Iterator[None]:
    """Has a logger say nothing: a lost scheduler would be a page of traceback."""
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _record_on_worker(task: Task) -> Row:
    """Records on a worker of a cluster, until nobody there waits for it any more.

    If a worker dies, the scheduler also sends out again what that one had finished.
    """
    from distributed import get_worker

    row = task.storage.finished_row(task.planned.name)
    if row is not None and row.identity == task.identity and row.recorded != task.before:
        return row

    worker: Any = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        # The scheduler takes a task back if its client asks for that, or is gone.
        state = worker.state.tasks.get(key)
        return state is not None and state.state == "executing"

    return _record(task, is_wanted)


def _record(task: Task, is_wanted: Callable[[], bool]) -> Row:
    clear_abandoned()
    return record_one(task.planned, task.identity, task.suite, task.storage, is_wanted)

"""Mutants asked in several processes; one that hangs or dies is told of and replaced."""

from __future__ import annotations

import multiprocessing
import os
import resource
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fuzz.checking import Checker
from fuzz.mutation import Mutator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection

__all__ = ["Ending", "Task", "endings", "endings_of"]

_MEMORY_BYTES = 4 << 30  # address space: a query's own thread reserves 512 MB of it


@dataclass(frozen=True)
class Task:
    """What every process does.

    Attributes:
        seeds: the queries that mutants are made of.
        run: the run that is asked.
        folder: the directory in which the processes work; nothing may appear in it.
        language: the language of the queries.
        timeout: seconds that a query may take; one that takes ten more hangs.
    """

    seeds: Sequence[str]
    run: Path
    folder: Path
    language: str
    timeout: float


class Ending(NamedTuple):
    """How a query ended; ``problem`` is empty if that is a way in which it may."""

    text: str
    kind: str
    problem: str


class _Worker:
    """A process of its own, not a fork: DuckDB's threads are not there in a fork.

    Args:
        task: what it does.
        texts: queries to ask; or how many mutants, and where they begin.
    """

    def __init__(self, task: Task, texts: Sequence[str] | tuple[int, int]) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, inner = context.Pipe(duplex=False)
        self.process = context.Process(target=_work, args=(inner, task, texts), daemon=True)
        self.process.start()
        inner.close()
        first = texts[0]
        self.n_left = first if isinstance(first, int) else len(texts)
        self.text: str | None = None
        self.is_over = False
        self.since = 0.0

    def end(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def endings(task: Task, count: int, n_jobs: int, seed: int) -> Iterator[Ending]:
    """Returns how ``count`` mutants ended, in no particular order."""
    number = seed
    workers: list[_Worker] = []
    n_open = count
    while n_open or workers:
        while n_open and len(workers) < n_jobs:
            share = min(n_open, max(1, count // n_jobs))
            workers.append(_Worker(task, (share, number)))
            n_open -= share
            number += 1
        yield from _heard(workers, timeout=1)
        for worker in list(workers):
            problem = _trouble(worker, task.timeout + 10)
            if problem:
                yield Ending(worker.text or "", "bug", problem)
                n_open += max(0, worker.n_left - 1)
                worker.n_left = 0
            if not worker.n_left:
                worker.end()
                workers.remove(worker)


def endings_of(task: Task, texts: Sequence[str]) -> Iterator[Ending]:
    """Returns how given queries ended, in their order; one process asks as long as it lives."""
    while texts:
        worker = _Worker(task, texts)
        try:
            while worker.n_left:
                for ending in _heard([worker], timeout=1):
                    texts = texts[1:]
                    yield ending
                if problem := _trouble(worker, task.timeout + 10):
                    yield Ending(texts[0], "bug", problem)
                    texts = texts[1:]
                    break
        finally:
            worker.end()


def _heard(workers: list[_Worker], timeout: float) -> Iterator[Ending]:
    """Returns what the processes tell of; each tells of a query before and after it."""
    for connection in wait([worker.connection for worker in workers], timeout):
        worker = next(worker for worker in workers if worker.connection is connection)
        try:
            text, kind, problem = worker.connection.recv()
        except EOFError:
            worker.is_over = True
            continue
        worker.since = _processor_time(worker)
        worker.text = text if kind is None else None
        if kind is not None:
            worker.n_left -= 1
            yield Ending(text, kind, problem)


def _trouble(worker: _Worker, patience: float) -> str:
    if worker.is_over and worker.n_left:
        worker.process.join()
        return f"the process died: {worker.process.exitcode}"
    if worker.text is not None and _processor_time(worker) - worker.since > patience:
        return "no answer in time"
    return ""


def _processor_time(worker: _Worker) -> float:
    """Returns the seconds that the process has computed, which a busy machine does not stretch."""
    try:
        facts = Path(f"/proc/{worker.process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(facts[11]) + int(facts[12])) / os.sysconf("SC_CLK_TCK")


def _work(connection: Connection, task: Task, texts: Sequence[str] | tuple[int, int]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    os.chdir(task.folder)
    checker = Checker(task.run, task.language, task.timeout)
    for text in _texts(task, texts):
        connection.send((text, None, ""))
        connection.send((text, *checker.check(text)))


def _texts(task: Task, texts: Sequence[str] | tuple[int, int]) -> Iterator[str]:
    first, *others = texts
    if isinstance(first, str):
        yield from (first, *map(str, others))
        return
    mutator = Mutator(task.seeds, int(others[0]))
    for _ in range(first):
        yield mutator.mutant()

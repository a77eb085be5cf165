"""Running a suite: what is finished stays, what is missing is recorded, each row as it comes."""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import datetime as dt
import hashlib
import itertools
import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from jvmscope.errors import SuiteError
from jvmscope.schema.suite import Suite
from jvmscope.suite.engines import Task
from jvmscope.suite.execution import NotWanted, row_of
from jvmscope.suite.identity import identities, idle_inputs
from jvmscope.suite.judging import judged_again
from jvmscope.suite.planning import plan
from jvmscope.suite.selection import select

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from jvmscope.schema.suite import Row
    from jvmscope.suite.engines import Engine
    from jvmscope.suite.planning import Planned
    from jvmscope.suite.reading import SuiteFile
    from jvmscope.suite.storage import Storage

__all__ = ["Agenda", "agenda", "run_agenda"]

_NOT_YET = "not run yet"
_PAUSES = 50
"""The lock file may take one part in so many of the time."""
_CHANGED = "its command, JVM, options or inputs have changed since it was recorded"


@dataclass(frozen=True)
class Agenda:
    """What is to be done for a suite, and what is there.

    Attributes:
        rows: a row for each planned recording, in the order of the file, as they are now.
        todo: what is to be recorded.
        selected: the names of what was selected.
        strays: the names of finished rows that the suite file does not ask for any more.
        changed: the directories of the finished rows that are others by what is expected now, or
            belong elsewhere, by name.
        idle_inputs: patterns of inputs that match no file, each with its benchmark.
    """

    suite: SuiteFile
    storage: Storage
    rows: tuple[Row, ...]
    todo: tuple[Planned, ...]
    selected: frozenset[str]
    strays: tuple[str, ...]
    changed: Mapping[str, Path]
    idle_inputs: tuple[str, ...] = ()


def agenda(
    suite: SuiteFile,
    storage: Storage,
    *,
    selections: Sequence[str] = (),
    retries_failed: bool = False,
    reruns: bool = False,
) -> Agenda:
    """Returns what is to be done: what is selected and not finished.

    Args:
        suite: the suite file.
        storage: where its runs are.
        selections: as of ``select``.
        retries_failed: what is finished but not recorded is to be done again.
        reruns: everything that is selected is to be done again.

    Raises:
        SuiteError: the suite file asks for something that is not there.
    """
    planned = plan(suite)
    selected = select(planned, selections)
    of_name = identities(planned, storage.root if storage.is_here else None)
    finished = storage.finished()
    rows = tuple(_row_now(each, of_name[each.name], finished, storage) for each in planned)
    status = {row.name: row.status for row in rows}
    todo = tuple(
        each
        for each in selected
        if reruns
        or status[each.name] == "missing"
        or (retries_failed and status[each.name] != "recorded")
    )
    return Agenda(
        suite=suite,
        storage=storage,
        rows=rows,
        todo=todo,
        selected=frozenset(each.name for each in selected),
        strays=tuple(sorted(finished.keys() - status.keys())),
        changed=_changed(rows, finished),
        idle_inputs=tuple(idle_inputs(selected)),
    )


def run_agenda(
    things: Agenda,
    engine: Engine,
    lost: Future[None],
    tell: Callable[[Row], None] = lambda _row: None,
) -> Suite:
    """Records what is to be done, and keeps the lock file up to date.

    Args:
        things: what is to be done.
        engine: who does it.
        lost: ends with an error when another suite has come into the storage.
        tell: is called with each row that is finished.

    Raises:
        KeyboardInterrupt: what is finished by then stays.
        CancelledError: the engine is lost.
        SuiteError: so is the storage.
    """
    _judge_again(things)
    record = _Record(things)
    record.write()
    of_name = {row.name: row.identity for row in things.rows}
    before = {row.name: row.recorded for row in things.rows}
    name, storage = things.suite.name, things.storage
    futures = {
        engine.submit(Task(each, of_name[each.name], name, storage, before[each.name])): each
        for each in things.todo
    }
    try:
        for future in _completed(futures, lost):
            planned = futures[future]
            row = _result(future, planned, of_name[planned.name])
            record.put(row)
            tell(row)
    finally:
        for future in futures:
            future.cancel()
        if not lost.done():
            record.end()
    return record.suite()


def _completed(futures: Collection[Future[Row]], lost: Future[None]) -> Iterator[Future[Row]]:
    """Yields what is done, as it comes.

    Raises:
        SuiteError: the storage is lost.
    """
    together: list[Future[Any]] = [*futures, lost]
    for future in itertools.islice(concurrent.futures.as_completed(together), len(futures)):
        if future is lost:
            lost.result()
        yield future


def _judge_again(things: Agenda) -> None:
    """Writes down the finished rows that are others by what is expected now.

    Raises:
        SuiteError: one cannot be written.
    """
    for row in things.rows:
        if row.name in things.changed:
            with _as_one_error(row.name):
                things.storage.change(things.changed[row.name], row)


@contextlib.contextmanager
def _as_one_error(name: str) -> Iterator[None]:
    """Says which row it is whose files cannot be used."""
    try:
        yield
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        message = f"{where}{name} cannot be compared with what is expected: {error.strerror}"
        raise SuiteError(message) from None


def _row_now(planned: Planned, identity: str, finished: Mapping[str, Row], storage: Storage) -> Row:
    """Returns the finished row of a recording, judged by what is expected now, or a missing one."""
    row = finished.get(planned.name)
    if row is None:
        return row_of(planned, identity, "missing", _NOT_YET)
    if row.identity != identity:
        return row_of(planned, identity, "missing", _CHANGED)
    with _as_one_error(row.name):
        return judged_again(planned, dataclasses.replace(row, tags=planned.tags), storage)


def _changed(rows: Iterable[Row], finished: Mapping[str, Row]) -> dict[str, Path]:
    """Returns the directories of the rows that are another one than the finished one, by name."""
    found = ((row, finished[row.name]) for row in rows if row.status != "missing")
    return {
        before.name: before.log.parent
        for row, before in found
        if before.log is not None and row != before
    }


def _result(future: concurrent.futures.Future[Row], planned: Planned, identity: str) -> Row:
    """Returns the row of a task; of one that went wrong, a row that says so."""
    try:
        return future.result()
    except concurrent.futures.CancelledError:
        raise  # nobody here has cancelled it
    except NotWanted:
        return row_of(planned, identity, "missing", _NOT_YET)
    except Exception as error:  # a worker that died, a disk that is full: the others go on
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return row_of(planned, identity, "failed", reason)


class _Record:
    """The lock file while the suite runs.

    It is written whole, so not after each of thousands of rows: what it does not say yet is
    read from the rows themselves.
    """

    def __init__(self, things: Agenda) -> None:
        self._things = things
        self._rows = {row.name: row for row in things.rows}
        self._started = _now()
        self._ended: str | None = None
        self._is_due_at = 0.0

    def put(self, row: Row) -> None:
        self._rows[row.name] = row
        if time.monotonic() >= self._is_due_at:
            # A disk that is full now may not be when the next row is finished.
            with contextlib.suppress(SuiteError):
                self.write()

    def end(self) -> None:
        self._ended = _now()
        self.write()

    def write(self) -> None:
        begin = time.monotonic()
        self._things.storage.write(self.suite())
        end = time.monotonic()
        self._is_due_at = end + _PAUSES * (end - begin)

    def suite(self) -> Suite:
        file = self._things.suite
        facts = {
            "suite_file": file.path.name,
            "suite_sha256": hashlib.sha256(file.text.text.encode()).hexdigest(),
            "set": _lines(file.overrides.text.splitlines()),
            "tool": {"name": "jvmscope", "version": version("jvmscope")},
            "started": self._started,
            "ended": self._ended,
        }
        rows = tuple(self._rows.values())
        return Suite(file.name, self._things.storage.root, rows, facts)


def _lines(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line]


def _now() -> str:
    return dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

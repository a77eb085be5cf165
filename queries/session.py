"""One execution of a query: statements, parameters, the clock, and where an error is."""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import duckdb

from jvmscope.errors import LimitReached, QueryError, RunError, did_you_mean
from jvmscope.queries.limits.interruption import interruptible
from jvmscope.queries.params import bind_params, how_to_give
from jvmscope.queries.query_file import entry_error
from jvmscope.queries.result import Result, ResultColumn, Row
from jvmscope.queries.sql_errors import (
    is_out_of_memory,
    message_of,
    parameter_error,
    query_error,
)
from jvmscope.queries.surrogates import refuse_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    import pyarrow as pa

    from jvmscope.queries.limits.deadline import Deadline
    from jvmscope.queries.question import Question

__all__ = ["Session"]

_T = TypeVar("_T")
_BATCH_ROWS = 65_536
_PLAIN_ROWS = 8_192
_NOT_CARRIED = re.compile(r"\b(BIGNUM|BIT|TIME WITH TIME ZONE|UHUGEINT|UNION|VARIANT)\b")
_NO_MEMORY = "the query needs more memory than it may use"


def _as_carried(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Returns the rows with texts for values that Arrow would change or not know."""
    cells = [
        f'CAST(#{place} AS VARCHAR) AS "{name.replace(chr(34), chr(34) * 2)}"'
        if _NOT_CARRIED.search(str(type_))
        else f"#{place}"
        for place, (name, type_) in enumerate(
            zip(relation.columns, relation.types, strict=True), start=1
        )
    ]
    is_carried = all(cell.startswith("#") for cell in cells)
    return relation if is_carried else relation.project(", ".join(cells))


class Session:
    """One query on a cursor of its own, with its clock.

    Args:
        cursor: a connection that nothing else uses.
        question: the query, and the values of its parameters.
        recorded: the tables that the run has, for messages.
        deadline: when to stop.
        on_progress: called with the percentage done of what takes long, or None.
    """

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        question: Question,
        recorded: Collection[str],
        deadline: Deadline,
        *,
        on_progress: Callable[[float], None] | None = None,
    ) -> None:
        self._cursor = cursor
        self._query = question.file
        self._scope = question.scope
        self._values = bind_params(question.file, question.params)
        self._recorded = recorded
        self._deadline = deadline
        self._on_progress = on_progress
        self._offset = 0
        self._statement = (0, question.file.text)
        self._answering: tuple[duckdb.Statement, dict[str, Any]] | None = None
        self.may_change = False
        """Whether a statement other than a SELECT was run, which may change the database."""

    def prepare(self, work: Callable[[], _T]) -> _T:
        """Returns what work of DuckDB before the query returns, within its time.

        Raises:
            QueryError: DuckDB failed.
            LimitReached: the time is over, or memory is.
        """
        with self._errors():
            return self._await(work)

    def result(self, limit: int | None) -> Result:
        """Returns the answer, which is computed while its rows are read.

        Raises:
            QueryError: the query is wrong; reading the rows may raise it, too.
            LimitReached: the time is over; reading the rows may raise it, too.
        """
        found = self._relation()
        self._refuse_lacking(found.columns)
        relation = _as_carried(found)
        units = {column.name: column.unit for column in self._query.columns}
        columns = [
            ResultColumn(name, str(type_), units.get(name))
            for name, type_ in zip(relation.columns, relation.types, strict=True)
        ]
        open_reader = partial(self._open, relation)
        is_asked = self._answering is not None and relation is found
        is_plain = is_asked and all(column.is_plain for column in columns)
        return Result.of_relation(
            relation,
            columns,
            open_reader,
            self._batches,
            limit,
            open_plain=self._open_plain if is_plain else None,
        )

    def _open_plain(self) -> Iterator[list[Row]]:
        """Starts the statement that answers; yields its rows, some at a time."""
        assert self._answering is not None  # noqa: S101 - plain only with it
        with self._errors(self._offset):
            self._await(partial(self._cursor.execute, *self._answering))
        first = self._some_rows()
        return self._plain_rows(first)

    def _plain_rows(self, rows: list[Row]) -> Iterator[list[Row]]:
        try:
            while rows:
                yield rows
                if len(rows) == _PLAIN_ROWS:
                    self._report()
                rows = self._some_rows()
        except BaseException:
            with suppress(duckdb.ConnectionException):  # closed: it was interrupted before
                self._cursor.interrupt()
            raise

    def _some_rows(self) -> list[Row]:
        with self._errors(self._offset):
            rows: list[Row] = self._await(partial(self._cursor.fetchmany, _PLAIN_ROWS))
        return rows

    def _open(self, relation: duckdb.DuckDBPyRelation) -> pa.RecordBatchReader:
        with self._errors(self._offset):
            reader: pa.RecordBatchReader = self._await(
                partial(relation.to_arrow_reader, _BATCH_ROWS)
            )
        return reader

    def _relation(self) -> duckdb.DuckDBPyRelation:
        text = self._query.text
        refuse_surrogates(text, self._query.path)
        with self._errors():
            statements = self._cursor.extract_statements(text)
        if not statements:
            raise QueryError("there is no statement in the query", path=self._query.path)
        self._refuse_unused(statements)
        # Positions count from the whole text while statements are bound, and from the statement
        # that answers while it runs (DuckDB 2.0).
        self._offset = text.rfind(statements[-1].query.strip())
        relation = None
        end = 0
        for statement in statements:
            words = statement.query.strip()
            start = max(end, text.find(words, end))
            self._statement = (start, words)
            relation, end = self._run(statement), start + len(words)
        if relation is None:
            raise QueryError("the last statement returns no rows", path=self._query.path)
        return relation

    def _run(self, statement: duckdb.Statement) -> duckdb.DuckDBPyRelation | None:
        named = {
            name: value
            for name, value in self._values.items()
            if name in statement.named_parameters
        }
        is_select = statement.type == duckdb.StatementType.SELECT
        self.may_change |= not is_select
        self._answering = (statement, named) if is_select else None
        with self._errors():
            try:
                return self._await(partial(self._cursor.sql, statement, params=named or None))
            except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException):
                # Relations lose the position of the error (DuckDB 2.0); statements keep it.
                self._cursor.execute(statement, named)
                raise

    def _refuse_unused(self, statements: list[duckdb.Statement]) -> None:
        used = {str(name) for statement in statements for name in statement.named_parameters}
        unused = sorted(set(self._values) - used)
        declared = {param.name for param in self._query.params}
        if undeclared := [name for name in unused if name not in declared]:
            raise QueryError(f"the query has no parameter ${undeclared[0]}", path=self._query.path)
        if missing := sorted(used - set(self._values)):
            hint, in_python = how_to_give(missing[0])
            error = parameter_error(
                f"the parameter ${missing[0]} has no value",
                missing[0],
                text=self._query.text,
                path=self._query.path,
                hint=hint,
            )
            error.in_python = in_python
            raise error

    def _refuse_lacking(self, names: list[str]) -> None:
        """Raises an error if the header declares a column that the answer does not have."""
        for column in self._query.columns:
            if column.name not in names:
                hint = did_you_mean(column.name, names) or f"its columns: {', '.join(names)}"
                message = f"the answer has no column {column.name}"
                raise entry_error(self._query, f"@column {column.name}", message, hint)

    def _batches(self, reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        try:
            while True:
                with self._errors(self._offset):
                    batch = self._await(partial(next, reader, None))
                if batch is None:
                    return
                yield batch
                if batch.num_rows >= _PLAIN_ROWS:
                    self._report()
        except BaseException:
            # Closing waits for what DuckDB does ahead, however long that takes (DuckDB 2.0).
            with suppress(duckdb.ConnectionException):  # closed: it was interrupted before
                self._cursor.interrupt()
            raise
        finally:
            reader.close()

    def _await(self, work: Callable[[], _T]) -> _T:
        tick = None if self._on_progress is None else self._report
        return interruptible(work, self._cursor.interrupt, self._deadline.at, tick)

    def _report(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._cursor.query_progress())

    @contextmanager
    def _errors(self, offset: int = 0) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            raise self._deadline.error() from None
        except MemoryError:
            raise LimitReached(_NO_MEMORY) from None
        except (duckdb.Error, OSError) as error:  # Arrow's readers raise OSError for DuckDB's
            if isinstance(error, duckdb.ConnectionException):
                raise RunError(
                    "the run was closed before the rows were read; read them, or call arrow() first"
                ) from None
            if is_out_of_memory(error):
                raise LimitReached(f"{_NO_MEMORY}: {message_of(error)}") from None
            raise query_error(
                error,
                text=self._query.text,
                path=self._query.path,
                offset=offset,
                statement=self._statement,
                recorded=self._recorded,
                scope=self._scope,
            ) from None

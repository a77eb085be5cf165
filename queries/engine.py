"""The engine: a run opened read-only in DuckDB, one view for each of its tables."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import duckdb

from jvmscope.errors import LimitReached, QueryError, RunError
from jvmscope.queries.params import bind_params
from jvmscope.queries.query_file import parse_query_file
from jvmscope.queries.result import Result, ResultColumn
from jvmscope.queries.sql_errors import message_of, query_error
from jvmscope.schema import read_manifest, tables, word_sets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pyarrow as pa

    from jvmscope.queries.query_file import QueryFile
    from jvmscope.queries.scope import Scope
    from jvmscope.schema import Manifest

__all__ = ["Engine"]

_BATCH_ROWS = 65_536
_SEARCH_PATH = "run,main"
_INTERRUPTED = "INTERRUPT"


class Engine:
    """Answers queries about one run.

    The run's tables are views in the schema ``run`` of a database in memory; nothing is copied
    and nothing of the run can be changed through it.

    Args:
        run: the run's directory.

    Raises:
        RunError: it is no run, of another schema version, or lacks a table of its manifest.
    """

    def __init__(self, run: Path) -> None:
        self.run = run
        self.manifest: Manifest = read_manifest(run)
        self._connection = duckdb.connect(config={"errors_as_json": True})
        self._scopes: dict[Scope, str] = {}
        self._connection.execute("CREATE SCHEMA run")
        self._bind_opcodes()
        for name in self.manifest.tables:
            self._bind_table(name)

    @property
    def run_id(self) -> str:
        """The run's name in results: its directory's name without ``.run``."""
        return self.run.absolute().name.removesuffix(".run")

    @property
    def recorded(self) -> tuple[str, ...]:
        """The names of the run's tables, in the order of the schema, tables of others last."""
        known = [name for name in tables() if name in self.manifest.tables]
        return (*known, *sorted(set(self.manifest.tables) - set(known)))

    def connect(self, search_path: str = _SEARCH_PATH) -> duckdb.DuckDBPyConnection:
        """Returns a connection to the database that looks names up in the given schemas."""
        cursor = self._connection.cursor()
        cursor.execute(f"SET search_path = '{search_path}'")
        return cursor

    def bind_scope(self, scope: Scope) -> str:
        """Returns the search path in which a scope's relations hide those of the whole run."""
        if scope not in self._scopes:
            schema = f"scope_{len(self._scopes)}"
            scope.bind(self.connect(), schema)
            self._scopes[scope] = schema
        return f"{self._scopes[scope]},{_SEARCH_PATH}"

    def close(self) -> None:
        """Closes the database; results that are not read yet cannot be read any more."""
        self._connection.close()

    def __enter__(self) -> Engine:
        """Returns the engine; the block's end closes it."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the engine."""
        self.close()

    def query(
        self,
        query: str | QueryFile,
        *,
        params: Mapping[str, Any] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        search_path: str = _SEARCH_PATH,
    ) -> Result:
        """Returns the answer to a query in SQL.

        Of several statements the last one answers, and the others prepare it.

        Args:
            query: the text, or a parsed query file.
            params: values for ``$name``.
            limit: deliver at most this many rows; the result says if there were more.
            timeout: stop after this many seconds.
            search_path: schemas in which names are looked up, the run's tables by default.

        Raises:
            QueryError: the query is wrong; with its position.
            LimitReached: the time is over.
        """
        file = parse_query_file(query, None) if isinstance(query, str) else query
        session = _Session(self, file, params or {}, timeout, search_path)
        return session.result(limit)

    def _bind_opcodes(self) -> None:
        """Makes ``opcode (number, name)``: the words of the format, not of the run."""
        words = ", ".join(f"'{word}'" for word in word_sets()["opcode"].words)
        self._connection.execute(
            f"CREATE VIEW run.opcode AS "
            f"SELECT position - 1 AS number, word AS name "
            f"FROM UNNEST([{words}]) WITH ORDINALITY AS list (word, position)"
        )

    def _bind_table(self, name: str) -> None:
        path = self.run / "tables" / f"{name}.parquet"
        if not path.is_file():
            raise RunError(f"{path}: the manifest lists the table, but the file is missing")
        try:
            self._connection.execute(
                f"CREATE VIEW run.{_quoted(name)} AS SELECT * FROM read_parquet({_literal(path)})"
            )
        except duckdb.Error as error:
            raise RunError(f"{path}: not a readable Parquet file: {message_of(error)}") from None


class _Session:
    """One query on a cursor of its own, with its clock."""

    def __init__(
        self,
        engine: Engine,
        query: QueryFile,
        params: Mapping[str, Any],
        timeout: float | None,
        search_path: str,
    ) -> None:
        self._engine = engine
        self._query = query
        self._values = bind_params(query, params)
        self._timeout = timeout
        self._cursor = engine.connect(search_path)
        self._timer: threading.Timer | None = None
        self._is_expired = False
        self._offset = 0

    def result(self, limit: int | None) -> Result:
        self._start_clock()
        relation = self._relation()
        with self._errors(self._offset):
            reader = relation.to_arrow_reader(_BATCH_ROWS)
        units = {column.name: column.unit for column in self._query.columns}
        columns = [
            ResultColumn(name, str(type_), units.get(name))
            for name, type_ in zip(relation.columns, relation.types, strict=True)
        ]
        return Result(columns, reader.schema, self._batches(reader), limit)

    def _relation(self) -> duckdb.DuckDBPyRelation:
        text = self._query.text
        with self._errors():
            statements = self._cursor.extract_statements(text)
        if not statements:
            raise QueryError("there is no statement in the query", path=self._query.path)
        self._refuse_unused(statements)
        # Positions count from the whole text while statements are bound, and from the statement
        # that answers while it runs (DuckDB 2.0).
        self._offset = text.rfind(statements[-1].query.strip())
        relation = None
        for statement in statements:
            relation = self._run(statement)
        if relation is None:
            raise QueryError("the last statement returns no rows", path=self._query.path)
        return relation

    def _run(self, statement: duckdb.Statement) -> duckdb.DuckDBPyRelation | None:
        named = {
            name: value
            for name, value in self._values.items()
            if name in statement.named_parameters
        }
        with self._errors():
            try:
                return self._cursor.sql(statement, params=named or None)
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
            raise QueryError(
                f"the parameter ${missing[0]} has no value",
                path=self._query.path,
                hint=f"give one with --param {missing[0]}=VALUE",
            )

    def _batches(self, reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        try:
            while True:
                with self._errors(self._offset):
                    batch = next(reader, None)
                if batch is None:
                    return
                yield batch
        finally:
            self._stop_clock()
            reader.close()

    @contextmanager
    def _errors(self, offset: int = 0) -> Iterator[None]:
        try:
            yield
        except (duckdb.Error, OSError) as error:  # Arrow's readers raise OSError for DuckDB's
            self._stop_clock()
            if self._is_expired and _INTERRUPTED in str(error):
                raise LimitReached(
                    f"the query was stopped after {self._timeout:g} s; raise --timeout"
                ) from None
            raise query_error(
                error,
                text=self._query.text,
                path=self._query.path,
                offset=offset,
                recorded=self._engine.recorded,
            ) from None

    def _start_clock(self) -> None:
        if self._timeout is not None:
            self._timer = threading.Timer(self._timeout, self._expire)
            self._timer.daemon = True
            self._timer.start()

    def _stop_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _expire(self) -> None:
        self._is_expired = True
        self._cursor.interrupt()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(path: Path) -> str:
    """Returns a path as an SQL string in which no character is a wildcard of DuckDB's."""
    plain = re.sub(r"([*?\[])", r"[\1]", str(path.absolute()))
    return "'" + plain.replace("'", "''") + "'"

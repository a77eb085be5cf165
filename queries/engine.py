"""The engine: a run opened read-only in DuckDB, one view for each of its tables."""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from jvmscope.errors import QueryError, RunError
from jvmscope.queries.language import language_of
from jvmscope.queries.locked.database import locked_config, shut
from jvmscope.queries.locked.process import answer_locked
from jvmscope.queries.locked.rules import check_sql
from jvmscope.queries.modules import bind_modules, modules
from jvmscope.queries.query_file import parse_query_file
from jvmscope.queries.scope import CALL, DERIVED, Scope
from jvmscope.queries.serialized import Serialized
from jvmscope.queries.session import Session
from jvmscope.queries.sql_errors import message_of
from jvmscope.schema import read_manifest, tables, word_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.locked import Limits
    from jvmscope.queries.query_file import QueryFile
    from jvmscope.queries.result import Result
    from jvmscope.queries.trees.run import RunTree
    from jvmscope.queries.xquery import XQuery
    from jvmscope.schema import Manifest

__all__ = ["Engine"]

_SEARCH_PATH = "run,main"


class Engine:
    """Answers queries about one run.

    The run's tables are views in the schema ``run`` of a database in memory; nothing is copied
    and nothing of the run can be changed through it.

    Args:
        run: the run's directory.
        locked_to: open it for one query of others in a process of its own (``queries.locked``):
            nothing but the run's tables can be reached through the database.

    Raises:
        RunError: it is no run, of another schema version, or lacks a table of its manifest.
    """

    def __init__(self, run: Path, *, locked_to: Limits | None = None) -> None:
        self.run = run
        self.manifest: Manifest = read_manifest(run)
        self.locked_to = locked_to
        self.on_progress: Callable[[float], None] | None = None
        """Called with the percentage done of SQL that takes long, now and then; -1: unknown."""
        self._connection = duckdb.connect(config=locked_config(locked_to) or _config())
        self._scopes: dict[Scope, str] = {}
        self._matches: dict[tuple[str, str, str], bool] = {}
        self._connection.execute("CREATE SCHEMA run")
        self._bind_opcodes()
        for name in self.manifest.tables:
            self._bind_table(name)
        if {"context", "back_edge"} <= set(self.manifest.tables):
            call = CALL.format(context="run.context")
            self._connection.execute(f"CREATE VIEW run.call AS {call}")
        for name, table in DERIVED.items():
            if table in self.manifest.tables:
                self._connection.execute(f"CREATE VIEW run.{name} AS FROM run.{table}")
        if locked_to is not None:
            shut(self._connection, [self._path(name) for name in self.manifest.tables])

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

    @cached_property
    def tree(self) -> RunTree:
        """The run's tables as virtual documents."""
        from jvmscope.queries.trees.run import RunTree

        return RunTree(self.run)

    def has_match(self, table: str, column: str, pattern: str) -> bool:
        """Tells whether a text of a table's column matches a regular expression of DuckDB's."""
        key = (table, column, pattern)
        if key not in self._matches:
            found = self._connection.execute(
                f"SELECT EXISTS (SELECT 1 FROM run.{_quoted(table)} "
                f"WHERE regexp_matches({_quoted(column)}, $pattern))",
                {"pattern": pattern},
            )
            self._matches[key] = found.fetchall() == [(True,)]
        return self._matches[key]

    def bind_scope(self, scope: Scope) -> str:
        """Returns the search path in which a scope's relations hide those of the whole run."""
        if scope not in self._scopes:
            schema = f"scope_{len(self._scopes)}"
            scope.bind(self.connect(), schema)
            self._scopes[scope] = schema
        return f"{self._scopes[scope]},{_SEARCH_PATH}"

    def scope_of(self, search_path: str) -> Scope | None:
        """Returns the scope whose relations a search path names; None: those of the whole run."""
        for scope, schema in self._scopes.items():
            if search_path.startswith(f"{schema},"):
                return None if scope.kind == "run" else scope
        return None

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
        language: str | None = None,
        limits: Limits | None = None,
    ) -> Result:
        """Returns the answer to a query in SQL, XQuery or XPath, as a table.

        Of several SQL statements the last one answers, and the others prepare it. Of an XQuery,
        maps are rows, and other items are rows with one column, ``value``.

        Args:
            query: the text, or a parsed query file.
            params: values for ``$name``.
            limit: deliver at most this many rows; the result says if there were more.
            timeout: stop after this many seconds.
            search_path: schemas in which names are looked up, the run's tables by default.
            language: ``sql``, ``xquery`` or ``xpath``; None: by the file's ending, else the text.
            limits: the query is not one's own: it is answered locked, in a process of its own.

        Raises:
            QueryError: the query is wrong; with its position. Reading rows may raise it, too.
            LimitReached: a limit was reached.
        """
        answer = self.answer(
            query,
            params=params,
            limit=limit,
            timeout=timeout,
            search_path=search_path,
            language=language,
            limits=limits,
            form="table",
        )
        assert not isinstance(answer, Serialized)  # noqa: S101 - asked for as a table
        return answer

    def answer(
        self,
        query: str | QueryFile,
        *,
        params: Mapping[str, Any] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        search_path: str = _SEARCH_PATH,
        language: str | None = None,
        limits: Limits | None = None,
        form: str | None = None,
    ) -> Result | Serialized:
        """Returns the answer to a query as a table, or as text.

        Args:
            form: ``table``; ``items``: the items of an XQuery, serialized as its ``output:``
                options say; None: ``items`` if it has such options or if all items are nodes,
                else ``table``.

        The other arguments and what is raised are those of ``query``.
        """
        file = parse_query_file(query, None) if isinstance(query, str) else query
        if limits is not None:
            limits = replace(limits, rows=limit or limits.rows, seconds=timeout or limits.seconds)
            return self._answer_locked(
                file,
                limits,
                params=params,
                language=language,
                form=form,
                search_path=search_path,
            )
        language = language or language_of(file)
        if language != "sql":
            xquery = self.xquery(
                file, params=params, timeout=timeout, search_path=search_path, language=language
            )
            return xquery.answer(limit, form)
        if form == "items":
            raise QueryError("SQL answers with rows; items are an XQuery's", path=file.path)
        return self._session(file, params or {}, timeout, search_path).result(limit)

    def xquery(
        self,
        query: str | QueryFile,
        *,
        params: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        search_path: str = _SEARCH_PATH,
        language: str = "xquery",
    ) -> XQuery:
        """Returns a query in XQuery or XPath, analysed and planned, to be evaluated.

        Args:
            query: the text, or a parsed query file.
            params: values for ``$name``.
            timeout: stop after this many seconds, counted from here.
            search_path: schemas in which the SQL's names are looked up.
            language: ``xquery`` or ``xpath``.

        Raises:
            QueryError: a static error of the query; with its code and position.
        """
        from jvmscope.queries.xquery import XQuery

        file = parse_query_file(query, None) if isinstance(query, str) else query
        return XQuery(
            self,
            file,
            params or {},
            search_path=search_path,
            timeout=timeout,
            language=language,
        )

    def _session(
        self, file: QueryFile, params: Mapping[str, Any], timeout: float | None, search_path: str
    ) -> Session:
        bind_modules(self.connect(), file.text)
        if self.locked_to is not None:
            tables = (*self.recorded, *DERIVED, "opcode", "call")
            check_sql(self._connection, file.text, path=file.path, tables=tables, schemas=modules())
        cursor = self.connect(search_path)
        return Session(cursor, file, params, self.recorded, timeout, on_progress=self.on_progress)

    def _answer_locked(
        self,
        file: QueryFile,
        limits: Limits,
        *,
        params: Mapping[str, Any] | None,
        language: str | None,
        form: str | None,
        search_path: str,
    ) -> Result | Serialized:
        if self.scope_of(search_path) is not None:
            raise QueryError("a locked query is about the whole run", path=file.path)
        return answer_locked(
            self.run,
            file.text,
            limits,
            path=file.path,
            params=params,
            language=language,
            form=form,
        )

    def _path(self, table: str) -> Path:
        return self.run / "tables" / f"{table}.parquet"

    def _bind_opcodes(self) -> None:
        """Makes ``opcode (number, name)``: the words of the format, not of the run."""
        words = ", ".join(f"'{word}'" for word in word_sets()["opcode"].words)
        self._connection.execute(
            f"CREATE VIEW run.opcode AS "
            f"SELECT position - 1 AS number, word AS name "
            f"FROM UNNEST([{words}]) WITH ORDINALITY AS list (word, position)"
        )

    def _bind_table(self, name: str) -> None:
        path = self._path(name)
        if not path.is_file():
            raise RunError(f"{path}: the manifest lists the table, but the file is missing")
        try:
            self._connection.execute(
                f"CREATE VIEW run.{_quoted(name)} AS SELECT * FROM read_parquet({_literal(path)})"
            )
        except duckdb.Error as error:
            raise RunError(f"{path}: not a readable Parquet file: {message_of(error)}") from None


def _config() -> dict[str, Any]:
    return {
        "errors_as_json": True,
        "autoinstall_known_extensions": False,
        "python_enable_replacements": False,
        "temp_directory": str(Path(tempfile.gettempdir()) / "jvmscope-duckdb"),
    }


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(path: Path) -> str:
    """Returns a path as an SQL string in which no character is a wildcard of DuckDB's."""
    plain = re.sub(r"([*?\[])", r"[\1]", str(path.absolute()))
    return "'" + plain.replace("'", "''") + "'"

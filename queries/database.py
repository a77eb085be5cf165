"""The database of a run: read-only views of its tables, and of its scopes, in DuckDB."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import duckdb

from jvmscope.errors import QueryError, RunError
from jvmscope.queries.block_parts import block_part_views
from jvmscope.queries.folding import NOTHING_FOLDED, scope_folding
from jvmscope.queries.limits.memory import memory_settings
from jvmscope.queries.locked.database import locked_config, shut
from jvmscope.queries.scope import DERIVED, WHOLE_RUN
from jvmscope.queries.scope_parts import CALL, CALL_EDGE, LINEAGE
from jvmscope.queries.sql_errors import message_of
from jvmscope.queries.xquery.written_texts import UNWRITABLE, written
from jvmscope.schema import ALWAYS, tables, word_sets
from jvmscope.schema.folding import is_folded, why_folded
from jvmscope.schema.manifest import manifest_of, read_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jvmscope.queries.costs import Costs
    from jvmscope.queries.folding import ScopeFolding
    from jvmscope.queries.locked import Limits
    from jvmscope.queries.scope import Scope
    from jvmscope.schema import Manifest

__all__ = ["RunDatabase", "look_up"]

_WHOLE_RUN = ("run", "main")

_NODES = "nodes"

_PARQUET_TYPES: dict[str, tuple[str, str | None]] = {
    "INTEGER": ("INT32", None),
    "BIGINT": ("INT64", None),
    "BOOLEAN": ("BOOLEAN", None),
    "VARCHAR": ("BYTE_ARRAY", "UTF8"),
}


class RunDatabase:
    """The tables of one run as views in the schema ``run`` of a database in memory.

    Nothing is copied, and nothing of the run can be changed through it.

    Args:
        run: the run's directory.
        locked_to: open it for one untrusted query in a process of its own (``queries.locked``):
            nothing but the run's tables can be reached through the database.
        document: what the run's manifest says, or what may be known of it; None: it is read.

    Raises:
        RunError: it is not a run, of another schema version, or lacks a table of its manifest.
    """

    def __init__(
        self,
        run: Path,
        *,
        locked_to: Limits | None = None,
        document: Mapping[str, Any] | None = None,
    ) -> None:
        self.run = run
        self.document: Mapping[str, Any] = read_document(run) if document is None else document
        """The manifest as it is written."""
        self.manifest: Manifest = manifest_of(self.document, run)
        self.locked_to = locked_to
        self._connection = duckdb.connect(config=locked_config(locked_to) or _config())
        self._cursors: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()
        self._scopes: dict[Scope, str] = {}
        self._scope_bodies: dict[str, Mapping[str, str]] = {}
        self._nodes: dict[str, tuple[str, ...]] = {}
        self._written: dict[tuple[tuple[str, ...], frozenset[tuple[str, str]]], str] = {}
        self._nodes_lock = threading.Lock()  # two queries that bind them at once would collide
        self._foldings: dict[Scope, ScopeFolding] = {}
        self._costs: dict[tuple[str, str], str] = {}
        self._with_edges: set[str] = set()
        self._matches: dict[tuple[str, str, str], bool] = {}
        self._connection.execute("CREATE SCHEMA run")
        self._bind_opcodes()
        self._check_tables()
        for name in self.manifest.tables:
            self._bind_table(name)
        self._check_columns()
        if {"context", "back_edge"} <= set(self.manifest.tables):
            call = CALL.format(context="run.context")
            self._connection.execute(f"CREATE VIEW run.call AS {call}")
            edges = CALL_EDGE.format(schema="run")
            self._connection.execute(f"CREATE VIEW run.call_edge AS {edges}")
        if "context" in self.manifest.tables:
            self._connection.execute(f"CREATE VIEW run.lineage AS {LINEAGE}")
        for name, table in DERIVED.items():
            if table in self.manifest.tables:
                self._connection.execute(f"CREATE VIEW run.{name} AS FROM run.{table}")
        for name, body in block_part_views("run", self.manifest.tables).items():
            self._connection.execute(f"CREATE VIEW run.{name} AS {body}")
        if locked_to is not None:
            self.bind_nodes(WHOLE_RUN)
            paths = [self._path(name) for name in self.manifest.tables]
            shut(self._connection, [*paths, *[Path(_pattern(path)) for path in paths]])

    @property
    def run_id(self) -> str:
        """The run's name in results: its directory's name without ``.run``."""
        return self.run.absolute().name.removesuffix(".run")

    @property
    def recorded(self) -> tuple[str, ...]:
        """The names of the run's tables, in the order of the schema, unknown tables last."""
        known = [name for name in tables() if name in self.manifest.tables]
        return (*known, *sorted(set(self.manifest.tables) - set(known)))

    def connect(self, schemas: Sequence[str] = _WHOLE_RUN) -> duckdb.DuckDBPyConnection:
        """Returns a connection to the database that looks names up in the given schemas.

        Raises:
            RunError: the run was closed.
        """
        try:
            cursor = self._connection.cursor()
        except duckdb.ConnectionException:
            raise RunError(f"{self.run}: the run is closed; open it again") from None
        look_up(cursor, schemas)
        self._cursors.add(cursor)
        return cursor

    def has_match(self, table: str, column: str, pattern: str) -> bool:
        """Tells whether a text of a table's column matches a regular expression of DuckDB's."""
        key = (table, column, pattern)
        if table not in self.manifest.tables:
            return False
        if key not in self._matches:
            found = self._connection.execute(
                f"SELECT EXISTS (SELECT 1 FROM run.{_quoted(table)} "
                f"WHERE regexp_matches({_quoted(column)}, $pattern))",
                {"pattern": pattern},
            )
            self._matches[key] = found.fetchall() == [(True,)]
        return self._matches[key]

    def bind_scope(self, scope: Scope) -> tuple[str, ...]:
        """Returns the schemas in which a scope's relations hide those of the whole run.

        Raises:
            RunError: the recording failed, so the run has no parts.
            QueryError: the run does not have the scope, or folding took calls from it.
        """
        if scope.is_whole:
            return _WHOLE_RUN
        if "context" not in self.manifest.tables:
            raise RunError(f"{self.run}: the recording failed, so there is no scope {scope}")
        lost = self.lost_calls(scope)
        if lost is not None:
            raise QueryError(lost, path="--scope")
        return (self._bound(scope), *_WHOLE_RUN)

    def folding(self, scope: Scope) -> ScopeFolding:
        """Returns what folding did to a scope.

        Raises:
            QueryError: the run does not have the scope.
        """
        if not is_folded(self.manifest):
            return NOTHING_FOLDED
        schema = self._bound(scope)
        if scope not in self._foldings:
            self._foldings[scope] = scope_folding(
                self.connect(), schema, is_of_subtrees=scope.is_of_subtrees
            )
        return self._foldings[scope]

    def lost_calls(self, scope: Scope) -> str | None:
        """Returns why a scope's numbers would be too small; None: it has all of its calls.

        Raises:
            QueryError: the run does not have the scope.
        """
        folding = self.folding(scope)
        n = folding.n_lost_calls
        if n == 0:
            return None
        calls = "1 call was" if n == 1 else f"{n:,} calls were"
        return (
            f"the scope {scope} is incomplete: {calls} folded across its border, such as that of "
            f"{folding.example}: {why_folded(self.manifest)}"
        )

    def _bound(self, scope: Scope) -> str:
        """Returns the schema of a scope's relations, made now if it was not before."""
        if scope.is_whole:
            return "run"
        if scope not in self._scopes:
            schema = f"scope_{len(self._scopes)}"
            with self._whole_or_not_at_all(schema):
                self._scope_bodies[schema] = scope.bind(self.connect(), schema)
            self._scopes[scope] = schema
        return self._scopes[scope]

    def bind_nodes(self, scope: Scope) -> tuple[str, ...]:
        """Returns the schemas in which compiled queries find every table of the documents.

        A table without a key has its rows' numbers there, and one that was not recorded is empty.
        They are bound for the first query that needs them, in a locked database at once.
        """
        from jvmscope.queries.row_numbers import numbered_views, scoped_views

        schemas = self.bind_scope(scope)
        schema = schemas[0]
        with self._nodes_lock:
            if not self._nodes:
                files = {name: _literal(self._path(name)) for name in self.manifest.tables}
                self._nodes["run"] = (self._bind_views(_NODES, numbered_views(files)),)
            if schema not in self._nodes:
                views = scoped_views(_NODES, self._scope_bodies[schema])
                self._nodes[schema] = (self._bind_views(f"{schema}_{_NODES}", views), _NODES)
        return (*self._nodes[schema], *schemas)

    def bind_texts(
        self, schemas: tuple[str, ...], columns: frozenset[tuple[str, str]]
    ) -> tuple[str, ...]:
        """Returns the schemas in which texts are as the documents have them.

        Args:
            schemas: where compiled queries find the tables.
            columns: table and column of what is read as text.
        """
        found = frozenset(column for column in columns if self.has_match(*column, UNWRITABLE))
        if not found:
            return schemas
        key = (schemas, found)
        with self._nodes_lock:
            if key not in self._written:
                tables = sorted({table for table, _ in found})
                views = (
                    (
                        table,
                        written(
                            self._found(table, schemas),
                            sorted(column for owner, column in found if owner == table),
                        ),
                    )
                    for table in tables
                )
                self._written[key] = self._bind_views(f"written_{len(self._written)}", views)
        return (self._written[key], *schemas)

    def _found(self, table: str, schemas: Sequence[str]) -> str:
        """Returns the table that a name means in the first of the schemas that has it."""
        rows = self._connection.execute(
            "SELECT schema_name FROM duckdb_views() WHERE view_name = $table", {"table": table}
        ).fetchall()
        having = {schema for (schema,) in rows}
        schema = next(name for name in schemas if name in having)
        return f"{schema}.{_quoted(table)}"

    def _bind_views(self, schema: str, views: Iterator[tuple[str, str]]) -> str:
        with self._whole_or_not_at_all(schema):
            cursor = self.connect()
            cursor.execute(f"CREATE SCHEMA {schema}")
            for name, body in views:
                cursor.execute(f"CREATE VIEW {schema}.{_quoted(name)} AS {body}")
        return schema

    def bind_costs(self, costs: Costs) -> str:
        """Returns the schema of a cost model's relations, to be looked up behind the others."""
        from jvmscope.queries.costs import bind_costs

        key = (costs.model.digest, repr(sorted(costs.parameters.items())))
        if key not in self._costs:
            schema = f"costs_{len(self._costs)}"
            with self._whole_or_not_at_all(schema):
                bind_costs(self.connect(), schema, costs)
            self._costs[key] = schema
        return self._costs[key]

    def keep_edges(self, connection: duckdb.DuckDBPyConnection, scope: Scope) -> tuple[str, ...]:
        """Returns the schema in which ``call_edge`` is a table, not computed for each query.

        It is made once for each scope, with the connection, and small beside the tree. A run
        without calls has none.
        """
        if not {"context", "back_edge"} <= set(self.manifest.tables):
            return ()
        schema = self._bound(scope)
        if schema not in self._with_edges:
            with self._whole_or_not_at_all(f"{schema}_kept"):
                connection.execute(f"CREATE SCHEMA {schema}_kept")
                connection.execute(
                    f"CREATE TABLE {schema}_kept.call_edge AS FROM {schema}.call_edge"
                )
            self._with_edges.add(schema)
        return (f"{schema}_kept",)

    def close(self) -> None:
        """Closes the database; results that are not read yet cannot be read any more."""
        for cursor in self._cursors:
            cursor.interrupt()  # whoever reads no further waits for nothing that goes on
        self._connection.close()

    @contextmanager
    def _whole_or_not_at_all(self, schema: str) -> Iterator[None]:
        """Removes what was made of a schema if the rest cannot be: its name is used again."""
        try:
            yield
        except BaseException:
            with suppress(duckdb.ConnectionException):  # it is closed
                self._connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
            raise

    def _path(self, table: str) -> Path:
        return self.run / "tables" / f"{table}.parquet"

    def _bind_opcodes(self) -> None:
        """Makes ``opcode (number, name)``: the words of the format, not of the run."""
        words = " ".join(word_sets()["opcode"].words)  # one constant is bound faster than 202
        self._connection.execute(
            f"CREATE VIEW run.opcode AS SELECT position - 1 AS number, word AS name "
            f"FROM UNNEST(string_split('{words}', ' ')) WITH ORDINALITY AS list (word, position)"
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

    def _check_tables(self) -> None:
        """Raises an error if a run that has tables lacks one that every run has."""
        every = [table.name for table in tables().values() if table.recorded == ALWAYS]
        lacking = [name for name in every if name not in self.manifest.tables]
        if lacking and self.manifest.status != "failed":
            raise RunError(f"{self.run}: the manifest does not list the table {lacking[0]}")

    def _check_columns(self) -> None:
        """Raises an error if the file of a table has not the columns of its definition."""
        names = {str(self._path(name).absolute()): name for name in self.recorded}
        known = {path: name for path, name in names.items() if name in tables()}
        if not known:
            return
        files = [_pattern(Path(path)) for path in known]
        rows = self._connection.execute(
            "SELECT file_name, name, type, repetition_type, converted_type "
            "FROM parquet_schema($files)",
            {"files": files},
        ).fetchall()
        found: dict[str, list[tuple[str, str | None, str, str | None]]] = {}
        for path, *column in rows:
            found.setdefault(path, []).append((column[0], column[1], column[2], column[3]))
        for path, name in known.items():
            if found.get(path, [])[1:] != _parquet_columns(name):
                _refuse_columns(name, self._path(name))


def look_up(cursor: duckdb.DuckDBPyConnection, schemas: Sequence[str]) -> None:
    """Has a connection look names up in schemas, in the first one that has a name."""
    cursor.execute(f"SET search_path = '{','.join(schemas)}'")


@cache
def _parquet_columns(name: str) -> list[tuple[str, str | None, str, str | None]]:
    """Returns the columns of a table's file as Parquet has them, those of lists flattened."""
    found: list[tuple[str, str | None, str, str | None]] = []
    for column in tables()[name].columns:
        repetition = "OPTIONAL" if column.is_nullable else "REQUIRED"
        if column.sql_type.endswith("[]"):
            of_element = _PARQUET_TYPES[column.sql_type.removesuffix("[]")]
            found += [
                (column.name, None, repetition, "LIST"),
                ("list", None, "REPEATED", None),
                ("element", of_element[0], "OPTIONAL", of_element[1]),
            ]
        else:
            kind, converted = _PARQUET_TYPES.get(column.sql_type, _PARQUET_TYPES["VARCHAR"])
            found.append((column.name, kind, repetition, converted))
    return found


def _refuse_columns(name: str, path: Path) -> None:
    """Raises the error that says how a table's file differs from its definition, if it does."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from jvmscope.schema.verify import wrong_columns

    try:
        problems = wrong_columns(name, pq.read_schema(path))
    except (OSError, pa.ArrowException) as error:
        raise RunError(f"{path}: not a readable Parquet file: {error}") from None
    if problems:
        raise RunError(f"{path}: {problems[0]}; jvmscope check says what else was changed")


def _config() -> dict[str, Any]:
    return {
        "errors_as_json": True,
        "autoinstall_known_extensions": False,
        "python_enable_replacements": False,
        **memory_settings(),
    }


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _pattern(path: Path) -> str:
    """Returns a path as a pattern of DuckDB's that matches it alone."""
    return re.sub(r"([*?\[])", r"[\1]", str(path.absolute()))


def _literal(path: Path) -> str:
    return "'" + _pattern(path).replace("'", "''") + "'"

"""The tables as compiled XQuery reads them: with the rows and texts of a run's documents."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from jvmscope.queries.run_files import quoted
from jvmscope.queries.xquery.written_texts import UNWRITABLE, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries.memory_database import MemoryDatabase
    from jvmscope.queries.run_files import RunFiles
    from jvmscope.queries.scopes.bound_scopes import BoundScopes
    from jvmscope.queries.scopes.scope import Scope

__all__ = ["DocumentTables"]

_NODES = "nodes"


class DocumentTables:
    """Views of a run's tables for compiled queries, made for the first query that needs them.

    Args:
        database: the run's database, with the relations of the whole run.
        files: the files of its tables.
        scopes: its scopes.
    """

    def __init__(self, database: MemoryDatabase, files: RunFiles, scopes: BoundScopes) -> None:
        self._database = database
        self._files = files
        self._scopes = scopes
        self._nodes: dict[str, tuple[str, ...]] = {}
        self._texts: dict[tuple[tuple[str, ...], frozenset[tuple[str, str]]], str] = {}
        self._has_unwritable: dict[tuple[str, str], bool] = {}
        self._lock = threading.Lock()  # two queries that bind them at once would collide

    def bind_nodes(self, scope: Scope) -> tuple[str, ...]:
        """Returns the schemas in which compiled queries find every table of the documents.

        A table without a key has its rows' numbers there, and one that was not recorded is empty.
        """
        from jvmscope.queries.xquery.row_numbers import numbered_views, scoped_views

        schemas = self._scopes.bind(scope)
        schema = schemas[0]
        with self._lock:
            if not self._nodes:
                views = numbered_views(self._files.literals)
                self._nodes["run"] = (self._database.bind_views(_NODES, views),)
            if schema not in self._nodes:
                views = scoped_views(_NODES, self._scopes.bodies(schema))
                name = self._database.bind_views(f"{schema}_{_NODES}", views)
                self._nodes[schema] = (name, _NODES)
        return (*self._nodes[schema], *schemas)

    def bind_texts(
        self, schemas: tuple[str, ...], columns: frozenset[tuple[str, str]]
    ) -> tuple[str, ...]:
        """Returns the schemas in which texts are as the documents have them.

        Args:
            schemas: where compiled queries find the tables.
            columns: table and column of what is read as text.
        """
        with self._lock:
            found = frozenset(column for column in columns if self._is_escaped(*column))
            if not found:
                return schemas
            key = (schemas, found)
            if key not in self._texts:
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
                self._texts[key] = self._database.bind_views(f"written_{len(self._texts)}", views)
        return (self._texts[key], *schemas)

    def _is_escaped(self, table: str, column: str) -> bool:
        """Tells whether a text of a table's column holds what XML cannot."""
        key = (table, column)
        if table not in self._files.recorded:
            return False
        if key not in self._has_unwritable:
            found = self._database.connection.execute(
                f"SELECT EXISTS (SELECT 1 FROM run.{quoted(table)} "
                f"WHERE regexp_matches({quoted(column)}, $pattern))",
                {"pattern": UNWRITABLE},
            )
            self._has_unwritable[key] = found.fetchall() == [(True,)]
        return self._has_unwritable[key]

    def _found(self, table: str, schemas: Sequence[str]) -> str:
        """Returns the table that a name means in the first of the schemas that has it."""
        rows = self._database.connection.execute(
            "SELECT schema_name FROM duckdb_views() WHERE view_name = $table", {"table": table}
        ).fetchall()
        having = {schema for (schema,) in rows}
        schema = next(name for name in schemas if name in having)
        return f"{schema}.{quoted(table)}"

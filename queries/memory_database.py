"""A DuckDB database in memory: its connections, and schemas that are made as a whole."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import duckdb

from jvmscope.errors import RunError
from jvmscope.queries.run_files import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["MemoryDatabase", "look_up"]


class MemoryDatabase:
    """The database of one run.

    Args:
        run: the run's directory, for messages.
        config: DuckDB's settings.

    Attributes:
        connection: the first connection, which answers no queries of users.
    """

    def __init__(self, run: Path, config: Mapping[str, Any]) -> None:
        self._run = run
        self.connection = duckdb.connect(config=dict(config))
        self._cursors: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()

    def connect(self, schemas: Sequence[str]) -> duckdb.DuckDBPyConnection:
        """Returns a connection that looks names up in the given schemas.

        Raises:
            RunError: the run was closed.
        """
        try:
            cursor = self.connection.cursor()
        except duckdb.ConnectionException:
            raise RunError(f"{self._run}: the run is closed; open it again") from None
        look_up(cursor, schemas)
        self._cursors.add(cursor)
        return cursor

    def is_broken(self) -> bool:
        """Tells whether DuckDB answers nothing more, because of an internal error."""
        try:
            self.connection.cursor().execute("SELECT 1")
        except duckdb.FatalException:
            return True
        except duckdb.ConnectionException:  # it is closed
            return False
        return False

    def bind_views(self, schema: str, views: Iterable[tuple[str, str]]) -> str:
        """Makes a schema with the given views, each a name and a SELECT; returns its name."""
        with self.whole_or_not_at_all(schema):
            cursor = self.connect(("run", "main"))
            cursor.execute(f"CREATE SCHEMA {schema}")
            for name, body in views:
                cursor.execute(f"CREATE VIEW {schema}.{quoted(name)} AS {body}")
        return schema

    @contextmanager
    def whole_or_not_at_all(self, schema: str) -> Iterator[None]:
        """Removes what was made of a schema if the rest cannot be: its name is used again."""
        try:
            yield
        except BaseException:
            with suppress(duckdb.ConnectionException):  # it is closed
                self.connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
            raise

    def close(self) -> None:
        """Closes the database; results that are not read yet cannot be read any more."""
        for cursor in self._cursors:
            with suppress(duckdb.ConnectionException):  # it was closed before
                cursor.interrupt()  # whoever reads no further waits for nothing that goes on
        self.connection.close()


def look_up(cursor: duckdb.DuckDBPyConnection, schemas: Sequence[str]) -> None:
    """Has a connection look names up in schemas, in the first one that has a name."""
    cursor.execute(f"SET search_path = '{','.join(schemas)}'")

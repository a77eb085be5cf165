"""The Parquet files of a run's tables: views that read them, checked against the definitions."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from jvmscope.errors import RunError
from jvmscope.queries.sql_errors import message_of
from jvmscope.schema import ALWAYS
from jvmscope.schema.local_paths import local

if TYPE_CHECKING:
    from jvmscope.schema import Manifest, Table

__all__ = ["RunFiles", "quoted"]

_PARQUET_TYPES: dict[str, tuple[str, str | None]] = {
    "INTEGER": ("INT32", None),
    "BIGINT": ("INT64", None),
    "DOUBLE": ("DOUBLE", None),
    "BOOLEAN": ("BOOLEAN", None),
    "VARCHAR": ("BYTE_ARRAY", "UTF8"),
}


class RunFiles:
    """The files of the tables that a run's manifest lists.

    Args:
        run: the run's directory.
        manifest: its manifest.
    """

    def __init__(self, run: Path, manifest: Manifest) -> None:
        self._run = run
        self._manifest = manifest

    @property
    def recorded(self) -> tuple[str, ...]:
        """The names of the run's tables, in the order of the schema, unknown tables last."""
        definitions = self._manifest.definitions
        known = [name for name in definitions if name in self._manifest.tables]
        return (*known, *sorted(set(self._manifest.tables) - set(known)))

    @property
    def literals(self) -> dict[str, str]:
        """The files of each of the run's tables, as an SQL literal."""
        return {name: self._literal(name) for name in self._manifest.tables}

    @property
    def paths(self) -> list[Path]:
        """The paths of the files, and the patterns by which the views read them."""
        paths = [path for name in self._manifest.tables for path in self._paths(name)]
        return [*paths, *[Path(_pattern(path)) for path in paths]]

    def bind(self, connection: duckdb.DuckDBPyConnection, schema: str = "run") -> None:
        """Makes a view of each table in a schema, which exists.

        Raises:
            RunError: a table or its file is missing, cannot be read, or has other columns.
        """
        self._check_tables()
        for name in self._manifest.tables:
            self._bind_table(connection, schema, name)
        self._check_columns(connection)

    def _paths(self, table: str) -> list[Path]:
        files = self._manifest.tables[table].files(table)
        return [self._run / "tables" / part.file for part in files]

    def _literal(self, table: str) -> str:
        """Returns what ``read_parquet`` takes for a table: a file, or a list of files."""
        literals = [_literal(path) for path in self._paths(table)]
        return literals[0] if len(literals) == 1 else f"[{', '.join(literals)}]"

    def _check_tables(self) -> None:
        """Raises an error if a run that has tables lacks one that every run has."""
        definitions = self._manifest.definitions.values()
        every = [table.name for table in definitions if table.recorded == ALWAYS]
        lacking = [name for name in every if name not in self._manifest.tables]
        if lacking and self._manifest.status != "failed":
            raise RunError(f"{self._run}: the manifest does not list the table {lacking[0]}")

    def _bind_table(self, connection: duckdb.DuckDBPyConnection, schema: str, name: str) -> None:
        paths = self._paths(name)
        for path in paths:
            if not path.is_file():
                raise RunError(f"{path}: the manifest lists the table, but the file is missing")
        try:
            connection.execute(
                f"CREATE VIEW {schema}.{quoted(name)} AS "
                f"SELECT * FROM read_parquet({self._literal(name)})"
            )
        except duckdb.Error as error:
            raise RunError(
                f"{paths[0]}: not a readable Parquet file: {message_of(error)}"
            ) from None

    def _check_columns(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Raises an error if the file of a table has not the columns of its definition."""
        definitions = self._manifest.definitions
        known = {
            str(path.absolute()): definitions[name]
            for name in self.recorded
            if name in definitions
            for path in self._paths(name)
        }
        if not known:
            return
        files = [_pattern(Path(path)) for path in known]
        rows = connection.execute(
            "SELECT file_name, name, type, repetition_type, converted_type "
            "FROM parquet_schema($files)",
            {"files": files},
        ).fetchall()
        found: dict[str, list[tuple[str, str | None, str, str | None]]] = {}
        for path, *column in rows:
            found.setdefault(path, []).append((column[0], column[1], column[2], column[3]))
        expected = {table.name: _parquet_columns(table) for table in known.values()}
        for path, table in known.items():
            if found.get(path, [])[1:] != expected[table.name]:
                _refuse_columns(table, Path(path))


def quoted(name: str) -> str:
    """Returns a name as an identifier of SQL.

    >>> quoted('a"b')
    '"a""b"'
    """
    return '"' + name.replace('"', '""') + '"'


@cache
def _parquet_columns(table: Table) -> list[tuple[str, str | None, str, str | None]]:
    """Returns the columns of a table's file as Parquet has them, those of lists flattened."""
    found: list[tuple[str, str | None, str, str | None]] = []
    for column in table.columns:
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


def _refuse_columns(table: Table, path: Path) -> None:
    """Raises the error that says how a table's file differs from its definition, if it does."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from jvmscope.schema.verify import wrong_columns

    try:
        problems = wrong_columns(table, pq.read_schema(local(path)))
    except (OSError, pa.ArrowException) as error:
        raise RunError(f"{path}: not a readable Parquet file: {error}") from None
    if problems:
        raise RunError(f"{path}: {problems[0]}; jvmscope check says what else was changed")


def _pattern(path: Path) -> str:
    """Returns a path as a pattern of DuckDB's that matches it alone."""
    return re.sub(r"([*?\[])", r"[\1]", str(path.absolute()))


def _literal(path: Path) -> str:
    return "'" + _pattern(path).replace("'", "''") + "'"

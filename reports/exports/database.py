"""A DuckDB file with every table of a run: keys, words, meanings and units included."""

from __future__ import annotations

import errno
import os
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING

import duckdb

from jvmscope.errors import LimitReached, RunError
from jvmscope.queries import interruptible, message_of
from jvmscope.whole_files import unfinished

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.queries import Engine
    from jvmscope.schema import Column, Table
    from jvmscope.schema.own_tables import OwnTable

__all__ = ["write_database"]

_NAME = "exported"
_MOST_KEYED = 5_000_000
"""Rows of a table whose key is a constraint: DuckDB keeps its index in memory until the commit."""
_NO_BLOCK = "could not allocate block"


def write_database(
    engine: Engine, path: Path, on_progress: Callable[[float], None] = lambda _percentage: None
) -> None:
    """Writes all tables of a run to a database file, which must not exist.

    Primary keys are constraints, except in large tables. What a column refers to is in its
    comment, with its meaning, what null means and its unit: DuckDB would keep an index for every
    foreign key in memory.

    Raises:
        RunError: the file cannot be written.
        LimitReached: the database needs more memory than it may have.
        KeyboardInterrupt: Ctrl-C.
    """
    database = engine.connect()  # the engine closes it
    ((run,),) = database.execute("SELECT current_database()").fetchall()
    try:
        with unfinished(path.with_name(f"{path.name}.wal")):  # stays where a disk is full
            database.execute(f"ATTACH '{_quoted(str(path))}' AS {_NAME}")
            try:
                _copy(engine, database, run, on_progress)
            finally:
                database.execute(f'USE "{run}"')  # the default database cannot be detached
                database.execute(f"DETACH {_NAME}")
    except (duckdb.OutOfMemoryException, duckdb.TransactionException) as error:
        if isinstance(error, duckdb.TransactionException) and _NO_BLOCK not in str(error):
            raise
        raise LimitReached(f"{path}: the database needs more memory than it may have") from None
    except (duckdb.IOException, duckdb.BinderException, duckdb.FatalException) as error:
        raise RunError(f"{path}: cannot be written: {_reason(error)}") from None


def _reason(error: duckdb.Error) -> str:
    """Returns what the operating system said, where DuckDB wraps it in what became of it all."""
    message = message_of(error)
    system = map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO))
    return next((text for text in system if text in message), message)


def _copy(
    engine: Engine,
    database: duckdb.DuckDBPyConnection,
    run: str,
    on_progress: Callable[[float], None],
) -> None:
    database.execute(f"SET search_path = '{_NAME}.main'")
    database.execute((resources.files("jvmscope.schema") / "types.sql").read_text("utf-8"))
    described: dict[str, Table | OwnTable] = {
        **engine.manifest.definitions,
        **{table.name: table for table in engine.own_tables},
    }
    for number, name in enumerate(engine.named):
        source = f'"{run}".run."{name}"'
        if name in described:
            facts = engine.manifest.tables.get(name)
            has_index = facts is not None and facts.rows <= _MOST_KEYED
            _create(database, described[name], has_index=has_index)
            rows = f'INSERT INTO "{name}" SELECT * FROM {source}'
        else:  # a user's probe: no definition says more of it than its file
            rows = f'CREATE TABLE "{name}" AS SELECT * FROM {source}'
        interruptible(partial(database.execute, rows), database.interrupt, None)
        on_progress(100 * (number + 1) / len(engine.named))


def _create(
    database: duckdb.DuckDBPyConnection, table: Table | OwnTable, *, has_index: bool
) -> None:
    name = table.name
    key = table.key if has_index else ()
    columns = [_definition(column, key) for column in table.columns]
    if len(key) > 1:
        columns.append(f"PRIMARY KEY ({', '.join(key)})")
    database.execute(f'CREATE TABLE "{name}" ({", ".join(columns)})')
    database.execute(f"COMMENT ON TABLE \"{name}\" IS '{_quoted(table.description)}'")
    for column in table.columns:
        text = _quoted(_comment(column))
        database.execute(f'COMMENT ON COLUMN "{name}"."{column.name}" IS \'{text}\'')


def _definition(column: Column, key: tuple[str, ...]) -> str:
    constraint = "" if column.is_nullable else " NOT NULL"
    if key == (column.name,):
        constraint = " PRIMARY KEY"
    return f'"{column.name}" {column.sql_type}{constraint}'


def _comment(column: Column) -> str:
    text = column.meaning
    if column.null_meaning:
        text += f"; null: {column.null_meaning}"
    if column.unit:
        text += f" [{column.unit}]"
    return text + (f" (refers to {column.references})" if column.references else "")


def _quoted(text: str) -> str:
    return text.replace("'", "''")

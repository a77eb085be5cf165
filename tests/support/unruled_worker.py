"""Run in a confined process: a database without any rule, to which many statements are put."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import TYPE_CHECKING, Any

import duckdb

if TYPE_CHECKING:
    from jvmscope.confinement import Barriers

__all__ = ["main"]

_READING = {duckdb.StatementType.COPY, duckdb.StatementType.SELECT}  # and nothing is set


def main(_barriers: Barriers) -> None:
    """Reads ``{"tables": {…}, "statements": […], "home": …}``; says what came of each statement.

    A line is ``[is answered, text]``, as ``attacked_worker`` writes it.
    """
    asked = json.loads(sys.stdin.buffer.readline())
    connection = _database(asked)
    for statement in asked["statements"]:
        outcome = _outcome(connection, statement)
        print(json.dumps(outcome), flush=True)  # noqa: T201
        if outcome[0] and not _types(connection, statement) <= _READING:
            connection.close()
            connection = _database(asked)


def _database(asked: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(f"SET home_directory = '{asked['home']}'")
    connection.execute(f"SET custom_extension_repository = '{asked['home']}'")
    for name, path in asked["tables"].items():
        with contextlib.suppress(duckdb.Error):  # an attack before has succeeded
            connection.execute(f"CREATE VIEW {name} AS FROM read_parquet('{path}')")
    return connection


def _types(connection: duckdb.DuckDBPyConnection, text: str) -> set[duckdb.StatementType]:
    return {statement.type for statement in connection.extract_statements(text)}


def _outcome(connection: duckdb.DuckDBPyConnection, statement: str) -> tuple[bool, str]:
    try:
        return True, str(connection.execute(statement).fetchmany(20))
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"

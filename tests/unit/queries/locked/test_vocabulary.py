"""What untrusted queries may call: it exists, depends on its arguments alone, and reads nothing."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Limits, first_row
from jvmscope.queries.locked import vocabulary
from jvmscope.queries.locked.vocabulary import (
    CALLING_BY_NAME,
    FUNCTIONS,
    TABLE_FUNCTIONS,
    TYPES,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_VALUES = frozenset(
    f"{vocabulary._VALUES} {vocabulary._AGGREGATES} {vocabulary._OPERATORS}".lower().split()
)
# These, and others of a time with its zone, depend on the zone of the machine, which is no secret.
_ZONED = ["make_timestamptz", "timezone"]
_SPOKEN = frozenset({"error"})  # what a macro may say beside: that an argument is wrong


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def _rows(connection: duckdb.DuckDBPyConnection, where: str) -> list[tuple[Any, ...]]:
    return connection.execute(
        "SELECT DISTINCT lower(function_name), stability, macro_definition "
        f"FROM duckdb_functions() WHERE {where}"
    ).fetchall()


def test_every_function_exists(connection: duckdb.DuckDBPyConnection) -> None:
    found = {name for name, *_ in _rows(connection, "function_type NOT LIKE 'table%'")}
    tables = {name for name, *_ in _rows(connection, "function_type = 'table'")}
    types = {
        name
        for (name,) in connection.execute("SELECT lower(type_name) FROM duckdb_types()").fetchall()
    }

    assert FUNCTIONS - {"unnest"} <= found
    assert tables >= TABLE_FUNCTIONS
    assert types >= TYPES


def test_a_value_depends_on_the_arguments_alone(connection: duckdb.DuckDBPyConnection) -> None:
    rows = _rows(connection, "function_type IN ('scalar', 'aggregate', 'window')")

    assert {name for name, stability, _ in rows if stability == "CONSISTENT"} >= _VALUES
    others = connection.execute(
        "SELECT function_name, stability FROM duckdb_functions() WHERE stability <> 'CONSISTENT'"
        " AND NOT (stability = 'CONSISTENT_WITHIN_QUERY' AND (function_name IN $zoned"
        " OR list_bool_or([regexp_matches(type, 'TIME ZONE|TZ') FOR type IN parameter_types])))",
        {"zoned": _ZONED},
    ).fetchall()
    assert [each for each in others if each[0] in _VALUES] == []


def test_macros_are_made_of_what_may_be_called(connection: duckdb.DuckDBPyConnection) -> None:
    rows = _rows(connection, "function_type = 'scalar' AND stability = 'CONSISTENT'")
    functions = {name for name, *_ in rows}  # as some are that were macros in an older DuckDB
    names = set(vocabulary._MACROS.split()) - functions
    definitions = {
        name: text for name, _, text in _rows(connection, "macro_definition IS NOT NULL")
        if name in names
    }  # fmt: skip

    assert set(definitions) == names
    for name, text in definitions.items():
        called = {found["function_name"] for found in _nodes(connection, f"SELECT {text}")}
        assert called <= FUNCTIONS | _SPOKEN, name
        assert not re.search(r"\bFROM\b", text), name


def _nodes(connection: duckdb.DuckDBPyConnection, text: str) -> Iterator[dict[str, Any]]:
    """Yields the nodes of a query that call a function."""
    row = first_row(connection, "SELECT json_serialize_sql($text)", {"text": text})
    assert row is not None
    pending: list[Any] = [json.loads(row[0])]
    assert not pending[0]["error"], text
    while pending:
        node = pending.pop()
        if isinstance(node, dict) and "function_name" in node:
            yield node
        if isinstance(node, dict | list):
            pending += node.values() if isinstance(node, dict) else node


def test_names_are_told_in_any_spelling(shapes: Path) -> None:
    with Engine(shapes, locked_to=Limits()) as engine:
        for text in ("SELECT UPPER('a')", "SELECT \"upper\"('a')", "SELECT 'a'.upper()"):
            assert engine.query(text).arrow().num_rows == 1


def test_functions_that_call_by_name_are_known(connection: duckdb.DuckDBPyConnection) -> None:
    """Of all functions, those take the name of an aggregate that fail for none such."""
    calling = set()
    for name in FUNCTIONS:
        try:
            connection.execute(f"SELECT \"{name}\"([1], 'no_such_aggregate')")
        except duckdb.Error as error:
            if "no_such_aggregate" in str(error) and "Aggregate Function" in str(error):
                calling.add(name)

    assert calling == CALLING_BY_NAME


@pytest.mark.parametrize("function", sorted(CALLING_BY_NAME))
def test_an_aggregate_is_called_by_name_only_if_it_is_listed(
    function: str, connection: duckdb.DuckDBPyConnection, shapes: Path
) -> None:
    known = {name for name, *_ in _rows(connection, "function_type = 'aggregate'")}
    unlisted = sorted(known - FUNCTIONS)
    assert unlisted
    with Engine(shapes, locked_to=Limits()) as engine:
        for text in (f"{function}([1, 2], 'sum')", f"[1, 2].{function}('SUM')"):
            assert engine.query(f"SELECT {text} AS n").arrow().to_pylist() == [{"n": 3}]
        for name in unlisted:
            with pytest.raises(QueryError, match=rf"may not call {name}\(\)"):
                engine.query(f"SELECT {function}([1], '{name}')")
        for written in ("lower('SUM')", "'s' || 'um'", "name", "CAST('sum' AS VARCHAR)"):
            with pytest.raises(QueryError, match="needs the aggregate's name as a text"):
                engine.query(f"SELECT {function}([1], {written}) FROM thread")

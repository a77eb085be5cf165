"""For which changes a condition holds, in a database that holds the changes and nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries import Limits
from jvmscope.queries.deadline import Deadline
from jvmscope.queries.interruption import interruptible
from jvmscope.queries.locked.database import locked_config, shut
from jvmscope.reports.changes.condition_places import OPTION, PARSED, placed, select

__all__ = ["Held", "evaluate"]

_WRITTEN = "SELECT json_deserialize_sql($parsed)"


@dataclass(frozen=True)
class Held:
    """What became of a condition.

    Attributes:
        condition: its text.
        rows: the changes for which it is true.
        n_rows: of how many.
        n_null: for how many of these it is neither true nor false, since a value is null.
    """

    condition: str
    rows: pa.Table
    n_rows: int
    n_null: int


def evaluate(condition: str, changes: pa.Table) -> Held:
    """Returns for which changes a condition is true.

    Args:
        condition: its text, which ``parse_condition`` has accepted.
        changes: the changes.

    Raises:
        QueryError: it names no column, is no truth value, or fails on a row; with its place.
        LimitReached: it needs more time or memory than it may have.
    """
    limits = Limits()
    deadline = Deadline(limits.seconds)
    query = select(condition, " FROM change ORDER BY rowid")
    with duckdb.connect(config=locked_config(limits)) as connection:
        connection.register("given", _without_nan(changes))
        connection.execute("CREATE TABLE change AS FROM given")
        connection.unregister("given")
        with placed(condition):
            guarded = _guarded(connection, query)
        strict = connection.cursor()
        strict.execute("SET ieee_floating_point_ops = false")  # of this cursor alone
        shut(connection, [])
        with placed(condition):
            try:
                found = interruptible(
                    partial(_answers, (connection, query), (strict, guarded)),
                    partial(_interrupt, connection, strict),
                    deadline.at,
                )
            except TimeoutError:
                raise LimitReached(f"{OPTION} was stopped after {limits.seconds:g} s") from None
    holds, type_ = found
    if type_ not in ("BOOLEAN", '"NULL"'):
        raise QueryError(
            f"expected a condition, which is true or false, found a value of type {type_}",
            path=OPTION,
            line=1,
            column=1,
            source=condition,
            length=len(condition),
        )
    rows = [number for number, is_true in enumerate(holds) if is_true]
    taken = changes.take(pa.array(rows, pa.int64()))
    return Held(condition, taken, changes.num_rows, holds.count(None))


def _without_nan(changes: pa.Table) -> pa.Table:
    """Returns changes whose values are null where they are no numbers."""
    for number, field in enumerate(changes.schema):
        if pa.types.is_floating(field.type):
            values = pc.if_else(
                pc.is_nan(changes[number]), pa.scalar(None, field.type), changes[number]
            )
            changes = changes.set_column(number, field, values)
    return changes


_Asked = tuple[duckdb.DuckDBPyConnection, str]


def _answers(plain: _Asked, guarded: _Asked) -> tuple[list[Any], str]:
    """Returns what the expression is for each row, and its type.

    Args:
        plain: the query as it was written, whose errors have places in it.
        guarded: what ``_guarded`` makes of it, and a cursor where a division by 0 is an error.
    """
    connection, query = plain
    type_ = str(connection.execute(query).description[0][1])
    connection.fetchall()
    cursor, query = guarded
    return [value for (value,) in cursor.execute(query).fetchall()], type_


def _interrupt(*connections: duckdb.DuckDBPyConnection) -> None:
    for connection in connections:
        connection.interrupt()


def _guarded(connection: duckdb.DuckDBPyConnection, query: str) -> str:
    """Returns a query in which what cannot be computed, as a quotient by 0, is null.

    By IEEE 754 it would be no number or infinite, which DuckDB takes to be larger than any number.
    """
    ((parsed,),) = connection.execute(PARSED, {"sql": query}).fetchall()
    statement = json.loads(parsed)
    node = statement["statements"][0]["node"]
    node["select_list"] = [_tried(each) for each in node["select_list"]]
    ((written,),) = connection.execute(_WRITTEN, {"parsed": json.dumps(statement)}).fetchall()
    return str(written)


def _tried(tree: Any) -> Any:
    """Returns a parsed expression in which each function and operator is tried."""
    if isinstance(tree, list):
        return [_tried(part) for part in tree]
    if not isinstance(tree, dict):
        return tree
    tried = {name: _tried(part) for name, part in tree.items()}
    if tree.get("class") != "FUNCTION":
        return tried
    place = {name: tree[name] for name in ("query_location", "query_location_length")}
    alias = tried["alias"]
    tried["alias"] = ""
    return {
        "class": "OPERATOR",
        "type": "OPERATOR_TRY",
        "alias": alias,
        **place,
        "children": [tried],
    }

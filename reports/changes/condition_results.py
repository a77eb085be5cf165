"""For which changes a condition holds, in a database that holds the changes and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries import Deadline, Limits, interruptible
from jvmscope.reports.changes.absent_columns import refuse_absent_columns
from jvmscope.reports.changes.closed_database import closed_database
from jvmscope.reports.changes.condition_text import OPTION, PARSED, placed, select

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Held", "Rewrite", "Truth", "evaluate", "truths"]

Truth = list[bool | None]
"""What an expression is for each row: true, false or null."""

Rewrite = Callable[[dict[str, Any]], dict[str, Any]]
"""What makes an expression of a parsed condition."""

_WRITTEN = "SELECT json_deserialize_sql($parsed)"


@dataclass(frozen=True)
class Held:
    """What became of a condition.

    Attributes:
        condition: its text.
        rows: the changes for which it is true.
        n_rows: of how many.
        n_null: for how many of these it is neither true nor false, since a value is null.
        holds: what it is for each row.
    """

    condition: str
    rows: pa.Table
    n_rows: int
    n_null: int
    holds: tuple[bool | None, ...] = ()


def evaluate(condition: str, changes: pa.Table) -> Held:
    """Returns for which changes a condition is true.

    Args:
        condition: its text, which ``parse_condition`` has accepted.
        changes: the changes.

    Raises:
        QueryError: it names no column, is no truth value, or fails on a row; with its place.
        LimitReached: it needs more time or memory than it may have.
    """
    refuse_absent_columns(condition, changes.column_names)
    found, type_ = _found(condition, changes)
    holds = [value for (value,) in found]
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
    return Held(condition, taken, changes.num_rows, holds.count(None), tuple(holds))


def truths(condition: str, rows: pa.Table, rewrites: Sequence[Rewrite]) -> list[Truth]:
    """Returns what expressions made of a condition are for each row: true, false or null.

    Args:
        condition: its text, which ``parse_condition`` has accepted.
        rows: rows that have the columns which the expressions read.
        rewrites: each makes an expression of the parsed one of the condition.

    Raises:
        QueryError: a column does not exist, or an expression fails on a row.
        LimitReached: it needs more time or memory than it may have.
    """
    found = _found(condition, rows, rewrites)[0]
    return [[row[number] for row in found] for number in range(len(rewrites))]


def _found(
    condition: str, changes: pa.Table, rewrites: Sequence[Rewrite] = ()
) -> tuple[list[tuple[Any, ...]], str]:
    """Returns what a condition, or what is made of it, is for each row, and its first type."""
    limits = Limits()
    deadline = Deadline(limits.seconds)
    query = select(condition, " FROM change ORDER BY rowid")
    with closed_database() as database, database.holding(_without_nan(changes)):
        with placed(condition):
            guarded = _guarded(database.plain, query, rewrites)
        plain = database.plain, guarded if rewrites else query
        with placed(condition):
            try:
                return interruptible(
                    partial(_answers, plain, (database.strict, guarded)),
                    database.interrupt,
                    deadline.at,
                )
            except TimeoutError:
                raise LimitReached(f"{OPTION} was stopped after {limits.seconds:g} s") from None


def _without_nan(changes: pa.Table) -> pa.Table:
    """Returns changes whose values are null if they are not numbers."""
    for number, field in enumerate(changes.schema):
        if pa.types.is_floating(field.type):
            values = pc.if_else(
                pc.is_nan(changes[number]), pa.scalar(None, field.type), changes[number]
            )
            changes = changes.set_column(number, field, values)
    return changes


_Asked = tuple[duckdb.DuckDBPyConnection, str]


def _answers(plain: _Asked, guarded: _Asked) -> tuple[list[tuple[Any, ...]], str]:
    """Returns what the expressions are for each row, and the type of the first.

    Args:
        plain: the query as it was written, whose errors have places in it.
        guarded: what ``_guarded`` makes of it, and a cursor where a division by 0 is an error.
    """
    connection, query = plain
    type_ = str(connection.execute(query).description[0][1])
    connection.fetchall()
    cursor, query = guarded
    return cursor.execute(query).fetchall(), type_


def _guarded(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    rewrites: Sequence[Rewrite],
) -> str:
    """Returns a query, rewritten, in which what cannot be computed, as a quotient by 0, is null.

    By IEEE 754 it would be no number or infinite, which DuckDB takes to be larger than any number.
    """
    ((parsed,),) = connection.execute(PARSED, {"sql": query}).fetchall()
    statement = json.loads(parsed)
    node = statement["statements"][0]["node"]
    (whole,) = node["select_list"]
    chosen = [rewrite(whole) for rewrite in rewrites] or [whole]
    node["select_list"] = [_tried(each) for each in chosen]
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

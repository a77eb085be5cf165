"""Conditions on changes, as ``--fail-if`` takes them: one SQL expression that is true or false.

A condition may be somebody else's. It is checked on DuckDB's own parse to be one expression of
columns and functions of values, without a query in it, and is evaluated in a database that holds
the changes and reaches nothing else.
"""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from jvmscope.errors import LimitReached, QueryError, did_you_mean
from jvmscope.metrics import catalogue
from jvmscope.queries import Limits
from jvmscope.queries.deadline import Deadline
from jvmscope.queries.interruption import interruptible
from jvmscope.queries.locked.database import locked_config, shut
from jvmscope.queries.locked.rules import check_sql
from jvmscope.queries.sql_errors import is_out_of_memory, query_error

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Held", "evaluate", "parse_condition"]

_OPTION = "--fail-if"
_BEFORE = "SELECT (\n"
_ELSEWHERE = ("modifiers", "where_clause", "group_expressions", "having", "qualify", "sample")
"""Parts of a SELECT that an expression in parentheses has none of."""
_PARSED = "SELECT json_serialize_sql($sql)"
_WRITTEN = "SELECT json_deserialize_sql($parsed)"
_FUNCTIONS = frozenset(
    {
        "abs", "ceil", "ceiling", "concat", "contains", "ends_with", "floor", "greatest",
        "isfinite", "isinf", "isnan", "least", "length", "like_escape", "ln", "log10",
        "log2", "lower", "nullif", "not_like_escape", "pow", "power", "prefix", "regexp_full_match",
        "regexp_matches", "round", "sign", "split_part", "sqrt", "starts_with", "strlen",
        "suffix", "trunc", "upper",
    }
)  # fmt: skip
"""What a condition may call: whose results are not much larger than their arguments, since
DuckDB's limit of memory does not hold for the lists and texts that functions make."""


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


def parse_condition(text: str) -> list[str]:
    """Checks a condition, and returns the ids of the metrics that it compares ``metric`` with.

    Raises:
        QueryError: it is no single expression of columns and functions of values, or names a
            metric that does not exist; with its place.
    """
    _refuse_odd_text(text)
    query = _select(text)
    with duckdb.connect(config=locked_config(Limits())) as connection:
        with _placed(text):
            n_statements = len(connection.extract_statements(query))
        if not text.strip() or n_statements != 1:
            raise _error("expected one expression", text, {"query_location": len(_BEFORE)})
        expression = _only_expression(connection, text)
        with _placed(text):
            check_sql(connection, query, path=_OPTION, tables=(), schemas=())
    ids = []
    for name, place in _named_metrics(expression):
        if name not in catalogue():
            hint = did_you_mean(name, catalogue()) or "All metrics: jvmscope list metrics"
            raise _error(f"there is no metric {name!r}", text, place, hint)
        ids.append(name)
    return ids


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
    query = _select(condition, " FROM change ORDER BY rowid")
    with duckdb.connect(config=locked_config(limits)) as connection:
        connection.register("given", changes)
        connection.execute("CREATE TABLE change AS FROM given")
        connection.unregister("given")
        with _placed(condition):
            guarded = _guarded(connection, query)
        strict = connection.cursor()
        strict.execute("SET ieee_floating_point_ops = false")  # of this cursor alone
        shut(connection, [])
        with _placed(condition):
            try:
                found = interruptible(
                    partial(_answers, (connection, query), (strict, guarded)),
                    partial(_interrupt, connection, strict),
                    deadline.at,
                )
            except TimeoutError:
                raise LimitReached(f"{_OPTION} was stopped after {limits.seconds:g} s") from None
    holds, type_ = found
    if type_ not in ("BOOLEAN", '"NULL"'):
        raise QueryError(
            f"expected a condition, which is true or false, found a value of type {type_}",
            path=_OPTION,
            line=1,
            column=1,
            source=condition,
            length=len(condition),
        )
    rows = [number for number, is_true in enumerate(holds) if is_true]
    taken = changes.take(pa.array(rows, pa.int64()))
    return Held(condition, taken, changes.num_rows, holds.count(None))


def _refuse_odd_text(text: str) -> None:
    """Refuses what DuckDB does not take for text, or takes too long to parse."""
    if len(text.encode("utf-8", "surrogatepass")) > Limits().text_bytes:
        message = f"a condition has at most {Limits().text_bytes:,} bytes"
        raise QueryError(message, path=_OPTION)
    odd = re.search(r"[\x00\ud800-\udfff]", text)
    if odd is not None:
        before = text[: odd.start()]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"U+{ord(odd[0]):04X} is no character"
        raise QueryError(message, path=_OPTION, line=line, column=column)


def _select(condition: str, source: str = "") -> str:
    """Returns a SELECT in which the condition begins with the second line."""
    return f"{_BEFORE}{condition}\n) AS holds{source}"


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
    ((parsed,),) = connection.execute(_PARSED, {"sql": query}).fetchall()
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


def _only_expression(connection: duckdb.DuckDBPyConnection, text: str) -> dict[str, Any]:
    """Returns the parsed expression that a condition's SELECT consists of.

    Raises:
        QueryError: it consists of more, as when the text closes the parenthesis around it.
    """
    ((parsed,),) = connection.execute(_PARSED, {"sql": _select(text)}).fetchall()
    statements = json.loads(parsed).get("statements") or [{"node": {}}]
    node: dict[str, Any] = statements[0]["node"]
    is_alone = (
        node.get("type") == "SELECT_NODE"
        and node["from_table"]["type"] == "EMPTY"
        and not any(node.get(part) for part in _ELSEWHERE)
        and not node["cte_map"]["map"]
        and len(node["select_list"]) == 1
        and node["select_list"][0].get("alias") == "holds"
    )
    if not is_alone:
        raise _error("expected one expression", text, {"query_location": len(_BEFORE)})
    expression: dict[str, Any] = node["select_list"][0]
    for part in _nodes(expression):
        _refuse_others(part, text)
    return expression


def _refuse_others(node: dict[str, Any], text: str) -> None:
    """Refuses what is more than an expression of one row, or may need any amount of memory."""
    kind, function = node.get("class"), str(node.get("function_name", "")).lower()
    if kind in ("STAR", "POSITIONAL_REFERENCE"):
        raise _error("a condition names its columns one by one", text, node)
    if kind == "SUBQUERY":
        raise _error("a condition is about one row, and has no query in it", text, node)
    if kind == "WINDOW":
        raise _error("a condition is about one row, and sums up no others", text, node)
    if kind == "LAMBDA":
        raise _error("a condition has no functions of its own", text, node)
    if kind == "FUNCTION" and not node.get("is_operator") and function not in _FUNCTIONS:
        hint = did_you_mean(function, _FUNCTIONS) or f"functions: {', '.join(sorted(_FUNCTIONS))}"
        raise _error(f"a condition may not call {function}()", text, node, hint)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Yields every node of a parsed statement."""
    if isinstance(tree, dict):
        yield tree
        for part in tree.values():
            yield from _nodes(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from _nodes(part)


def _named_metrics(expression: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the texts that the column ``metric`` is equated with, and their nodes."""
    for node in _nodes(expression):
        if node.get("type") == "COMPARE_EQUAL":
            operands = [node["left"], node["right"]]
        elif node.get("type") == "COMPARE_IN":
            operands = node["children"]
        else:
            continue
        names = [operand.get("column_names", [""])[-1].lower() for operand in operands]
        if "metric" in names:
            for operand in operands:
                if operand.get("literal", {}).get("kind") == "STRING":
                    yield operand["literal"]["text"], operand


@contextlib.contextmanager
def _placed(condition: str) -> Iterator[None]:
    """Has errors of a SELECT say where in the condition they are."""
    try:
        yield
    except QueryError as error:
        _move(error, condition)
        raise
    except duckdb.Error as error:
        if is_out_of_memory(error):
            raise LimitReached(f"{_OPTION} needs more memory than it may use") from None
        query = _select(condition)
        found = query_error(error, text=query, path=_OPTION, offset=0, recorded=())
        _move(found, condition)
        raise found from None


def _move(error: QueryError, condition: str) -> None:
    """Counts the line of an error from the condition's first; behind its end, it is at its end."""
    lines = condition.splitlines() or [""]
    line, column = (error.line or 2) - 1, error.column or 1
    if line > len(lines):
        error.message, error.hint = "the condition is not complete", None
        line, column = len(lines), len(lines[-1]) + 1
    error.message = error.message.replace("a locked query", "a condition")
    if error.message.startswith("Max expression depth"):
        error.message, error.hint = "the condition is nested too deep", None
    if error.hint and "AS holds" in error.hint:  # an excerpt of what is not the user's
        error.hint = None
    word = re.match(r"[\w.]+|.?", lines[line - 1][column - 1 :])
    error.place(_OPTION, line, column, condition, len(word[0]) if word else 1)


def _error(
    message: str, condition: str, node: dict[str, Any], hint: str | None = None
) -> QueryError:
    encoded = _select(condition).encode()
    before = encoded[: node.get("query_location", 0)].decode(errors="ignore")[len(_BEFORE) :]
    return QueryError(
        message,
        path=_OPTION,
        line=before.count("\n") + 1,
        column=len(before) - before.rfind("\n"),
        source=condition,
        length=node.get("query_location_length", 1),
        hint=hint,
    )

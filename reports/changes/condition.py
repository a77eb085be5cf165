"""Conditions on changes, as ``--fail-if`` takes them: one SQL expression that is true or false.

A condition may be somebody else's. It is checked on DuckDB's own parse to be one expression of
columns and functions of values, without a query in it; ``condition_results`` evaluates it in a
database that holds the changes and reaches nothing else.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.metrics import catalogue
from jvmscope.queries import Limits, check_sql
from jvmscope.reports.changes.closed_database import closed_database
from jvmscope.reports.changes.condition_parts import nodes, texts_of
from jvmscope.reports.changes.condition_text import (
    BEFORE,
    OPTION,
    PARSED,
    error_at,
    placed,
    select,
)

if TYPE_CHECKING:
    import duckdb

__all__ = ["parse_condition", "parsed_condition"]

_ELSEWHERE = ("modifiers", "where_clause", "group_expressions", "having", "qualify", "sample")
"""Parts of a SELECT that an expression in parentheses has none of."""
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


def parse_condition(text: str) -> list[str]:
    """Checks a condition, and returns the ids of the metrics that it compares ``metric`` with.

    Raises:
        QueryError: it is not a single expression of columns and functions of values, or names a
            metric that does not exist; with its place.
    """
    ids = []
    for name, place in texts_of(parsed_condition(text), "metric"):
        if name not in catalogue():
            hint = did_you_mean(name, catalogue()) or "All metrics: jvmscope list metrics"
            raise error_at(f"there is no metric {name!r}", text, place, hint)
        ids.append(name)
    return ids


@lru_cache(maxsize=64)
def parsed_condition(text: str) -> dict[str, Any]:
    """Returns DuckDB's parse of a condition.

    Raises:
        QueryError: it is not a single expression of columns and functions of values.
    """
    _refuse_odd_text(text)
    query = select(text)
    with closed_database() as database:
        connection = database.plain
        with placed(text):
            n_statements = len(connection.extract_statements(query))
        if not text.strip() or n_statements != 1:
            raise error_at("expected one expression", text, {"query_location": len(BEFORE)})
        expression = _only_expression(connection, text)
        with placed(text):
            check_sql(connection, query, path=OPTION, tables=(), schemas=())
    return expression


def _refuse_odd_text(text: str) -> None:
    """Refuses what DuckDB does not take for text, or takes too long to parse."""
    if len(text.encode("utf-8", "surrogatepass")) > Limits().text_bytes:
        message = f"a condition has at most {Limits().text_bytes:,} bytes"
        raise QueryError(message, path=OPTION)
    odd = re.search(r"[\x00\ud800-\udfff]", text)
    if odd is not None:
        before = text[: odd.start()]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"U+{ord(odd[0]):04X} is not a character"
        raise QueryError(message, path=OPTION, line=line, column=column)


def _only_expression(connection: duckdb.DuckDBPyConnection, text: str) -> dict[str, Any]:
    """Returns the parsed expression that a condition's SELECT consists of.

    Raises:
        QueryError: it consists of more, as when the text closes the parenthesis around it.
    """
    ((parsed,),) = connection.execute(PARSED, {"sql": select(text)}).fetchall()
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
        raise error_at("expected one expression", text, {"query_location": len(BEFORE)})
    expression: dict[str, Any] = node["select_list"][0]
    for part in nodes(expression):
        _refuse_others(part, text)
    return expression


def _refuse_others(node: dict[str, Any], text: str) -> None:
    """Refuses what is more than an expression of one row, or may need any amount of memory."""
    kind, function = node.get("class"), str(node.get("function_name", "")).lower()
    if kind in ("STAR", "POSITIONAL_REFERENCE"):
        raise error_at("a condition names its columns one by one", text, node)
    if kind == "SUBQUERY":
        raise error_at("a condition is about one row, and has no query in it", text, node)
    if kind == "WINDOW":
        raise error_at("a condition is about one row, and sums up no others", text, node)
    if kind == "LAMBDA":
        raise error_at("a condition has no functions of its own", text, node)
    if kind == "FUNCTION" and not node.get("is_operator") and function not in _FUNCTIONS:
        hint = did_you_mean(function, _FUNCTIONS) or f"functions: {', '.join(sorted(_FUNCTIONS))}"
        raise error_at(f"a condition may not call {function}()", text, node, hint)

"""A condition within the SELECT that answers it, and where in its text a mistake is."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any

import duckdb

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries import is_out_of_memory, query_error

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BEFORE", "OPTION", "PARSED", "error_at", "placed", "select"]

OPTION = "--fail-if"
"""What messages call a condition."""

BEFORE = "SELECT (\n"
"""What stands before it in its SELECT."""

PARSED = "SELECT json_serialize_sql($sql)"
"""DuckDB's own parse of SQL, as JSON."""


def select(condition: str, source: str = "") -> str:
    """Returns a SELECT in which the condition begins with the second line."""
    return f"{BEFORE}{condition}\n) AS holds{source}"


@contextlib.contextmanager
def placed(condition: str) -> Iterator[None]:
    """Has errors of a SELECT say where in the condition they are."""
    try:
        yield
    except QueryError as error:
        _move(error, condition)
        raise
    except duckdb.Error as error:
        if is_out_of_memory(error):
            raise LimitReached(f"{OPTION} needs more memory than it may use") from None
        query = select(condition)
        found = query_error(error, text=query, path=OPTION, offset=0, recorded=())
        _move(found, condition)
        raise found from None


def _move(error: QueryError, condition: str) -> None:
    """Counts the line of an error from the condition's first; behind its end, it is at its end."""
    lines = condition.splitlines() or [""]
    line, column = (error.line or 2) - 1, error.column or 1
    if line < 1:  # the whole SELECT is meant
        line, column = 1, 1
    if line > len(lines):
        error.message, error.hint = "the condition is not complete", None
        line, column = len(lines), len(lines[-1]) + 1
    error.message = error.message.replace("an untrusted query", "a condition")
    if error.message.startswith("Max expression depth"):
        error.message, error.hint = "the condition is nested too deep", None
    if error.hint and "AS holds" in error.hint:  # an excerpt of what is not the user's
        error.hint = None
    word = re.match(r"[\w.]+|.?", lines[line - 1][column - 1 :])
    error.place(OPTION, line, column, condition, len(word[0]) if word else 1)


def error_at(
    message: str, condition: str, node: dict[str, Any], hint: str | None = None
) -> QueryError:
    """Returns an error at the place of a parsed node in a condition."""
    encoded = select(condition).encode()
    before = encoded[: node.get("query_location", 0)].decode(errors="ignore")[len(BEFORE) :]
    return QueryError(
        message,
        path=OPTION,
        line=before.count("\n") + 1,
        column=len(before) - before.rfind("\n"),
        source=condition,
        length=node.get("query_location_length", 1),
        hint=hint,
    )

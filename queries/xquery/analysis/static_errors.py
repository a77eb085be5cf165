"""Errors of the analysis, at the name that is wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.diagnostics import query_error

if TYPE_CHECKING:
    from jvmscope.errors import QueryError
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["error_at", "error_of_name"]


def error_at(
    source: Source, code: str, message: str, node: object, *, hint: str | None = None
) -> QueryError:
    """Returns, to be raised, an error that shows a node of the syntax."""
    at = getattr(node, "at", 0)
    end = getattr(node, "end", None)
    return query_error(source, code, message, at, end, hint=hint)


def error_of_name(
    source: Source, code: str, message: str, name: Name, at: int, *, hint: str | None = None
) -> QueryError:
    """Returns, to be raised, an error that shows a name: the first such name from an offset.

    Names know no place of their own, but the text does.
    """
    prefix = f"{re.escape(name.prefix)}\\s*:\\s*" if name.prefix else ""
    word = re.compile(rf"(?<![\w:.-]){prefix}{re.escape(name.local)}(?![\w.-])")
    match = word.search(source.text, at)
    start, end = match.span() if match else (at, at + 1)
    if source.text[:start].endswith("$"):
        start -= 1  # a variable
    return query_error(source, code, message, start, end, hint=hint)

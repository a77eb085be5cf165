"""Errors at a place of a module's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.errors import QueryError

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["query_error"]


def query_error(
    source: Source,
    code: str,
    message: str,
    at: int,
    end: int | None = None,
    *,
    hint: str | None = None,
) -> QueryError:
    """Returns, to be raised, an error that shows the text from one offset to another.

    >>> from jvmscope.queries.xquery.syntax.source import Source
    >>> print(query_error(Source("1 +"), "XPST0003", "expected an operand", 3))
    query:1:4: error: expected an operand [XPST0003]
        1 | 1 +
          |    ^
    """
    at = min(at, len(source.text))
    line, column = source.line_and_column(at)
    return QueryError(
        message,
        path=str(source.path) if source.path is not None else None,
        line=line,
        column=column,
        code=code,
        source=source.text,
        length=max(1, (end if end is not None else at + 1) - at),
        hint=hint,
    )

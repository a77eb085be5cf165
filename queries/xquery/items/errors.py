"""Errors that arise while a query runs: a W3C code, or a name and a value of the query's own."""

from __future__ import annotations

from typing import Any

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.syntax.expanded_names import ERR, Name

__all__ = ["DynamicError"]


class DynamicError(QueryError):
    """A type error or another error of evaluation; whoever knows the position fills it in.

    Args:
        code: a code of the W3C, as ``FORG0001``, or the name given to ``fn:error``.
        message: what is wrong.
        value: the items given to ``fn:error``.

    >>> DynamicError("FOAR0001", "division by zero").name.expanded
    'Q{http://www.w3.org/2005/xqt-errors}FOAR0001'
    """

    def __init__(self, code: str | Name, message: str, value: tuple[Any, ...] = ()) -> None:
        self.name = Name(code, "err", ERR) if isinstance(code, str) else code
        self.value = value
        shown = self.name.local if self.name.uri == ERR else str(self.name)
        super().__init__(message, code=shown)

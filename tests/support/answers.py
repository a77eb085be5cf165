"""Answers as texts that can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.serialization import Parameters, serialize

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["answer_of", "error_of"]

_SHOWN = Parameters(method="adaptive", omit_xml_declaration=True)


def answer_of(items: Iterator[Any], *, positions: bool = False) -> list[str]:
    """Returns each item as adaptive serialization shows it, and an error as the last.

    Args:
        items: the items; reading them may raise the error.
        positions: whether an error is shown with its line and column.
    """
    shown: list[str] = []
    try:
        shown.extend(serialize([item], _SHOWN) for item in items)
    except QueryError as error:
        text = error_of(error)
        shown.append(text if positions else text.partition(" at ")[0])
    return shown


def error_of(error: QueryError) -> str:
    """Returns ``error CODE at LINE:COLUMN``, without what the error does not have.

    >>> error_of(QueryError("no", code="XPST0003", line=1, column=2))
    'error XPST0003 at 1:2'
    >>> error_of(QueryError("no"))
    'error'
    """
    code = f" {error.code}" if error.code else ""
    return f"error{code}" + (f" at {error.line}:{error.column}" if error.line else "")

"""Errors and tracing (F&O 3.1, section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import CallableItem
from jvmscope.queries.xquery.syntax.expanded_names import ERR, Name
from jvmscope.queries.xquery.trees.node import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementpath import datatypes as ep

    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.types import Item, Sequence

__all__ = ["error", "trace"]

_UNIDENTIFIED = Name("FOER0000", "err", ERR)


@builtin("fn:error() as item()*")
@builtin("fn:error($code as xs:QName?) as item()*")
@builtin("fn:error($code as xs:QName?, $description as xs:string) as item()*")
@builtin(
    "fn:error($code as xs:QName?, $description as xs:string, $error-object as item()*) as item()*"
)
def error(
    code: ep.QName | None = None,
    description: str = "raised by fn:error",
    error_object: tuple[Any, ...] | list[Any] = (),
) -> Item:
    """Raises an error of the query's own; FOER0000 without a code."""
    name = _UNIDENTIFIED
    if code is not None:
        name = Name(code.local_name, code.prefix or "", code.uri)
    raise DynamicError(name, str(description), tuple(error_object))


@builtin("fn:trace($value as item()*) as item()*", lazy=True)
@builtin("fn:trace($value as item()*, $label as xs:string) as item()*", lazy=True)
def trace(context: Context, value: Sequence, label: str = "") -> Iterator[Item]:
    """Returns a sequence as it is, and shows each item as it passes."""
    prefix = f"{label}: " if label else ""
    is_empty = True
    for item in value:
        is_empty = False
        shown = item.string_value if isinstance(item, Node) else describe(item)
        if isinstance(item, CallableItem):
            shown = describe(item)
        context.trace(f"{prefix}{shown}")
        yield item
    if is_empty:
        context.trace(f"{prefix}()")

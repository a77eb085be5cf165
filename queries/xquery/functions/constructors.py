"""Constructor functions of the types of XML Schema (F&O 3.1, section 18)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.casts import atomic_to_string, cast_to, make_qname
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse
from jvmscope.queries.xquery.items.types import CLASSES, primitive

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.types import Atomic

__all__ = ["LIST_TYPES", "cast_to_list", "element_namespaces", "to_qname"]

LIST_TYPES = {"NMTOKENS": "NMTOKEN", "IDREFS": "IDREF", "ENTITIES": "ENTITY"}
"""The list types that have constructors, and the types of their items."""


def _constructor(local: str) -> Callable[[Atomic | None], Atomic | None]:
    return lambda arg: None if arg is None else cast_to(arg, local)


for _local in (*CLASSES, "numeric", "error"):
    if _local != "QName":
        builtin(f"xs:{_local}($arg as xs:anyAtomicType?) as xs:{_local}?")(_constructor(_local))


def cast_to_list(value: Atomic, local: str) -> list[Atomic]:
    """Returns the items of a list type that a text denotes, one at least.

    Raises:
        DynamicError: FORG0001, or XPTY0004 if the value is not a string.
    """
    if primitive(value) not in {"string", "untypedAtomic"}:
        raise DynamicError("XPTY0004", f"only a string can be cast to xs:{local}")
    words = collapse(atomic_to_string(value)).split(" ")
    return [cast_to(word, LIST_TYPES[local]) for word in words]


def _list_constructor(local: str) -> Callable[[Atomic | None], list[Atomic]]:
    return lambda arg: [] if arg is None else cast_to_list(arg, local)


for _local, _item in LIST_TYPES.items():
    builtin(f"xs:{_local}($arg as xs:anyAtomicType?) as xs:{_item}*")(_list_constructor(_local))


def element_namespaces(context: Context) -> Mapping[str, str]:
    """Returns the statically known namespaces, with that of elements for the empty prefix."""
    default = getattr(context.static, "default_element_namespace", "") or ""
    return {**context.static.namespaces, "": default}


@builtin("xs:QName($arg as xs:anyAtomicType?) as xs:QName?")
def to_qname(context: Context, arg: Atomic | None) -> Any:
    """Returns a text as an xs:QName, its prefix resolved in the static context."""
    return None if arg is None else make_qname(arg, element_namespaces(context))

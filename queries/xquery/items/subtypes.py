"""Which sequence types are subtypes of which (XPath 3.1, section 2.5.6), and their notation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.items.hierarchy import ancestors, is_known, xs
from jvmscope.queries.xquery.items.types import ANY_ITEMS
from jvmscope.queries.xquery.syntax.expanded_names import XS
from jvmscope.queries.xquery.syntax.types import (
    AnyArray,
    AnyFunction,
    AnyItem,
    AnyMap,
    ArrayTest,
    AtomicType,
    EmptySequence,
    FunctionTest,
    ItemSequence,
    ItemType,
    KindTest,
    MapTest,
    Occurrence,
    ParenthesizedType,
    SequenceType,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["is_item_subtype", "is_subtype", "show_type", "unwrap"]

_ALLOWS_EMPTY = {Occurrence.OPTIONAL, Occurrence.ANY}
_ALLOWS_MANY = {Occurrence.ANY, Occurrence.MANY}
_ANY_ATOMIC = AtomicType(xs("anyAtomicType"))
_NO_VALUE = AtomicType(xs("error"))
_POSITION = ItemSequence(AtomicType(xs("integer")))
_KEY = ItemSequence(_ANY_ATOMIC)


def unwrap(kind: ItemType) -> ItemType:
    """Returns an item type without the parentheses around it."""
    while isinstance(kind, ParenthesizedType):
        kind = kind.item
    return kind


def is_subtype(sub: SequenceType | None, above: SequenceType | None) -> bool:
    """Tells whether every sequence of one type is one of another; None is ``item()*``."""
    sub, above = sub or ANY_ITEMS, above or ANY_ITEMS
    if isinstance(above, EmptySequence):
        return isinstance(sub, EmptySequence) or (
            sub.occurrence in _ALLOWS_EMPTY and unwrap(sub.item) == _NO_VALUE
        )
    if isinstance(sub, EmptySequence):
        return above.occurrence in _ALLOWS_EMPTY
    if sub.occurrence in _ALLOWS_EMPTY and above.occurrence not in _ALLOWS_EMPTY:
        return False
    if sub.occurrence in _ALLOWS_MANY and above.occurrence not in _ALLOWS_MANY:
        return False
    return is_item_subtype(sub.item, above.item)


def is_item_subtype(sub: ItemType, above: ItemType) -> bool:
    """Tells whether every item of one type is one of another."""
    sub, above = unwrap(sub), unwrap(above)
    if isinstance(above, AnyItem) or sub == above:
        return True
    match sub:
        case AtomicType(name):
            return isinstance(above, AtomicType) and _derives(name, above.name)
        case KindTest():
            return isinstance(above, KindTest) and _is_kind_subtype(sub, above)
        case AnyFunction() | FunctionTest() | AnyMap() | MapTest() | AnyArray() | ArrayTest():
            return isinstance(above, AnyFunction) or _is_function_subtype(sub, above)
        case _:
            return False


def _derives(sub: Name, above: Name) -> bool:
    if sub.uri != XS or above.uri != XS or not is_known(sub.local):
        return sub == above
    return sub.local == "error" or above.local in ancestors(sub.local)


def _is_kind_subtype(sub: KindTest, above: KindTest) -> bool:
    if above.kind == "node":
        return True
    if sub.kind != above.kind:
        return False
    if above.inside is not None:
        return sub.inside is not None and _is_kind_subtype(sub.inside, above.inside)
    if above.target is not None and sub.target != above.target:
        return False
    if above.name is not None and sub.name != above.name:
        return False
    if above.type_name is None or above.type_name.local == "anyType":
        return True
    return sub.type_name is not None and _derives(sub.type_name, above.type_name)


def _is_function_subtype(sub: ItemType, above: ItemType) -> bool:
    match sub, above:
        case ((AnyMap() | MapTest()), AnyMap()):
            return True
        case ((AnyArray() | ArrayTest()), AnyArray()):
            return True
        case MapTest(), MapTest():
            return is_item_subtype(sub.key, above.key) and is_subtype(sub.value, above.value)
        case ArrayTest(), ArrayTest():
            return is_subtype(sub.member, above.member)
        case FunctionTest(), FunctionTest():
            return _is_signature_subtype(sub, above)
        case ((AnyMap() | MapTest()), FunctionTest()):
            value = sub.value if isinstance(sub, MapTest) else ANY_ITEMS
            return _is_signature_subtype(FunctionTest((_KEY,), value), above)
        case ((AnyArray() | ArrayTest()), FunctionTest()):
            member = sub.member if isinstance(sub, ArrayTest) else ANY_ITEMS
            return _is_signature_subtype(FunctionTest((_POSITION,), member), above)
        case _:
            return False


def _is_signature_subtype(sub: FunctionTest, above: FunctionTest) -> bool:
    return (
        len(sub.parameters) == len(above.parameters)
        and all(map(is_subtype, above.parameters, sub.parameters))
        and is_subtype(sub.result, above.result)
    )


def show_type(kind: SequenceType | ItemType | None) -> str:
    """Returns a type as it is written in a query.

    >>> show_type(ItemSequence(AtomicType(xs("integer")), Occurrence.OPTIONAL))
    'xs:integer?'
    """
    match kind:
        case None:
            return "item()*"
        case EmptySequence():
            return "empty-sequence()"
        case ItemSequence(item, occurrence):
            shown = show_type(item)
            if isinstance(item, FunctionTest) and occurrence is not Occurrence.ONE:
                shown = f"({shown})"
            return f"{shown}{occurrence.value}"
        case ParenthesizedType(item):
            return show_type(item)
        case AtomicType(name):
            return str(name)
        case KindTest():
            return _show_kind(kind)
        case _:
            return _show_function(kind)


def _show_kind(kind: KindTest) -> str:
    inside = show_type(kind.inside) if kind.inside else kind.target or str(kind.name or "")
    if kind.type_name:
        inside = f"{inside or '*'}, {kind.type_name}{'?' * kind.nillable}"
    return f"{kind.kind}({inside})"


def _show_function(kind: ItemType) -> str:
    match kind:
        case FunctionTest(parameters, result):
            return f"function({', '.join(map(show_type, parameters))}) as {show_type(result)}"
        case MapTest(key, value):
            return f"map({show_type(key)}, {show_type(value)})"
        case ArrayTest(member):
            return f"array({show_type(member)})"
        case AnyMap():
            return "map(*)"
        case AnyArray():
            return "array(*)"
        case AnyFunction():
            return "function(*)"
        case _:
            return "item()"

"""Upper bounds of sequences: arithmetic with sequence types."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.items.hierarchy import ancestors, is_known, xs
from jvmscope.queries.xquery.items.subtypes import is_item_subtype, unwrap
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
    KindTest,
    MapTest,
    Occurrence,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.queries.xquery.syntax.types import ItemType, SequenceType

__all__ = [
    "ANY",
    "EMPTY",
    "allows_empty",
    "allows_many",
    "atomic",
    "atomized",
    "either",
    "either_item",
    "followed_by",
    "item_of",
    "one_of_many",
    "optional",
    "repeated",
    "with_bounds",
]

EMPTY = EmptySequence()
ANY = ItemSequence(AnyItem(), Occurrence.ANY)
"""``item()*``: nothing is known."""

_ANY_ATOMIC = AtomicType(xs("anyAtomicType"))
_NODE = KindTest("node")
_FUNCTIONS = (AnyFunction, FunctionTest, AnyMap, MapTest, AnyArray, ArrayTest)
_MAPS = (AnyMap, MapTest)
_ARRAYS = (AnyArray, ArrayTest)
_UNTYPED_KINDS = {"document-node", "element", "attribute", "text"}


def atomic(local: str, occurrence: Occurrence = Occurrence.ONE) -> ItemSequence:
    """Returns the type of values of an atomic type of XML Schema."""
    return ItemSequence(AtomicType(xs(local)), occurrence)


def allows_empty(type_: SequenceType) -> bool:
    """Tells whether a type has the empty sequence."""
    return isinstance(type_, EmptySequence) or type_.occurrence in (
        Occurrence.OPTIONAL,
        Occurrence.ANY,
    )


def allows_many(type_: SequenceType) -> bool:
    """Tells whether a type has sequences of several items."""
    return isinstance(type_, ItemSequence) and type_.occurrence in (
        Occurrence.MANY,
        Occurrence.ANY,
    )


def with_bounds(item: ItemType, *, empty: bool, many: bool) -> ItemSequence:
    """Returns the type of sequences of an item type that may be empty, or have several items."""
    if many:
        return ItemSequence(item, Occurrence.ANY if empty else Occurrence.MANY)
    return ItemSequence(item, Occurrence.OPTIONAL if empty else Occurrence.ONE)


def item_of(type_: SequenceType) -> ItemType:
    """Returns the type of a sequence's items; those of the empty sequence are any."""
    return AnyItem() if isinstance(type_, EmptySequence) else unwrap(type_.item)


def one_of_many(type_: SequenceType) -> SequenceType:
    """Returns the type of each item of a sequence."""
    return ItemSequence(item_of(type_))


def optional(type_: SequenceType) -> SequenceType:
    """Returns the type that has the empty sequence besides."""
    if isinstance(type_, EmptySequence):
        return type_
    return with_bounds(type_.item, empty=True, many=allows_many(type_))


def either_item(left: ItemType, right: ItemType) -> ItemType:
    """Returns an item type that includes two others, the least that we can name."""
    left, right = unwrap(left), unwrap(right)
    if is_item_subtype(left, right):
        return right
    if is_item_subtype(right, left):
        return left
    if isinstance(left, AtomicType) and isinstance(right, AtomicType):
        return _common_ancestor(left, right)
    if isinstance(left, KindTest) and isinstance(right, KindTest):
        return KindTest(left.kind) if left.kind == right.kind else _NODE
    if isinstance(left, _MAPS) and isinstance(right, _MAPS):
        return AnyMap()
    if isinstance(left, _ARRAYS) and isinstance(right, _ARRAYS):
        return AnyArray()
    if isinstance(left, _FUNCTIONS) and isinstance(right, _FUNCTIONS):
        return AnyFunction()
    return AnyItem()


def _common_ancestor(left: AtomicType, right: AtomicType) -> AtomicType:
    names = (left.name, right.name)
    if any(name.uri != XS or not is_known(name.local) for name in names):
        return _ANY_ATOMIC
    common = ancestors(left.name.local) & ancestors(right.name.local)
    return AtomicType(xs(max(common, key=lambda local: (len(ancestors(local)), local))))


def either(types: Iterable[SequenceType]) -> SequenceType:
    """Returns the type of a sequence that is of one of some types; of none: the empty one's."""
    return reduce(_either, types) if (types := list(types)) else EMPTY


def _either(left: SequenceType, right: SequenceType) -> SequenceType:
    if isinstance(left, EmptySequence):
        return optional(right)
    if isinstance(right, EmptySequence):
        return optional(left)
    return with_bounds(
        either_item(left.item, right.item),
        empty=allows_empty(left) or allows_empty(right),
        many=allows_many(left) or allows_many(right),
    )


def followed_by(left: SequenceType, right: SequenceType) -> SequenceType:
    """Returns the type of two sequences one after the other."""
    if isinstance(left, EmptySequence):
        return right
    if isinstance(right, EmptySequence):
        return left
    return with_bounds(
        either_item(left.item, right.item),
        empty=allows_empty(left) and allows_empty(right),
        many=True,
    )


def repeated(type_: SequenceType, times: SequenceType) -> SequenceType:
    """Returns the type of as many sequences one after the other as another has items."""
    if isinstance(times, EmptySequence) or isinstance(type_, EmptySequence):
        return EMPTY
    return with_bounds(
        type_.item,
        empty=allows_empty(type_) or allows_empty(times),
        many=allows_many(type_) or allows_many(times),
    )


def atomized(type_: SequenceType) -> SequenceType:
    """Returns the type of a sequence's atomized value; nodes have no type but text."""
    if isinstance(type_, EmptySequence):
        return type_
    item = unwrap(type_.item)
    match item:
        case AtomicType():
            return ItemSequence(item, type_.occurrence)
        case KindTest(kind):
            local = "untypedAtomic" if kind in _UNTYPED_KINDS else "string"
            value = _ANY_ATOMIC if kind == "node" else AtomicType(xs(local))
            return ItemSequence(value, type_.occurrence)
        case _:
            # An array has as many values as its members have.
            return ItemSequence(_ANY_ATOMIC, Occurrence.ANY)

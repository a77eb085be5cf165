"""The function conversion rules (XPath 3.1, section 3.1.5.2), compiled for a type."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items.atomize import atomize, describe
from jvmscope.queries.xquery.items.casts import cast_to
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import CallableItem, FunctionItem
from jvmscope.queries.xquery.items.hierarchy import xs
from jvmscope.queries.xquery.items.numbers import to_double
from jvmscope.queries.xquery.items.subtypes import show_type, unwrap
from jvmscope.queries.xquery.items.type_matching import classes_of, item_matcher
from jvmscope.queries.xquery.items.types import ANY_ITEMS, Float
from jvmscope.queries.xquery.syntax.types import (
    AnyItem,
    AtomicType,
    EmptySequence,
    FunctionTest,
    ItemSequence,
    ItemType,
    Occurrence,
    SequenceType,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.items.types import Atomic, Item, Sequence

__all__ = ["convert_position", "converter", "is_converted", "item_converter"]

_POSITION = ItemSequence(AtomicType(xs("integer")))


@lru_cache(4096)
def converter(kind: SequenceType | None) -> Callable[[Sequence], Sequence]:
    """Returns the function that converts a sequence to a type with expanded names.

    Conversion to ``item()*``, or to None, is the identity and keeps a sequence lazy; every other
    gives a list. It raises DynamicError: XPTY0004 (items of other types, too few or too many),
    XPTY0117 (untyped to xs:QName), FORG0001, FOTY0013.
    """
    if kind is None or kind == ANY_ITEMS:
        return _as_it_is
    if isinstance(kind, EmptySequence):
        return _only_empty
    turn = item_converter(kind.item)
    inner = unwrap(kind.item)
    is_atomic = isinstance(inner, AtomicType)
    takes_range = isinstance(inner, AtomicType) and int in classes_of(inner.name)
    expected = show_type(kind)
    occurrence = kind.occurrence
    allows_many = occurrence in {Occurrence.ANY, Occurrence.MANY}

    plain = _plain_classes(inner)

    def convert_sequence(sequence: Sequence) -> Sequence:
        if isinstance(sequence, (tuple, list)) and len(sequence) == 1:
            (item,) = sequence
            if plain is None or type(item) in plain:
                return sequence
        if isinstance(sequence, range) and takes_range and len(sequence) > 1 and allows_many:
            return sequence
        items = atomize(sequence) if is_atomic else sequence
        result = [turn(item) for item in items]
        if (len(result) != 1 and occurrence is not Occurrence.ANY) and (
            (result and occurrence is not Occurrence.MANY)
            or (not result and occurrence is not Occurrence.OPTIONAL)
        ):
            message = f"{expected} expected, found a sequence of {len(result)} items"
            raise DynamicError("XPTY0004", message)
        return result

    return convert_sequence


def _plain_classes(kind: ItemType) -> frozenset[type[Any]] | None:
    """Returns the classes whose items a type takes as they are; None for every item."""
    if isinstance(kind, AnyItem):
        return None
    return classes_of(kind.name) if isinstance(kind, AtomicType) else frozenset()


def is_converted(kind: SequenceType | None) -> bool:
    """Tells whether conversion to a type is anything but the identity."""
    return converter(kind) is not _as_it_is


def _as_it_is(sequence: Sequence) -> Sequence:
    return sequence


def _only_empty(sequence: Sequence) -> Sequence:
    for item in sequence:
        message = f"empty-sequence() expected, found {describe(item)}"
        raise DynamicError("XPTY0004", message)
    return ()


@lru_cache(4096)
def item_converter(kind: ItemType) -> Callable[[Item], Item]:
    """Returns the function that converts one item, atomized already, to an item type."""
    inner = unwrap(kind)
    if isinstance(inner, AtomicType):
        return _atomic_converter(inner)
    if isinstance(inner, FunctionTest):
        return lambda item: _coerce(item, inner)
    matches = item_matcher(inner)

    def check(item: Item) -> Item:
        if matches(item):
            return item
        raise _unexpected(kind, item)

    return check


def _atomic_converter(kind: AtomicType) -> Callable[[Atomic], Atomic]:
    classes = classes_of(kind.name)
    local = kind.name.local
    target = "double" if local == "numeric" else local

    def turn(value: Atomic) -> Atomic:
        if type(value) in classes:
            return value
        if isinstance(value, ep.UntypedAtomic):
            if target in {"QName", "NOTATION"}:
                raise DynamicError("XPTY0117", f"an untyped value cannot become an xs:{target}")
            return cast_to(value, target)
        promoted = _promote(value, target)
        if promoted is None:
            raise _unexpected(kind, value)
        return promoted

    return turn


def _promote(value: Atomic, target: str) -> Atomic:
    """Returns a number or URI promoted to a type (XPath 3.1, appendix B.1), or None."""
    if target == "string" and isinstance(value, ep.AnyURI):
        return value.value
    if isinstance(value, bool):
        return None
    if target == "double" and isinstance(value, (int, Decimal, Float)):
        return to_double(value)
    if target == "float" and isinstance(value, (int, Decimal)):
        return Float(to_double(value))
    return None


def _unexpected(kind: ItemType, item: Item) -> DynamicError:
    return DynamicError("XPTY0004", f"{show_type(kind)} expected, found {describe(item)}")


def _coerce(item: Item, kind: FunctionTest) -> FunctionItem:
    """Returns a function that behaves as one of a signature (XPath 3.1, section 3.1.5.3)."""
    if not isinstance(item, CallableItem) or item.arity != len(kind.parameters):
        raise _unexpected(kind, item)
    if isinstance(item, FunctionItem) and (
        item.parameters == kind.parameters and item.result == kind.result
    ):
        return item
    annotations = item.annotations if isinstance(item, FunctionItem) else ()
    return FunctionItem(item.name, kind.parameters, kind.result, item, annotations)


def convert_position(sequence: Sequence) -> int:
    """Returns the only item of a sequence as an xs:integer."""
    (position,) = converter(_POSITION)(sequence)
    return int(position)

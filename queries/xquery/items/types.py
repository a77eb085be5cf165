"""Items: which Python class holds the values of which atomic type.

Values are elementpath's datatypes and Python's: ``str`` is xs:string, ``int`` xs:integer, ``bool``,
``Decimal``, ``float`` (xs:double). Derived types are subclasses. xs:float is our own class, since
elementpath's compares approximately (docs/elementpath.md).
"""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any, TypeAlias

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items.hierarchy import BASES, ancestors, primitive_of
from jvmscope.queries.xquery.syntax.types import AnyItem, ItemSequence, Occurrence

__all__ = [
    "ANY_ITEMS",
    "CLASSES",
    "Atomic",
    "Float",
    "Item",
    "Sequence",
    "is_atomic",
    "local_type",
    "primitive",
    "same_type",
    "untyped",
]

Atomic: TypeAlias = Any
Item: TypeAlias = Any
Sequence: TypeAlias = Any
"""A list, a tuple or an iterator of items."""

ANY_ITEMS = ItemSequence(AnyItem(), Occurrence.ANY)
"""``item()*``, the type of whatever has none declared."""

_single = struct.Struct("f")


class Float(float):
    """An xs:float: a number of single precision; operations on it give Python floats.

    >>> Float(0.1) == 0.1, Float(16777217)
    (False, Float(16777216.0))
    """

    __slots__ = ()

    def __new__(cls, value: float | str) -> Float:
        """Rounds a number to single precision."""
        number = float(value)
        try:
            rounded: float = _single.unpack(_single.pack(number))[0]
        except OverflowError:
            rounded = float("inf") if number > 0 else float("-inf")
        return super().__new__(cls, rounded)

    def __repr__(self) -> str:
        return f"Float({float(self)!r})"


CLASSES: dict[str, type[Any]] = {
    name: ep.builtin_atomic_types[f"xs:{name}"]
    for name in BASES
    if name not in {"anyAtomicType", "NOTATION"}
} | {
    "string": str,
    "boolean": bool,
    "decimal": Decimal,
    "integer": int,
    "double": float,
    "float": Float,
}
"""The class of the values of each atomic type that has values, by local name."""

_LOCAL = {kind: name for name, kind in CLASSES.items()}


_OF_CLASS = {kind: ancestors(name) for name, kind in CLASSES.items()}


def is_atomic(item: Item) -> bool:
    """Tells whether an item is an atomic value."""
    return type(item) in _LOCAL


def local_type(value: Atomic) -> str:
    """Returns the local name of an atomic value's most specific type.

    >>> local_type(Decimal(1)), local_type(True)
    ('decimal', 'boolean')
    """
    return _LOCAL[type(value)]


def same_type(value: Atomic, local: str) -> bool:
    """Tells whether an atomic value belongs to a type; False for items of other sorts."""
    return local in _OF_CLASS.get(type(value), ())


def primitive(value: Atomic) -> str:
    """Returns the local name of the primitive type of an atomic value; of integers ``decimal``."""
    return primitive_of(_LOCAL[type(value)])


def untyped(text: str) -> ep.UntypedAtomic:
    """Returns an xs:untypedAtomic value, faster than its constructor."""
    value = ep.UntypedAtomic.__new__(ep.UntypedAtomic)
    value.value = text
    return value

"""The atomic types: their hierarchy, and which Python class holds the values of which type.

Values are elementpath's datatypes and Python's: ``str`` is xs:string, ``int`` xs:integer, ``bool``,
``Decimal``, ``float`` (xs:double). Derived types are subclasses. xs:float is our own class, since
elementpath's compares approximately (docs/elementpath.md).
"""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any, TypeAlias

from elementpath import datatypes as ep

from jvmscope.queries.syntax.names import XS, Name
from jvmscope.queries.syntax.types import AnyItem, ItemSequence, Occurrence

__all__ = [
    "ANY_ITEMS",
    "CLASSES",
    "Atomic",
    "Float",
    "Item",
    "Sequence",
    "ancestors",
    "is_atomic",
    "is_known",
    "local_type",
    "primitive",
    "same_type",
    "type_of",
    "untyped",
    "xs",
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
        number = float(value)
        try:
            rounded: float = _single.unpack(_single.pack(number))[0]
        except OverflowError:
            rounded = float("inf") if number > 0 else float("-inf")
        return super().__new__(cls, rounded)

    def __repr__(self) -> str:
        return f"Float({float(self)!r})"


_BASES = {
    "anyAtomicType": "",
    "untypedAtomic": "anyAtomicType",
    "string": "anyAtomicType",
    "normalizedString": "string",
    "token": "normalizedString",
    "language": "token",
    "NMTOKEN": "token",
    "Name": "token",
    "NCName": "Name",
    "ID": "NCName",
    "IDREF": "NCName",
    "ENTITY": "NCName",
    "boolean": "anyAtomicType",
    "decimal": "anyAtomicType",
    "integer": "decimal",
    "nonPositiveInteger": "integer",
    "negativeInteger": "nonPositiveInteger",
    "long": "integer",
    "int": "long",
    "short": "int",
    "byte": "short",
    "nonNegativeInteger": "integer",
    "unsignedLong": "nonNegativeInteger",
    "unsignedInt": "unsignedLong",
    "unsignedShort": "unsignedInt",
    "unsignedByte": "unsignedShort",
    "positiveInteger": "nonNegativeInteger",
    "float": "anyAtomicType",
    "double": "anyAtomicType",
    "duration": "anyAtomicType",
    "yearMonthDuration": "duration",
    "dayTimeDuration": "duration",
    "dateTime": "anyAtomicType",
    "dateTimeStamp": "dateTime",
    "date": "anyAtomicType",
    "time": "anyAtomicType",
    "gYearMonth": "anyAtomicType",
    "gYear": "anyAtomicType",
    "gMonthDay": "anyAtomicType",
    "gDay": "anyAtomicType",
    "gMonth": "anyAtomicType",
    "hexBinary": "anyAtomicType",
    "base64Binary": "anyAtomicType",
    "anyURI": "anyAtomicType",
    "QName": "anyAtomicType",
    "NOTATION": "anyAtomicType",
}

CLASSES: dict[str, type[Any]] = {
    name: ep.builtin_atomic_types[f"xs:{name}"]
    for name in _BASES
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


def xs(local: str) -> Name:
    """Returns the name of a type of XML Schema."""
    return Name(local, "xs", XS)


def _chain(local: str) -> frozenset[str]:
    names = {local}
    while local := _BASES[local]:
        names.add(local)
    if names & {"decimal", "double", "float"}:
        names.add("numeric")
    return frozenset(names)


_ANCESTORS = {name: _chain(name) for name in _BASES} | {
    "numeric": frozenset({"numeric", "anyAtomicType"}),
    "error": frozenset({"error"}),
}
_NAMES = {kind: xs(name) for name, kind in CLASSES.items()}
_OF_CLASS = {kind: _ANCESTORS[name] for name, kind in CLASSES.items()}
_PRIMITIVES = frozenset(name for name, base in _BASES.items() if base == "anyAtomicType")
_PRIMITIVE = {
    name: next(iter(_ANCESTORS[name] & _PRIMITIVES), name) for name in _BASES
} | dict.fromkeys(("dayTimeDuration", "yearMonthDuration"), "duration")


def is_atomic(item: Item) -> bool:
    """Tells whether an item is an atomic value."""
    return type(item) in _LOCAL


def is_known(local: str) -> bool:
    """Tells whether XML Schema's namespace has a generalized atomic type of that name."""
    return local in _ANCESTORS


def local_type(value: Atomic) -> str:
    """Returns the local name of an atomic value's most specific type.

    >>> local_type(Decimal(1)), local_type(True)
    ('decimal', 'boolean')
    """
    return _LOCAL[type(value)]


def type_of(value: Atomic) -> Name:
    """Returns the name of an atomic value's most specific type."""
    return _NAMES[type(value)]


def ancestors(local: str) -> frozenset[str]:
    """Returns the local names of the types that a type is derived from, itself included.

    ``numeric`` counts as an ancestor of its members.

    >>> sorted(ancestors("short"))
    ['anyAtomicType', 'decimal', 'int', 'integer', 'long', 'numeric', 'short']
    """
    return _ANCESTORS[local]


def same_type(value: Atomic, local: str) -> bool:
    """Tells whether an atomic value belongs to a type; False for items of other sorts."""
    return local in _OF_CLASS.get(type(value), ())


def primitive(value: Atomic) -> str:
    """Returns the local name of the primitive type of an atomic value; of integers ``decimal``."""
    return _PRIMITIVE[_LOCAL[type(value)]]


def untyped(text: str) -> ep.UntypedAtomic:
    """Returns an xs:untypedAtomic value, faster than its constructor."""
    value = ep.UntypedAtomic.__new__(ep.UntypedAtomic)
    value.value = text
    return value

"""The hierarchy of the atomic types, by their local names in XML Schema's namespace."""

from __future__ import annotations

from jvmscope.queries.xquery.syntax.expanded_names import XS, Name

__all__ = ["BASES", "ancestors", "is_known", "primitive_of", "xs"]

BASES = {
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
"""The type from which each is derived."""


def xs(local: str) -> Name:
    """Returns the name of a type of XML Schema."""
    return Name(local, "xs", XS)


def _chain(local: str) -> frozenset[str]:
    names = {local}
    while local := BASES[local]:
        names.add(local)
    if names & {"decimal", "double", "float"}:
        names.add("numeric")
    return frozenset(names)


_ANCESTORS = {name: _chain(name) for name in BASES} | {
    "numeric": frozenset({"numeric", "anyAtomicType"}),
    "error": frozenset({"error"}),
}
_PRIMITIVES = frozenset(name for name, base in BASES.items() if base == "anyAtomicType")
_PRIMITIVE = {
    name: next(iter(_ANCESTORS[name] & _PRIMITIVES), name) for name in BASES
} | dict.fromkeys(("dayTimeDuration", "yearMonthDuration"), "duration")


def is_known(local: str) -> bool:
    """Tells whether XML Schema's namespace has a generalized atomic type of that name."""
    return local in _ANCESTORS


def ancestors(local: str) -> frozenset[str]:
    """Returns the local names of the types that a type is derived from, itself included.

    ``numeric`` counts as an ancestor of its members.

    >>> sorted(ancestors("short"))
    ['anyAtomicType', 'decimal', 'int', 'integer', 'long', 'numeric', 'short']
    """
    return _ANCESTORS[local]


def primitive_of(local: str) -> str:
    """Returns the primitive type of a type; of integers ``decimal``."""
    return _PRIMITIVE[local]

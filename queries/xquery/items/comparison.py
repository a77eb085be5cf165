"""Value and general comparisons (XPath 3.1, section 3.7; F&O 3.1)."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items.atomize import atomize, describe
from jvmscope.queries.xquery.items.calendar import instant
from jvmscope.queries.xquery.items.casts import cast_to, make_qname
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.keys import binary_value
from jvmscope.queries.xquery.items.numbers import to_double
from jvmscope.queries.xquery.items.types import Float, local_type, primitive

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.xquery.items.collations import Collation
    from jvmscope.queries.xquery.items.types import Atomic, Sequence

__all__ = ["general_compare", "promote", "value_compare"]

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_GENERAL = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_PLAIN = {int: 0, str: 1}
_NUMERIC = {"decimal", "double", "float"}
_ORDERED = {"dateTime", "date", "time"}


def value_compare(
    name: str, left: Atomic, right: Atomic, collation: Collation | None = None, zone: int = 0
) -> bool:
    """Returns the result of a value comparison of two atomic values.

    Args:
        name: ``eq``, ``ne``, ``lt``, ``le``, ``gt`` or ``ge``.
        left: an atomic value; an untyped one counts as a string.
        right: likewise.
        collation: how strings compare; None: by codepoints.
        zone: the implicit timezone in minutes.

    Raises:
        DynamicError: XPTY0004, the types cannot be compared so.
    """
    compare = _OPERATORS[name]
    kind = type(left)
    if kind is type(right) and (kind is int or (kind is str and collation is None)):
        return compare(left, right)
    first, second = _comparable(name, left, right, collation, zone)
    return compare(first, second)


def _comparable(
    name: str, left: Any, right: Any, collation: Collation | None, zone: int
) -> tuple[Any, Any]:
    """Returns what Python can compare in place of two atomic values."""
    one, other = _family(left), _family(right)
    is_equality = name in {"eq", "ne"}
    if one != other:
        raise _incomparable(name, left, right)
    if one == "number":
        return promote(left, right)
    if one == "string":
        if collation is None:
            return str(left), str(right)
        return collation.key(str(left)), collation.key(str(right))
    if isinstance(left, ep.AbstractDateTime) and (is_equality or one in _ORDERED):
        return instant(left, zone), instant(right, zone)
    if one == "duration":
        return _durations(name, left, right)
    if isinstance(left, ep.AbstractBinary):
        return binary_value(left), binary_value(right)
    if one == "boolean":
        return left, right
    if one == "QName" and is_equality:
        return (left.uri, left.local_name), (right.uri, right.local_name)
    raise _incomparable(name, left, right)


def _family(value: Atomic) -> str:
    """Returns the primitive type, with numbers in one family and texts in another."""
    kind = primitive(value)
    if kind in _NUMERIC:
        return "number"
    return "string" if kind in {"untypedAtomic", "anyURI"} else kind


def _durations(name: str, left: Any, right: Any) -> tuple[Any, Any]:
    if name not in {"eq", "ne"} and (
        local_type(left) != local_type(right) or type(left) is ep.Duration
    ):
        raise _incomparable(name, left, right)
    return (left.months, left.seconds), (right.months, right.seconds)


def promote(left: Any, right: Any) -> tuple[Any, Any]:
    """Returns two numbers as values of their least common type (XPath 3.1, appendix B.1).

    >>> promote(2**53 + 1, 2.0**53)
    (9007199254740992.0, 9007199254740992.0)
    """
    if isinstance(left, float) or isinstance(right, float):
        if _fits_float(left) and _fits_float(right):
            return Float(to_double(left)), Float(to_double(right))
        return to_double(left), to_double(right)
    return left, right


def _fits_float(number: Any) -> bool:
    return isinstance(number, Float) or not isinstance(number, float)


def _incomparable(name: str, left: Atomic, right: Atomic) -> DynamicError:
    message = f"{describe(left)} and {describe(right)} cannot be compared with {name}"
    return DynamicError("XPTY0004", message)


def general_compare(
    name: str,
    left: Sequence,
    right: Sequence,
    collation: Collation | None = None,
    zone: int = 0,
    *,
    namespaces: Mapping[str, str] | None = None,
) -> bool:
    """Tells whether some pair of values of two sequences compares so (XPath 3.1, section 3.7.2).

    Args:
        name: ``=``, ``!=``, ``<``, ``<=``, ``>`` or ``>=``.
        left: items, which are atomized.
        right: likewise.
        collation: how strings compare; None: by codepoints.
        zone: the implicit timezone in minutes.
        namespaces: the prefixes of untyped values that are compared with QNames.
    """
    value_name = _GENERAL[name]
    compare = _OPERATORS[value_name]
    seconds: list[Any] | None = None
    for first in atomize(left):
        if seconds is None:
            seconds = list(atomize(right))
        kind = type(first)
        for second in seconds:
            if kind is type(second) and kind in _PLAIN and collation is None:
                if compare(first, second):
                    return True
            elif value_compare(
                value_name, *_untyped_cast(first, second, namespaces), collation, zone
            ):
                return True
    return False


def _untyped_cast(left: Any, right: Any, namespaces: Mapping[str, str] | None) -> tuple[Any, Any]:
    """Returns two values with an untyped one cast to what the other's type demands."""
    if isinstance(left, ep.UntypedAtomic):
        if isinstance(right, ep.UntypedAtomic):
            return left.value, right.value
        return _cast_like(left, right, namespaces), right
    if isinstance(right, ep.UntypedAtomic):
        return left, _cast_like(right, left, namespaces)
    return left, right


def _cast_like(
    value: ep.UntypedAtomic, other: Atomic, namespaces: Mapping[str, str] | None
) -> Atomic:
    kind = primitive(other)
    if kind in _NUMERIC:
        return cast_to(value, "double")
    if kind == "string":
        return value.value
    if kind == "duration":
        return cast_to(value, local_type(other))
    return make_qname(value, namespaces or {}) if kind == "QName" else cast_to(value, kind)

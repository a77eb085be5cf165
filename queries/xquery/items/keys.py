"""Keys that stand for atomic values in dictionaries: equal keys, equal values.

``same_key`` is op:same-key of maps, transitive and independent of context. ``grouping_key`` is the
equality of fn:distinct-values and ``group by``.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items.calendar import has_timezone, instant
from jvmscope.queries.xquery.items.numbers import to_double
from jvmscope.queries.xquery.items.types import Float, primitive

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from jvmscope.queries.xquery.items.types import Atomic

__all__ = ["NAN", "binary_value", "coarse_key", "grouping_key", "same_key"]

NAN = ("NaN",)
"""The key of every NaN."""


def same_key(value: Atomic) -> Hashable:
    """Returns a key that two atomic values share if op:same-key holds (F&O 3.1, 17.1.1).

    >>> from decimal import Decimal
    >>> same_key(1) == same_key(1.0), same_key(0.1) == same_key(Decimal("0.1"))
    (True, False)
    >>> same_key(True) == same_key(1)
    False
    """
    if type(value) is str or type(value) is int:
        return value
    return _key(value, None)


def grouping_key(
    value: Atomic, text_key: Callable[[str], Hashable] | None = None, zone: int = 0
) -> Hashable:
    """Returns a key that two values share if they are equal by ``eq``, NaN being equal to itself.

    Args:
        value: an atomic value; untyped ones count as strings.
        text_key: a collation's key, or None for the codepoint collation.
        zone: the implicit timezone in minutes.
    """
    if type(value) is int:
        return value
    if isinstance(value, (str, ep.UntypedAtomic, ep.AnyURI)):
        return str(value) if text_key is None else text_key(str(value))
    return _key(value, zone)


def coarse_key(
    value: Atomic, text_key: Callable[[str], Hashable] | None = None, zone: int = 0
) -> Hashable:
    """Returns a key that values share if they are equal by ``eq``, where other numbers may too.

    ``eq`` of numbers is not transitive: 1.2 equals both xs:float and xs:double of 1.2, which
    differ. All numbers that might be equal have the key of their xs:float.
    """
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return NAN if value != value else float(Float(to_double(value)))  # noqa: PLR0124
    return grouping_key(value, text_key, zone)


def _key(value: Atomic, zone: int | None) -> Hashable:
    kind = primitive(value)
    if kind in {"decimal", "double", "float"}:
        return NAN if value != value else value  # noqa: PLR0124
    if kind in {"string", "anyURI", "untypedAtomic"}:
        return str(value)
    return kind, _content(value, kind, zone)


def _content(value: Any, kind: str, zone: int | None) -> Hashable:
    if isinstance(value, ep.AbstractDateTime):
        if zone is None:
            return has_timezone(value), instant(value, 0)
        return instant(value, zone)
    if kind == "duration":
        return value.months, value.seconds
    if isinstance(value, ep.AbstractBinary):
        return binary_value(value)
    if kind == "QName":
        return value.uri, value.local_name
    return bool(value)


def binary_value(value: ep.AbstractBinary) -> bytes:
    """Returns the octets of a hexBinary or base64Binary."""
    return value.decode()

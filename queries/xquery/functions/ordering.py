"""Sorting by keys that are sequences of atomic values (F&O 3.1, section 16.2.7)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items.comparison import value_compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.items.collations import Collation
    from jvmscope.queries.xquery.items.types import Atomic, Sequence

__all__ = ["sort_by"]

_T = TypeVar("_T")


def sort_by(
    values: Iterable[_T],
    key_of: Callable[[_T], Sequence],
    collation: Collation | None,
    zone: int,
) -> list[_T]:
    """Returns values in the order of their keys; stable.

    Keys are compared value by value: the empty sequence first, NaN before other numbers, untyped
    values as strings.

    Raises:
        DynamicError: XPTY0004, two keys cannot be compared.
    """
    keyed = [(tuple(map(_typed, key_of(value))), value) for value in values]
    if collation is None and _is_plain([key for key, _ in keyed]):
        keyed.sort(key=lambda pair: pair[0])
    else:
        compare = functools.partial(_compare_keys, collation=collation, zone=zone)
        order = functools.cmp_to_key(compare)
        keyed.sort(key=lambda pair: order(pair[0]))
    return [value for _, value in keyed]


def _typed(value: Atomic) -> Atomic:
    return value.value if isinstance(value, ep.UntypedAtomic) else value


def _is_plain(keys: list[tuple[Any, ...]]) -> bool:
    """Tells whether Python orders the keys as it is demanded: one string or integer each."""
    if any(len(key) != 1 for key in keys):
        return False
    kinds = {type(key[0]) for key in keys}
    return kinds <= {int} or kinds <= {str}


def _compare_keys(
    left: tuple[Any, ...], right: tuple[Any, ...], *, collation: Collation | None, zone: int
) -> int:
    for one, other in zip(left, right, strict=False):
        order = _compare(one, other, collation, zone)
        if order:
            return order
    return (len(left) > len(right)) - (len(left) < len(right))


def _compare(one: Atomic, other: Atomic, collation: Collation | None, zone: int) -> int:
    is_less = value_compare("lt", one, other, collation, zone)
    is_nan, other_is_nan = one != one, other != other  # noqa: PLR0124
    if is_nan or other_is_nan:
        return int(other_is_nan) - int(is_nan)
    if is_less:
        return -1
    return 0 if value_compare("eq", one, other, collation, zone) else 1

"""Sequences (F&O 3.1, section 14.1 to 14.3)."""

from __future__ import annotations

import itertools
import math
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.context import collation_of
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.comparison import value_compare
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.keys import coarse_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.types import Atomic, Item, Sequence

__all__ = [
    "distinct_values",
    "empty",
    "exactly_one",
    "exists",
    "head",
    "index_of",
    "insert_before",
    "one_or_more",
    "remove",
    "rest",
    "reverse",
    "subsequence",
    "tail",
    "unordered",
    "zero_or_one",
]


@builtin("fn:empty($arg as item()*) as xs:boolean", lazy=True)
def empty(arg: Sequence) -> bool:
    """Tells whether a sequence is empty; looks at one item at most."""
    return next(iter(arg), None) is None


@builtin("fn:exists($arg as item()*) as xs:boolean", lazy=True)
def exists(arg: Sequence) -> bool:
    """Tells whether a sequence has an item; looks at one at most."""
    return next(iter(arg), None) is not None


@builtin("fn:head($arg as item()*) as item()?", lazy=True)
def head(arg: Sequence) -> Item | None:
    """Returns the first item."""
    return next(iter(arg), None)


@builtin("fn:tail($arg as item()*) as item()*", lazy=True)
def tail(arg: Sequence) -> Iterable[Item]:
    """Returns all but the first item."""
    return arg[1:] if isinstance(arg, range) else itertools.islice(iter(arg), 1, None)


@builtin(
    "fn:insert-before($target as item()*, $position as xs:integer, $inserts as item()*) as item()*",
    lazy=True,
)
def insert_before(target: Sequence, position: int, inserts: Sequence) -> Iterator[Item]:
    """Returns a sequence with another inserted before a position, or at its end."""
    items = iter(target)
    yield from itertools.islice(items, min(max(position - 1, 0), sys.maxsize))
    yield from inserts
    yield from items


@builtin("fn:remove($target as item()*, $position as xs:integer) as item()*", lazy=True)
def remove(target: Sequence, position: int) -> Iterator[Item]:
    """Returns a sequence without the item at a position."""
    return (item for at, item in enumerate(target, 1) if at != position)


@builtin("fn:reverse($arg as item()*) as item()*")
def reverse(arg: list[Item]) -> list[Item]:
    """Returns the items in reverse order."""
    return arg[::-1]


@builtin("fn:subsequence($sourceSeq as item()*, $startingLoc as xs:double) as item()*", lazy=True)
def rest(source: Sequence, start: float) -> Iterable[Item]:
    """Returns the items at positions p with round(start) <= p."""
    return subsequence(source, max(start, 1.0), math.inf)


@builtin(
    "fn:subsequence($sourceSeq as item()*, $startingLoc as xs:double, $length as xs:double)"
    " as item()*",
    lazy=True,
)
def subsequence(source: Sequence, start: float, length: float) -> Iterable[Item]:
    """Returns the items at positions p with round(start) <= p < round(start) + round(length).

    >>> list(subsequence("abcdef", 2.5, 2.0)), list(subsequence("abc", -math.inf, math.inf))
    (['c', 'd'], [])
    """
    first = _rounded(start)
    end = first + _rounded(length)
    if math.isnan(first) or not end > 1 or first == math.inf:
        return ()
    begin = 0 if first < 1 else int(first) - 1
    stop = None if end == math.inf else int(end) - 1
    if isinstance(source, (list, tuple, range)):
        return source[begin:stop]
    if begin > sys.maxsize:
        return ()  # no sequence that is made item by item gets there
    return itertools.islice(iter(source), begin, None if stop is None else min(stop, sys.maxsize))


def _rounded(number: float) -> float:
    return number if not math.isfinite(number) else float(math.floor(number + 0.5))


@builtin("fn:unordered($sourceSeq as item()*) as item()*", lazy=True)
def unordered(source: Sequence) -> Sequence:
    """Returns the items in any order: as they are."""
    return source


@builtin("fn:distinct-values($arg as xs:anyAtomicType*) as xs:anyAtomicType*")
@builtin(
    "fn:distinct-values($arg as xs:anyAtomicType*, $collation as xs:string) as xs:anyAtomicType*"
)
def distinct_values(
    context: Context, arg: list[Atomic], collation: str | None = None
) -> Iterator[Atomic]:
    """Returns the first of each set of equal values."""
    used = collation_of(context, collation)
    text_key = None if used is None else used.key
    seen: dict[Any, list[Atomic]] = {}
    for value in arg:
        key = coarse_key(value, text_key, context.timezone)
        alike = seen.get(key)
        if alike is None:
            seen[key] = [value]
        elif not _is_number(value) or _is_among(value, alike):
            continue
        else:
            alike.append(value)
        yield value


def _is_number(value: Atomic) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _is_among(value: Atomic, alike: list[Atomic]) -> bool:
    """Tells whether a number equals one of those of the same coarse key."""
    return value != value or any(value_compare("eq", value, other) for other in alike)  # noqa: PLR0124


@builtin("fn:index-of($seq as xs:anyAtomicType*, $search as xs:anyAtomicType) as xs:integer*")
@builtin(
    "fn:index-of($seq as xs:anyAtomicType*, $search as xs:anyAtomicType, $collation as xs:string)"
    " as xs:integer*"
)
def index_of(
    context: Context, seq: list[Atomic], search: Atomic, collation: str | None = None
) -> Iterator[int]:
    """Returns the positions of the values equal to one; those not comparable to it differ."""
    used = collation_of(context, collation)
    return (at for at, value in enumerate(seq, 1) if _equals(value, search, used, context.timezone))


def _equals(value: Atomic, other: Atomic, collation: Any, zone: int) -> bool:
    try:
        return value_compare("eq", value, other, collation, zone)
    except DynamicError:
        return False


@builtin("fn:zero-or-one($arg as item()*) as item()?", lazy=True)
def zero_or_one(arg: Sequence) -> Item | None:
    """Returns the only item, or none; FORG0003 if there are more."""
    items = list(itertools.islice(arg, 2))
    if len(items) > 1:
        raise DynamicError("FORG0003", "fn:zero-or-one was given more than one item")
    return items[0] if items else None


@builtin("fn:one-or-more($arg as item()*) as item()+", lazy=True)
def one_or_more(arg: Sequence) -> Iterator[Item]:
    """Returns the items; FORG0004 if there are none."""
    items = iter(arg)
    first = next(items, None)
    if first is None:
        raise DynamicError("FORG0004", "fn:one-or-more was given an empty sequence")
    return itertools.chain((first,), items)


@builtin("fn:exactly-one($arg as item()*) as item()", lazy=True)
def exactly_one(arg: Sequence) -> Item:
    """Returns the only item; FORG0005 if there are none or more."""
    items = list(itertools.islice(arg, 2))
    if len(items) != 1:
        found = "more than one item" if items else "an empty sequence"
        raise DynamicError("FORG0005", f"fn:exactly-one was given {found}")
    return items[0]

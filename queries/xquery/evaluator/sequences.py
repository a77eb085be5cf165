"""Sequences that variables hold: lists, ranges, and long ones that grow as they are read."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.queries.xquery.items.types import Item

__all__ = ["LazySequence", "held"]

_EAGER = 4096
_HELD = (list, tuple, range)


class LazySequence:
    """A sequence of which as much is in memory as was asked for, to be read any number of times."""

    __slots__ = ("_known", "_rest")

    def __init__(self, known: list[Item], rest: Iterator[Item]) -> None:
        self._known = known
        self._rest = rest

    def __iter__(self) -> Iterator[Item]:
        """Returns the items, evaluating the rest when it is reached."""
        at = 0
        known = self._known
        while True:
            while at < len(known):
                yield known[at]
                at += 1
            more = list(islice(self._rest, 256))
            if not more and at >= len(known):
                return
            known.extend(more)

    def __len__(self) -> int:
        """Evaluates the rest and returns how many items there are."""
        self._known.extend(self._rest)
        return len(self._known)

    def __getitem__(self, at: int) -> Item:
        """Returns an item by its index from 0, evaluating no more than is needed."""
        while len(self._known) <= at:
            more = list(islice(self._rest, 256))
            if not more:
                break
            self._known.extend(more)
        return self._known[at]


def held(items: Iterable[Item]) -> list[Item] | tuple[Item, ...] | range | LazySequence:
    """Returns a sequence that can be read again.

    Up to some thousand items are evaluated at once, so that what is late does not pile up; the
    rest of a longer sequence waits until it is read.

    >>> held(iter("ab"))
    ['a', 'b']
    >>> held(range(10**12))
    range(0, 1000000000000)
    """
    if isinstance(items, _HELD) or type(items) is LazySequence:
        return items
    rest = iter(items)
    known = list(islice(rest, _EAGER))
    if len(known) < _EAGER:
        return known
    first = next(rest, None)
    return known if first is None else LazySequence(known, chain((first,), rest))

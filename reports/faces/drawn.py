"""Bars and small curves, each with a name before it and a note behind it, in lines of a width.

A drawing has one line. It gets shorter where there is no room; names and notes, of which nothing
may be lost, are broken where even that is not enough.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Columns", "columns_of", "lengths_of", "narrowed"]

_GAP = 1
_LONGEST_NAME = 32
_SHORTEST_NAME, _SHORTEST, _SHORTEST_NOTE = 16, 16, 24
"""Characters of each part of a row, at least, if it has as many."""


class Columns(NamedTuple):
    """How many characters the name, the drawing and the note of a row have."""

    name: int
    drawing: int
    note: int


def columns_of(names: Sequence[str], notes: Sequence[str], drawing: int, width: int) -> Columns:
    """Returns how wide the parts of all rows are.

    Args:
        names: of each row.
        notes: of each row.
        drawing: how many characters the drawings would have.
        width: characters of a line.

    >>> columns_of(["cpu_time"], ["6.7 s"], 45, 100)
    Columns(name=8, drawing=45, note=5)
    >>> columns_of(["cpu_time"], ["6.7 s"], 45, 50)
    Columns(name=8, drawing=35, note=5)
    >>> columns_of(["x" * 30], ["some words that are broken"], 45, 72)
    Columns(name=30, drawing=16, note=24)
    >>> columns_of(["x" * 40], ["y" * 40], 45, 60)
    Columns(name=18, drawing=16, note=24)
    """
    name = min(max(map(len, names), default=0), _LONGEST_NAME)
    note = max(map(len, notes), default=0)
    shortest = min(drawing, _SHORTEST)
    room = width - 2 * _GAP - shortest
    note = min(note, max(room - name, _SHORTEST_NOTE))
    name = min(name, max(room - note, _SHORTEST_NAME))
    return Columns(name, max(min(drawing, room + shortest - name - note), 1), note)


def narrowed(heights: Sequence[float | None], n: int) -> list[float | None]:
    """Returns at most n heights, each the greatest of those it stands for; null: there is none.

    >>> narrowed([0.1, 0.9, 0.2, 0.3, 1.0], 3)
    [0.9, 0.2, 1.0]
    >>> narrowed([0.1, None, None, None], 2)
    [0.1, None]
    >>> narrowed([0.5, 1.0], 3)
    [0.5, 1.0]
    """
    if len(heights) <= n:
        return list(heights)
    ends = [round(k * len(heights) / n) for k in range(n + 1)]
    parts = (heights[start:end] for start, end in pairwise(ends))
    return [max((each for each in part if each is not None), default=None) for part in parts]


def lengths_of(shares: Sequence[float], n: int) -> list[int]:
    """Returns how many of n characters each share gets; they add up to the sum of the shares.

    >>> lengths_of((0.5, 0.25, 0.25), 48), sum(lengths_of((1 / 3, 1 / 3, 1 / 3), 48))
    ([24, 12, 12], 48)
    """
    ends, total = [0], 0.0
    for share in shares:
        total += share
        ends.append(round(total * n))
    return [end - start for start, end in pairwise(ends)]

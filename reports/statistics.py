"""Ranks, minimum, median and maximum of a measure over the subjects that have a value.

A subject without a value has no rank and takes no part in any of it; a zero is a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.model import Cell, Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.reports.model import Better

__all__ = ["measure_of", "median", "ranks"]


def ranks(values: Sequence[float | None], better: Better = "none") -> list[int | None]:
    """Returns the rank of each value: 1 for the best, or where neither end is better the largest.

    A value's rank is one more than the number of values before it, so equal values share the
    smallest of their ranks, and the next one's leaves a gap. None has none.

    >>> ranks([5.0, None, 7.0, 5.0, 1.0])
    [2, None, 1, 2, 4]
    >>> ranks([5.0, None, 7.0, 5.0, 1.0], "lower")
    [2, None, 4, 2, 1]
    """
    known = sorted((v for v in values if v is not None), reverse=better != "lower")
    first: dict[float, int] = {}
    for position, value in enumerate(known, 1):
        first.setdefault(value, position)
    return [None if value is None else first[value] for value in values]


def median(values: Sequence[float]) -> float | None:
    """Returns the value in the middle, or the mean of the two; None of no values.

    >>> median([3.0, 1.0, 2.0]), median([4.0, 1.0, 3.0, 2.0]), median([])
    (2.0, 2.5, None)
    """
    if not values:
        return None
    ordered, middle = sorted(values), len(values) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def measure_of(
    found: Sequence[tuple[float | None, str | None]],
    *,
    id: str,  # noqa: A002 - what the model calls it
    name: str,
    key: str = "",
    meaning: str = "",
    unit: str = "1",
    is_share: bool = False,
    better: Better = "none",
) -> Measure:
    """Returns a measure of all subjects.

    Args:
        found: for each subject its value, and why there is none.
        id: the measure's id.
        name: the metric's column.
        key: the keys of the metric's row.
        meaning: what it holds.
        unit: its unit.
        is_share: whether it is a part of a whole.
        better: which end is ranked first.
    """
    values = [value for value, _ in found]
    placed = zip(found, ranks(values, better), strict=True)
    known = [value for value in values if value is not None]
    reasons = {reason for _, reason in found}
    return Measure(
        id=id,
        name=name,
        key=key,
        meaning=meaning,
        unit=unit,
        cells=tuple(Cell(value, reason, rank) for (value, reason), rank in placed),
        n=len(known),
        minimum=min(known, default=None),
        median=median(known),
        maximum=max(known, default=None),
        reason=next(iter(reasons)) if not known and len(reasons) == 1 else None,
        is_share=is_share,
    )

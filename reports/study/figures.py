"""Figures as plain values, which a terminal, Markdown, a browser and programs can show."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Axis", "Chart", "Figure", "Histogram", "Points", "Scatter", "histogram"]

_FEWEST_BINS, _MOST_BINS = 5, 20
_ZOOM_PERCENT = 5


@dataclass(frozen=True, slots=True)
class Axis:
    """What is along one side of a chart.

    Attributes:
        title: what it is, without the unit.
        unit: ``ns``, ``1`` for pure numbers, which shares are.
        is_log: whether equal distances are equal ratios.
    """

    title: str
    unit: str
    is_log: bool = False


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of values by ranges.

    Attributes:
        title: what is counted.
        axis: of the values.
        edges: the borders of the ranges, ascending; a range has its lower border, the last both.
        counts: for each series, of each range.
        series: the names of the series, which stand one upon another.
        n_below: values left of the first border.
        n_above: values right of the last border.
    """

    title: str
    axis: Axis
    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]
    series: tuple[str, ...]
    n_below: int = 0
    n_above: int = 0


@dataclass(frozen=True, slots=True)
class Points:
    """Points of one kind."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points, and lines at some places of the horizontal axis.

    Attributes:
        title: what is shown.
        x: the horizontal axis.
        y: the vertical one.
        series: the points.
        marks: places along ``x`` with what they are.
    """

    title: str
    x: Axis
    y: Axis
    series: tuple[Points, ...]
    marks: tuple[tuple[float, str], ...] = ()


Chart = Histogram | Scatter


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the paper, with the values of this study.

    Attributes:
        number: the paper's.
        title: what it shows, in a line.
        caption: exactly what was computed.
        charts: its parts; none: see the reason.
        reason: why there are none.
    """

    number: int
    title: str
    caption: str
    charts: tuple[Chart, ...]
    reason: str | None = None


def histogram(
    title: str,
    axis: Axis,
    series: Sequence[tuple[str, Sequence[float]]],
    *,
    is_zoom: bool = False,
    among: Sequence[float] = (),
) -> Histogram:
    """Returns a histogram with ranges of equal width, or of equal ratio as the axis has it.

    There are twice as many ranges as the square root of the number of values, from 5 to 20.

    Args:
        title: what is counted.
        axis: of the values; if some are not positive, it becomes one of equal widths.
        series: names and values, one value at least.
        is_zoom: whether the smallest and the largest 5 % of all values are beyond the borders.
        among: values that give the borders; none: those of the series.

    >>> found = histogram("", Axis("", "1"), [("", [0.0, 1.0, 20.0])])
    >>> found.edges[1], found.counts[0][:3], found.counts[0][-1]
    (4.0, (2, 0, 0), 1)
    """
    ordered = sorted(among or [value for _, values in series for value in values])
    cut = len(ordered) * _ZOOM_PERCENT // 100 if is_zoom else 0
    low, high = ordered[cut], ordered[len(ordered) - cut - 1]
    axis = Axis(axis.title, axis.unit, axis.is_log and ordered[0] > 0)
    n = min(max(2 * math.isqrt(len(ordered)), _FEWEST_BINS), _MOST_BINS)
    edges = _edges(low, high, n, is_log=axis.is_log)
    counts = tuple(_counted(values, edges) for _, values in series)
    return Histogram(
        title=title,
        axis=axis,
        edges=edges,
        counts=counts,
        series=tuple(name for name, _ in series),
        n_below=sum(value < low for _, values in series for value in values),
        n_above=sum(value > high for _, values in series for value in values),
    )


def _edges(low: float, high: float, n: int, *, is_log: bool) -> tuple[float, ...]:
    """Returns the borders of the ranges; of equal values there is one range, which has no width."""
    if low == high:
        return (low, high)
    steps = [step / n for step in range(1, n)]
    if is_log:
        ratio = math.log(high / low)
        inner = [low * math.exp(ratio * step) for step in steps]
    else:
        inner = [low + (high - low) * step for step in steps]
    return (low, *inner, high)


def _counted(values: Sequence[float], edges: tuple[float, ...]) -> tuple[int, ...]:
    counts = [0] * (len(edges) - 1)
    for value in values:
        if edges[0] <= value <= edges[-1]:
            counts[min(bisect.bisect_right(edges, value), len(counts)) - 1] += 1
    return tuple(counts)

"""Charts drawn with characters, for terminals and Markdown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Drawing
from jvmscope.reports.study.figures import Histogram
from jvmscope.reports.study.numbers import labels, shown_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.study.figures import Axis, Chart, Scatter

__all__ = ["drawn"]

_WIDTH = 64
_HEIGHT = 16
_BLOCKS = ("█", "░")
_MARKS = ("o", "x", "+")


def drawn(chart: Chart) -> Drawing:
    """Returns a chart as lines, the first of which says what it is."""
    lines = _histogram(chart) if isinstance(chart, Histogram) else _scatter(chart)
    return Drawing(tuple(line.rstrip() for line in lines))


def _histogram(chart: Histogram) -> Iterator[str]:
    keys = "".join(
        f"  {block} {name}" for block, name in zip(_BLOCKS, chart.series, strict=False) if name
    )
    yield f"{chart.title} by {chart.axis.title}{keys}"
    most = max(sum(each) for each in zip(*chart.counts, strict=True))
    borders = labels(chart.edges, chart.axis.unit)
    width = max(map(len, borders))
    if chart.n_below:
        yield f"{'less':>{2 * width + 4}}  {chart.n_below}"
    for index, counts in enumerate(zip(*chart.counts, strict=True)):
        ranged = f"{borders[index]:>{width}} to {borders[index + 1]:>{width}}"
        yield f"{ranged}  {_bar(counts, most)} {sum(counts)}"
    if chart.n_above:
        yield f"{'more':>{2 * width + 4}}  {chart.n_above}"


def _bar(counts: Sequence[int], most: int) -> str:
    """Returns a bar of one part for each series; a part that is not zero is seen.

    >>> _bar((2, 1), 4)
    '████████████████████░░░░░░░░░░'
    """
    scale = 40 / most if most else 0
    return "".join(
        block * max(round(count * scale), int(count > 0))
        for block, count in zip(_BLOCKS, counts, strict=False)
    )


def _scatter(chart: Scatter) -> Iterator[str]:
    keys = "  ".join(
        f"{mark} {each.name}" for mark, each in zip(_MARKS, chart.series, strict=False)
    )
    yield f"{chart.title}: {chart.y.title}, by {chart.x.title}  {keys}"
    points = [point for each in chart.series for point in each.points]
    places = [*(x for x, _ in points), *(x for x, _ in chart.marks)]
    columns = _Scale(chart.x, places, _WIDTH)
    rows = _Scale(chart.y, [y for _, y in points], _HEIGHT)
    cells = [[" "] * _WIDTH for _ in range(_HEIGHT)]
    for x, _ in chart.marks:
        for row in cells:
            row[columns.place(x)] = "|"
    for mark, each in zip(_MARKS, chart.series, strict=False):
        for x, y in each.points:
            cells[_HEIGHT - 1 - rows.place(y)][columns.place(x)] = mark
    ends = labels((rows.low, rows.high), chart.y.unit)
    width = max(map(len, ends))
    for number, row in enumerate(cells):
        label = {0: ends[1], _HEIGHT - 1: ends[0]}.get(number, "")
        yield f"{label:>{width}} │{''.join(row)}"
    low, high = labels((columns.low, columns.high), chart.x.unit)
    yield f"{'':>{width}} └{'─' * _WIDTH}"
    yield f"{'':>{width}}  {low}{high:>{_WIDTH - len(low)}}"
    for x, name in chart.marks:
        yield f"{'':>{width}}  | {shown_value(x, chart.x.unit)}: {name}"


class _Scale:
    """Where values of an axis stand, in so many columns or rows."""

    def __init__(self, axis: Axis, values: Sequence[float], n: int) -> None:
        self.low, self.high = min(values), max(values)
        self._is_log = axis.is_log
        self._n = n

    def place(self, value: float) -> int:
        """Returns the column or row of a value, from 0."""
        if self.low == self.high:
            return self._n // 2
        if self._is_log:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            part = (value - self.low) / (self.high - self.low)
        return min(int(part * self._n), self._n - 1)

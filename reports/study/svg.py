"""Charts as SVG, which stands in a page and has no script; colours come from the page's style."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jvmscope.reports.html.markup import text
from jvmscope.reports.study.figures import Histogram
from jvmscope.reports.study.numbers import labels, shown_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.study.figures import Axis, Chart, Scatter

__all__ = ["svg"]

_WIDTH, _HEIGHT = 560, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 34, 48
_FLOOR = _HEIGHT - _BOTTOM
_N_TICKS = 5


def svg(chart: Chart) -> str:
    """Returns a chart as an SVG element.

    The style of its parts is in study.css.
    """
    drawn = _histogram(chart) if isinstance(chart, Histogram) else _scatter(chart)
    body = "\n".join(drawn)
    label = text(chart.title)
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{label}">\n{body}\n</svg>'
    )


class _Side:
    """Where values of an axis stand between two places, with ticks.

    Args:
        axis: the axis.
        values: what has to be on it, one value at least.
        start: the place of the smallest.
        end: that of the largest.
    """

    def __init__(self, axis: Axis, values: Sequence[float], start: float, end: float) -> None:
        self.axis = axis
        self._low, self._high = min(values), max(values)
        self._start, self._end = start, end

    def place(self, value: float) -> float:
        """Returns where a value stands."""
        if self._low == self._high:
            return (self._start + self._end) / 2
        if self.axis.is_log:
            part = math.log(value / self._low) / math.log(self._high / self._low)
        else:
            part = (value - self._low) / (self._high - self._low)
        return self._start + part * (self._end - self._start)

    def ticks(self) -> list[tuple[float, str]]:
        """Returns places and labels at equal distances."""
        if self._low == self._high:
            return [(self.place(self._low), shown_value(self._low, self.axis.unit))]
        parts = [number / (_N_TICKS - 1) for number in range(_N_TICKS)]
        if self.axis.is_log:
            values = [self._low * (self._high / self._low) ** part for part in parts]
        else:
            values = [self._low + part * (self._high - self._low) for part in parts]
        places = [self._start + part * (self._end - self._start) for part in parts]
        return list(zip(places, labels(values, self.axis.unit), strict=True))


def _histogram(chart: Histogram) -> Iterator[str]:
    totals = [sum(each) for each in zip(*chart.counts, strict=True)]
    x = _Side(chart.axis, chart.edges, _LEFT, _WIDTH - _RIGHT)
    most = max(*totals, 1)
    yield from _frame(chart.title, x, [(_FLOOR, "0"), (_TOP, f"{most:,}")], "")
    yield from _keys(chart.series)
    for index, counts in enumerate(zip(*chart.counts, strict=True)):
        left, right = (x.place(chart.edges[index + side]) for side in (0, 1))
        if left == right:  # all values are equal
            left, right = left - 10, right + 10
        floor = float(_FLOOR)
        for series, count in enumerate(counts):
            height = count / most * (_FLOOR - _TOP)
            floor -= height
            if count:
                yield (
                    f'<rect class="series-{series}" x="{left:.1f}" y="{floor:.1f}" '
                    f'width="{right - left:.1f}" height="{height:.1f}"/>'
                )
    beyond = [
        f"{count:,} {side}"
        for count, side in ((chart.n_below, "below"), (chart.n_above, "above"))
        if count
    ]
    if beyond:
        yield _label(_WIDTH - _RIGHT, _TOP + 10, f"not shown: {', '.join(beyond)}", "end")


def _scatter(chart: Scatter) -> Iterator[str]:
    points = [point for each in chart.series for point in each.points]
    xs = [*(x for x, _ in points), *(x for x, _ in chart.marks)]
    x = _Side(chart.x, xs, _LEFT, _WIDTH - _RIGHT)
    y = _Side(chart.y, [height for _, height in points], _FLOOR, _TOP)
    yield from _frame(chart.title, x, y.ticks(), chart.y.title)
    names = [each.name for each in chart.series]
    yield from _keys(names if len(names) > 1 else [""])
    for at, name in chart.marks:
        place = f"{x.place(at):.1f}"
        title = f"{text(name)}, {shown_value(at, chart.x.unit)}"
        yield (
            f'<line class="mark" x1="{place}" x2="{place}" y1="{_TOP}" y2="{_FLOOR}">'
            f"<title>{title}</title></line>"
        )
    for series, each in enumerate(chart.series):
        for at, height in each.points:
            yield (
                f'<circle class="series-{series}" cx="{x.place(at):.1f}" '
                f'cy="{y.place(height):.1f}" r="2.5"/>'
            )


def _frame(
    title: str, x: _Side, heights: Sequence[tuple[float, str]], y_title: str
) -> Iterator[str]:
    yield _label(_LEFT, 14, title, "start", "title")
    yield f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_FLOOR}" y2="{_FLOOR}"/>'
    yield f'<line class="axis" x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{_FLOOR}"/>'
    for place, value in x.ticks():
        yield _label(place, _FLOOR + 16, value, "middle")
    for place, value in heights:
        yield _label(_LEFT - 6, place + 4, value, "end")
    logarithmic = ", logarithmic" if x.axis.is_log else ""
    yield _label((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12, x.axis.title + logarithmic, "middle")
    if y_title:
        yield _label(_LEFT, 28, y_title, "start")


def _keys(names: Sequence[str]) -> Iterator[str]:
    right = float(_WIDTH - _RIGHT)
    for series, name in reversed([*enumerate(names)]):
        if name:
            yield _label(right, 14, name, "end")
            right -= 7 * len(name) + 14
            yield f'<rect class="series-{series}" x="{right:.0f}" y="5" width="9" height="9"/>'
            right -= 12


def _label(x: float, y: float, words: str, anchor: str, kind: str = "label") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}>{text(words)}</text>'

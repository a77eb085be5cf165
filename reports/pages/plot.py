"""The page ``plot``: curves and stacks, as far as characters can draw them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Heading, Paragraph, Sparks
from jvmscope.reports.faces.numbers import percent
from jvmscope.reports.pages.summary import bars_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.model import Curves, Report

__all__ = ["at", "plot_page"]

_N_BARS = 20
"""Of a curve: the hottest 1 %, 2 %, …, 20 %, since nearly all is executed there."""

_HOT = 0.2


def plot_page(report: Report) -> Iterator[Block]:
    """Yields the page."""
    yield Heading(report.title, 1)
    yield Paragraph(f"Scope: {report.scope}.")
    for curves in report.curves:
        yield Heading(curves.name)
        yield Paragraph(
            f"Up: {curves.y_title}. To the right: {curves.x_title}, from 1 % to {_N_BARS} %."
        )
        yield _sparks(report, curves)
    for stack in report.stacks:
        yield Heading(f"{stack.id}: {stack.name}")
        yield bars_of(report, stack.segments)


def _sparks(report: Report, curves: Curves) -> Sparks:
    rows: list[tuple[str, tuple[float, ...] | str, str]] = []
    for subject, curve in zip(report.subjects, curves.curves, strict=True):
        if curve.points is None:
            rows.append((subject.name, curve.reason or "no value", ""))
            continue
        heights = tuple(at(curve.points, (bar + 1) / 100) for bar in range(_N_BARS))
        hot = at(curve.points, _HOT)
        rows.append((subject.name, heights, f"{percent(hot)} % on {percent(_HOT)} %"))
    return Sparks(tuple(rows))


def at(points: Sequence[tuple[float, float]], x: float) -> float:
    """Returns the height of a curve at a place: that of the last point up to there.

    >>> at([(0.0, 0.0), (0.5, 0.8), (1.0, 1.0)], 0.75)
    0.8
    """
    return max((y for x_at, y in points if x_at <= x + 1e-9), default=0.0)

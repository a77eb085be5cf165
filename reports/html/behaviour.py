"""Plots of each subject beside the others: curves, and stacks of shares.

A plot is plain values, which the page's script draws. Subjects are their indices; a colour that
begins with two dashes is a custom property of the page's style.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from jvmscope.reports.model import Curves, Measure, Stack

__all__ = ["MANY", "colours_of", "curves_plot", "stack_plot"]

MANY = 80
"""Above so many subjects a plot names none, and shows how many lie where."""

_STEPS, _CATEGORIES = 7, 11
_QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def curves_plot(curves: Curves) -> dict[str, Any]:
    """Returns ``lines``, by subject the points or None, or of many the ``bands`` of all.

    ``bands`` has the places ``x`` and the heights ``quantiles`` there: least, 10 %, 25 %, 50 %,
    75 %, 90 %, largest.
    """
    titles = {"kind": "curves", "x": curves.x_title, "y": curves.y_title}
    if sum(curve.points is not None for curve in curves.curves) > MANY:
        return {**titles, "bands": _bands(curves)}
    lines = [curve.points and _thinned(curve.points) for curve in curves.curves]
    return {**titles, "lines": lines}


def _thinned(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    """Returns the points, fewer of them where a curve is flat: behind its first fifth."""
    last = len(points) - 1
    return [
        (round(x, 4), round(y, 4))
        for i, (x, y) in enumerate(points)
        if i <= last / 5 or i == last or i % 5 == 0
    ]


def _bands(curves: Curves) -> dict[str, Any]:
    """Returns the quantiles at each x that the first curve has."""
    found = [np.array(curve.points) for curve in curves.curves if curve.points]
    places = found[0][:, 0]
    heights = np.array([np.interp(places, points[:, 0], points[:, 1]) for points in found])
    quantiles = np.quantile(heights, _QUANTILES, axis=0)
    return {"x": places.round(4).tolist(), "quantiles": quantiles.round(4).tolist()}


def stack_plot(stack: Stack) -> dict[str, Any]:
    """Returns the segments' ``keys`` and ``colours``, and of each its ``shares`` by subject.

    ``order`` has the subjects with shares, those with most of the first segment on top.
    """
    shown = _shown(stack)
    keys = [measure.key for measure in shown]
    shares = [[cell.value for cell in measure.cells] for measure in shown]
    return {
        "kind": "stack",
        "by": stack.by,
        "keys": keys,
        "colours": colours_of(keys),
        "shares": [[None if share is None else round(share, 5) for share in row] for row in shares],
        "order": _order(shares),
    }


def _shown(stack: Stack) -> list[Measure]:
    """Returns the segments of which somebody has a share."""
    return [measure for measure in stack.segments if any(cell.value for cell in measure.cells)]


def _order(shares: list[list[float | None]]) -> list[int]:
    """Returns who has shares, by falling share of the first segment, then the next.

    >>> _order([[0.2, None, 0.7], [0.8, None, 0.3]])
    [2, 0]
    """
    found = [i for i in range(len(shares[0])) if any(row[i] is not None for row in shares)]
    return sorted(found, key=lambda i: [-(row[i] or 0) for row in shares])


def colours_of(keys: list[str]) -> list[str]:
    """Returns a colour for each key: steps of one for numbers that grow, else different ones.

    >>> colours_of(["1", "2", "> 2"]), colours_of(["loads", "stores"])
    (['--step-1', '--step-4', '--step-7'], ['--category-1', '--category-2'])
    """
    if not all(any(letter.isdigit() for letter in key) for key in keys):
        return [f"--category-{1 + i % _CATEGORIES}" for i in range(len(keys))]
    if len(keys) == 1:
        return ["--step-4"]
    return [f"--step-{1 + round(i * (_STEPS - 1) / (len(keys) - 1))}" for i in range(len(keys))]

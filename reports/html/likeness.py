"""Plots of the subjects together: principal components, their loadings, and the dendrogram.

Subjects are their indices in the report.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jvmscope.reports.model import Clusters, Component, Components, Report

__all__ = ["biplot", "dendrogram", "scree"]

_N_ARROWS = 12


def biplot(report: Report) -> dict[str, Any]:
    """Returns the subjects on the first two components, with the features that weigh most.

    ``points`` are (subject, x, y), ``arrows`` (feature, its key, x, y, both loadings), ``subset``
    the subjects that stand for all.
    """
    components = report.components
    points = [
        (index, round(score[0], 4), round(score[1], 4))
        for index, score in enumerate(components.scores)
        if score is not None
    ]
    first, second = components.components[:2]
    return {
        "kind": "biplot",
        "x": _title(first),
        "y": _title(second),
        "points": points,
        "arrows": _arrows(components, points),
        "subset": report.clusters.subset.subjects if report.clusters.subset else (),
    }


def _title(component: Component) -> str:
    return f"component {component.number} ({100 * component.explained_share:.0f} % of the variance)"


def _arrows(
    components: Components, points: list[tuple[int, float, float]]
) -> list[tuple[str, str, float, float, float, float]]:
    """Returns the longest loadings, the longest about as long as the points are apart."""
    longest = sorted(components.loadings, key=lambda loading: -math.hypot(*loading.values[:2]))
    longest = longest[:_N_ARROWS]
    reach = max((abs(place) for _, *places in points for place in places), default=0.0) or 1.0
    length = max((abs(v) for loading in longest for v in loading.values[:2]), default=0.0) or 1.0
    scale = 0.8 * reach / length
    arrows = []
    for loading in longest:
        first, second = loading.values[:2]
        # The key of a metric's rows says which feature it is, where there is one.
        key = loading.feature.partition("[")[2].rstrip("]") or loading.feature
        x, y = round(scale * first, 4), round(scale * second, 4)
        arrows.append((loading.feature, key, x, y, round(first, 3), round(second, 3)))
    return arrows


def scree(report: Report) -> dict[str, Any]:
    """Returns the components' ``numbers``, their ``shares`` of the variance, and ``cumulative``.

    Those are the sums of the shares up to each component.
    """
    components = report.components.components
    return {
        "kind": "scree",
        "numbers": [component.number for component in components],
        "shares": [round(component.explained_share, 4) for component in components],
        "cumulative": [round(component.cumulative_share, 4) for component in components],
    }


def dendrogram(report: Report) -> dict[str, Any]:
    """Returns the forks from the root at the left to the subjects at the right.

    ``leaves`` are the subjects from top to bottom; ``lines`` are (x, y, x2, y2, is near), where x
    is a distance and y a place among the leaves; ``within`` is the distance that counts as near.
    """
    clusters = report.clusters
    return {
        "kind": "dendrogram",
        "leaves": [clusters.leaves[leaf] for leaf in clusters.order],
        "lines": _lines(clusters),
        "within": clusters.within,
        "subset": clusters.subset.subjects if clusters.subset else (),
    }


def _lines(clusters: Clusters) -> list[tuple[float, float, float, float, int]]:
    """Returns for each fork its bar, and an arm to either side."""
    n_leaves = len(clusters.leaves)
    heights = [0.0] * n_leaves + [merge.distance for merge in clusters.merges]
    places: list[float] = [0.0] * n_leaves
    for place, leaf in enumerate(clusters.order):
        places[leaf] = place
    lines = []
    for merge in clusters.merges:
        at = merge.distance
        is_near = clusters.within is not None and at <= clusters.within
        left, right = places[merge.left], places[merge.right]
        for x, y, x2, y2 in (
            (at, left, at, right),
            (at, left, heights[merge.left], left),
            (at, right, heights[merge.right], right),
        ):
            lines.append((round(x, 4), y, round(x2, 4), y2, int(is_near)))
        places.append((left + right) / 2)
    return lines

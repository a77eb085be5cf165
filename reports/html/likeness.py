"""Plots of the subjects together: principal components with their loadings, and the dendrogram."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import altair as alt

from jvmscope.reports.html.behaviour import CHOSEN, MANY, framed, step_of

if TYPE_CHECKING:
    from jvmscope.reports.model import Clusters, Component, Components, Report

__all__ = ["biplot", "dendrogram"]

_N_ARROWS = 12
_LETTER = 0.013
"""The width of a letter of a name, as a share of the plot's in a window of usual size."""


def biplot(report: Report) -> Any:
    """Returns the subjects on the first two components, with the features that weigh most."""
    components = report.components
    subset = report.clusters.subset
    chosen = set(subset.subjects) if subset else set()
    points = [
        {"subject": subject.name, "x": score[0], "y": score[1], "inSubset": i in chosen}
        for i, (subject, score) in enumerate(zip(report.subjects, components.scores, strict=True))
        if score is not None
    ]
    _name_apart(points)
    arrows = _arrows(components, points)
    places = [*points, *arrows]
    first, second = components.components[:2]
    x = alt.X("x:Q", title=_title(first), scale=_scale(places, "x"))
    y = alt.Y("y:Q", title=_title(second), scale=_scale(places, "y"))
    base = alt.Chart(alt.InlineData(points)).encode(
        x, y, tooltip=[alt.Tooltip("subject:N", title="benchmark")]
    )
    is_chosen = f"datum.subject === {CHOSEN}"
    is_named = f"datum.isNamed || {is_chosen}"
    marks = [
        base.mark_point(color="--accent", size=46).encode(
            fillOpacity=alt.condition("datum.inSubset", alt.value(1), alt.value(0.15)),
            fill=alt.value("--accent"),
        ),
        base.mark_point(color="--ink", size=150, strokeWidth=2).encode(
            opacity=alt.condition(is_chosen, alt.value(1), alt.value(0))
        ),
        *_names(base, "subject", "--ink", f"datum.x > {_right_part(points)}", is_named),
    ]
    zooming = alt.selection_interval(name="zooming", bind="scales", zoom="wheel![event.shiftKey]")
    return framed(alt.layer(*_arrow_marks(arrows, x, y), *marks), 460).add_params(zooming)


def _name_apart(points: list[dict[str, Any]]) -> None:
    """Marks those that are named: where no name is in another's way, the subset's first."""
    widths = {axis: _width(points, axis) for axis in "xy"}
    right_part = _right_part(points)
    named: list[tuple[float, float, float]] = []
    for point in sorted(points, key=lambda point: not point["inSubset"]):
        length = _LETTER * len(point["subject"]) * widths["x"]
        start = point["x"] - (length if point["x"] > right_part else 0.0)
        end, y = start + length, point["y"]
        point["isNamed"] = all(
            end < left or start > right or abs(y - height) > 0.035 * widths["y"]
            for left, right, height in named
        )
        if point["isNamed"]:
            named.append((start, end, y))


def _width(places: list[dict[str, Any]], axis: str) -> float:
    values: list[float] = [place[axis] for place in places]
    return max(values) - min(values)


def _title(component: Component) -> str:
    return f"component {component.number} ({100 * component.explained_share:.0f} % of the variance)"


def _scale(places: list[dict[str, Any]], axis: str) -> alt.Scale:
    """Returns a scale with room for names beside the outermost places."""
    values = [place[axis] for place in places]
    room = 0.06 * _width(places, axis) or 1.0
    return alt.Scale(domain=[min(values) - room, max(values) + room], nice=False, zero=False)


def _right_part(places: list[dict[str, Any]]) -> float:
    """Returns from where on names would leave the plot."""
    values: list[float] = [place["x"] for place in places]
    return round(min(values) + 0.7 * (max(values) - min(values)), 4)


def _names(
    base: alt.Chart, field: str, color: str, is_left: str, is_shown: str = "true"
) -> list[Any]:
    """Returns names at the left of their places where a test holds, else at the right."""
    texts = (
        base.mark_text(align="left", dx=8, dy=-1, fontSize=11, color=color),
        base.mark_text(align="right", dx=-8, dy=-1, fontSize=11, color=color),
    )
    return [
        text.encode(
            text=f"{field}:N",
            opacity=alt.condition(
                f"({is_shown}) && ({is_left}) === {holds}", alt.value(1), alt.value(0)
            ),
        )
        for text, holds in zip(texts, ("false", "true"), strict=True)
    ]


def _arrows(components: Components, points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the longest loadings, the longest about as long as the points are apart."""
    longest = sorted(components.loadings, key=lambda loading: -math.hypot(*loading.values[:2]))
    longest = longest[:_N_ARROWS]
    reach = max((abs(point[axis]) for point in points for axis in "xy"), default=0.0) or 1.0
    length = max((abs(v) for loading in longest for v in loading.values[:2]), default=0.0) or 1.0
    arrows: list[dict[str, Any]] = []
    for loading in longest:
        first, second = loading.values[:2]
        x, y = 0.8 * reach * first / length, 0.8 * reach * second / length
        is_free = all(
            abs(x - other["x"]) > 0.2 * reach or abs(y - other["y"]) > 0.05 * reach
            for other in arrows
            if other["name"]
        )
        # The key of a metric's rows says which feature it is, where there is one.
        name = loading.feature.partition("[")[2].rstrip("]") or loading.feature
        arrows.append(
            {"x": x, "y": y, "name": name if is_free else "", "feature": loading.feature}
            | {"first": round(first, 3), "second": round(second, 3)}
        )
    return arrows


def _arrow_marks(arrows: list[dict[str, Any]], x: alt.X, y: alt.Y) -> list[Any]:
    base = alt.Chart(alt.InlineData(arrows)).encode(
        x,
        y,
        tooltip=[
            alt.Tooltip("feature:N"),
            alt.Tooltip("first:Q", title="loading on component 1"),
            alt.Tooltip("second:Q", title="loading on component 2"),
        ],
    )
    return [
        base.mark_rule(color="--second", opacity=0.6).encode(x2=alt.datum(0), y2=alt.datum(0)),
        base.mark_point(shape="circle", filled=True, size=16, color="--second", opacity=0.9),
        *_names(base, "name", "--second", "datum.x < 0"),
    ]


def dendrogram(report: Report) -> Any:
    """Returns the forks from the root at the left to the subjects at the right."""
    clusters = report.clusters
    names = [report.subjects[clusters.leaves[leaf]].name for leaf in clusters.order]
    n_leaves = len(names)
    subset = set(clusters.subset.subjects) if clusters.subset else set()
    x = alt.X("x:Q", title="distance", scale=alt.Scale(reverse=True, nice=False))
    scale = alt.Scale(domain=[-0.5, n_leaves - 0.5], nice=False, reverse=True)
    y = alt.Y("y:Q", title=None, scale=scale, axis=_leaf_axis(n_leaves))
    lines = (
        alt.Chart(alt.InlineData(_segments(clusters)))
        .mark_rule(strokeWidth=1.3)
        .encode(
            x,
            y,
            x2="x2:Q",
            y2="y2:Q",
            color=alt.condition("datum.isNear", alt.value("--accent"), alt.value("--quiet")),
        )
    )
    places = [
        {"x": 0, "y": place, "subject": name, "inSubset": clusters.leaves[leaf] in subset}
        for place, (leaf, name) in enumerate(zip(clusters.order, names, strict=True))
    ]
    leaves = alt.Chart(alt.InlineData(places)).encode(
        x, y, tooltip=[alt.Tooltip("subject:N", title="benchmark")]
    )
    layers = [
        lines,
        leaves.mark_point(color="--accent", filled=True, size=44).encode(
            opacity=alt.condition("datum.inSubset", alt.value(1), alt.value(0))
        ),
        leaves.mark_point(color="--ink", size=130, strokeWidth=2).encode(
            opacity=alt.condition(f"datum.subject === {CHOSEN}", alt.value(1), alt.value(0))
        ),
        leaves.mark_point(opacity=0, size=120),
    ]
    if clusters.within is not None:
        cut = alt.Chart(alt.InlineData([{"x": clusters.within}]))
        layers.append(cut.mark_rule(strokeDash=[4, 4], color="--quiet").encode(x))
    height = max(180, step_of(n_leaves) * n_leaves)
    return framed(alt.layer(*layers), height).add_params(alt.param(name="names", value=names))


def _leaf_axis(n_leaves: int) -> Any:
    if n_leaves > MANY:
        return alt.Axis(labels=False, ticks=False, domain=False, grid=False)
    is_chosen = f"names[datum.value] === {CHOSEN}"
    return alt.Axis(
        orient="right",
        values=list(range(n_leaves)),
        labelExpr="names[datum.value]",
        labelOverlap=False,
        ticks=False,
        domain=False,
        grid=False,
        labelPadding=8,
        labelColor=alt.condition(is_chosen, alt.value("--accent"), alt.value("--ink")),
        labelFontWeight=alt.condition(is_chosen, alt.value("bold"), alt.value("normal")),
    )


def _segments(clusters: Clusters) -> list[dict[str, Any]]:
    """Returns for each fork its bar, and an arm to either side."""
    n_leaves = len(clusters.leaves)
    heights = [0.0] * n_leaves + [merge.distance for merge in clusters.merges]
    places: list[float] = [0.0] * n_leaves
    for place, leaf in enumerate(clusters.order):
        places[leaf] = place
    segments = []
    for merge in clusters.merges:
        at = merge.distance
        is_near = clusters.within is not None and at <= clusters.within
        left, right = places[merge.left], places[merge.right]
        for x, y, x2, y2 in (
            (at, left, at, right),
            (at, left, heights[merge.left], left),
            (at, right, heights[merge.right], right),
        ):
            segments.append(
                {"x": round(x, 4), "y": y, "x2": round(x2, 4), "y2": y2, "isNear": is_near}
            )
        places.append((left + right) / 2)
    return segments

"""Plots of each subject beside the others: curves, and stacks of shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

if TYPE_CHECKING:
    from jvmscope.reports.model import Curves, Measure, Report, Stack

__all__ = [
    "CHOSEN",
    "MANY",
    "colours_of",
    "curves_plot",
    "framed",
    "stack_legend",
    "stack_plot",
    "step_of",
]

MANY = 80
"""Above so many subjects a plot names none, and shows how many lie where."""

CHOSEN = "chosen"
_IS_CHOSEN = f"datum.subject === {CHOSEN}"
_STEPS, _CATEGORIES = 7, 11
_QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def curves_plot(report: Report, curves: Curves) -> Any:
    """Returns a line for each subject, or for many the quantiles of all."""
    n_curves = sum(curve.points is not None for curve in curves.curves)
    x = alt.X("x:Q", title=curves.x_title, axis=alt.Axis(format="%", tickCount=5))
    y = alt.Y("y:Q", title=curves.y_title, axis=alt.Axis(format="%", tickCount=5))
    layers = _bands(curves, x) if n_curves > MANY else _lines(report, curves, x, y)
    return framed(alt.layer(*layers), 300)


def _lines(report: Report, curves: Curves, x: alt.X, y: alt.Y) -> list[Any]:
    rows = [
        {"subject": subject.name, "x": round(at, 4), "y": round(share, 4)}
        for subject, curve in zip(report.subjects, curves.curves, strict=True)
        for at, share in _thinned(curve.points or ())
    ]
    hovered = alt.selection_point(
        name="hovered", fields=["subject"], on="pointerover", nearest=True, empty=False
    )
    base = alt.Chart(alt.InlineData(rows)).encode(x, y, alt.Detail("subject:N"))
    is_one = len(report.subjects) == 1
    return [
        base.mark_line(color="--quiet", strokeWidth=1).encode(
            opacity=alt.condition(
                "hovered.subject && hovered.subject[0] === datum.subject",
                alt.value(1),
                alt.value(0.35),
            ),
        ),
        base.mark_line(color="--accent", strokeWidth=2.5).encode(
            opacity=_if_chosen("true" if is_one else _IS_CHOSEN)
        ),
        base.mark_point(opacity=0, size=60)
        .encode(
            tooltip=[
                alt.Tooltip("subject:N", title="benchmark"),
                alt.Tooltip("x:Q", title=curves.x_title, format=".0%"),
                alt.Tooltip("y:Q", title=curves.y_title, format=".1%"),
            ],
        )
        .add_params(hovered),
    ]


def _thinned(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    """Returns the points, fewer of them where a curve is flat: behind its first fifth."""
    last = len(points) - 1
    return [point for i, point in enumerate(points) if i <= last / 5 or i == last or i % 5 == 0]


def _bands(curves: Curves, x: alt.X) -> list[Any]:
    """Returns areas between the quantiles at each x that the first curve has, and the median."""
    found = [np.array(curve.points) for curve in curves.curves if curve.points]
    places = found[0][:, 0]
    heights = np.array([np.interp(places, points[:, 0], points[:, 1]) for points in found])
    quantiles = np.quantile(heights, _QUANTILES, axis=0)
    rows = [
        {"x": round(float(at), 4)}
        | {f"q{i}": round(float(value), 4) for i, value in enumerate(quantiles[:, place])}
        for place, at in enumerate(places)
    ]
    base = alt.Chart(alt.InlineData(rows)).encode(x)
    last = len(_QUANTILES) - 1
    names = ("all", "80 % of them", "half of them")
    areas = [
        base.mark_area(color="--accent", opacity=0.16).encode(
            alt.Y(f"q{i}:Q", title=curves.y_title, axis=alt.Axis(format="%", tickCount=5)),
            alt.Y2(f"q{last - i}:Q"),
        )
        for i in range(last // 2)
    ]
    tooltip = [alt.Tooltip("x:Q", title=curves.x_title, format=".0%")]
    for i, name in enumerate(names):
        tooltip += [
            alt.Tooltip(f"q{i}:Q", title=f"{name}: from", format=".1%"),
            alt.Tooltip(f"q{last - i}:Q", title="to", format=".1%"),
        ]
    median = base.mark_line(color="--accent", strokeWidth=2).encode(alt.Y(f"q{last // 2}:Q"))
    targets = base.mark_rule(opacity=0, strokeWidth=6).encode(tooltip=tooltip)
    return [*areas, median, targets]


def stack_plot(report: Report, stack: Stack) -> Any:
    """Returns a bar of shares for each subject, those with most of the first segment on top."""
    names = [subject.name for subject in report.subjects]
    segments = [(place, measure.key, measure) for place, measure in _shown(stack)]
    rows = [
        {"subject": name, "segment": key, "place": place, "share": round(cell.value, 5)}
        for place, key, measure in segments
        for name, cell in zip(names, measure.cells, strict=True)
        if cell.value
    ]
    order = _order(names, [[cell.value for cell in measure.cells] for *_, measure in segments])
    keys = [key for _, key, _ in segments]
    is_dense = len(order) > MANY
    rows_apart = alt.Scale(paddingInner=0 if is_dense else 0.15, paddingOuter=0)
    bars = alt.Chart(alt.InlineData(rows)).encode(
        alt.Y(
            "subject:N", sort=order, title=None, axis=_subject_axis(len(order)), scale=rows_apart
        ),
        alt.X(
            "share:Q",
            stack="zero",
            title=None,
            scale=alt.Scale(domain=[0, 1], nice=False),
            axis=alt.Axis(format="%", tickCount=5, grid=False),
        ),
    )
    colours = alt.Color(
        "segment:N",
        sort=keys,
        title=None,
        scale=alt.Scale(domain=keys, range=colours_of(keys)),
        legend=None,  # the page's own is as wide as the window
    )
    shares = bars.mark_bar(stroke="--paper", strokeWidth=0 if is_dense else 0.5).encode(
        colours,
        alt.Order("place:Q"),
        tooltip=[
            alt.Tooltip("subject:N", title="benchmark"),
            alt.Tooltip("segment:N", title=stack.name.rpartition(" by ")[2] or "segment"),
            alt.Tooltip("share:Q", title="share", format=".2%"),
        ],
    )
    frame = (
        alt.Chart(alt.InlineData([{"subject": name} for name in order]))
        .mark_bar(filled=False, stroke="--ink", strokeWidth=1.5)
        .encode(
            alt.Y("subject:N", sort=order, title=None),
            x=alt.datum(0),
            x2=alt.datum(1),
            opacity=_if_chosen(_IS_CHOSEN),
        )
    )
    layers = [shares] if len(order) == 1 else [shares, frame]
    height = 44 if len(order) == 1 else step_of(len(order)) * len(order)
    return framed(alt.layer(*layers), height)


def stack_legend(stack: Stack) -> list[tuple[str, str]]:
    """Returns the segments that are shown, with their colours."""
    keys = [measure.key for _, measure in _shown(stack)]
    return list(zip(keys, colours_of(keys), strict=True))


def _shown(stack: Stack) -> list[tuple[int, Measure]]:
    """Returns the segments of which somebody has a share, with their places."""
    return [
        (place, measure)
        for place, measure in enumerate(stack.segments)
        if any(cell.value for cell in measure.cells)
    ]


def _order(names: list[str], shares: list[list[float | None]]) -> list[str]:
    """Returns the names that have shares, by falling share of the first segment, then the next."""
    found = [i for i in range(len(names)) if any(row[i] is not None for row in shares)]
    found.sort(key=lambda i: [-(row[i] or 0) for row in shares])
    return [names[i] for i in found]


def _subject_axis(n_subjects: int) -> Any:
    if n_subjects == 1 or n_subjects > MANY:
        return alt.Axis(labels=False, ticks=False, domain=False)
    return alt.Axis(
        ticks=False,
        domain=False,
        labelLimit=190,
        labelPadding=6,
        labelColor=alt.condition(
            f"datum.value === {CHOSEN}", alt.value("--accent"), alt.value("--ink")
        ),
        labelFontWeight=alt.condition(
            f"datum.value === {CHOSEN}", alt.value("bold"), alt.value("normal")
        ),
    )


def step_of(n_subjects: int) -> float:
    """Returns the height of a subject's row, such that many still are on a screen or two."""
    return 15 if n_subjects <= MANY else max(1.0, 1200 / n_subjects)


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


def framed(chart: Any, height: float) -> Any:
    """Returns a chart as wide as the page lets it be, which knows the chosen subject."""
    return chart.properties(
        width="container", height=height, autosize=alt.AutoSizeParams(type="fit-x")
    ).add_params(alt.param(name=CHOSEN, value=""))


def _if_chosen(test: str) -> Any:
    return alt.condition(test, alt.value(1), alt.value(0))

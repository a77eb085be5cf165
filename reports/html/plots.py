"""The plots of a page, as plain values that its script draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.reports.html.behaviour import MANY, curves_plot, stack_plot
from jvmscope.reports.html.likeness import biplot, dendrogram, scree

if TYPE_CHECKING:
    from jvmscope.reports.model import Report

__all__ = ["plots_of"]

_BANDS = "The line is the median of the benchmarks; half of them, 80 % and all lie in the shades."
_SCREE = "A bar is the share that a component explains; the line adds those before it."


def plots_of(report: Report) -> dict[str, dict[str, Any]]:
    """Returns the plots by id: ``part``, ``title``, ``description``, ``metric`` and ``chart``.

    Where no subject has a value there is no plot.
    """
    plots = {}
    for stack in report.stacks:
        if any(cell.value is not None for measure in stack.segments for cell in measure.cells):
            plots[stack.id] = _plot(
                "looks", stack.name, stack.description, stack_plot(stack), stack.metric
            )
    for curves in report.curves:
        n_curves = sum(curve.points is not None for curve in curves.curves)
        if n_curves:
            about = f"{_BANDS} {curves.description}" if n_curves > MANY else curves.description
            chart = curves_plot(curves)
            plots[curves.id] = _plot("looks", curves.name, about, chart, curves.metric)
    n_points = sum(score is not None for score in report.components.scores)
    if len(report.components.components) > 1 and n_points > 1:
        plots["components"] = _plot(
            "likeness", "Principal components", _explained(report), biplot(report)
        )
        plots["scree"] = _plot("likeness", "Variance by component", _SCREE, scree(report))
    if report.clusters.merges:
        plots["dendrogram"] = _plot(
            "likeness", "Dendrogram", report.clusters.description, dendrogram(report)
        )
    return plots


def _plot(
    part: str, title: str, description: str, chart: dict[str, Any], metric: str = ""
) -> dict[str, Any]:
    texts = {"part": part, "title": title, "description": description, "metric": metric}
    return {**texts, "chart": chart}


def _explained(report: Report) -> str:
    components = report.components.components
    shares = ", ".join(f"{100 * component.explained_share:.0f} %" for component in components)
    return (
        f"Of {report.components.features}; the components explain {shares} of the variance. A "
        "point is a benchmark, full if it is one of the subset; an arrow is a feature, and points "
        "to where there is more of it. Drag to move, Shift and the wheel zoom, a double click "
        "shows all again."
    )

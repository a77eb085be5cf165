"""The page ``table``: every metric with its definition, and its values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Heading, Paragraph
from jvmscope.reports.pages.measures import measures_of_all, measures_of_one

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.model import Measure, MetricTable, Report

__all__ = ["table_page"]

_RANKED = {
    "higher": "higher is better, and ranked first",
    "lower": "lower is better, and ranked first",
    "none": "",
}


def table_page(
    report: Report, *, subject: int | None = None, n_columns: int = 8
) -> Iterator[Block]:
    """Yields the page.

    Args:
        report: what to show.
        subject: the subject whose ranks are shown; None: all subjects.
        n_columns: subjects that get a column of their own, at most.
    """
    name = "" if subject is None else f": {report.subjects[subject].name}"
    yield Heading(f"{report.title}{name}", 1)
    yield Paragraph(f"Scope: {report.scope}.")
    for metric in report.metrics:
        yield Heading(f"{metric.id}: {metric.name}")
        yield Paragraph(_definition(metric))
        stacks = [stack for stack in report.stacks if stack.metric == metric.id]
        if metric.reason is not None and not stacks:
            yield Paragraph(f"No values: {metric.reason}.")
        elif metric.measures:
            yield from _measures(report, metric.measures, subject, n_columns)
        for stack in stacks:
            yield Heading(f"{stack.name}, as shares", 3)
            yield from _measures(report, stack.segments, subject, n_columns)


def _measures(
    report: Report, measures: Sequence[Measure], subject: int | None, n_columns: int
) -> list[Block]:
    if subject is None:
        return measures_of_all(report, measures, n_columns)
    return measures_of_one(measures, subject)


def _definition(metric: MetricTable) -> str:
    parts = (metric.description, _RANKED[metric.better], f"({metric.source})")
    return " ".join(filter(None, parts)) if metric.source else metric.description

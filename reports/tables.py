"""The tables of a report: a metric's definition, and each of its measures on every subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from jvmscope.reports.model import MetricTable
from jvmscope.reports.selection import is_tabulated
from jvmscope.reports.stacks import STACKS
from jvmscope.reports.statistics import measure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries import QueryFile
    from jvmscope.reports.model import Better, Measure
    from jvmscope.reports.readings import Reading

__all__ = ["metric_table"]

_NO_ROW = "the metric has no such row here"


def metric_table(query: QueryFile, readings: Sequence[Reading]) -> MetricTable:
    """Returns a metric's table.

    A metric with keys has a measure for each of them that some subject has; where another has
    none, its value is absent.

    Args:
        query: the metric.
        readings: what was measured on each subject, in their order.
    """
    measures = _measures(query, readings) if is_tabulated(query) else ()
    reasons = {measure.reason for measure in measures}
    return MetricTable(
        id=query.id,
        name=query.name,
        description=query.description,
        grain=query.grain or "",
        better=cast("Better", query.better),
        version=query.version,
        source=query.source,
        file=query.path or "",
        tags=query.tags,
        measures=measures,
        reason=_where_else(query) if not measures else _only(reasons),
    )


def _measures(query: QueryFile, readings: Sequence[Reading]) -> tuple[Measure, ...]:
    found = [reading.values[query.id] for reading in readings]
    keys = dict.fromkeys(key for values in found for _, key in values)
    if len(keys) > 1:
        keys.pop("", None)  # some subject has no values at all
    return tuple(
        measure_of(
            [
                values.get((measure.name, key)) or values.get((measure.name, "")) or (None, _NO_ROW)
                for values in found
            ],
            id=f"{query.id}.{measure.name}" + (f"[{key}]" if key else ""),
            name=measure.name,
            key=key,
            meaning=measure.meaning,
            unit=measure.unit or "1",
            is_share=measure.name in query.shares,
            better=cast("Better", query.better),
        )
        for key in keys
        for measure in query.measures
    )


def _where_else(query: QueryFile) -> str:
    if query.step is not None:
        return "it is about all subjects together: see the principal components"
    if any(stack.metric == query.id for stack in STACKS):
        return "it is a distribution: see the stacks"
    keys = ", ".join(key.name for key in query.keys)
    return f"it has a row for each {keys}: jvmscope measure RUN -m {query.id}"


def _only(reasons: set[str | None]) -> str | None:
    return next(iter(reasons)) if len(reasons) == 1 else None

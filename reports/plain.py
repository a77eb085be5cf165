"""A report as data for programs: JSON of all of it, or a table of its measures."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.queries import Result, ResultColumn

if TYPE_CHECKING:
    from jvmscope.reports.model import Report

__all__ = ["REPORT_SCHEMA", "to_json", "to_table"]

REPORT_SCHEMA = 1
"""Version of the shape of the JSON."""

_COLUMNS = {
    "subject": pa.string(),
    "status": pa.string(),
    "metric": pa.string(),
    "measure": pa.string(),
    "key": pa.string(),
    "value": pa.float64(),
    "unit": pa.string(),
    "rank": pa.int64(),
    "n": pa.int64(),
    "minimum": pa.float64(),
    "median": pa.float64(),
    "maximum": pa.float64(),
    "reason": pa.string(),
}


def to_json(report: Report) -> str:
    """Returns the report as a JSON object: the fields of the model by their names, and ``schema``.

    Paths are texts; what is absent is null.
    """
    document = {"schema": REPORT_SCHEMA, **dataclasses.asdict(report)}
    return json.dumps(document, default=_text, ensure_ascii=False, allow_nan=False) + "\n"


def to_table(report: Report) -> Result:
    """Returns a row for each subject and measure, metric by metric, segments of stacks included.

    ``key`` is null where the metric has one row; ``n``, ``minimum``, ``median`` and ``maximum`` are
    those over all subjects.
    """
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    measured = [(metric.id, metric.measures) for metric in report.metrics]
    measured += [(stack.id, stack.segments) for stack in report.stacks]
    for metric, measures in measured:
        for measure in measures:
            about = (measure.n, measure.minimum, measure.median, measure.maximum)
            for subject, cell in zip(report.subjects, measure.cells, strict=True):
                row = (
                    *(subject.name, subject.status, metric, measure.name, measure.key or None),
                    *(cell.value, measure.unit, cell.rank, *about, cell.reason),
                )
                for values, value in zip(columns.values(), row, strict=True):
                    values.append(value)
    arrays = [pa.array(columns[name], kind) for name, kind in _COLUMNS.items()]
    table = pa.table(arrays, names=list(_COLUMNS))
    return Result.of_table(table, [_column(field) for field in table.schema])


def _column(field: pa.Field[Any]) -> ResultColumn:
    types = {pa.float64(): "DOUBLE", pa.int64(): "BIGINT"}
    return ResultColumn(field.name, types.get(field.type, "VARCHAR"))


def _text(value: object) -> str:
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")

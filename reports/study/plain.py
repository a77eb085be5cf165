"""A study's report as data for programs: JSON of all of it, or a table of its numbers."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmscope.queries import Result, ResultColumn

if TYPE_CHECKING:
    from jvmscope.reports.study.answers import Answer
    from jvmscope.reports.study.questions import StudyReport

__all__ = ["STUDY_REPORT_SCHEMA", "to_json", "to_table"]

STUDY_REPORT_SCHEMA = 1
"""Version of the shape of the JSON."""

_COLUMNS = (
    ("question", pa.string(), "VARCHAR"),
    ("name", pa.string(), "VARCHAR"),
    ("meaning", pa.string(), "VARCHAR"),
    ("unit", pa.string(), "VARCHAR"),
    ("value", pa.float64(), "DOUBLE"),
    ("reason", pa.string(), "VARCHAR"),
    ("paper", pa.float64(), "DOUBLE"),
    ("note", pa.string(), "VARCHAR"),
)


def to_json(report: StudyReport) -> str:
    """Returns the report as a JSON object: its fields by their names, and ``schema``.

    Times are in ns. What is absent is null.
    """
    document = {"schema": STUDY_REPORT_SCHEMA, **dataclasses.asdict(report)}
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def to_table(report: StudyReport) -> Result:
    """Returns a row for each number; ``question`` is null for the size of the study.

    ``value`` is null for what has no value, and then ``reason`` is not; ``paper`` and ``note`` are
    the published number, or what the paper says instead, or null.
    """
    every: list[tuple[str | None, Answer]] = [(None, each) for each in report.answers]
    every += [(found.name, each) for found in report.questions for each in found.answers]
    rows = [
        (question, *(getattr(each, name) for name, _, _ in _COLUMNS[1:]))
        for question, each in every
    ]
    arrays = [
        pa.array(values, kind)
        for values, (_, kind, _) in zip(zip(*rows, strict=True), _COLUMNS, strict=True)
    ]
    table = pa.Table.from_arrays(arrays, names=[name for name, _, _ in _COLUMNS])
    return Result.of_table(table, [ResultColumn(name, kind) for name, _, kind in _COLUMNS])

"""A study's report as data for programs: JSON of all of it, or a table of its numbers."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from jvmscope.queries import Result, ResultColumn

if TYPE_CHECKING:
    from jvmscope.reports.study.answers import Answer
    from jvmscope.reports.study.questions import StudyReport

__all__ = ["STUDY_REPORT_SCHEMA", "to_json", "to_table"]

STUDY_REPORT_SCHEMA = 1
"""Version of the shape of the JSON."""

_COLUMNS = (
    ResultColumn("question", "VARCHAR"),
    ResultColumn("name", "VARCHAR"),
    ResultColumn("meaning", "VARCHAR"),
    ResultColumn("unit", "VARCHAR"),
    ResultColumn("value", "DOUBLE"),
    ResultColumn("reason", "VARCHAR"),
    ResultColumn("paper", "DOUBLE"),
    ResultColumn("note", "VARCHAR"),
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
    names = [column.name for column in _COLUMNS[1:]]
    rows = ((question, *(getattr(each, name) for name in names)) for question, each in every)
    return Result.of_values(_COLUMNS, rows)

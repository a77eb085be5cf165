"""An explanation as data for programs: JSON of all of it, or a table of the tree's leaves."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmscope.queries import Result, ResultColumn
from jvmscope.reports.explaining.wording import verdict

if TYPE_CHECKING:
    from jvmscope.reports.explaining.model import Explanation

__all__ = ["EXPLANATION_SCHEMA", "to_json", "to_table"]

EXPLANATION_SCHEMA = 1
"""Version of the shape of the JSON."""

_FIELDS: dict[str, pa.DataType] = {
    "outcome": pa.string(),
    "leaf": pa.int64(),
    "condition": pa.string(),
    "is_selected": pa.bool_(),
    "n_objects": pa.int64(),
    "n_with": pa.int64(),
    "share": pa.float64(),
}
_TYPES = {
    pa.string(): "VARCHAR",
    pa.int64(): "BIGINT",
    pa.bool_(): "BOOLEAN",
    pa.float64(): "DOUBLE",
}


def to_json(found: Explanation) -> str:
    """Returns the explanation as a JSON object: its fields by their names, and ``schema``."""
    total = found.all_left_out
    document = {
        "schema": EXPLANATION_SCHEMA,
        "verdict": verdict(found),
        "is_better": found.is_better,
        "rule": found.text or None,
        "sql": found.sql or None,
        "base_rate": found.base_rate,
        "precision": found.precision,
        "coverage": found.coverage,
        "left_out_base_rate": total.base_rate,
        "left_out_precision": total.precision,
        "left_out_coverage": total.coverage,
        **dataclasses.asdict(found),
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def to_table(found: Explanation) -> Result:
    """Returns a row for each leaf, in the order of the tree; ``condition`` is SQL."""
    rows = [
        {
            "outcome": found.outcome,
            "leaf": number,
            "condition": part.sql or "TRUE",
            "is_selected": part.is_selected,
            "n_objects": part.n_objects,
            "n_with": part.n_with,
            "share": part.n_with / part.n_objects if part.n_objects else None,
        }
        for number, part in enumerate(found.parts, 1)
    ]
    units = {"n_objects": found.unit, "n_with": found.unit, "share": "1"}
    columns = [ResultColumn(name, _TYPES[kind], units.get(name)) for name, kind in _FIELDS.items()]
    return Result.of_table(pa.Table.from_pylist(rows, schema=pa.schema(_FIELDS)), columns)

"""Writes a frozen run of the present format: every table, odd names, no path of any machine.

cd tests && python -m runs.freeze format-1
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import duckdb
from xml_runs import Shape, write_run

__all__ = ["contents", "freeze"]

_FOLDER = Path(__file__).parent


def freeze(name: str) -> None:
    """Writes the run of a format and what is in it, if it is not there yet."""
    run = _FOLDER / f"{name}.run"
    write_run(run, Shape(seed=7, n_contexts=120))
    text = json.dumps(contents(run), indent=1, sort_keys=True)
    run.with_suffix(".json").write_text(f"{text}\n", encoding="utf-8")


def contents(run: Path) -> dict[str, Any]:
    """Returns the rows of each table of a run as texts, read by DuckDB alone."""
    found = {}
    connection = duckdb.connect()
    for path in sorted((run / "tables").glob("*.parquet")):
        relation = connection.sql(f"FROM read_parquet('{path}')")
        rows = [
            [None if value is None else str(value) for value in row] for row in relation.fetchall()
        ]
        found[path.stem] = {"columns": relation.columns, "rows": rows}
    return found


if __name__ == "__main__":
    freeze(sys.argv[1])

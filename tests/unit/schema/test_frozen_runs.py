"""Runs that earlier versions wrote are read, checked and exported: every format there ever was."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from jvmscope.metrics import catalogue, measure
from jvmscope.queries import Engine
from jvmscope.schema import tables, verify_run
from jvmscope.schema.xml import export_xml, import_xml

_FOLDER = Path(__file__).parents[2] / "runs"
_RUNS = sorted(_FOLDER.glob("*.run"))
_KEY, _SUPER = map(
    [column.name for column in tables()["class"].columns].index, ("class_id", "super_id")
)
# The first run is made up and has such a class, which no VM loads and the import now refuses.
_OWN_SUPERCLASS = re.compile(r'(<dcg:class id="([0-9]+)"[^>]*?) super="\2"')


def _contents(run: Path) -> dict[str, list[list[str | None]]]:
    with Engine(run) as engine:
        return {
            table: [
                [None if value is None else str(value) for value in row]
                for row in engine.query(f'FROM run."{table}"').rows()
            ]
            for table in engine.recorded
        }


@pytest.mark.parametrize("run", _RUNS, ids=lambda run: run.stem)
def test_a_frozen_run_is_read_as_it_was_written(run: Path) -> None:
    expected = json.loads(run.with_suffix(".json").read_text(encoding="utf-8"))

    assert verify_run(run) == []
    assert _contents(run) == {name: table["rows"] for name, table in expected.items()}


@pytest.mark.parametrize("run", _RUNS, ids=lambda run: run.stem)
def test_a_frozen_run_is_exported_and_imported(run: Path, tmp_path: Path) -> None:
    cct, classes = tmp_path / "cct.xml", tmp_path / "classes.xml"
    export_xml(run, cct, classes)
    text = classes.read_text(encoding="utf-8")
    classes.write_text(_OWN_SUPERCLASS.sub(r"\1", text), encoding="utf-8")
    import_xml(cct, classes, tmp_path / "again.run")

    expected = _contents(run)
    for row in expected["class"]:
        if row[_SUPER] == row[_KEY]:
            row[_SUPER] = None
    assert _contents(tmp_path / "again.run") == expected


@pytest.mark.parametrize("run", _RUNS, ids=lambda run: run.stem)
def test_a_frozen_run_is_measured(run: Path) -> None:
    """GIVEN counts as large as those of the first, THEN each metric has values, or a reason."""
    with Engine(run) as engine:
        rows = measure([engine], metrics=catalogue(), is_cached=False).arrow().to_pylist()

    assert {row["metric"] for row in rows} == set(catalogue())
    assert all((row["value"] is None) == bool(row["reason"]) for row in rows)


def test_there_is_a_run_of_the_first_format() -> None:
    assert "format-1" in {run.stem for run in _RUNS}

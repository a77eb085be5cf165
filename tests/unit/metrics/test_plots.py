"""Plots of metrics: each shows its values, and a metric without one says so."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import jvmscope
from jvmscope.metrics import catalogue
from jvmscope.metrics.values import Values
from jvmscope.queries import ResultColumn

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.queries import Engine

_PLOTTED = [id_ for id_, query in catalogue().items() if query.plot]


def _rows(spec: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = spec["datasets"][spec["data"]["name"]]
    return rows


@pytest.mark.parametrize("metric", _PLOTTED)
def test_a_plot_shows_the_values(opened: Engine, metric: str) -> None:
    from jvmscope.metrics import measure

    _, x, y, *by = catalogue()[metric].plot
    values = measure([opened], metrics=[metric])
    expected = [
        (*(row[key] for key in (x, *by)), row["value"])
        for row in values.arrow().to_pylist()
        if row["measure"] == y and row["value"] is not None
    ]

    spec = values.plot().to_dict()

    shown = [tuple(row[key] for key in (x, *by, y)) for row in _rows(spec)]
    if catalogue()[metric].keys[0].type == "text" and x == catalogue()[metric].keys[0].name:
        assert shown == sorted(expected, key=lambda row: (-row[-1], row[0]))[:30]
    else:
        assert shown == sorted(expected, key=lambda row: (row[0] is None, row[0] or 0))
    assert spec["encoding"]["y"]["title"]
    assert spec["title"] == catalogue()[metric].name


def test_runs_are_told_apart_by_colour(shapes: Path, tmp_path: Path) -> None:
    (tmp_path / "other.run").symlink_to(shapes)

    spec = jvmscope.measure([shapes, tmp_path / "other.run"], "recursion.depth").plot().to_dict()

    assert spec["encoding"]["color"]["field"] == "run_id"
    assert {row["run_id"] for row in _rows(spec)} == {"shapes", "other"}


def _values(metric: str, seed: int) -> Values:
    """Returns made-up values of a metric on up to three runs, each with some of the keys."""
    chance = random.Random(seed)  # noqa: S311 - the same every time
    query = catalogue()[metric]
    keys = {
        key.name: ["a", "b", "c"] if key.type == "text" else [8, 1, 2, 4, None][: 4 + seed % 2]
        for key in query.keys
    }
    rows = [
        {"run_id": f"run{run}", **dict(zip(keys, found, strict=True)), "measure": query.plot[2]}
        for run in range(1 + seed % 3)
        for found in product(*keys.values())
        if chance.random() < 0.7
    ]
    for row in rows:
        row["value"] = chance.random()
    table = pa.Table.from_pylist(rows)
    columns = [ResultColumn(name, "VARCHAR") for name in table.column_names]
    return Values([query], columns, table.schema, iter(table.to_batches()))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("metric", _PLOTTED)
def test_marks_are_told_apart_and_in_order(metric: str, seed: int) -> None:
    """No two values have the same place and colour but those of a key that no axis shows."""
    query = catalogue()[metric]
    _, x, _, *by = query.plot

    spec = _values(metric, seed).plot().to_dict()

    rows, encoding = _rows(spec), spec["encoding"]
    colour = encoding.get("color", {}).get("field")
    marks = {(row[x], row.get(colour)) for row in rows}
    assert len(marks) == len({tuple(row[key] for key in ("run_id", x, *by)) for row in rows})
    assert encoding.get("xOffset", {}).get("field") in {None, colour}
    places = list(dict.fromkeys(row[x] for row in rows))
    if all(place is None or isinstance(place, int) for place in places):
        assert places == sorted(places, key=lambda place: (place is None, place or 0))
        assert encoding["x"]["sort"] is None  # in the order of the rows


def test_what_has_no_plot_says_so(shapes: Path) -> None:
    with jvmscope.open(shapes) as run:
        with pytest.raises(jvmscope.QueryError, match=r"execution\.totals has no plot"):
            run.measure("execution.totals").plot()
        with pytest.raises(jvmscope.QueryError, match="these are values of 2"):
            run.measure("execution.totals", "recursion.depth").plot()


def test_one_run_need_not_be_a_list(shapes: Path) -> None:
    expected = jvmscope.measure([shapes], "recursion.depth").rows()

    assert list(jvmscope.measure(shapes, "recursion.depth").rows()) == list(expected)
    assert list(jvmscope.measure(str(shapes), "recursion.depth").rows()) != []

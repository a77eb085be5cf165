"""Plots of metrics: each shows its values, and a metric without one says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmscope
from jvmscope.metrics import catalogue

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
        assert shown == expected
    assert spec["encoding"]["y"]["title"]
    assert spec["title"] == catalogue()[metric].name


def test_runs_are_told_apart_by_colour(shapes: Path, tmp_path: Path) -> None:
    (tmp_path / "other.run").symlink_to(shapes)

    spec = jvmscope.measure([shapes, tmp_path / "other.run"], "recursion.depth").plot().to_dict()

    assert spec["encoding"]["color"]["field"] == "run_id"
    assert {row["run_id"] for row in _rows(spec)} == {"shapes", "other"}


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

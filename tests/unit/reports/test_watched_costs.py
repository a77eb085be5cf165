"""The tables of a watch's page that have estimated costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.calibrated import calibration, write_counted, write_sampled

from jvmscope.queries import Engine
from jvmscope.reports.faces.blocks import Grid, Heading, Note
from jvmscope.reports.watched.costs import cost_blocks
from jvmscope.reports.watched.html import render_watch

if TYPE_CHECKING:
    from pathlib import Path


def test_costs_have_a_table_for_each_view(tmp_path: Path) -> None:
    """main: (100*50 + 1000*51)/6 ns of calls, 39 + 354 ns of objects."""
    watch = write_sampled(tmp_path / "a.watch")
    with Engine(
        watch, beside=write_counted(tmp_path / "a.run"), calibration=calibration()
    ) as engine:
        blocks = [*cost_blocks(engine)]
        page = render_watch(engine, (), ())

    by_method, by_called, by_type = (block for block in blocks if isinstance(block, Grid))
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    notes = [block.text for block in blocks if isinstance(block, Note)]
    assert by_method.rows[0] == (
        "app.Main.main", "1,100", "9.3 µs", "19", "393 ns", "9.7 µs", "9.2 µs to 38.3 µs",
    )  # fmt: skip
    assert [row[0] for row in by_called.rows] == ["app.Item.size", "app.Work.make"]
    assert [row[0] for row in by_type.rows] == ["[B", "app.Item"]
    assert notes[0].startswith("1 without is in time.estimated_costs: the form of the")
    assert "calibration of 2026-11-24T00:00:00+00:00, Java 17.0.15, one" in notes[-1]
    assert all(f"<h2>{heading}</h2>" in page for heading in headings)


def test_without_a_calibration_there_are_none(tmp_path: Path) -> None:
    with Engine(write_sampled(tmp_path / "a.watch")) as engine:
        assert [*cost_blocks(engine)] == []

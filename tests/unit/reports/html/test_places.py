"""No page says where runs lie on the machine that it was made on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.reports import made_report
from support.samples import write_shapes
from support.watched_rows import write_watched

from jvmscope.queries import Engine
from jvmscope.reports.building import report_of
from jvmscope.reports.html import render
from jvmscope.reports.watched.html import render_watch

if TYPE_CHECKING:
    from pathlib import Path

_FEW = ("execution.totals", "invocations.calls", "hotness.methods")


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    return [write_shapes(tmp_path / f"{name}.run") for name in ("whole", "damaged")]


@pytest.mark.parametrize("form", ["absolute", "relative"])
@pytest.mark.parametrize("table", ["context", "call_site"])
def test_a_page_with_a_damaged_run_has_no_place(
    runs: list[Path], table: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table is damaged: what cannot be measured says so, and what cannot be drawn."""
    (runs[1] / "tables" / f"{table}.parquet").write_bytes(b"damaged")
    monkeypatch.chdir(tmp_path)
    asked = runs if form == "absolute" else [run.relative_to(tmp_path) for run in runs]
    failures = []
    report = report_of(asked, metrics=_FEW, on_failure=failures.append)
    page = render(report)

    assert failures
    assert "damaged.run" in page
    assert str(tmp_path) not in page
    # what cannot be shown of a run that was measured
    page = render(made_report(2, asked))
    assert "damaged.run" in page
    assert str(tmp_path) not in page


def test_the_page_of_a_watch_run_has_no_place(tmp_path: Path) -> None:
    run = tmp_path / "app.watch"
    write_watched(run)
    with Engine(run) as engine:
        assert str(tmp_path) not in render_watch(engine, ())

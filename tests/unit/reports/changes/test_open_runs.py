"""A comparison opens each of its runs once, and no more than a pair at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes

from jvmscope import cli
from jvmscope.queries import Engine
from jvmscope.reports.changes import open_runs
from jvmscope.reports.changes.open_runs import OpenRuns

if TYPE_CHECKING:
    from pathlib import Path

_BUDGET = """
schema = 1
[[budget]]
quantity = "bytecodes"
method = "*"
max_growth_pct = 50
"""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Engine]:
    """The engines that were opened, in their order."""
    engines: list[Engine] = []

    def open_run(run: Path) -> Engine:
        engines.append(Engine(run))
        return engines[-1]

    monkeypatch.setattr(open_runs, "Engine", open_run)
    return engines


def _is_open(engine: Engine) -> bool:
    try:
        engine.connect()
    except Exception:
        return False
    return True


def test_all_questions_about_a_pair_open_it_once(tmp_path: Path, opened: list[Engine]) -> None:
    before, after = (write_shapes(tmp_path / f"{name}.run") for name in ("before", "after"))
    budget = tmp_path / "budget.toml"
    budget.write_text(_BUDGET)
    condition = "metric = 'execution.methods' AND method LIKE '%Circle%' AND delta > 0"
    gate = ("--fail-if", condition, "--budget", str(budget), "-m", "boxing.allocated")

    assert cli.run(["compare", str(before), str(after), *gate, "--format", "markdown"]) == cli.DONE
    assert [engine.run for engine in opened] == [before, after]
    assert not any(map(_is_open, opened))


def test_no_more_than_a_pair_is_open(tmp_path: Path, opened: list[Engine]) -> None:
    runs = [write_shapes(tmp_path / f"{number}.run") for number in range(3)]

    with OpenRuns() as open_:
        for run in (*runs, runs[2], runs[1]):
            with open_.open(run) as engine:
                assert engine.run == run
        assert [_is_open(engine) for engine in opened] == [False, True, True]
    assert not any(map(_is_open, opened))


def test_large_runs_are_not_kept(
    tmp_path: Path, opened: list[Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write_shapes(tmp_path / "large.run")
    monkeypatch.setattr(open_runs, "_LARGEST_KEPT", 0)

    with OpenRuns() as open_:
        for _ in range(2):
            with open_.open(run) as engine:
                assert _is_open(engine)
            assert not _is_open(engine)
    assert len(opened) == 2

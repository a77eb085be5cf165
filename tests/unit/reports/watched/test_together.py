"""The report of a watch run with a recorded run beside it: `support.beside` has its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.beside import write_recorded, write_watch

from jvmscope import cli
from jvmscope.queries import Engine
from jvmscope.reports.faces.blocks import Grid
from jvmscope.reports.watched.html import render_watch
from jvmscope.reports.watched.together import together_blocks

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def runs(tmp_path: Path) -> tuple[str, str]:
    watched = write_watch(tmp_path / "a.watch")
    return str(watched), str(write_recorded(tmp_path / "a.run"))


def test_what_a_call_and_a_bytecode_take(tmp_path: Path) -> None:
    """2 us a call of 17.2 bytecodes; a condition, and no time at all, divide nothing."""
    watched, recorded = write_watch(tmp_path / "a.watch"), write_recorded(tmp_path / "a.run")
    with Engine(watched, beside=recorded) as engine:
        (grid,) = (block for block in together_blocks(engine) if isinstance(block, Grid))
        page = render_watch(engine, ())

    assert grid.rows == (
        (
            *("app.Work.step when $1 > 0", "1", "9.0 µs", "10", "17.2", ""),
            "the probe has a condition, the counts have none",
        ),
        ("app.Work.step", "4", "2.0 µs", "10", "17.2", "116", ""),
        ("app.Work.idle", "4", "0 s", "3", "1", "0", ""),
    )
    assert '<section id="together">' in page


def test_without_a_recorded_run_there_is_no_such_table(runs: tuple[str, str]) -> None:
    from pathlib import Path

    with Engine(Path(runs[0])) as engine:
        assert list(together_blocks(engine)) == []
        assert 'id="together"' not in render_watch(engine, ())


def test_the_command_line(runs: tuple[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    watched, recorded = runs
    assert cli.run(["report", watched, "--with", recorded, "--format", "markdown"]) == cli.DONE
    assert "## Together with the recorded run" in capfd.readouterr().out

    words = ["measure", watched, "--with", recorded, "--format", "markdown"]
    assert cli.run([*words, "-m", "time.methods"]) == cli.DONE
    shown = capfd.readouterr().out
    assert "116" in shown
    assert "no such method" in shown
    assert cli.run(words) == cli.DONE
    assert "time.processor" in capfd.readouterr().out


@pytest.mark.parametrize("words", [("-m", "samples"), ("--refine",), ("--format", "csv")])
def test_a_part_of_the_page_has_no_run_beside_it(
    words: tuple[str, ...], runs: tuple[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["report", runs[0], "--with", runs[1], *words]) == cli.WRONG
    assert "--with is for the whole page" in capfd.readouterr().err

"""In Python, too, who asks about a run that lacks something is warned, once and at their line."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import pytest
from support.beside import write_watch
from support.runs import RunBuilder
from support.samples import write_folded

import jvmscope
from jvmscope import cli

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_TOTALS = "execution.totals"
_OF_PATHS: dict[str, Callable[[Path], Any]] = {
    "measure": lambda run: jvmscope.measure(run, _TOTALS),
    "measure of two": lambda run: jvmscope.measure([run, run], _TOTALS),
    "compare": lambda run: jvmscope.compare(run, run, _TOTALS),
    "compare_trees": lambda run: jvmscope.compare_trees(run, run, weight="calls"),
}
_OF_RUNS: dict[str, Callable[[jvmscope.api.run.Run], Any]] = {
    "query": lambda run: run.query("SELECT 1"),
    "serialize": lambda run: run.serialize("1"),
    "items": lambda run: [*run.items("1")],
    "measure": lambda run: run.measure(_TOTALS),
    "table": lambda run: run.table("thread"),
    "export": lambda run: run.export("collapsed", run.path / "stacks", force=True),
}
_LACKING = {
    "truncated": "the recording is truncated: disk full",
    "folded": "9 calls are folded into other contexts: the memory limit was reached; stack depths "
    "and recursion are unknown",
}


@pytest.fixture(params=_LACKING)
def lacking(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A run that lacks something, and what the warning says of it."""
    run = tmp_path / "app.run"
    if request.param == "folded":
        write_folded(run, ["the memory limit was reached: calls are folded"])
    else:
        builder = RunBuilder()
        builder.thread("main").call(builder.method("app/Main", "main", blocks=[["return"]]))
        builder.write(run, status="truncated", limits=("disk full",))
    return run, f"{run}: {_LACKING[request.param]}"


@pytest.mark.parametrize("ask", _OF_PATHS.values(), ids=_OF_PATHS)
def test_who_names_a_run_is_warned(ask: Callable[[Path], Any], lacking: tuple[Path, str]) -> None:
    run, notice = lacking
    with pytest.warns(jvmscope.RunWarning) as warned:
        ask(run)
    assert [(str(each.message), each.filename) for each in warned] == [(notice, __file__)]


@pytest.mark.parametrize("ask", _OF_RUNS.values(), ids=_OF_RUNS)
def test_who_asks_an_open_run_is_warned_once(
    ask: Callable[[jvmscope.api.run.Run], Any], lacking: tuple[Path, str]
) -> None:
    path, notice = lacking
    with jvmscope.open(path) as run:
        with pytest.warns(jvmscope.RunWarning) as warned:
            ask(run)
        ask(run)
    assert [(str(each.message), each.filename) for each in warned] == [(notice, __file__)]


@pytest.mark.parametrize("words", [("FROM thread",), ("count($methods)",), ("--explain", "1")])
def test_the_command_warns_like_python(
    words: tuple[str, ...], lacking: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    run, notice = lacking

    assert cli.run(["query", str(run), *words]) == cli.DONE

    assert capsys.readouterr().err == f"warning: {notice}\n"


def test_who_asks_locked_is_not_given_the_path(
    lacking: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    run, _ = lacking

    assert cli.run(["query", str(run), "--locked", "SELECT 1"]) == cli.DONE

    assert capsys.readouterr().err == ""


def test_who_folds_by_choice_is_not_warned(tmp_path: Path) -> None:
    path = write_folded(tmp_path / "app.run", [])
    with warnings.catch_warnings(), jvmscope.open(path) as run:
        warnings.simplefilter("error")
        for of_path in _OF_PATHS.values():
            of_path(path)
        for of_run in _OF_RUNS.values():
            of_run(run)


def test_the_run_beside_a_watch_run_is_looked_at_too(
    lacking: tuple[Path, str], tmp_path: Path
) -> None:
    recorded, notice = lacking
    watched = write_watch(tmp_path / "app.watch")
    with pytest.warns(jvmscope.RunWarning) as warned:
        jvmscope.measure(watched, "time.methods", beside=recorded)
    assert notice in [str(each.message) for each in warned]

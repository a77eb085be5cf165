"""Two watch runs side by side, each with the recording of its program: times and exact counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from support.beside import write_recorded, write_watch

import jvmscope
from jvmscope import cli
from jvmscope.commands.compare import command
from jvmscope.errors import QueryError, RunError
from jvmscope.metrics import catalogue
from jvmscope.metrics.requirements import needs_watch
from jvmscope.schema import ExitFacts, read_manifest, write_manifest

if TYPE_CHECKING:
    from pathlib import Path

_S = 1_000_000_000
_TIMES = {id_ for id_, query in catalogue().items() if needs_watch(query)}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """In the second watch, step takes 3 us a call instead of 2."""
    folder = tmp_path_factory.mktemp("watches")
    slower = [(0, _S, 0, None, False, 4, None, 12_000, 2500, 3500)]
    histogram = [(_S, 0, None, False, 2560, 3072, 4)]
    return {
        "a": write_watch(folder / "a.watch"),
        "b": write_watch(folder / "b.watch", probe_time=slower, probe_histogram=histogram),
        "a_run": write_recorded(folder / "a.run"),
        "b_run": write_recorded(folder / "b.run"),
    }


def _of_step(rows: list[dict[str, Any]]) -> dict[str, tuple[Any, ...]]:
    return {
        row["measure"]: (row["a"], row["b"], row["delta"])
        for row in rows
        if row["metric"] == "time.methods" and (row["name"], row["probe"]) == ("step", "app.Work.*")
    }


def _asked(*words: Any) -> tuple[int, str]:
    """Returns the exit status and what is printed, by the command itself."""
    result = CliRunner().invoke(command, [str(word) for word in words], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.return_value, result.output


def test_times_stand_side_by_side(runs: dict[str, Path]) -> None:
    beside = (runs["a_run"], runs["b_run"])
    table = jvmscope.compare(runs["a"], runs["b"], beside=beside).arrow()

    assert set(table["metric"].to_pylist()) == _TIMES
    step = _of_step(table.to_pylist())
    assert step["ns_per_call"] == (2000, 3000, 1000)
    assert step["recorded_calls"] == (10, 10, 0)
    assert step["ns_per_bytecode"][2] == pytest.approx(1000 / 17.2)


def test_without_a_recording_a_value_says_why(runs: dict[str, Path]) -> None:
    rows = jvmscope.compare(runs["a"], runs["b"], "time.*").arrow().to_pylist()
    processor = [row["delta"] for row in rows if row["metric"] == "time.processor"]
    assert processor
    assert set(processor) == {0}
    methods = [row for row in rows if row["metric"] == "time.methods"]
    assert methods
    assert all("--with" in row["reason"] for row in methods)


def test_the_command_shows_times_and_says_that_they_may_be_chance(runs: dict[str, Path]) -> None:
    words = [runs["a"], runs["b"], "--with", runs["a_run"], runs["b_run"]]
    status, text = _asked(*words, "-m", "time.methods", "--format", "table")
    assert status == cli.DONE
    assert "ns_per_call" in text
    assert "+50" in text
    assert "what is chance" in text


@pytest.mark.parametrize(("most", "expected"), [(40, cli.NO), (60, cli.DONE)])
def test_a_gate_judges_times(runs: dict[str, Path], most: int, expected: int) -> None:
    condition = f"measure = 'ns_per_call' AND name = 'step' AND delta_pct > {most}"
    words = [runs["a"], runs["b"], "--with", runs["a_run"], runs["b_run"], "-m", "time.methods"]
    allowed = ["--allow", "unchecked"]  # of the probe that only A has
    status, text = _asked(*words, "--fail-if", condition, *allowed)
    assert status == expected, text


@pytest.mark.parametrize(
    ("ended", "text"),
    [
        (None, None),  # of a VM that ran already
        (ExitFacts("exited", 0), None),
        (ExitFacts("exited", 3), "the program ended with exit status 3"),
        (ExitFacts("exited", 137), "the program ended with exit status 137 (SIGKILL)"),
        (ExitFacts("killed", signal=9), "the program was killed by SIGKILL"),
    ],
)
def test_a_command_that_failed_passes_no_gate(
    tmp_path: Path, ended: ExitFacts | None, text: str | None
) -> None:
    runs = [write_watch(tmp_path / f"{name}.watch") for name in "ab"]
    write_manifest(runs[1], replace(read_manifest(runs[1]), exit=ended))
    words = [*runs, "-m", "time.processor", "--fail-if", "delta > 0", "--allow", "unchecked"]
    status, said = _asked(*words)
    allowed, _ = _asked(*words, "--allow", "failed-program")

    assert (status, allowed) == (cli.DONE if text is None else cli.NO, cli.DONE)
    assert text is None or text in said


@pytest.mark.parametrize(
    ("column", "name"), [("class_name", "app/Wrok"), ("name", "stap"), ("probe", "app.Wrok.*")]
)
def test_a_condition_on_what_has_no_probe_is_an_error(
    runs: dict[str, Path], column: str, name: str
) -> None:
    words = [runs["a"], runs["b"], "--with", runs["a_run"], runs["b_run"], "-m", "time.methods"]
    condition = f"{column} = '{name}' AND delta_pct > 5"
    with pytest.raises(QueryError, match=f"neither side has an? .*'{name}'"):
        _asked(*words, "--fail-if", condition)


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "jsonl", "json", "parquet"])
def test_every_format_is_written(runs: dict[str, Path], form: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = [runs["a"], runs["b"], "--with", runs["a_run"], runs["b_run"]]
    assert _asked(*words, "--format", form, "-o", out)[0] == cli.DONE
    assert out.stat().st_size


def test_a_watch_run_is_not_compared_with_a_recording(runs: dict[str, Path]) -> None:
    for a, b in (("a", "a_run"), ("a_run", "a")):
        with pytest.raises(RunError, match=r"is a watch run and .* is not"):
            jvmscope.compare(runs[a], runs[b])


def test_a_recording_beside_recordings_is_refused(
    runs: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", runs["a_run"], runs["b_run"], "--with", runs["a_run"], runs["b_run"]]
    assert cli.run([str(word) for word in words]) == cli.WRONG
    assert "--with is for two watch runs" in capsys.readouterr().err


def test_python_says_it_in_its_own_words(runs: dict[str, Path]) -> None:
    beside = (runs["a_run"], runs["b_run"])
    with pytest.raises(RunError, match=r"^beside is for two watch runs"):
        jvmscope.compare(runs["a_run"], runs["b_run"], beside=beside)


def test_one_watch_has_no_two_recordings(runs: dict[str, Path]) -> None:
    with pytest.raises(RunError, match="cannot have two recorded runs"):
        jvmscope.compare(runs["a"], runs["a"], beside=(runs["a_run"], runs["b_run"]))
    same = jvmscope.compare(runs["a"], runs["a"], beside=(runs["a_run"], runs["a_run"])).arrow()
    assert _of_step(same.to_pylist())["ns_per_call"] == (2000, 2000, 0)


@pytest.mark.parametrize("options", [("--tree",), ("--scope", "application")])
def test_what_watches_have_not_is_one_error(
    runs: dict[str, Path], options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", "--progress", "none", str(runs["a"]), str(runs["b"]), *options]
    assert cli.run(words) == cli.WRONG
    told = capsys.readouterr()
    assert "watch" in told.err
    assert "Traceback" not in told.err
    assert told.out == ""


@pytest.mark.parametrize(
    ("facts", "status", "text"),
    [
        ({"status": "truncated", "limits": ["the JVM was killed"]}, cli.LIMITED, "is truncated"),
        ({"exit": ExitFacts("exited", 3)}, cli.NO, "the program ended with exit status 3"),
    ],
)
def test_a_recording_beside_a_watch_that_is_a_part_passes_no_gate(
    runs: dict[str, Path], tmp_path: Path, facts: dict[str, Any], status: int, text: str
) -> None:
    """GIVEN counts that are too small beside a watch, THEN times by count are judged by none."""
    part = write_recorded(tmp_path / "part.run")
    write_manifest(part, replace(read_manifest(part), **facts))
    words = [runs["a"], runs["b"], "-m", "time.methods", "--fail-if", "delta_pct > 99"]
    words += ["--allow", "unchecked"]

    assert _asked(*words, "--with", runs["a_run"], runs["b_run"])[0] == cli.DONE
    for beside in ((runs["a_run"], part), (part, runs["b_run"])):
        assert _asked(*words, "--with", *beside)[0] == status
        assert text in _asked(*words, "--with", *beside)[1]

"""Watch runs and studies in Python have the values that the command line has."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest
from support.planted_studies import Planted, write_planted
from support.samples import write_shapes
from support.watched_rows import write_watched

import jvmscope
from jvmscope import cli

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from jvmscope.queries import Result

Captured = pytest.CaptureFixture[str]

_PAIR = "samples{/Code/interpreter}"
_ASKED: Mapping[str, tuple[list[str], tuple[str, ...], dict[str, Any]]] = {
    "nothing": ([], (), {}),
    "pairs": (["-m", _PAIR, "-m", "cpu_time"], (_PAIR, "cpu_time"), {}),
    "search": (["--refine"], (), {"refine": ""}),
    "search of one": (["--refine", "lock_wait_time"], (), {"refine": "lock_wait_time"}),
    "a threshold": (
        ["--refine=samples", "--refine-threshold=1"],
        (),
        {"refine": "samples", "refine_threshold": 1},
    ),
    "a budget": (
        ["--refine=lock_wait_time", "--refine-budget=1"],
        (),
        {"refine": "lock_wait_time", "refine_budget": 1},
    ),
}


def _cells(result: Result, file: Path) -> list[list[str]]:
    jvmscope.write(result, file, force=True)
    return list(csv.reader(io.StringIO(file.read_text())))


def _printed(capsys: Captured, *words: str) -> list[list[str]]:
    assert cli.run(["report", *words, "--format", "csv", "--progress", "none"]) == cli.DONE
    return list(csv.reader(io.StringIO(capsys.readouterr().out)))


@pytest.mark.parametrize("asked", _ASKED)
def test_a_watch_run_has_the_same_values(asked: str, tmp_path: Path, capsys: Captured) -> None:
    write_watched(run := tmp_path / "a.watch")
    words, pairs, keywords = _ASKED[asked]
    printed = _printed(capsys, str(run), *words)

    assert len(printed) > 1
    assert _cells(jvmscope.report_watch(run, *pairs, **keywords), tmp_path / "a.csv") == printed


def test_a_study_has_the_same_numbers(tmp_path: Path, capsys: Captured) -> None:
    study = write_planted(tmp_path / "shop.study", Planted())
    report = jvmscope.report_study(study)

    assert _cells(report.rows(), tmp_path / "a.csv") == _printed(capsys, str(study))
    assert dict(report.facts)["command"] == "java -cp shop.jar shop.Main"
    assert report._repr_markdown_().startswith("# Overhead of dynamic probes: shop.study")
    with pytest.raises(jvmscope.QueryError, match="none"):
        jvmscope.report_study(study, method="none")


@pytest.mark.parametrize(
    ("pairs", "keywords", "error", "message"),
    [
        (("none",), {}, jvmscope.QueryError, "none"),
        ((), {"refine": "none"}, jvmscope.QueryError, "none"),
        (("samples",), {"refine": ""}, jvmscope.QueryError, "give no pairs to refine"),
        ((), {"refine_threshold": 0}, ValueError, "at most 1, not 0"),
        ((), {"refine_threshold": float("nan")}, ValueError, "not nan"),
        ((), {"refine_budget": 0}, ValueError, "at least 1 focus, not 0"),
        (("samples",), {"beside": "b.run"}, jvmscope.QueryError, "leave it out"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    pairs: tuple[str, ...],
    keywords: dict[str, Any],
    error: type[Exception],
    message: str,
    tmp_path: Path,
) -> None:
    write_watched(run := tmp_path / "a.watch")

    with pytest.raises(error, match=message):
        jvmscope.report_watch(run, *pairs, **keywords)


def test_a_run_of_another_kind_is_refused(tmp_path: Path) -> None:
    write_shapes(run := tmp_path / "a.run")
    write_watched(watch := tmp_path / "a.watch")

    with pytest.raises(jvmscope.RunError, match=r"a recorded run; expected a watch run"):
        jvmscope.report_watch(run)
    with pytest.raises(jvmscope.RunError, match=r"not a study"):
        jvmscope.report_study(watch)

"""``jvmscope report``: which page, of what, in which form, and how it ends."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes

import jvmscope
from jvmscope import cli
from jvmscope.suite import Row, Suite, write_suite

if TYPE_CHECKING:
    from pathlib import Path

Captured = pytest.CaptureFixture[str]
_FEW = ("-m", "execution.totals", "-m", "invocations.calls", "--progress", "none")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suites") / "shapes"
    folder.mkdir()
    runs = {f"{n}-1": write_shapes(folder / f"{n}-1.run", n_circles=n) for n in (6, 16, 26)}
    rows = [
        Row(name, name.removesuffix("-1"), "recorded", run=run, runs=(run,))
        for name, run in runs.items()
    ]
    write_suite(Suite("shapes", folder, (*rows, Row("lost-1", "lost", "timeout", "after 1 s"))))
    return folder


def _page(captured: Captured, *words: str) -> str:
    assert cli.run(["report", *words]) == cli.DONE
    return captured.readouterr().out


def test_a_suite_at_a_glance(suite: Path, capsys: Captured) -> None:
    page = _page(capsys, str(suite), *_FEW)

    assert page.startswith("# shapes\n")
    assert "- shapes: of 4 benchmarks 1 have no values: 1 timeout" in page
    assert "| lost | timeout: after 1 s |" in page
    assert "| execution.totals.n_executions | execution | 3 | 22 | 6 | 32 | 42 | 26 |" in page


def test_the_ranks_of_a_benchmark(suite: Path, capsys: Captured) -> None:
    page = _page(capsys, str(suite), "table", "--subject", "16", *_FEW)

    assert page.startswith("# shapes: 16\n")
    assert "| n_executions | execution | 32 | 2 of 3 | 22 | 32 | 42 |" in page


def test_a_few_subjects_side_by_side(suite: Path, capsys: Captured) -> None:
    page = _page(capsys, str(suite), "table", *_FEW)

    assert "| measure | unit | 6 | 16 | 26 | lost | n | minimum | median | maximum |" in page
    assert "| n_executions | execution | 22 | 32 | 42 |  | 3 | 22 | 32 | 42 |" in page
    assert "No value (4): timeout: after 1 s." in page


def test_a_terminals_form_can_be_asked_for(suite: Path, capsys: Captured) -> None:
    page = _page(capsys, str(suite), "plot", "--format", "table", *_FEW)

    assert "█ invokevirtual   ▓ invokeinterface" in page
    assert "\x1b" not in page


def test_components_and_clusters(suite: Path, capsys: Captured) -> None:
    page = _page(capsys, str(suite), "pca", *_FEW)

    assert "Smallest subset: " in page
    assert "no smaller one exists" in page
    wide = _page(capsys, str(suite), "pca", "--within", "9", *_FEW)
    assert "Smallest subset: 1 of 3 subjects" in wide
    other = _page(capsys, str(suite), "pca", "--features", "invocations.calls.share", *_FEW)
    assert "Features: invocations.calls.share" in other


def test_data_for_programs(suite: Path, capsys: Captured, tmp_path: Path) -> None:
    document = json.loads(_page(capsys, str(suite), "--format", "json", *_FEW))
    rows = list(csv.DictReader(io.StringIO(_page(capsys, str(suite), "--format", "csv", *_FEW))))
    file = tmp_path / "values.parquet"

    assert (document["schema"], document["title"]) == (1, "shapes")
    assert {row["subject"] for row in rows} == {"6", "16", "26", "lost"}
    assert {row["rank"] for row in rows if row["subject"] == "lost"} == {""}
    _page(capsys, str(suite), "-o", str(file), *_FEW)
    assert file.stat().st_size > 0


def test_a_page_for_a_browser(suite: Path, capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    _page(capsys, str(suite), "-o", str(file), *_FEW)

    assert file.read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html>")
    assert cli.run(["report", str(suite), "html", "-o", str(file), *_FEW]) == cli.WRONG
    assert "--force" in capsys.readouterr().err


def test_the_tree_of_one_run(suite: Path, capsys: Captured) -> None:
    page = _page(capsys, str(suite), "tree", "--subject", "6", "--weight", "calls")

    assert "  27.3   27.3  ├─app.Circle.area()" in page  # 6 of 22
    assert cli.run(["report", str(suite), "tree"]) == cli.WRONG
    assert "choose it with --subject" in capsys.readouterr().err
    assert cli.run(["report", str(suite), "tree", "--subject", "lost"]) == cli.WRONG
    assert "lost has no run: timeout, after 1 s" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--subject", "16"], "--subject only applies to table and tree"),
        (["--param", "r=2"], "--param and --cost-model are for tree"),
        (["table", "--subject", "116"], 'did you mean "16"?'),
        (["plot", "--format", "csv"], "csv is for table"),
        (["tree", "--subject", "6", "--format", "json"], "jvmscope export RUN csv"),
        (["-m", "execution.total"], 'did you mean "execution.totals"?'),
        (["--features", "nothing.there"], "is not a metric's column"),
        (["--within", "-1"], "--within"),
        (["sumary"], 'sumary: there is no such run, and no such page; did you mean "summary"?'),
        (["--scope", "thread:nobody"], "nobody"),
    ],
)
def test_what_cannot_be_shown(suite: Path, capsys: Captured, words: list[str], said: str) -> None:
    assert cli.run(["report", str(suite), *words, "--progress", "none"]) == cli.WRONG
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [["tree"], ["tree", "a.run"], ["a.run", "tree", "b.run"]])
def test_a_page_before_its_runs(capsys: Captured, words: list[str]) -> None:
    assert cli.run(["report", *words]) == cli.WRONG
    assert "tree: the page comes last, after a run or suite" in capsys.readouterr().err


def test_a_path_may_be_called_like_a_page(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_shapes(tmp_path / "plot")

    assert _page(capsys, "plot", *_FEW).startswith("# plot\n")


def test_the_python_interface(suite: Path) -> None:
    report = jvmscope.report([suite], "execution.totals")

    assert [subject.name for subject in report.subjects] == ["6", "16", "26", "lost"]
    (metric,) = report.metrics
    assert [cell.rank for cell in metric.measures[0].cells] == [3, 2, 1, None]

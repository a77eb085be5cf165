"""A study with planted effects: the report finds these, and nothing else."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from support.planted_studies import Planted, write_planted, write_study

from jvmscope import cli
from jvmscope.reports.study import StudyReport, study_report
from jvmscope.watch.study import Study

if TYPE_CHECKING:
    from pathlib import Path

Captured = pytest.CaptureFixture[str]

_PLANTED = Planted(slowed={2: 1.2, 4: 0.9}, drift=1.1)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_planted(tmp_path_factory.mktemp("planted") / "shop.study", _PLANTED)


@pytest.fixture(scope="module")
def report(study: Path) -> StudyReport:
    return _reported(study)


def _reported(study: Path) -> StudyReport:
    with Study(study).connect() as connection:
        return study_report(connection, title=study.name)


def _values(report: StudyReport) -> dict[str, float | None]:
    return {each.name: each.value for question in report.questions for each in question.answers}


def test_the_planted_overhead(report: StudyReport) -> None:
    found = _values(report)

    for part in ("minimum", "median", "maximum"):
        assert found[f"accuracy.difference.{part}"] == 1500
    assert found["accuracy.n_pairs"] == found["accuracy.n_dynamic_outside"] == 6 * 2 * 100
    for part in ("ambiguous_static", "ambiguous_dynamic", "crossing", "unpaired_static"):
        assert found[f"accuracy.n_{part}"] == 0
    assert found["stability.interquartile_range"] == 0
    assert found["stability.anova.f"] == pytest.approx(0)
    assert found["stability.anova.p"] == 1


def test_the_slowed_and_the_quickened_method(report: StudyReport) -> None:
    found = _values(report)

    ratios = [each.during_ratio for each in report.observed]
    assert ratios == pytest.approx([1, 1, 1.2, 1, 0.9, 1], abs=1e-5)
    is_significant = [each.p is not None and each.p < 0.05 for each in report.observed]
    assert is_significant == [False, False, True, False, True, False]
    assert found["during.slower_share"] == found["during.faster_share"] == 1 / 6


def test_the_drift_of_the_control(report: StudyReport) -> None:
    found = _values(report)

    for part in ("minimum", "median", "maximum"):
        assert found[f"launch.ratio.{part}"] == pytest.approx(1)
        assert found[f"control.ratio.{part}"] == pytest.approx(1 / 1.1, abs=1e-5)
    shares = [
        found[f"{name}.{part}_share"]
        for name in ("launch", "control")
        for part in ("slower", "faster")
    ]
    assert shares == [0, 0, 1, 0]


def test_the_busy_compiler_and_processors(report: StudyReport) -> None:
    found = _values(report)

    assert found["insertion.median"] == 4.5e9  # of 2 s to 7 s
    assert found["removal.median"] == 2.25e9
    # Every cycle has two readings, so the small differences are 0.001 · (n % 5) in turn.
    assert found["utilization.difference"] == pytest.approx(0.02 - 0.001, abs=1.5e-3)
    assert found["utilization.p"] is not None
    assert found["utilization.p"] < 1e-4


def test_overhead_that_depends_on_the_method(tmp_path: Path) -> None:
    study = write_planted(tmp_path / "a.study", Planted(n_methods=11, overhead_step_ns=1_000))

    found = _values(_reported(study))

    # 1.5 µs, 2.5 µs, … 11.5 µs; two methods are above 10 µs.
    assert found["accuracy.difference.maximum"] == 11_500
    assert found["stability.interquartile_range"] == 5_000
    assert found["stability.range_by_median"] == pytest.approx(5 / 6.5)
    assert found["stability.anova_short.n_methods"] == 9
    for name in ("stability.anova", "stability.anova_short"):
        assert found[f"{name}.p"] == pytest.approx(0, abs=1e-100)
        share = found[f"{name}.between_share"]
        assert share is not None
        assert share > 0.99


def test_each_missing_value_has_a_reason(tmp_path: Path) -> None:
    """One cycle, in which nothing was seen: no pairs, no ratios, no control, no utilisation."""
    rows: dict[str, list[tuple[Any, ...]]] = {
        "restart": [(0, False, 0, 0)],
        "study_method": [(0, "a/A", "f", "()V", 100, True)],
        "cycle": [(0, 0, 0, 1, None, 2, None, "the time-out was over first")],
        "reading": [(0, 0, 0, "S6", 1, 2, None), (1, 0, 0, "S8", 3, 4, None)],
    }
    report = _reported(write_study(tmp_path / "a.study", rows))

    answers = [each for question in report.questions for each in question.answers]
    assert all((each.value is None) == (each.reason is not None) for each in answers)
    with_value = {each.name for each in answers if each.value is not None}
    assert {name for name in with_value if ".n_" not in name} == {
        "insertion.timed_out_share",
        "removal.timed_out_share",
    }
    figures = [each for question in report.questions for each in question.figures]
    assert [each.number for each in figures] == [*range(5, 13)]
    assert all(not each.charts and each.reason for each in figures)


def test_figures_have_every_value(report: StudyReport) -> None:
    figures = {each.number: each for question in report.questions for each in question.figures}

    assert [*figures] == [*range(5, 13)]
    for number, n in {5: 6, 7: 6, 9: 6, 10: 6}.items():
        (chart,) = figures[number].charts
        assert sum(map(sum, chart.counts)) == n  # type: ignore[union-attr]
    significant, _ = figures[7].charts[0].counts  # type: ignore[union-attr]
    assert sum(significant) == 2
    static, dynamic = figures[8].charts[0].series  # type: ignore[union-attr]
    assert (len(static.points), len(dynamic.points)) == (400, 200)  # type: ignore[union-attr]


def test_page_in_markdown(study: Path, capsys: Captured) -> None:
    assert cli.run(["report", str(study), "--method", "m2", "--progress", "none"]) == cli.DONE

    page = capsys.readouterr().out
    assert page.startswith("# Overhead of dynamic probes: shop.study\n")
    assert "| average difference | 1.5 µs | 1.5 µs | 1.5 µs | 1.5 µs | 1.5 µs |" in page
    assert "| in the paper | 76 ns |  | 1.34 µs |  | 166.1 ms |" in page
    assert "### Figure 8: shop.Main.m2 during dynamic measurement" in page
    assert "| JVM | OpenJDK 64-Bit Server VM 17.0.1 |" in page


def test_page_for_the_browser(study: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    assert cli.run(["report", str(study), "-o", str(page), "--progress", "none"]) == cli.DONE

    text = page.read_text(encoding="utf-8")
    svgs = re.findall(r'<svg class="chart".*?</svg>', text, re.DOTALL)
    assert len(svgs) == 10  # figures 11 and 12 have two each
    n_circles = sum(len(ET.fromstring(each).findall("circle")) for each in svgs)  # noqa: S314
    assert n_circles == 6 + 400 + 200  # figures 6 and 8
    assert "<script" not in text
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", text)


def test_numbers_for_programs(study: Path, capsys: Captured) -> None:
    for form in ("csv", "json"):
        assert cli.run(["report", str(study), "--format", form, "--progress", "none"]) == cli.DONE
    table, _, document = capsys.readouterr().out.partition("\n{")

    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(table))}
    median = rows["accuracy.difference.median"]
    assert (median["question"], median["unit"]) == ("Q1", "ns")
    assert (float(median["value"]), float(median["paper"])) == (1500, 1340)
    assert rows["methods.static"]["question"] == ""
    whole = json.loads("{" + document)
    assert whole["schema"] == 1
    assert [each["name"] for each in whole["questions"]] == [f"Q{n}" for n in range(1, 7)]


def test_studies_side_by_side(study: Path, tmp_path: Path, capsys: Captured) -> None:
    other = write_planted(tmp_path / "bank.study", Planted(n_methods=11, overhead_step_ns=1_000))

    words = ["report", str(study), str(other), "--progress", "none"]
    assert cli.run(words) == cli.DONE
    page = capsys.readouterr().out
    assert cli.run([*words, "--format", "csv"]) == cli.DONE
    rows = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]

    assert "|  |  | shop.study | bank.study | the paper |\n" in page
    assert "| Q1 | largest average difference | 1.5 µs | 11.5 µs | 166.1 ms |\n" in page
    for path in (study, other):
        values = _values(_reported(path))
        mine = [row for row in rows if row["study"] == path.name and row["question"]]
        told = {row["name"]: float(row["value"]) if row["value"] else None for row in mine}
        assert told == values


def test_what_limits_a_study_comes_first(tmp_path: Path, capsys: Captured) -> None:
    rows: dict[str, list[tuple[Any, ...]]] = {
        "restart": [(0, False, 0, 0)],
        "study_method": [(0, "a/A", "f", "()V", 100, True)],
        "cycle": [(0, 0, 0, 1, None, 2, None, "no probe could be put in: it is native")],
    }
    study = write_study(tmp_path / "a.study", rows, state="interrupted", reading=6.0)

    assert cli.run(["report", str(study), "--progress", "none"]) == cli.DONE

    first = capsys.readouterr().out.splitlines()[2:5:2]
    assert first[0].startswith("*the study is not complete (interrupted)")
    assert first[1].startswith("*shorter than in the paper: --reading; ")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([], 2, "no method was observed to the end yet"),
        (["plot"], 2, "plot: a study has the page html, and one without a name"),
        (["--scope", "application"], 2, "--scope does not apply to a study"),
        (["-m", "execution.totals"], 2, "--metric does not apply to a study"),
    ],
)
def test_errors(
    tmp_path: Path, capsys: Captured, words: list[str], status: int, message: str
) -> None:
    study = write_study(tmp_path / "a.study", {"restart": [(0, False, 0, 0)]}, state="running")

    assert cli.run(["report", str(study), *words]) == status
    assert message in capsys.readouterr().err


def test_errors_of_paths(study: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "b.study").mkdir()

    for words in (["html"], ["--format", "json"], ["--method", "m2"]):
        assert cli.run(["report", str(study), str(study), *words]) == 2
        assert "html, json and --method are for one study: give one" in capsys.readouterr().err
    assert cli.run(["report", str(study), str(tmp_path / "b.study")]) == 2
    assert "b.study: not a study: it has no study.json" in capsys.readouterr().err
    assert cli.run(["report", str(tmp_path / "b.study")]) == 2
    assert "not a study: it has no study.json" in capsys.readouterr().err
    assert cli.run(["report", str(study), "--method", "m7"]) == 2
    assert "no observed method is called 'm7'" in capsys.readouterr().err

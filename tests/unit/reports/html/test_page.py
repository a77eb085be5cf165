"""The page as a browser gets it: whole, inert where names are others', and with nothing to load."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from lxml import html
from support.reports import made_report
from support.runs import RunBuilder
from support.samples import write_shapes

from jvmscope.reports.html import WEIGHTS, render

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.reports.model import Report

_HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "\"'><svg onload=alert(1)>",
    "$policy ${title} \\u003c \u2028 \U0001f600",
    "--accent",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with names that are markup."""
    builder = RunBuilder()
    methods = [builder.method(f"p/{name}", name, blocks=[["return"]]) for name in _HOSTILE]
    node = builder.thread(_HOSTILE[0])
    for method in methods:
        node = node.call(method, calls=3)
    return builder.write(tmp_path_factory.mktemp("runs") / "hostile.run")


@pytest.fixture(scope="module")
def report(run: Path) -> Report:
    return made_report(20, [run], names=_HOSTILE, title=_HOSTILE[0])


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return render(report)


@pytest.fixture(scope="module")
def document(page: str) -> Any:
    return html.document_fromstring(page)


def _data(document: Any, block: str) -> Any:
    (element,) = document.xpath(f"//script[@id='{block}']")
    return json.loads(element.text)


def test_markup_holds_nothing_but_ours(document: Any) -> None:
    assert document.xpath("count(//script)") == 3
    assert not document.xpath("//img | //svg | //iframe | //object | //embed | //base | //form")
    assert not document.xpath("//@*[starts-with(name(), 'on') or name() = 'style']")
    assert document.xpath("string(//title)") == document.xpath("string(//h1)") == _HOSTILE[0]


def test_nothing_is_loaded(document: Any) -> None:
    assert not document.xpath("//@src")
    links = document.xpath("//@href")
    assert set(links) == {"data:,", "#main"}


def test_the_policy_names_the_scripts_and_the_style(document: Any) -> None:
    (policy,) = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    code = document.xpath("//script[not(@type)]/text()")

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert rules == {
        "default-src": "'none'",
        "script-src": " ".join(map(digest, code)),
        "style-src": digest(document.xpath("string(//style)")),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_names_arrive_as_they_are(document: Any, report: Report) -> None:
    data = _data(document, "report")
    assert data["title"] == _HOSTILE[0]
    assert [subject["name"] for subject in data["subjects"][:5]] == list(_HOSTILE)
    shown = {frame[0] for frame in data["frames"]}
    assert _HOSTILE[0] in shown  # the thread
    # A method's name is shown as it is; in its class, a slash of the JVM is a dot.
    assert {f"p.{name.replace('/', '.')}.{name}()" for name in _HOSTILE} <= shown


def test_values_are_those_of_the_report(document: Any, report: Report) -> None:
    data = _data(document, "report")
    assert [metric["id"] for metric in data["metrics"]] == [metric.id for metric in report.metrics]
    for shown, metric in zip(data["metrics"], report.metrics, strict=True):
        assert shown["description"] == metric.description
        for row, measure in zip(shown["measures"], metric.measures, strict=True):
            assert row["values"] == [cell.value for cell in measure.cells]
            assert row["ranks"] == [cell.rank for cell in measure.cells]
            assert row["range"] == [measure.minimum, measure.median, measure.maximum]
            reasons = {int(i): data["reasons"][reason] for i, reason in row["reasons"].items()}
            assert reasons == {
                i: cell.reason for i, cell in enumerate(measure.cells) if cell.reason is not None
            }


def test_the_variance_by_component_is_that_of_the_report(document: Any) -> None:
    assert _data(document, "plots")["scree"]["chart"] == {
        "kind": "scree",
        "numbers": [1, 2, 3],
        "shares": [0.41, 0.22, 0.11],
        "cumulative": [0.41, 0.63, 0.74],
    }


def test_a_failed_benchmark_is_a_row_without_values(document: Any) -> None:
    failed = _data(document, "report")["subjects"][11]
    assert (failed["status"], failed["isMeasured"], failed["facts"]) == ("failed", False, [])
    assert "exit status 1" in failed["reason"]


def test_every_tree_adds_up(document: Any) -> None:
    data = _data(document, "report")
    assert list(data["runs"]) == ["0"]
    for run in data["runs"].values():
        assert run["weights"] == [
            ["calls", "call"],
            ["bytecodes", "bytecode"],
            ["cycles", "cycle"],
        ]
        assert [sum(own) for own in run["tree"]["own"][:2]] == [15, 15]


@pytest.mark.parametrize(
    ("weights", "shown"),
    [(None, ["calls", "bytecodes"]), (WEIGHTS, ["calls", "bytecodes", "cycles"])],
)
def test_cycles_of_several_runs_are_asked_for(
    run: Path, weights: tuple[str, ...] | None, shown: list[str]
) -> None:
    page = render(made_report(2, [run, run]), weights=weights)
    runs = _data(html.document_fromstring(page), "report")["runs"]
    assert [[name for name, _ in each["weights"]] for each in runs.values()] == [shown, shown]


def test_the_nodes_of_a_page_are_limited(run: Path, tmp_path: Path) -> None:
    shapes = write_shapes(tmp_path / "shapes.run")
    page = render(made_report(3, [run, shapes, run]), weights=("calls",), max_nodes=16)
    runs = _data(html.document_fromstring(page), "report")["runs"]
    trees = [each["tree"] for each in runs.values()]
    assert [len(tree["parents"]) for tree in trees] == [5, 6, 5]
    assert [sum(tree["own"][0]) for tree in trees] == [15, 22, 15]


def test_where_runs_lie_is_not_told(page: str, run: Path) -> None:
    assert str(run.parent) not in page


def test_what_cannot_be_opened_is_told(report: Report, tmp_path: Path) -> None:
    gone = replace(report.subjects[0], run=tmp_path / "gone.run")
    page = render(replace(report, subjects=(gone, *report.subjects[1:])), weights=("calls",))
    data = _data(html.document_fromstring(page), "report")
    assert "0" not in data["runs"]
    assert "gone.run" in data["untold"]["0"]


def test_a_report_without_values_is_a_page(run: Path) -> None:
    bare = replace(made_report(1, [run]), curves=(), stacks=(), metrics=(), details=())
    page = render(bare, weights=("calls",))
    document = html.document_fromstring(page)
    assert _data(document, "plots") == {}

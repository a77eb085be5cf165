"""Reports of runs and suites, from their directories: values as worked out on paper."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from support.runs import RunBuilder
from support.samples import write_empty, write_shapes

from jvmscope.errors import QueryError, RunError
from jvmscope.metrics.cache import store
from jvmscope.queries import parse_scope
from jvmscope.reports.building import report_of
from jvmscope.reports.plain import to_json, to_table
from jvmscope.reports.subjects import subjects_of
from jvmscope.suite import Row, Suite, write_suite

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.metrics.measure import Failure
    from jvmscope.reports.model import Measure, Report

_METRICS = ("execution.totals", "invocations.calls", "polymorphism.*", "instructions.mix")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of three shapes with 6, 16 and 6 circles, of which one failed on another JVM."""
    folder = tmp_path_factory.mktemp("suites") / "shapes"
    folder.mkdir()
    runs = {
        name: write_shapes(folder / f"{name}.run", n_circles=n)
        for name, n in {"few-17-1": 6, "many-17-1": 16, "few-17-2": 6, "same-17-1": 6}.items()
    }
    rows = (
        _row("few-17-1", runs["few-17-1"]),
        _row("few-17-2", runs["few-17-2"], invocation=2),
        Row("few-25-1", "few", "failed", "exit status 1", jvm="25"),
        _row("many-17-1", runs["many-17-1"]),
        _row("same-17-1", runs["same-17-1"]),
    )
    write_suite(Suite("shapes", folder, rows))
    return folder


def _row(name: str, run: Path, invocation: int = 1) -> Row:
    benchmark = name.partition("-")[0]
    return Row(name, benchmark, "recorded", run=run, runs=(run,), jvm="17", invocation=invocation)


@pytest.fixture(scope="module")
def report(suite: Path) -> Report:
    return report_of([suite], metrics=_METRICS)


def _measure(report: Report, id_: str) -> Measure:
    found = [*(m for metric in report.metrics for m in metric.measures)]
    found += [segment for stack in report.stacks for segment in stack.segments]
    return next(measure for measure in found if measure.id == id_)


def test_a_benchmark_is_a_subject_once(report: Report) -> None:
    names = [(subject.name, subject.benchmark, subject.jvm) for subject in report.subjects]

    assert names == [
        ("few-17", "few", "17"),
        ("few-25", "few", "25"),
        ("many-17", "many", "17"),
        ("same-17", "same", "17"),
    ]
    assert report.title == "shapes"
    assert "of several invocations the first recorded one is shown" in " ".join(report.notes)
    assert "shapes: of 4 benchmarks 1 have no values: 1 failed" in report.notes


def test_values_ranks_and_statistics(report: Report) -> None:
    """10 circles more are 10 calls more: 22 and 32 executions."""
    measure = _measure(report, "execution.totals.n_executions")

    assert [cell.value for cell in measure.cells] == [22, None, 32, 22]
    assert [cell.rank for cell in measure.cells] == [2, None, 1, 2]
    assert (measure.n, measure.minimum, measure.median, measure.maximum) == (3, 22, 22, 32)


def test_what_failed_has_a_status_and_no_values(report: Report) -> None:
    subject = report.subjects[1]

    assert (subject.status, subject.reason, subject.is_measured) == (
        "failed",
        "exit status 1",
        False,
    )
    cells = [m.cells[1] for metric in report.metrics for m in metric.measures]
    cells += [segment.cells[1] for stack in report.stacks for segment in stack.segments]
    assert {cell.value for cell in cells} == {None}
    assert {cell.reason for cell in cells} == {"failed: exit status 1"}
    assert {cell.rank for cell in cells} == {None}


def test_keys_are_measures(report: Report) -> None:
    """Interface calls: 6 + 4 of 17, and 16 + 4 of 27 (main, add: the VM; log; grow: 5)."""
    measure = _measure(report, "invocations.calls.n_calls[invokeinterface]")

    assert measure.key == "invokeinterface"
    assert [cell.value for cell in measure.cells] == [10, None, 20, 10]


def test_a_stack_adds_up_to_one(report: Report) -> None:
    """Of 16 dispatched calls 10 are at the site with two targets; of 26, 20."""
    shares = _measure(report, "polymorphism.targets.calls[2]")

    assert [cell.value for cell in shares.cells] == [10 / 16, None, 20 / 26, 10 / 16]
    for stack in report.stacks:
        for index, total in enumerate(stack.totals):
            values = [segment.cells[index].value for segment in stack.segments]
            if total:
                assert sum(value or 0 for value in values) == pytest.approx(1), stack.id
            else:
                assert set(values) == {None}, stack.id


def test_what_was_not_recorded_is_absent_with_the_reason(report: Report) -> None:
    metric = next(m for m in report.metrics if m.id == "polymorphism.receiver_density")
    reasons = {cell.reason for measure in metric.measures for cell in measure.cells}

    assert {measure.n for measure in metric.measures} == {0}
    assert any("--probes receivers" in (reason or "") for reason in reasons)


def test_equal_programs_are_in_one_cluster(report: Report) -> None:
    assert [score is None for score in report.components.scores] == [False, True, False, False]
    assert [cluster.members for cluster in report.clusters.clusters] == [(0, 3), (2,)]
    subset = report.clusters.subset
    assert subset is not None
    assert subset.subjects == (0, 2)
    assert subset.representatives == (0, None, 2, 0)


def test_every_metric_is_defined_with_every_part(shapes: Path) -> None:
    from jvmscope.metrics import select

    report = report_of([shapes])

    known = [query.id for query in select([])]
    assert [metric.id for metric in report.metrics][: len(known)] == known
    shown = {stack.metric for stack in report.stacks}
    for metric in report.metrics:
        assert metric.description
        assert metric.measures or metric.reason or metric.id in shown, metric.id
    (details,) = report.details
    assert [listing.name for listing in details.listings] == [
        "Hottest methods",
        "Call sites with most targets",
        "Start of the JVM and the rest",
        "Not counted in full",
    ]
    assert details.listings[0].rows[0][:3] == ("app.Main.main(java.lang.String[])", 1, 22)
    assert report.components.reason
    assert report.clusters.reason


def test_a_curve_begins_at_nothing_and_ends_at_all(shapes: Path) -> None:
    """Bytecodes of methods: 22, 12, 10, 5, 4, 1 of 54: the hottest of six has 22 / 54."""
    report = report_of([shapes], metrics=["hotness.methods"])
    curves = next(c for c in report.curves if c.id == "hotness.methods_curve.bytecodes_share")
    points = curves.curves[0].points

    assert points is not None
    assert (points[0], points[-1]) == ((0, 0), (1, 1))
    assert dict(points)[0.16] == 22 / 54
    assert dict(points)[0.33] == 34 / 54
    assert list(points) == sorted(points)


def test_an_empty_run_has_a_report(tmp_path: Path) -> None:
    report = report_of([write_empty(tmp_path / "empty.run")])

    assert _measure(report, "execution.totals.n_bytecodes").cells[0].value == 0
    assert {stack.totals for stack in report.stacks} <= {(0.0,), (None,)}


def test_a_truncated_run_is_compared_with_nothing(tmp_path: Path) -> None:
    whole = write_shapes(tmp_path / "whole.run")
    part = write_shapes(tmp_path / "part.run", status="truncated", limits=["the disk was full"])

    both = report_of([whole, part], metrics=["execution.totals"])
    cell = _measure(both, "execution.totals.n_bytecodes").cells[1]
    assert (cell.value, cell.rank, cell.reason) == (None, None, "truncated: the disk was full")
    alone = report_of([part], metrics=["execution.totals"])
    assert _measure(alone, "execution.totals.n_bytecodes").cells[0].value == 54
    assert alone.subjects[0].status == "truncated"


def test_a_damaged_run_loses_no_other(suite: Path, tmp_path: Path) -> None:
    whole = write_shapes(tmp_path / "whole.run")
    damaged = write_shapes(tmp_path / "damaged.run")
    (damaged / "tables" / "thread_method.parquet").write_bytes(b"PAR1")
    failures: list[Failure] = []
    report = report_of([damaged, whole], metrics=["execution.totals"], on_failure=failures.append)

    measure = _measure(report, "execution.totals.n_bytecodes")
    assert [cell.value for cell in measure.cells] == [None, 54]
    assert measure.cells[0].reason
    assert failures


def test_what_is_neither_run_nor_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a run"):
        report_of([tmp_path])
    with pytest.raises(QueryError, match="selects no metric"):
        report_of([write_shapes(tmp_path / "a.run")], metrics=["nothing.there"])


@pytest.mark.parametrize(
    ("others", "note"),
    [
        ({"recursion": "fold"}, "the option --recursion differs: keep (a); fold (b)"),
        ({"clock": "steps"}, "the option --clock differs: real (a); steps (b)"),
        ({"clock": "real"}, None),  # a was recorded before there was a choice
    ],
)
def test_recordings_that_differ_are_noted(
    tmp_path: Path, others: dict[str, str], note: str | None
) -> None:
    builder = RunBuilder()
    options = {"recursion": "keep"}
    a = builder.write(tmp_path / "a.run", options=options)
    b = builder.write(tmp_path / "b.run", options=options | others)
    report = report_of([a, b], metrics=["execution.totals"])

    assert report.notes == ((note,) if note else ())


def test_names_tell_subjects_apart(suite: Path, tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
    runs = [write_shapes(tmp_path / folder / "few-17.run") for folder in ("x", "y")]
    names = [subject.name for subject in subjects_of([suite, *runs, runs[0]]).subjects]

    assert names[1] == "few-25"
    assert len(set(names)) == len(names) == 7
    assert names[0] == "shapes/few-17"
    assert names[5] == "y/few-17"


def test_data_for_programs(report: Report) -> None:
    document = json.loads(to_json(report))
    table = to_table(report).arrow().to_pylist()

    assert document["schema"] == 1
    names = [(row["subject"], row["metric"], row["measure"], row["key"]) for row in table]
    assert len(set(names)) == len(names)
    assert next(subject["name"] for subject in document["subjects"]) == "few-17"
    (row,) = [
        row
        for row in table
        if (row["subject"], row["metric"], row["measure"])
        == ("many-17", "execution.totals", "n_executions")
    ]
    assert (row["value"], row["rank"], row["n"], row["median"]) == (32, 1, 3, 22)
    assert next(row["reason"] for row in table if row["subject"] == "few-25") == (
        "failed: exit status 1"
    )


def _hottest(run: Path, **options: Any) -> tuple[int, ...]:
    """Returns the calls of the methods in the listing of the hottest ones."""
    report = report_of([run], metrics=["execution.totals"], **options)
    listing = next(x for x in report.details[0].listings if x.name == "Hottest methods")
    index = [column.name for column in listing.columns].index("calls")
    return tuple(row[index] for row in listing.rows)


def _keep_one_row(run: Path) -> None:
    """Leaves one row of the kept listing of hottest methods, so that whoever reads it shows."""
    (path,) = (run / "metrics").glob("report.hottest_methods-*.parquet")
    store(path, pq.read_table(path).slice(0, 1))


def test_listings_and_facts_are_kept_as_values_are(tmp_path: Path) -> None:
    run = write_shapes(tmp_path / "shapes.run")
    first = report_of([run], metrics=["execution.totals"])
    kept = {path.name.partition("-")[0] for path in (run / "metrics").iterdir()}

    assert kept == {
        "execution.totals",
        "instructions.mix",  # for components
        "report.hottest_methods",
        "report.polymorphic_sites",
        "report.startup",
        "report.exclusions",
        "report.bytecodes",
        "report.depth",
    }
    assert report_of([run], metrics=["execution.totals"]) == first

    every = _hottest(run)
    _keep_one_row(run)
    assert _hottest(run) == every[:1]
    assert _hottest(run, is_cached=False) == every


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"from": "p.C.m", "include": [], "exclude": []}, ["--from p.C.m"]),
        ({"exclude": ["a/*", "b/*"]}, ["--exclude a/*", "--exclude b/*"]),
        ({"include": ["p/*"]}, ["--include p/*"]),
        ({"from": None, "include": [], "probes": ["order"]}, []),
    ],
)
def test_a_report_says_that_a_part_was_counted(
    tmp_path: Path, options: dict[str, Any], words: list[str]
) -> None:
    run = write_shapes(tmp_path / "a.run", options=options)
    (subject,) = report_of([run], metrics=["execution.totals"]).subjects

    assert [fact.value for fact in subject.facts if fact.name == "recorded with"] == words


def test_listings_are_made_anew_for_what_decides_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another scope, other code, another recording in the same place."""
    run = write_shapes(tmp_path / "shapes.run")
    every = _hottest(run)
    _keep_one_row(run)

    assert len(_hottest(run, scope=parse_scope("thread:worker"))) == 2  # add and grow
    (metrics,) = run.glob("metrics")
    other = write_shapes(tmp_path / "other.run", n_circles=16)
    metrics.rename(other / "metrics")
    assert len(_hottest(other)) == len(every)
    (other / "metrics").rename(metrics)
    assert _hottest(run) == every[:1]
    monkeypatch.setattr("jvmscope.metrics.cache._code_digest", "".join)
    assert _hottest(run) == every

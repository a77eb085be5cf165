"""Pairs of runs, and of suites' rows: matched, or told why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.samples import write_shapes

import jvmscope
from jvmscope.errors import RunError, SuiteError
from jvmscope.reports.changes.pairs import pairs_of
from jvmscope.suite import Row, Suite, write_suite

if TYPE_CHECKING:
    from pathlib import Path


def _suite(directory: Path, *rows: tuple[str, dict[str, Any]]) -> Path:
    """Writes a suite without runs; a row is a benchmark's name and other values."""
    directory.mkdir()
    found = []
    for number, (benchmark, values) in enumerate(rows):
        given = {"status": "recorded", **values}
        run = directory / f"{number}.run" if given["status"] == "recorded" else None
        if run is not None and not run.exists():
            write_shapes(run, n_circles=values.get("circles", 6))
        given.pop("circles", None)
        found.append(Row(name=str(number), benchmark=benchmark, run=run, **given))
    write_suite(Suite(directory.name, directory, tuple(found)))
    return directory


def _pairs(a: Path, b: Path, **options: Any) -> list[tuple[Any, ...]]:
    return [
        (
            pair.benchmark,
            pair.a.run.stem if pair.a.run else pair.a.reason,
            pair.b.run.stem if pair.b.run else pair.b.reason,
        )
        for pair in pairs_of(a, b, **options)
    ]


def test_two_runs_are_one_pair(shapes: Path) -> None:
    assert _pairs(shapes, shapes) == [(None, "shapes", "shapes")]


def test_rows_are_matched_by_benchmark_and_parameters_in_any_order(tmp_path: Path) -> None:
    small, large = {"parameters": {"size": "small"}}, {"parameters": {"size": "large"}}
    a = _suite(tmp_path / "a", ("nbody", small), ("nbody", large), ("fannkuch", {}))
    b = _suite(tmp_path / "b", ("fannkuch", {}), ("nbody", large), ("nbody", small))

    assert _pairs(a, b) == [
        ("nbody size=small", "0", "2"),
        ("nbody size=large", "1", "1"),
        ("fannkuch", "2", "0"),
    ]


def test_what_is_not_matched_is_a_pair_with_the_reason(tmp_path: Path) -> None:
    a = _suite(tmp_path / "a", ("old", {}), ("both", {}))
    b = _suite(tmp_path / "b", ("both", {"status": "timeout", "reason": "after 10 s"}), ("new", {}))

    assert _pairs(a, b) == [
        ("old", "0", "not in the suite b"),
        ("both", "1", "timeout: after 10 s"),
        ("new", "not in the suite a", "1"),
    ]


def test_invocations_are_matched_by_their_number(tmp_path: Path) -> None:
    a = _suite(tmp_path / "a", ("x", {}), ("x", {"invocation": 2}))
    b = _suite(tmp_path / "b", ("x", {"invocation": 2}))

    assert _pairs(a, b) == [("x #1", "0", "not in the suite b"), ("x #2", "1", "0")]


def test_suites_on_one_jvm_each_compare_these(tmp_path: Path) -> None:
    a = _suite(tmp_path / "a", ("x", {"jvm": "jdk17"}))
    b = _suite(tmp_path / "b", ("x", {"jvm": "jdk25"}))

    assert _pairs(a, b) == [("x", "0", "0")]


def test_jvms_of_one_suite_are_compared_if_they_are_named(tmp_path: Path) -> None:
    a = _suite(tmp_path / "a", ("x", {"jvm": "jdk17"}), ("x", {"jvm": "jdk25"}))

    assert _pairs(a, a) == [("x jdk17", "0", "0"), ("x jdk25", "1", "1")]
    assert _pairs(a, a, jvms=("jdk17", "jdk25")) == [("x", "0", "1")]
    with pytest.raises(SuiteError, match="nothing was run on the JVM 'jdk18'; did you mean"):
        _pairs(a, a, jvms=("jdk17", "jdk18"))


def test_a_benchmark_of_another_jvm_is_told_from_one_that_the_suite_lacks(tmp_path: Path) -> None:
    a = _suite(
        tmp_path / "a", ("x", {"jvm": "jdk17"}), ("y", {"jvm": "jdk25"}), ("z", {"jvm": "jdk17"})
    )
    b = _suite(tmp_path / "b", ("x", {"jvm": "jdk25"}), ("y", {"jvm": "jdk17"}))

    assert _pairs(a, a, jvms=("jdk17", "jdk25")) == [
        ("x", "0", "not run on jdk25 in the suite a"),
        ("z", "2", "not run on jdk25 in the suite a"),
        ("y", "not run on jdk17 in the suite a", "1"),
    ]
    assert _pairs(a, b, jvms=("jdk17", "jdk25")) == [
        ("x", "0", "0"),
        ("z", "2", "not in the suite b"),
    ]


def test_a_run_and_a_suite_are_no_pair(shapes: Path, tmp_path: Path) -> None:
    suite = _suite(tmp_path / "a", ("x", {}))

    with pytest.raises(
        SuiteError, match=r"is a suite and .* is not; compare two runs or two suites"
    ):
        pairs_of(shapes, suite)
    with pytest.raises(SuiteError, match="is not a suite, so it has no JVMs to choose from"):
        pairs_of(shapes, shapes, ("a", "b"))


def test_what_does_not_exist_is_no_suite_and_no_run(shapes: Path, tmp_path: Path) -> None:
    suite, misspelt = _suite(tmp_path / "a", ("x", {})), tmp_path / "b"

    for a, b in ((suite, misspelt), (misspelt, suite), (shapes, misspelt), (misspelt, misspelt)):
        with pytest.raises(RunError, match=r"/b: there is no such run or suite"):
            jvmscope.compare(a, b)
    with pytest.raises(RunError, match=r"/b: there is no such run or suite"):
        pairs_of(misspelt, misspelt, ("a", "b"))


def test_changes_of_suites_are_rows_of_their_benchmarks(tmp_path: Path) -> None:
    a = _suite(tmp_path / "a", ("x", {}), ("y", {}), ("z", {"status": "failed"}))
    b = _suite(tmp_path / "b", ("x", {"circles": 9}), ("z", {"status": "missing"}))

    rows = jvmscope.compare(a, b, "execution.totals").arrow().to_pylist()

    found = [
        (row["benchmark"], row["a"], row["b"], row["delta"], row["reason"])
        for row in rows
        if row["measure"] == "n_bytecodes"
    ]
    assert found == [
        ("x", 54, 60, 6, None),
        ("y", 54, None, None, "B: not in the suite b"),
        ("z", None, None, None, "A: failed; B: missing"),
    ]
    trees = jvmscope.compare_trees(a, b).arrow().to_pylist()
    assert {row["benchmark"] for row in trees} == {"x"}
    assert (trees[0]["a"], trees[0]["b"]) == (39, 45)

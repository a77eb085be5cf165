"""Whoever adds up bytecodes, calls or cycles of a run has the sums of its metrics.

The runs have exceptions in the middle of blocks: with segments, nothing behind a throw counts.
"""

from __future__ import annotations

import io
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from support.export_readers import READERS
from support.long import each_or_one
from support.runs import SEGMENTS
from support.samples import write_thrown
from support.thrown_runs import write_random_throws

import jvmscope
from jvmscope.metrics import measure
from jvmscope.queries import Engine, parse_scope
from jvmscope.reports.building import report_of
from jvmscope.reports.exports.formats import tree_formats
from jvmscope.reports.exports.tree_export import export_tree
from jvmscope.reports.faces.blocks import Paragraph
from jvmscope.reports.html.runs import Limits, read_runs
from jvmscope.reports.listings import listings_of
from jvmscope.reports.pages.tree import tree_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_WRITERS: dict[str, Callable[[Path], Path]] = {
    "by hand": write_thrown,
    "by hand, without segments": partial(write_thrown, probes=()),
    "random": partial(write_random_throws, seed=7, probes=SEGMENTS),
}
_BY_HAND = {"by hand": 65, "by hand, without segments": 82}
_TOTALS = {
    "bytecodes": ("execution.totals", "n_bytecodes"),
    "calls": ("execution.totals", "n_executions"),
    "cycles": ("cycles.run", "cycles"),
}
_SCOPES = ("run", "application", "thread:worker")
_EXPORTED = [(number, *case) for number, case in enumerate(product(_TOTALS, _SCOPES))]


@pytest.fixture(scope="module", params=_WRITERS)
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    name = request.param
    with Engine(_WRITERS[name](tmp_path_factory.mktemp("runs") / "thrown.run")) as engine:
        assert _total(engine, "bytecodes") == _BY_HAND.get(name, _total(engine, "bytecodes"))
        yield engine


def _total(engine: Engine, weight: str, scope: str = "run") -> int:
    """Returns what the metric says."""
    metric, name = _TOTALS[weight]
    rows = (
        measure([engine], metrics=[metric], scope=parse_scope(scope), is_cached=False)
        .arrow()
        .to_pylist()
    )
    (value,) = (row["value"] for row in rows if row["measure"] == name)
    return int(value)


@pytest.mark.parametrize(("number", "weight", "scope"), _EXPORTED)
def test_exports(engine: Engine, number: int, weight: str, scope: str) -> None:
    total = _total(engine, weight, scope)
    for form, fraction in each_or_one(product(tree_formats(), (0.0, 0.2)), number):
        out = io.BytesIO()
        export_tree(
            engine, form, out, weight=weight, scope=parse_scope(scope), min_fraction=fraction
        )

        assert sum(READERS[form](out.getvalue()).values()) == total


def test_page(engine: Engine) -> None:
    (page,) = read_runs(
        [engine.run], tuple(_TOTALS), Limits(nodes=9), scopes=_SCOPES[1:], is_cached=False
    )
    assert isinstance(page, dict)
    methods: dict[str, Any] = page["methods"]

    for weight, name in enumerate(_TOTALS):
        assert sum(page["tree"]["own"][weight]) == _total(engine, name)
        for scope, told in zip(_SCOPES, methods["scopes"], strict=True):
            assert told["totals"][weight] == _total(engine, name, scope)
            assert sum(told["own"][weight]) == _total(engine, name, scope)


@pytest.mark.parametrize("scope", _SCOPES)
def test_tree_page(engine: Engine, scope: str) -> None:
    for weight in _TOTALS:
        said = [
            block.text
            for block in tree_page(engine, weight=weight, scope=parse_scope(scope))
            if isinstance(block, Paragraph)
        ]
        assert f"{_total(engine, weight, scope):,} {weight} in all" in said[0]


@pytest.mark.parametrize("scope", _SCOPES)
def test_report(engine: Engine, scope: str) -> None:
    total = _total(engine, "bytecodes", scope)
    report = report_of([engine.run], scope=parse_scope(scope), is_cached=False)
    measured = {m.id: m.cells[0].value for metric in report.metrics for m in metric.measures}
    (facts,) = ({fact.name: fact.value for fact in s.facts} for s in report.subjects)
    listings = {each.id: each for each in listings_of(engine, parse_scope(scope), is_cached=False)}
    hottest = listings["report.hottest_methods"]
    bytecodes = [column.name for column in hottest.columns].index("bytecodes")

    assert facts["bytecodes"] == _total(engine, "bytecodes")
    assert sum(row[bytecodes] for row in hottest.rows) == total
    executed = [id_ for id_ in measured if id_.endswith(".n_bytecodes") and "size." not in id_]
    assert {measured[id_] for id_ in executed} - {None} == {total}


@pytest.mark.parametrize("weight", _TOTALS)
def test_differential_tree(engine: Engine, weight: str) -> None:
    rows = jvmscope.compare_trees(engine.run, engine.run, weight=weight).arrow().to_pylist()

    assert sum(row["a"] for row in rows if row["level"] == 0) == _total(engine, weight)

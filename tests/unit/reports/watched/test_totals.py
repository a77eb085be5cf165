"""Totals by resource, on rows written by hand: tests/support/watched_rows.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.watched_rows import write_watched

from jvmscope.queries import Engine
from jvmscope.reports.faces.blocks import Grid
from jvmscope.reports.watched import METRIC_FUNCTIONS, bins_of, parse_pair
from jvmscope.reports.watched.constraints import HIERARCHIES
from jvmscope.reports.watched.histogram import series_of
from jvmscope.reports.watched.html import render_watch
from jvmscope.reports.watched.tables import table_blocks
from jvmscope.reports.watched.totals import totals_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.reports.watched.totals import Charged

_MS = 1_000_000
_MAIN, _WORK, _OPEN = "app/Main/main", "app/Work/work", "app/Workshop/open"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run = tmp_path_factory.mktemp("watched")
    write_watched(run)
    with Engine(run) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "hierarchy", "below", "totals"),
    [
        ("samples", "APCode", None, {_MAIN: 2, _WORK: 2, _OPEN: 1}),
        ("samples", "APCode", "", {"app": 3}),  # each sample once, though both methods are below
        ("samples", "APCode", "app", {"app/Main": 2, "app/Work": 2, "app/Workshop": 1}),
        ("samples", "APCode", "app/Work", {_WORK: 2}),
        ("samples", "APCode", _WORK, {}),
        ("samples{/APThreads/helper\\, 1}", "APCode", None, {_OPEN: 1}),
        ("samples", "APThreads", "", {"main": 2, "helper, 1": 1}),
        ("samples", "Code", "", {"compiled": 1, "inlined": 1, "interpreter": 1}),
        ("compile_time", "APCode", None, {_WORK: 10 * _MS, _OPEN: 30 * _MS}),
        ("compile_time", "Code", "", {"compiler": 40 * _MS}),
        ("compile_time", "Code", "compiler", {"compiler/c1": 10 * _MS, "compiler/c2": 30 * _MS}),
        ("lock_wait_time", "APSyncObj", None, {"app/Lock": 300 * _MS, "app/LockedBox": _MS}),
        ("lock_wait_time{/APSyncObj/app/Lock}", "APCode", "app/Work", {_WORK: 300 * _MS}),
        ("class_load_time", "APThreads", None, {"main": 45 * _MS, "helper, 1": 20 * _MS}),
        ("park_time", "APCode", None, {}),
    ],
)  # fmt: skip
def test_totals_by_resource(
    engine: Engine, text: str, hierarchy: str, below: str | None, totals: dict[str, float]
) -> None:
    found = totals_by(engine, parse_pair(text), bins_of(engine), hierarchy, below=below)

    assert found == pytest.approx(totals)
    assert list(found.values()) == sorted(found.values(), reverse=True)


@pytest.mark.parametrize(
    ("charged", "totals"), [("top", {_WORK: 2, _OPEN: 1}), ("program", {_WORK: 2, _OPEN: 1})]
)
def test_one_method_of_a_stack(engine: Engine, charged: Charged, totals: dict[str, float]) -> None:
    pair = parse_pair("samples")
    assert totals_by(engine, pair, bins_of(engine), "APCode", charged=charged) == totals


def test_totals_are_those_of_the_curves(engine: Engine) -> None:
    """Of each resource alone, for every metric function and hierarchy."""
    bins = bins_of(engine)
    n_compared = 0
    for metric in METRIC_FUNCTIONS.values():
        for hierarchy in HIERARCHIES:
            if hierarchy in metric.absent:
                continue
            for path, total in totals_by(
                engine, parse_pair(metric.name), bins, hierarchy, below=""
            ).items():
                written = path.replace(",", "\\,")
                pair = parse_pair(f"{metric.name}{{/{hierarchy}/{written}}}")
                assert total == pytest.approx(series_of(engine, pair, bins).total)
                n_compared += 1

    assert n_compared > 20


def test_tables_have_both_sides(engine: Engine) -> None:
    """What the VM did for a method, and the methods that an activity was for."""
    grids = [block for block in table_blocks(engine, bins_of(engine)) if isinstance(block, Grid)]
    methods, threads, objects, code, locks, activities, hierarchies = grids
    column = methods.titles.index("compile time")
    cells = {row[0]: row[column] for row in methods.rows}

    assert cells == {_OPEN: "30.0 ms", _WORK: "10.0 ms"}
    assert [row[0] for row in threads.rows] == ["main", "helper, 1"]
    assert [row[0] for row in objects.rows] == ["app/Lock", "app/LockedBox"]
    assert locks.rows == (
        ("app/Lock", "helper, 1", "main", "1", "300.0 ms", "300.0 ms", "1"),
        ("app/LockedBox", "main", "helper, 1", "1", "1.0 ms", "1.0 ms", "1"),
    )
    assert ("compile_time", _OPEN, "30.0 ms", "75 %") in activities.rows
    assert ("", _WORK, "10.0 ms", "25 %") in activities.rows
    assert {row[0] for row in code.rows} >= {"gc", "compiler/c1", "interpreter"}
    # app; its classes Main, Work, Workshop, Outer; three methods.
    assert hierarchies.rows[0][:5] == ("/APCode", "8", "1", "4", "3")


def test_the_page_for_the_browser_is_markup_alone(engine: Engine) -> None:
    page = render_watch(engine, ())

    assert "<script" not in page
    assert "default-src 'none'" in page
    assert "<title>0.125 s to 0.25 s: 25.0 ms</title>" in page  # the pause, in its bin
    for name in ("pairs", "forms", "resources", "activities", "hierarchies", "unseen"):
        assert f'<section id="{name}">' in page
        assert f'href="#{name}"' in page
    only = render_watch(engine, ["lock_waits{/APThreads/main}", "collections{/APCode/app}"])
    assert only.count("<figure>") == 2
    assert "no values by APCode: the event stream has no stack for it" in only
    assert 'id="forms"' not in only

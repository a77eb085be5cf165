"""The search for the foci that take most, on charges written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.watched_rows import ROWS, write_watched

from jvmscope.errors import QueryError
from jvmscope.queries import Engine
from jvmscope.reports.watched import bins_of, parse_pair
from jvmscope.reports.watched.html import render_watch
from jvmscope.reports.watched.refined_page import refined_blocks, refined_rows
from jvmscope.reports.watched.refining import Search, refine, searched
from jvmscope.reports.watched.totals import charges_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_MS = 1_000_000

# 60 ns wait for app.Lock in app.Work.hot, half of them in each of two threads; 10 ns elsewhere.
_ROWS: list[tuple[Mapping[str, str], float]] = [
    ({"APCode": "app/Work/hot", "APSyncObj": "app/Lock", "APThreads": "a"}, 30),
    ({"APCode": "app/Work/hot", "APSyncObj": "app/Lock", "APThreads": "b"}, 30),
    ({"APCode": "app/Main/run", "APSyncObj": "app/Other", "APThreads": "a"}, 10),
]


def _ends(search: Search, reference: float = 100, least: float = 0) -> dict[str, float]:
    """The foci at which the paths end."""
    root, _ = refine(_ROWS, reference, search, least=least)
    if root is None:
        return {}
    return {str(node): node.value for _, node in root.walked() if not node.children}


@pytest.mark.parametrize(
    ("threshold", "ends"),
    [
        (0.8, {}),  # all of it is 70 of 100
        (0.65, {"/APCode/app, /APSyncObj/app": 70}),  # the classes have 60 and 10
        (0.5, {"/APCode/app/Work/hot, /APSyncObj/app/Lock": 60}),  # the threads have 30 each
        (0.3, {
            "/APCode/app/Work/hot, /APSyncObj/app/Lock, /APThreads/a": 30,
            "/APCode/app/Work/hot, /APSyncObj/app/Lock, /APThreads/b": 30,
        }),
    ],
)  # fmt: skip
def test_paths_end_where_no_child_matters(threshold: float, ends: dict[str, float]) -> None:
    assert _ends(Search(threshold)) == ends


def test_every_step_keeps_what_its_rows_have() -> None:
    root, _ = refine(_ROWS, 100, Search(0.05))
    assert root is not None
    for _, node in root.walked():
        kept = [v for paths, v in _ROWS if _is_below(paths, node.focus)]
        assert (node.value, node.share) == (sum(kept), sum(kept) / 100)
        assert [child.value for child in node.children] == sorted(
            (child.value for child in node.children), reverse=True
        )


def _is_below(paths: Mapping[str, str], focus: Mapping[str, str]) -> bool:
    return all(f"{paths.get(name, '')}/".startswith(f"{path}/") for name, path in focus.items())


@pytest.mark.parametrize("budget", range(1, 14))
def test_a_budget_ends_the_search_and_says_so(budget: int) -> None:
    root, n_valued = refine(_ROWS, 100, Search(0.05, budget))
    whole, n_needed = refine(_ROWS, 100, Search(0.05))
    assert root is not None
    assert whole is not None

    assert n_valued <= budget
    assert any(node.is_open for _, node in root.walked()) == (budget < n_needed)
    assert budget < n_needed or str(list(root.walked())) == str(list(whole.walked()))


def test_too_few_samples_tell_nothing() -> None:
    assert _ends(Search(0.5), least=71) == {}
    assert _ends(Search(0.01), least=60) == {"/APCode/app/Work/hot, /APSyncObj/app/Lock": 60}


def test_charges_are_those_of_each_row(tmp_path: Path) -> None:
    """A stack charges its topmost method outside of the JDK, and the class that is waited for."""
    write_watched(tmp_path)
    with Engine(tmp_path) as engine:
        bins = bins_of(engine)
        waits = charges_of(engine, parse_pair("lock_wait_time"), bins)
        compiled = charges_of(engine, parse_pair("compile_time{/Code/compiler/c2}"), bins)
        pauses = charges_of(engine, parse_pair("collection_pauses"), bins)

    assert sorted(waits, key=lambda row: -row[1]) == [
        ({"APCode": "app/Work/work", "APThreads": "main", "APSyncObj": "app/Lock"}, 300 * _MS),
        ({"APCode": "app/Workshop/open", "APThreads": "helper, 1", "APSyncObj": "app/LockedBox"},
         _MS),
    ]  # fmt: skip
    assert compiled == [({"APCode": "app/Workshop/open", "Code": "compiler/c2"}, 30 * _MS)]
    assert pauses == [({"Code": "gc"}, 50 * _MS)]


def test_a_watch_without_a_bottleneck_has_none(tmp_path: Path) -> None:
    """The lock takes 15 % of the time, the pauses 2.5 %."""
    write_watched(tmp_path)
    with Engine(tmp_path) as engine:
        found = searched(engine, bins_of(engine), None, Search())
        blocks = "\n".join(map(str, refined_blocks(found, Search())))
        rows = list(refined_rows(found))

    assert [each.root for each in found] == [None] * 4
    assert "No bottleneck: nothing takes 20 %." in blocks
    assert "too few samples to tell: 3" in blocks
    assert "15 % of the time watched is less than 20 %" in blocks
    assert [row[1] for row in rows] == [None] * 4


def test_a_bottleneck_is_found_and_shown(tmp_path: Path) -> None:
    write_watched(tmp_path)
    search = Search(0.1)
    with Engine(tmp_path) as engine:
        found = searched(engine, bins_of(engine), "lock_wait_time", search)
        blocks = list(refined_blocks(found, search))
        page = render_watch(engine, (), blocks)
        with pytest.raises(QueryError, match="there is no metric function 'lock_wait'"):
            searched(engine, bins_of(engine), "lock_wait", search)
    (ended,) = (row for row in refined_rows(found) if row[6])

    assert set(str(ended[2]).split(", ")) == {
        "/APCode/app/Work/work", "/APThreads/main", "/APSyncObj/app/Lock",
    }  # fmt: skip
    assert ended[3:6] == (300 * _MS, "ns", 0.15)
    assert '<section id="refined">' in page
    assert "\u2003/AP" in page


def test_samples_stand_for_processor_time(tmp_path: Path) -> None:
    """Of 2 s the process ran for 0.5 s: 20 samples are 25 % of a processor, 18 of them 22.5 %."""
    samples = [(n * _MS, 0, 0 if n < 18 else 1, False, "STATE_RUNNABLE") for n in range(20)]
    write_watched(tmp_path, rows=ROWS | {"execution_sample": samples})
    with Engine(tmp_path) as engine:
        (found,) = searched(engine, bins_of(engine), "samples", Search(0.2))
    (ended,) = (row for row in refined_rows([found]) if row[6])

    assert found.root is not None
    assert found.root.share == pytest.approx(0.25)
    assert "/Code/interpreter" in str(ended[2])
    assert (ended[3], ended[5]) == (18, pytest.approx(0.225))

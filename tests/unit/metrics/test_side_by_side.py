"""Several metrics of a run at a time."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from jvmscope.metrics import measure, select
from jvmscope.metrics import side_by_side as module
from jvmscope.metrics.side_by_side import side_by_side
from jvmscope.queries import Engine, parse_query_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.queries import QueryFile

_SQL = [parse_query_file(f"/** @id a.m{n} */ SELECT {n}", f"m{n}.sql") for n in range(6)]
_XQUERY = parse_query_file("(:~ @id a.x :) 1", "x.xq")


@pytest.fixture
def engine(shapes: Path) -> Iterator[Engine]:
    with Engine(shapes) as engine:
        yield engine


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "n_processors", lambda: 2)


def test_results_come_in_the_order_of_the_queries(engine: Engine) -> None:
    later = threading.Event()

    def work(query: QueryFile) -> str:
        if query.id == "a.m0":
            assert later.wait(30), "two run at a time"
        later.set()
        return query.id

    assert list(side_by_side(engine, _SQL, work)) == [query.id for query in _SQL]


def test_what_runs_on_trees_stays_in_the_callers_thread(engine: Engine) -> None:
    def work(query: QueryFile) -> bool:
        return threading.current_thread() is threading.main_thread()

    assert list(side_by_side(engine, [*_SQL[:2], _XQUERY], work)) == [False, False, True]


def test_an_error_gives_up_the_others(engine: Engine) -> None:
    begun: list[str] = []
    failed = threading.Event()

    def work(query: QueryFile) -> str:
        begun.append(query.id)
        if query.id == "a.m0":
            failed.set()
            raise ValueError(query.id)
        assert failed.wait(30)
        sums = "SELECT SUM(a.range * b.range) FROM range(10000000) a, range(10000000) b"
        return str(list(engine.query(sums).rows()))  # would take hours

    with pytest.raises(ValueError, match=r"a\.m0"):
        list(side_by_side(engine, _SQL, work))
    assert len(begun) < len(_SQL)
    assert engine.on_progress is None


def test_all_metrics_have_the_values_that_they_have_alone(
    shapes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = measure([shapes], is_cached=False).arrow()
    monkeypatch.setattr(module, "_MOST", 1)
    alone = measure([shapes], is_cached=False).arrow()

    assert together.equals(alone)
    assert set(together["metric"].to_pylist()) == {query.id for query in select([])}

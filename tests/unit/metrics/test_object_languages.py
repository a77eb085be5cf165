"""Metrics of objects that are written in XQuery and in SQL: the same values on runs with probes."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from support.vocabulary_runs import WRITERS

from jvmscope.errors import QueryError
from jvmscope.metrics.catalogue import catalogue, implementations
from jvmscope.queries import Engine, Question, parse_scope
from jvmscope.queries.xquery.table import result_of_items
from jvmscope.schema import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PROBES = (
    *("allocations", "immutability", "sharing", "zeroing", "locking", "hashcodes", "lifetimes"),
    "native",
)
_TABLES = {
    name
    for name, table in tables().items()
    if any(probe in table.recorded.replace(",", "").split() for probe in _PROBES)
}
_BOTH = {
    id_: found
    for id_, found in implementations().items()
    if len(found) > 1 and _TABLES & {*catalogue()[id_].requires}
}
_WHOLE = ("allocations", "objects", "native")
_OUTSIDE = {"native.entries"}
"""They read counts of contexts outside their scope, which XQuery does not see."""

_RUNS = ("all probes", "nulls", "all null", "chain")
_SCOPES = ("run", "application", "application+", "thread:run", "subtree:*.main")


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Engine]]:
    found: dict[str, Engine] = {}
    with ExitStack() as opened:

        def engine(name: str) -> Engine:
            if name not in found:
                run = tmp_path_factory.mktemp("objects") / "a.run"
                WRITERS[name](run)
                found[name] = opened.enter_context(Engine(run))
            return found[name]

        yield engine


def test_the_metrics_of_these_probes_are_in_both_languages() -> None:
    reading = {id_ for id_, query in catalogue().items() if {*query.requires} & _TABLES}

    assert {id_ for id_ in reading if id_.split(".")[0] in _WHOLE} - _OUTSIDE <= _BOTH.keys()


@pytest.mark.parametrize("id_", _BOTH)
def test_values_agree(id_: str, engines: Callable[[str], Engine]) -> None:
    xquery, sql = _BOTH[id_]
    n_told = 0
    for run, scope in [*((run, "run") for run in _RUNS), *(("all probes", s) for s in _SCOPES)]:
        engine, part = engines(run), parse_scope(scope)
        try:
            expected = engine.query(Question(sql, scope=part)).arrow().to_pylist()
        except QueryError:
            with pytest.raises(QueryError):
                engine.query(Question(xquery, scope=part)).arrow()
            continue
        n_told += len(expected)
        assert engine.query(Question(xquery, scope=part)).arrow().to_pylist() == expected, scope
    assert n_told > len(_RUNS)


@pytest.mark.parametrize("id_", _BOTH)
def test_trees_alone_give_the_same(id_: str, engines: Callable[[str], Engine]) -> None:
    engine = engines("all probes")
    xquery, sql = _BOTH[id_]
    on_trees = result_of_items(engine.xquery(xquery).items_on_trees(), xquery)

    assert on_trees.arrow().to_pylist() == engine.query(sql).arrow().to_pylist()

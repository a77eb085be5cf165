"""What headers say of measures: what may be added, what is a share, what people see first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.compute as pc
import pytest
from support.samples import write_shapes, write_thrown

from jvmscope.errors import QueryError
from jvmscope.metrics import catalogue, measure
from jvmscope.metrics.catalogue import highlights, implementations
from jvmscope.queries import Engine, parse_query_file, parse_scope
from jvmscope.reports.changes.budgets import EXECUTED, QUANTITIES
from jvmscope.reports.stacks import STACKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

_METRICS = Path(__file__).parents[3] / "metrics"
_HEADER = """/**
 * @id hotness.sample
 * @name Sample
 * @description A sample.
 * @kind metric
 * @version 1
 * @grain run
 * @column n_calls integer call  calls
 * @column share number 1  their share
{kinds} */ SELECT 1 AS n_calls, 0.5 AS share"""


def _parsed(*kinds: str) -> object:
    text = _HEADER.format(kinds="".join(f" * {kind}\n" for kind in kinds))
    return parse_query_file(text, "metrics/hotness/sample.sql", is_header_required=True)


def test_every_measure_is_of_one_kind() -> None:
    for query in catalogue().values():
        kinds = [*query.sums, *query.shares, *query.levels]
        assert sorted(kinds) == sorted(measure.name for measure in query.measures), query.id


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ((), "n_calls must be in one of @sums, @shares and @levels"),
        (("@sums n_calls",), "share must be in one of"),
        (("@sums n_calls share", "@shares share"), "share must be in one of"),
        (("@sums n_call", "@shares share"), "found 'n_call'"),
        (("@sums n_calls within kind", "@shares share"), "found 'kind'"),
        (("@sums n_calls", "@shares share", "@overview n_calls calls"), "RANK MEASURE"),
        (("@sums n_calls", "@shares share", "@overview 1 calls calls"), "found 'calls'"),
    ],
)
def test_a_metric_that_does_not_say_it_is_refused(kinds: tuple[str, ...], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        _parsed(*kinds)


def test_a_metric_that_says_it_is_not() -> None:
    _parsed("@sums n_calls", "@shares share", "@overview 1 share calls of all calls")


@pytest.mark.parametrize(
    ("id_", "sums", "keys"),
    [
        ("contexts.k_calling", ("n_paths",), ()),  # a context is of every shorter path, too
        ("hashcodes.calls", ("n_calls",), ()),  # an object may receive calls of several kinds
        ("hashcodes.distribution", ("n_objects",), ("kind",)),
    ],
)
def test_what_counts_in_several_rows_is_not_added(
    id_: str, sums: tuple[str, ...], keys: tuple[str, ...]
) -> None:
    for query in implementations()[id_]:
        assert (query.sums, query.summed_within) == (sums, keys)


def test_more_hits_are_not_worse() -> None:
    assert catalogue()["cycles.cache"].better == "none"


def test_ranks_are_distinct() -> None:
    ranks = [each.rank for _, each in highlights()]
    assert ranks == sorted(set(ranks))


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Engine]]:
    folder = tmp_path_factory.mktemp("kinds")
    writers = {"shapes": write_shapes, "thrown": write_thrown}
    opened = [Engine(write(folder / f"{name}.run")) for name, write in writers.items()]
    yield opened
    for engine in opened:
        engine.close()


def _values(engine: Engine, scope: str) -> pa.Table:
    metrics = [query.id for query in catalogue().values() if query.step is None]
    return measure([engine], metrics=metrics, scope=parse_scope(scope), is_cached=False).arrow()


def _sums(values: pa.Table) -> dict[tuple[str, str], float]:
    """Returns what the sums of metrics with one row add up to."""
    found: dict[tuple[str, str], float] = {}
    for row in values.select(["metric", "measure", "value"]).to_pylist():
        query = catalogue()[row["metric"]]
        if not query.keys and row["measure"] in query.sums:
            name = (row["metric"], row["measure"])
            found[name] = found.get(name, 0.0) + (row["value"] or 0.0)
    return found


def test_sums_add_up_over_threads(engines: list[Engine]) -> None:
    for engine in engines:
        threads = [name for (name,) in engine.query("SELECT DISTINCT name FROM thread").rows()]
        added: dict[tuple[str, str], float] = {}
        for thread in threads:
            for name, value in _sums(_values(engine, f"thread:{thread}")).items():
                added[name] = added.get(name, 0.0) + value
        assert len(threads) > 1
        assert added == _sums(_values(engine, "run"))


def test_shares_are_from_0_to_1(engines: list[Engine]) -> None:
    for engine in engines:
        values = _values(engine, "run")
        for query in catalogue().values():
            of_metric = values.filter(pc.equal(values["metric"], query.id))
            for row in of_metric.select(["measure", "value"]).to_pylist():
                if row["measure"] in query.shares and row["value"] is not None:
                    assert 0 <= row["value"] <= 1, (query.id, row)


@pytest.mark.parametrize("stack", STACKS, ids=lambda stack: stack.id)
def test_a_stack_adds_what_may_be_added(stack: object) -> None:
    query = catalogue()[stack.metric]
    assert stack.weight in query.sums
    assert {*query.summed_within} == {key for key, _ in stack.only}


def test_a_budget_adds_what_may_be_added() -> None:
    assert all(name in catalogue()[id_].sums for id_, name in QUANTITIES.values())
    assert "n_executions" in catalogue()[EXECUTED].sums

"""A condition on a key that has the same values in every run may not ask for another value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from support.planted_runs import write_program

import jvmscope
from jvmscope.errors import QueryError
from jvmscope.metrics import catalogue
from jvmscope.reports.changes.condition import parse_condition
from jvmscope.reports.changes.fixed_keys import check_fixed_keys
from jvmscope.reports.changes.measuring import why_not_comparable

if TYPE_CHECKING:
    from pathlib import Path

_FIXED = [(query.id, key) for query in catalogue().values() for key in query.fixed]
_NUMERIC = ("integer", "number")


@pytest.fixture(scope="module")
def changes(shapes: Path, tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """The changes of all metrics from one program to another that has nothing of it."""
    other = write_program(tmp_path_factory.mktemp("other") / "b.run", seed=1)
    every = [query.id for query in catalogue().values() if why_not_comparable(query) is None]
    return jvmscope.compare(shapes, other, *every).arrow()


def _values(changes: pa.Table, metric: str, key: str, side: str = "") -> set[Any]:
    rows = changes.to_pylist()
    return {
        row[key]
        for row in rows
        if row["metric"] == metric and row[key] is not None and (not side or row[side] is not None)
    }


@pytest.mark.parametrize(("metric", "key"), _FIXED)
def test_a_fixed_key_has_the_same_values_in_both_runs(
    changes: pa.Table, metric: str, key: str
) -> None:
    in_a, in_b = _values(changes, metric, key, "a"), _values(changes, metric, key, "b")
    assert in_b
    assert in_a in (in_b, set())  # `shapes` was recorded without objects


def test_numbers_that_two_programs_share_are_fixed(changes: pa.Table) -> None:
    """GIVEN programs that have nothing in common, THEN so do numbers that are not declared."""
    shared = []
    for query in catalogue().values():
        for key in query.keys:
            is_number = key.type in _NUMERIC and key.name in changes.column_names
            in_a = _values(changes, query.id, key.name, "a") if is_number else set()
            if len(in_a) > 3 and in_a == _values(changes, query.id, key.name, "b"):
                shared.append((query.id, key.name))
    assert set(shared) <= set(_FIXED)
    assert ("hotness.cutoffs", "percent") in shared


@pytest.mark.parametrize(
    "form",
    [
        "metric = '{metric}' AND {key} = {value} AND delta > 0",
        "delta > 0 AND {key} IN ({value}) AND '{metric}' = metric",
        "b > 1 OR metric = '{metric}' AND {key} = {value}",
        "metric LIKE '{metric}%' AND NOT ({key} <> {value}) AND b > 0",
    ],
)
@pytest.mark.parametrize(("metric", "key"), _FIXED)
def test_another_value_is_refused(changes: pa.Table, metric: str, key: str, form: str) -> None:
    known = sorted(_values(changes, metric, key))
    other = "'none'" if isinstance(known[0], str) else "123"

    right = known[-1] if other == "123" else f"'{known[-1]}'"
    _check(form.format(metric=metric, key=key, value=right), changes)
    with pytest.raises(QueryError, match=f"error: {metric} has no such {key}\n"):
        _check(form.format(metric=metric, key=key, value=other), changes)


@pytest.mark.parametrize(
    "condition",
    [
        "percent > 40 AND delta > 0",
        "percent <> 15 AND delta > 0",
        "metric = 'stack.heights' AND height = 12345 AND delta > 0",  # of no run yet
        "metric = 'objects.size' AND size = 17 AND delta > 0",
        "metric = 'execution.totals' AND delta > 0",
        "percent IS NULL AND delta > 0",
        "coalesce(percent, 15) = 15 AND delta > 0",
    ],
)
def test_others_are_accepted(changes: pa.Table, condition: str) -> None:
    _check(condition, changes)


def test_where_nothing_was_measured_nothing_is_known(changes: pa.Table) -> None:
    rows = changes.filter(pa.compute.equal(changes["metric"], "execution.totals"))

    _check("metric = 'hotness.cutoffs' AND percent = 15 AND delta > 0", rows)


def test_a_metric_without_rows_may_have_the_value(changes: pa.Table) -> None:
    """GIVEN cut-offs that were measured and a curve that was not, THEN it might have the value."""
    is_curve = pa.compute.equal(changes["metric"], "hotness.blocks_curve")
    curve = changes.filter(is_curve).slice(0, 1).to_pylist()[0]
    unmeasured = pa.Table.from_pylist([{**curve, "percent": None}], schema=changes.schema)
    is_cutoff = pa.compute.equal(changes["metric"], "hotness.cutoffs")
    rows = pa.concat_tables([changes.filter(is_cutoff), unmeasured])

    _check("percent = 15 AND delta > 0", rows)
    with pytest.raises(QueryError, match=r"hotness\.cutoffs has no such percent"):
        _check("metric = 'hotness.cutoffs' AND percent = 15 AND delta > 0", rows)


def test_the_error_says_which_values_there_are(changes: pa.Table) -> None:
    with pytest.raises(QueryError, match="known: 1, 2, 5, 10, 20, 50"):
        _check("metric = 'hotness.cutoffs' AND percent = 15 AND delta > 0", changes)
    with pytest.raises(QueryError, match=r"known: 101 from 0 to 100"):
        _check("metric = 'hotness.methods_curve' AND percent = 101 AND delta > 0", changes)
    with pytest.raises(QueryError, match=r"known: 90, 99, 99\.9, 99\.99"):
        _check("metric = 'hotness.focus' AND percentile = 95 AND delta > 0", changes)


def _check(condition: str, changes: pa.Table) -> None:
    parse_condition(condition)
    check_fixed_keys(condition, changes)

"""A condition whose limits contradict each other is refused; one that a value can meet is not."""

from __future__ import annotations

import itertools

import pyarrow as pa
import pytest

from jvmscope.errors import QueryError
from jvmscope.reports.changes.condition import parsed_condition
from jvmscope.reports.changes.condition_limits import contradicted_column
from jvmscope.reports.changes.condition_results import evaluate
from jvmscope.reports.changes.vocabulary import check_reach

_PARTS = (
    "delta > 5", "delta < 3", "3 > delta", "delta >= 3", "delta <= 3", "delta = 4", "4 < delta",
    "delta BETWEEN 3 AND 4", "NOT delta > 5", "NOT (delta > 5 OR delta < 3)", "delta IS NULL",
    "delta IS NOT NULL", "(delta < 3 OR delta = 4)", "delta <> 4", "delta BETWEEN 4 AND 3.5",
    "a > -1.5", "NOT (a <= 1e1 AND delta > 5)",
)  # fmt: skip
_VALUES = (None, 2.0, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0)
_ROWS = pa.Table.from_pylist(
    [{"delta": delta, "a": a} for delta, a in itertools.product(_VALUES, (None, -2.0, 1.0, 20.0))],
    schema=pa.schema([("delta", pa.float64()), ("a", pa.float64())]),
)
"""Rows on both sides of every limit, and on it."""


def _conditions() -> list[str]:
    pairs = [" AND ".join(pair) for pair in itertools.combinations(_PARTS, 2)]
    return [*_PARTS, *pairs, *(f"({pair}) OR {_PARTS[0]} AND {_PARTS[1]}" for pair in pairs[::7])]


def test_what_is_a_contradiction_holds_for_no_value() -> None:
    """DuckDB says of every row what it is; whatever holds for one row is no contradiction."""
    n_refused = 0
    for condition in _conditions():
        is_refused = contradicted_column(parsed_condition(condition)) is not None
        n_refused += is_refused
        n_held = evaluate(condition, _ROWS).rows.num_rows
        assert not (is_refused and n_held), condition
    assert n_refused > 30


@pytest.mark.parametrize(
    "condition",
    ["delta > 5 AND delta < 3", "a IS NULL AND a > 1", "delta_pct > 5 AND NOT delta_pct > 2",
     "b BETWEEN 3 AND 2", "delta >= 3 AND delta < 3", "(a > 5 AND a < 3) OR (b > 1 AND b < 0)"],
)  # fmt: skip
def test_a_contradiction_is_refused(condition: str) -> None:
    with pytest.raises(QueryError, match="no value can meet this condition: what it asks of"):
        check_reach(condition, ["execution.totals"])


def test_all_metrics_that_a_condition_could_be_about_are_named() -> None:
    with pytest.raises(QueryError) as caught:
        check_reach("unit = 'frame' AND delta > 1", ["execution.totals"])
    assert "-m contexts.shape -m stack.populations" in str(caught.value)

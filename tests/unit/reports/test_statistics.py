"""Ranks, medians, shares: worked out on paper."""

from __future__ import annotations

import pytest

from jvmscope.reports.shares import amounts_of, ranges, stack_of
from jvmscope.reports.stacks import STACKS
from jvmscope.reports.statistics import measure_of, median, ranks

_TARGETS = next(stack for stack in STACKS if stack.id == "polymorphism.targets.calls")


def test_the_largest_value_is_first_where_neither_end_is_better() -> None:
    assert ranks([2.0, 8.0, 4.0]) == [3, 1, 2]
    assert ranks([2.0, 8.0, 4.0], "higher") == [3, 1, 2]


def test_the_smallest_value_is_first_where_lower_is_better() -> None:
    assert ranks([2.0, 8.0, 4.0], "lower") == [1, 3, 2]


def test_equal_values_share_the_smallest_of_their_ranks() -> None:
    assert ranks([5.0, 9.0, 5.0, 5.0, 1.0]) == [2, 1, 2, 2, 5]


def test_what_has_no_value_is_never_ranked_and_a_zero_is() -> None:
    assert ranks([None, 0.0, None, -1.0]) == [None, 1, None, 2]


@pytest.mark.parametrize(
    ("values", "expected"), [([], None), ([3.0], 3.0), ([4.0, 1.0, 9.0], 4.0), ([1.0, 2.0], 1.5)]
)
def test_medians(values: list[float], expected: float | None) -> None:
    assert median(values) == expected


def test_a_measure_is_summed_up_over_what_has_a_value() -> None:
    found = [(6.0, None), (None, "failed: exit 1"), (2.0, None), (10.0, None), (2.0, None)]
    measure = measure_of(found, id="m.x", name="x", unit="call")

    assert (measure.n, measure.minimum, measure.median, measure.maximum) == (4, 2.0, 4.0, 10.0)
    assert [cell.rank for cell in measure.cells] == [2, None, 3, 1, 3]
    assert measure.cells[1].reason == "failed: exit 1"
    assert measure.reason is None


def test_a_measure_that_nobody_has_says_why_once() -> None:
    measure = measure_of([(None, "no probe")] * 2, id="m.x", name="x")

    assert (measure.n, measure.minimum, measure.median, measure.maximum) == (0, None, None, None)
    assert measure.reason == "no probe"
    assert measure_of([(None, "a"), (None, "b")], id="m.x", name="x").reason is None


def test_bins_are_named_by_their_largest_number() -> None:
    labels, label_of = ranges(1, 2, 4, 8)

    assert labels == ("1", "2", "3-4", "5-8", "9+")
    assert [label_of(n) for n in (1, 2, 4, 8, 16, 1 << 40)] == ["1", "2", "3-4", "5-8", "9+", "9+"]


def _row(
    n_targets: int | None, n_calls: float | None, reason: str | None = None
) -> dict[str, object]:
    return {"measure": "n_calls", "n_targets": n_targets, "value": n_calls, "reason": reason}


def test_shares_of_a_stack() -> None:
    """30 of 40 calls at sites with one target, 4 + 6 at sites with 3 and with 4, which is a bin."""
    other = {"measure": "n_call_sites", "n_targets": 1, "value": 999.0, "reason": None}
    amounts = amounts_of(_TARGETS, [_row(1, 30), other, _row(3, 4), _row(4, 6)])

    assert amounts == (30, 0, 10, 0, 0)
    stack = stack_of(_TARGETS, [amounts, "no calls were recorded", (0, 0, 0, 0, 0)])
    assert [segment.key for segment in stack.segments] == ["1", "2", "3-4", "5-8", "9+"]
    assert [segment.cells[0].value for segment in stack.segments] == [0.75, 0, 0.25, 0, 0]
    assert {segment.cells[1].reason for segment in stack.segments} == {"no calls were recorded"}
    assert {segment.cells[2].value for segment in stack.segments} == {None}
    assert stack.totals == (40, None, 0)
    assert (stack.segments[0].n, stack.segments[0].median) == (1, 0.75)


def test_a_stack_without_rows_says_why() -> None:
    reason = "the table was not recorded"

    assert amounts_of(_TARGETS, [_row(None, None, reason)]) == reason


def test_every_stack_is_of_a_metric_that_has_its_columns() -> None:
    from jvmscope.metrics import catalogue

    for stack in STACKS:
        query = catalogue()[stack.metric]
        names = {column.name for column in query.columns}
        assert {stack.weight, stack.key, *(key for key, _ in stack.only)} <= names, stack.id
    assert len({stack.id for stack in STACKS}) == len(STACKS)

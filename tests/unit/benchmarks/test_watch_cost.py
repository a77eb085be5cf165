"""What watching costs, from the differences of pairs."""

from __future__ import annotations

import random
import statistics

import pytest
from scipy import stats

from benchmarks.paired import estimate
from benchmarks.watch_cost import Costs


def test_the_interval_is_that_of_the_table() -> None:
    """GIVEN eight pairs, whose smallest sum of ranks at 5 % is 3, THEN four means are outside."""
    assert estimate([8, 3, 1, 4, 2, 7, 6, 5]) == (4.5, 2.0, 7.0)


@pytest.mark.parametrize("seed", range(20))
def test_the_bounds_are_where_the_test_turns(seed: int) -> None:
    """Wilcoxon's exact test keeps what is inside the interval, and rejects what is well outside."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    differences = [chance.gauss(0.02, 0.03) for _ in range(20)]
    middle, low, high = estimate(differences)
    step = (high - low) / 10

    assert low < middle < high
    for value, is_kept in ((low + step, True), (high - step, True), (low - step, False)):
        shifted = [difference - value for difference in differences]
        assert (stats.wilcoxon(shifted, method="exact").pvalue > 0.05) == is_kept
    assert abs(middle - statistics.fmean(differences)) < high - low


def test_one_outlier_does_not_decide() -> None:
    """GIVEN a pair in which the VM compiled all anew, THEN the goal is still judged."""
    quiet = [0.01 + 0.0005 * k for k in range(-8, 9)]

    assert Costs(quiet).judged == "yes"
    assert Costs([*quiet, 5.0]).judged == "yes"
    assert Costs([0.05 + value for value in quiet]).judged == "no"
    assert Costs([0.01 + value for value in quiet]).judged == "undecided"

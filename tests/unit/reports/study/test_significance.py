"""Averages and tests: worked out by hand, published values, and SciPy's own functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from jvmscope.reports.study.distributions import distribution_of, quantile, trimmed_mean
from jvmscope.reports.study.significance import anova, mean_pairs, paired_means

_property = settings(max_examples=60, deadline=None)

# Different from each other, so that a test has something to go by.
_SAMPLES = st.lists(st.floats(0, 1e6), min_size=2, max_size=130).map(
    lambda values: [value + 10 * n for n, value in enumerate(values)]
)


def _array(*values: float) -> Any:
    return np.array(values, dtype=np.float64)


def test_trimmed_mean_leaves_out_two_and_a_half_percent_of_each_side() -> None:
    # Of 80 values 2 at each side: 0 and 1 below, 1e9 and 1e10 above 76 values of 10 and 20.
    values = [0.0, 1.0, *[10.0] * 38, *[20.0] * 38, 1e9, 1e10]

    assert trimmed_mean(_array(*values)) == 15.0


def test_few_values_are_all_in_the_mean() -> None:
    assert trimmed_mean(_array(*[1.0] * 38, 40.0)) == (38 + 40) / 39


def test_quartiles() -> None:
    # Places 1.25, 2.5 and 3.75 of 0 to 5: 2 + 0.25 · 2, 4 + 0.5 · 4, 8 + 0.75 · 8.
    found = distribution_of([32.0, 1.0, 16.0, 2.0, 8.0, 4.0])

    assert (found.minimum, found.lower_quartile, found.median) == (1, 2.5, 6)
    assert (found.upper_quartile, found.maximum, found.interquartile_range) == (14, 32, 11.5)


def test_what_depends_on_an_unknown_large_value_is_unknown() -> None:
    found = distribution_of([1.0, 2.0, 3.0, math.inf, math.inf])

    assert (found.lower_quartile, found.median, found.upper_quartile) == (2, 3, None)
    assert (found.maximum, found.interquartile_range) == (None, None)


@_property
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50), st.floats(0, 1))
def test_quantiles_are_those_of_numpy(values: list[float], share: float) -> None:
    found = quantile(sorted(values), share)

    assert found == pytest.approx(float(np.quantile(values, share)), rel=1e-9, abs=1e-6)


def test_t_test_by_hand() -> None:
    """Means 3 and 6, variances 2.5 and 10, of 5 values each.

    t = -3 / sqrt(0.5 + 2) = -1.897, with 2.5² / (0.5² / 4 + 2² / 4) = 5.882 degrees of freedom.
    """
    (found,) = mean_pairs([(_array(1, 2, 3, 4, 5), _array(2, 4, 6, 8, 10))])

    assert (found.first, found.second, found.ratio) == (3, 6, 0.5)
    assert found.p == pytest.approx(2 * stats.t.sf(3 / math.sqrt(2.5), 6.25 / 1.0625), rel=1e-12)
    assert not found.is_significant


def test_t_test_of_trimmed_means_by_hand() -> None:
    """Of 40 values one at each side is left out, and counts as its neighbour in the variance.

    First: 0, 19 times 10, 19 times 12, 1000: trimmed mean 11; the winsorized values are 20 times
    10 and 12 each, whose squares add up to 40.
    Second: the same, moved by 1. The squared errors are 40 / (38 · 37), with 37 degrees of freedom.
    """
    first = _array(0, *[10] * 19, *[12] * 19, 1000)

    (found,) = mean_pairs([(first, first + 1)])

    assert (found.first, found.second) == (11, 12)
    t = 1 / math.sqrt(2 * 40 / (38 * 37))
    assert found.p == pytest.approx(2 * stats.t.sf(t, 74), rel=1e-12)


@_property
@given(_SAMPLES, _SAMPLES)
def test_t_test_is_that_of_scipy(first: list[float], second: list[float]) -> None:
    (found,) = mean_pairs([(_array(*first), _array(*second))])

    expected = stats.ttest_ind(first, second, equal_var=False, trim=0.025).pvalue
    assert found.p == pytest.approx(float(expected), rel=1e-6, abs=1e-12)


@_property
@given(
    st.lists(st.integers(1, 1000), min_size=3, max_size=60),
    st.lists(st.integers(1, 1000), min_size=3, max_size=60),
    st.integers(2, 1000),
)
def test_units_change_nothing(first: list[int], second: list[int], factor: int) -> None:
    pairs = [(_array(*first), _array(*second))]
    scaled = [(_array(*first) * factor, _array(*second) * factor)]
    turned = [(_array(*second), _array(*first))]

    (found,), (other,), (back,) = map(mean_pairs, (pairs, scaled, turned))

    assert found.ratio == pytest.approx(other.ratio)
    assert found.p == pytest.approx(other.p) == pytest.approx(back.p)
    assert found.ratio == pytest.approx(1 / (back.ratio or math.nan))


def test_no_test_without_chance() -> None:
    one, equal, zero = _array(5), _array(5, 5, 5), _array(0, 0)

    found = mean_pairs([(one, equal), (equal, equal), (equal, zero)])

    assert [each.p for each in found] == [None] * 3
    assert [each.ratio for each in found] == [1, 1, None]
    assert found[0].reason == "a test needs two samples on each side"
    assert found[1].reason == "all samples of a side are equal, so nothing is known of chance"


def test_anova_of_nist() -> None:
    """NIST's reference data SiRstv; certified: F = 1.18046237440224, R² = 0.190999039051129."""
    groups = [
        _array(196.3052, 196.1240, 196.1890, 196.2569, 196.3403),
        _array(196.3042, 196.3825, 196.1669, 196.3257, 196.0422),
        _array(196.1303, 196.2005, 196.2889, 196.0343, 196.1811),
        _array(196.2795, 196.1748, 196.1494, 196.1485, 195.9885),
        _array(196.2119, 196.1051, 196.1850, 196.0052, 196.2090),
    ]

    found = anova(groups)

    assert found.f == pytest.approx(1.18046237440224, rel=1e-10)
    assert found.between_share == pytest.approx(0.190999039051129, rel=1e-10)
    assert found.p == pytest.approx(float(stats.f_oneway(*groups).pvalue), rel=1e-9)


def test_anova_by_hand() -> None:
    # Means 2, 3 and 7 of 3 values each, 4 in all: between 3·4 + 3·1 + 3·9 = 42, within 2·3 = 6.
    found = anova([_array(1, 2, 3), _array(2, 3, 4), _array(6, 7, 8)])

    assert (found.n_groups, found.n, found.f) == (3, 9, 21)
    assert found.between_share == 42 / 48
    assert found.p == pytest.approx(0.0019531, abs=1e-7)  # 1 / 512, as F has 2 and 6: (6/48)³


@_property
@given(
    st.lists(st.lists(st.integers(0, 1000), min_size=1, max_size=8), min_size=1, max_size=6),
    st.integers(1, 100),
    st.integers(-1000, 1000),
)
def test_anova_is_that_of_scipy(groups: list[list[int]], factor: int, shift: int) -> None:
    arrays = [_array(0, 1), *(_array(*group) for group in groups)]

    found, moved = anova(arrays), anova([group * factor + shift for group in arrays])

    expected = stats.f_oneway(*arrays)
    assert found.f == pytest.approx(float(expected.statistic), rel=1e-6, abs=1e-9)
    assert found.p == pytest.approx(float(expected.pvalue), rel=1e-6, abs=1e-12)
    assert found.f == pytest.approx(moved.f, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([], "one group only: there is nothing to compare it with"),
        ([_array(1, 2)], "one group only: there is nothing to compare it with"),
        ([_array(1), _array(2)], "no group has two values"),
        ([_array(1, 1), _array(2, 2)], "the values of each group are equal"),
    ],
)
def test_anova_of_too_little(groups: list[Any], reason: str) -> None:
    found = anova(groups)

    assert (found.f, found.p, found.between_share, found.reason) == (None, None, None, reason)


def test_paired_means_by_hand() -> None:
    """Differences 1, 2, 3, 4: mean 2.5, error sqrt(5/3) / 2 = 0.6455, t = 3.873 with 3.

    The quantile of Student's t with 3 is 3.1824; and with 3, its distribution has a closed form.
    """
    found = paired_means([(11, 10), (12, 10), (13, 10), (14, 10)])

    assert found.difference == 2.5
    half = 3.182446 * math.sqrt(5 / 3) / 2
    assert (found.low, found.high) == pytest.approx((2.5 - half, 2.5 + half))
    root = math.sqrt(5)  # t by the root of 3
    assert found.p == pytest.approx(1 - 2 / math.pi * (root / 6 + math.atan(root)))


@pytest.mark.parametrize(
    ("pairs", "difference", "reason"),
    [
        ([], None, "there are no pairs"),
        ([(2, 1)], 1, "a test needs two pairs"),
        ([(2, 1), (3, 2)], 1, "all differences are equal"),
    ],
)
def test_paired_means_of_too_little(
    pairs: list[tuple[float, float]], difference: float | None, reason: str
) -> None:
    found = paired_means(pairs)

    assert (found.difference, found.low, found.p, found.reason) == (difference, None, None, reason)

"""Whether averages differ by more than chance: t-tests, and the one-way analysis of variance.

The distributions of Student and Fisher are those of SciPy. Without it, what needs them has no
value, and the reason says what to install.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.extras import extra, missing
from jvmscope.reports.study.distributions import n_trimmed, trimmed_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["ALPHA", "Anova", "MeanPair", "PairedMeans", "anova", "mean_pairs", "paired_means"]

ALPHA = 0.05
"""A difference is significant if its probability by chance is below this."""

_WHAT = "a test of significance"
_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class MeanPair:
    """Two trimmed means and how sure their difference is.

    Attributes:
        first: the first mean.
        second: the second.
        ratio: the first by the second; None: the second is zero.
        p: of the t-test; None: see the reason.
        reason: why there is no p.
    """

    first: float
    second: float
    ratio: float | None
    p: float | None
    reason: str | None = None

    @property
    def is_significant(self) -> bool:
        """Whether the means differ significantly; not if this is not known."""
        return self.p is not None and self.p < ALPHA


@dataclass(frozen=True, slots=True)
class Anova:
    """A one-way analysis of variance.

    Attributes:
        n_groups: the groups.
        n: the values in them.
        f: the variance between groups by that within them; None: see the reason.
        p: how probable an ``f`` as large is, if all groups have one mean; None: see the reason.
        between_share: the part of the sum of squares that is between groups, eta squared; None:
            all values are equal, or there are none.
        reason: why something has no value.
    """

    n_groups: int
    n: int
    f: float | None = None
    p: float | None = None
    between_share: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PairedMeans:
    """The mean difference of pairs, with its 95 % confidence interval and the paired t-test.

    Attributes:
        difference: the mean of the differences; None: there are no pairs.
        low, high: the bounds of the interval; None: see the reason.
        p: of the test; None: see the reason.
        reason: why something has no value.
    """

    difference: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    reason: str | None = None


def mean_pairs(
    samples: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> list[MeanPair]:
    """Returns the trimmed means of pairs of samples, and the t-test of each, two-sided.

    This is the t-test for trimmed means with unequal variances (Yuen, 1974), which is Welch's if
    the samples are too small to leave anything out. The paper does not say which t-test it takes.

    Args:
        samples: pairs of samples, each with a value at least, in any order.
    """
    ordered = [(np.sort(first), np.sort(second)) for first, second in samples]
    compared = [_compared(first, second) for first, second in ordered]
    reason = missing(_WHAT, "scipy")
    p = _two_sided([t for t, _, _ in compared], [df for _, df, _ in compared], reason)
    return [
        _mean_pair(
            trimmed_mean(first), trimmed_mean(second), p[index], compared[index][2] or reason
        )
        for index, (first, second) in enumerate(ordered)
    ]


def _mean_pair(first: float, second: float, p: float | None, reason: str | None) -> MeanPair:
    ratio = first / second if second else None
    return MeanPair(first, second, ratio, None if reason else p, reason)


def _compared(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> tuple[float, float, str | None]:
    """Returns t, its degrees of freedom, and why they say nothing."""
    if min(len(first), len(second)) < 2:
        return 0.0, 1.0, "a test needs two samples on each side"
    errors = [_squared_error(values) for values in (first, second)]
    variance = sum(squared for squared, _ in errors)
    if variance == 0:
        return 0.0, 1.0, "all samples of a side are equal, so nothing is known of chance"
    t = (trimmed_mean(first) - trimmed_mean(second)) / math.sqrt(variance)
    return t, variance**2 / sum(squared**2 / df for squared, df in errors), None


def _squared_error(ordered: NDArray[np.float64]) -> tuple[float, int]:
    """Returns the squared standard error of a trimmed mean, and its degrees of freedom.

    The variance is that of the winsorized sample: what is left out counts as the nearest that is
    not.
    """
    n, cut = len(ordered), n_trimmed(len(ordered))
    n_left = n - 2 * cut
    winsorized = np.clip(ordered, ordered[cut], ordered[n - cut - 1])
    squares = float(np.sum((winsorized - np.mean(winsorized)) ** 2))
    return squares / (n_left * (n_left - 1)), n_left - 1


def anova(groups: Sequence[NDArray[np.float64]]) -> Anova:
    """Returns whether groups of values differ in their means.

    Args:
        groups: the values of each group, one at least.
    """
    n_groups, n = len(groups), sum(map(len, groups))
    if n_groups < 2:
        return Anova(n_groups, n, reason="one group only: there is nothing to compare it with")
    if n == n_groups:
        return Anova(n_groups, n, reason="no group has two values")
    # As differences from the mean of all, so that large values lose no digits.
    grand = float(np.mean(np.concatenate(groups)))
    between = sum(len(group) * (float(np.mean(group)) - grand) ** 2 for group in groups)
    within = sum(float(np.sum((group - np.mean(group)) ** 2)) for group in groups)
    if within == 0:
        return Anova(n_groups, n, reason="the values of each group are equal")
    f = (between / (n_groups - 1)) / (within / (n - n_groups))
    share = between / (between + within)
    reason = missing(_WHAT, "scipy")
    if reason is not None:
        return Anova(n_groups, n, f, None, share, reason)
    p = float(extra(_WHAT, "scipy.stats").f.sf(f, n_groups - 1, n - n_groups))
    return Anova(n_groups, n, f, p, share)


def paired_means(pairs: Sequence[tuple[float, float]]) -> PairedMeans:
    """Returns the mean of first minus second, its interval, and the paired t-test, two-sided."""
    if not pairs:
        return PairedMeans(None, reason="there are no pairs")
    differences = np.array([first - second for first, second in pairs])
    mean = float(np.mean(differences))
    if len(pairs) < 2:
        return PairedMeans(mean, reason="a test needs two pairs")
    error = float(np.std(differences, ddof=1)) / math.sqrt(len(pairs))
    if error == 0:
        return PairedMeans(mean, reason="all differences are equal")
    reason = missing(_WHAT, "scipy")
    (p,) = _two_sided([mean / error], [len(pairs) - 1], reason)
    if reason is not None:
        return PairedMeans(mean, reason=reason)
    quantile = extra(_WHAT, "scipy.stats").t.ppf((1 + _CONFIDENCE) / 2, len(pairs) - 1)
    half = float(quantile) * error
    return PairedMeans(mean, mean - half, mean + half, p)


def _two_sided(
    t: Sequence[float], freedoms: Sequence[float], reason: str | None
) -> list[float | None]:
    """Returns how probable values of Student's t are that are as far from zero."""
    if reason is not None or not t:
        return [None] * len(t)
    tails = extra(_WHAT, "scipy.stats").t.sf(np.abs(np.array(t)), np.array(freedoms))
    return [2 * float(tail) for tail in tails]

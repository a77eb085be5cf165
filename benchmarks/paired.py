"""The middle of paired differences, and how sure it is."""

from __future__ import annotations

import statistics
from itertools import combinations_with_replacement
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LEAST_PAIRS", "Estimate", "estimate"]

LEAST_PAIRS = 8
"""How many pairs an interval needs."""

_CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A value, and the bounds of its 95 % interval."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Estimate:
        """Returns all three, multiplied by a factor that is not negative."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


def estimate(differences: Sequence[float]) -> Estimate:
    """Returns the median of the means of all two differences (Hodges and Lehmann).

    The interval is that of Wilcoxon's signed ranks: a compilation makes an outlier of a pair, which
    moves neither far.
    """
    means = sorted(
        (one + other) / 2 for one, other in combinations_with_replacement(differences, 2)
    )
    n = len(differences)
    deviation = (n * (n + 1) * (2 * n + 1) / 24) ** 0.5
    rank = int(n * (n + 1) / 4 - NormalDist().inv_cdf((1 + _CONFIDENCE) / 2) * deviation)
    return Estimate(statistics.median(means), means[rank - 1], means[-rank])

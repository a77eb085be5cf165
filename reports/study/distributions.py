"""What a set of values looks like: smallest, quartiles, largest; and averages without outliers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = [
    "TRIMMED_PER_MILLE",
    "Distribution",
    "distribution_of",
    "n_trimmed",
    "quantile",
    "trimmed_mean",
]

TRIMMED_PER_MILLE = 25
"""Of the smallest values, and of the largest, as many are left out of a trimmed mean."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How values are distributed; all but ``n`` are None if there are no values.

    Attributes:
        n: how many there are.
        minimum: the smallest.
        lower_quartile: a quarter of them are at most this, see ``quantile``.
        median: half of them.
        upper_quartile: three quarters.
        maximum: the largest.

    Infinite values are those that are known to be larger than all others, but not how large; where
    a number of this distribution depends on one, it is None.
    """

    n: int
    minimum: float | None = None
    lower_quartile: float | None = None
    median: float | None = None
    upper_quartile: float | None = None
    maximum: float | None = None

    @property
    def interquartile_range(self) -> float | None:
        """The difference of the quartiles."""
        if self.lower_quartile is None or self.upper_quartile is None:
            return None
        return self.upper_quartile - self.lower_quartile


def distribution_of(values: Sequence[float]) -> Distribution:
    """Returns the distribution of values, in any order.

    >>> distribution_of([4.0, 1.0, 3.0, 2.0]).median, distribution_of([]).median
    (2.5, None)
    """
    if not values:
        return Distribution(0)
    ordered = sorted(values)
    return Distribution(
        len(ordered), *(quantile(ordered, share) for share in (0, 0.25, 0.5, 0.75, 1))
    )


def quantile(ordered: Sequence[float], share: float) -> float | None:
    """Returns the value below which a share of the values lies, between neighbours in proportion.

    This is type 7 of Hyndman and Fan, the default of R and NumPy. None if it depends on an infinite
    value.

    >>> quantile([1.0, 2.0, 3.0, 4.0], 0.25), quantile([1.0, 2.0, math.inf], 0.75)
    (1.75, None)
    """
    place = (len(ordered) - 1) * share
    low = math.floor(place)
    part = place - low
    found = ordered[low] if part == 0 else ordered[low] * (1 - part) + ordered[low + 1] * part
    return found if math.isfinite(found) else None


def n_trimmed(n: int) -> int:
    """Returns how many of the smallest values, and how many of the largest, are left out of n.

    >>> [n_trimmed(n) for n in (39, 40, 256)]
    [0, 1, 6]
    """
    return n * TRIMMED_PER_MILLE // 1000


def trimmed_mean(ordered: NDArray[np.float64]) -> float:
    """Returns the trimmed mean of values in ascending order, of which there is one at least.

    >>> float(trimmed_mean(np.array([0.0] + [1.0] * 38 + [1000.0])))
    1.0
    """
    cut = n_trimmed(len(ordered))
    return float(np.mean(ordered[cut : len(ordered) - cut]))

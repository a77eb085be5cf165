"""How much a backtracking matcher may have to try, known before it begins."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["ONE_WAY", "Ways"]


@dataclass(frozen=True, slots=True)
class Ways:
    """A bound of how many ways there are for part of an expression to match from one place.

    In a text of n characters there are at most ``exp(log_factor) * (n + 2) ** degree`` of them.

    >>> star = ONE_WAY.repeated(0, None)
    >>> star, star.then(star)
    (Ways(log_factor=0.0, degree=1.0), Ways(log_factor=0.0, degree=2.0))
    >>> star.repeated(1, None).log_steps(1, 10)
    inf
    """

    log_factor: float = 0.0
    degree: float = 0.0

    def then(self, following: Ways) -> Ways:
        """Returns the ways of this part and one that follows it."""
        return Ways(self.log_factor + following.log_factor, self.degree + following.degree)

    def otherwise(self, other: Ways) -> Ways:
        """Returns the ways of two alternatives."""
        log_factor = max(self.log_factor, other.log_factor) + math.log(2)
        return Ways(log_factor, max(self.degree, other.degree))

    def repeated(self, least: int, most: int | None) -> Ways:
        """Returns the ways of repetitions, of any number of them if there is no most.

        What itself matches in several ways has as many for each repetition: ``(a+)+``.
        """
        if most is None:
            return Ways(0.0, 1.0) if self == ONE_WAY else Ways(math.inf, math.inf)
        log_counts = math.log(most - least + 1)
        return Ways(log_counts + self.log_factor * most, self.degree * most)

    def log_steps(self, size: int, length: int) -> float:
        """Returns the logarithm of a bound of the steps of a search.

        Args:
            size: the length of the expression.
            length: that of the text; the search may begin at each of its places.
        """
        return self.log_factor + math.log(size + 1) + (self.degree + 1) * math.log(length + 2)


ONE_WAY = Ways()

"""Counts of the last seconds, in bounded memory."""

from __future__ import annotations

import time
from collections import Counter, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Key = tuple[str, object]

__all__ = ["RECENT_S", "Recent"]

RECENT_S = 10
"""How long counts are kept."""


class Recent:
    """Counts by what is counted, a slot for each of the last seconds.

    Args:
        clock: returns the seconds that have passed since some moment.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._slots: deque[tuple[int, Counter[Key]]] = deque()

    def add(self, what: Key, amount: int = 1) -> None:
        """Counts something now."""
        now = int(self._clock())
        if not self._slots or self._slots[-1][0] != now:
            self._slots.append((now, Counter()))
            self._forget()
        self._slots[-1][1][what] += amount

    def counts(self) -> Counter[Key]:
        """Returns the counts of the last seconds."""
        self._forget()
        found: Counter[Key] = Counter()
        for _, counts in self._slots:
            found.update(counts)
        return found

    @property
    def passed_s(self) -> float:
        """The seconds since the beginning."""
        return self._clock() - self._began

    @property
    def span_s(self) -> float:
        """The seconds that counts are of; at least one."""
        return max(1.0, min(float(RECENT_S), self.passed_s))

    def _forget(self) -> None:
        oldest = int(self._clock()) - RECENT_S
        while self._slots and self._slots[0][0] <= oldest:
            self._slots.popleft()

"""A regular expression at work, on whichever matcher can be left to it.

Both matchers backtrack. Python's own is several times as fast, and holds the interpreter until it
is done: neither a clock nor Ctrl-C gets through. So it gets what is sure to end soon, by a bound of
its steps. The rest goes to the package ``regex``, which lets others run and gives up when told. So
do case-blind references to groups: Python's matcher compares them by lower-case letters alone, so
that a long s is not an s.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    import regex

    from jvmscope.queries.xquery.notations.backtracking import Ways

__all__ = ["Clock", "Regex"]

_LOG_STEPS = math.log(1e8)  # of Python's matcher: about a second
_FIRST_S, _LEAST_S = 1.0, 0.01


class Clock(Protocol):
    """The time that a query has."""

    def check(self) -> None:
        """Raises LimitReached when the time is up."""

    def seconds_left(self) -> float | None:
        """Returns how long the query may go on; None: as long as it takes."""


class Regex:
    """A compiled regular expression.

    Args:
        pattern: Python's.
        parents: for each group from 1 the number of the group around it, 0 for none.
        size: the length of XPath's expression.
        ways: how many there are to match it.
        folds_groups: whether it compares case-blind with what a group matched.
    """

    def __init__(
        self,
        pattern: re.Pattern[str],
        parents: tuple[int, ...],
        size: int,
        ways: Ways,
        *,
        folds_groups: bool = False,
    ) -> None:
        self.pattern = pattern
        self.parents = parents
        self.size = size
        self.ways = ways
        self._folds_groups = folds_groups

    def search(self, clock: Clock, text: str, at: int = 0) -> re.Match[str] | None:
        """Returns the first match that begins at a place or after it.

        Raises:
            LimitReached: the time of the query is over.
        """
        if self._is_for_python(text):
            return self.pattern.search(text, at)
        return self._search_patiently(clock, text, at)

    def matches(self, clock: Clock, text: str) -> Iterator[re.Match[str]]:
        """Returns the matches of an expression that does not match the empty string, in order.

        Raises:
            LimitReached: the time of the query is over.
        """
        if self._is_for_python(text):
            yield from self.pattern.finditer(text)
            return
        at = 0
        while (match := self._search_patiently(clock, text, at)) is not None:
            yield match
            at = match.end()

    def _is_for_python(self, text: str) -> bool:
        return not self._folds_groups and self.ends_soon(text)

    def ends_soon(self, text: str) -> bool:
        """Tells whether Python's matcher is sure to."""
        return self.ways.log_steps(self.size, len(text)) < _LOG_STEPS

    @cached_property
    def _patient(self) -> regex.Pattern[str]:
        import regex

        return regex.compile(self.pattern.pattern, self.pattern.flags & regex.IGNORECASE)

    def _search_patiently(self, clock: Clock, text: str, at: int) -> re.Match[str] | None:
        """Searches for a while, and then begins again for twice as long, if the query goes on.

        The matcher asks nothing but its clock, which is the processor's.
        """
        patience = _FIRST_S
        while True:
            left = clock.seconds_left()
            timeout = patience if left is None else max(_LEAST_S, min(left, patience))
            try:
                found = self._patient.search(text, at, concurrent=True, timeout=timeout)
            except TimeoutError:
                clock.check()
                patience *= 2
            else:
                return cast("re.Match[str] | None", found)  # which differs in nothing we use

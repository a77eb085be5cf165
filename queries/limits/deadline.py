"""The deadline of a query: one clock for its planning, its SQL, its trees and its text."""

from __future__ import annotations

import time

from jvmscope.errors import LimitReached

__all__ = ["Deadline", "time_is_over"]


class Deadline:
    """The end of the time that a query has, which begins now.

    Args:
        seconds: how long it has; None: as long as it takes.
        ends_process: the process is ended soon after it, so that work which cannot look at the
            clock needs nobody else to end it.

    Attributes:
        at: the end by ``time.monotonic``, or None.
        ends_process: as given.

    Raises:
        ValueError: the seconds are negative, or no number.
    """

    def __init__(self, seconds: float | None, *, ends_process: bool = False) -> None:
        if seconds is not None and not seconds >= 0:
            raise ValueError(f"a timeout is a number of seconds, not {seconds:g}")
        self.ends_process = ends_process
        self._seconds = seconds
        self.at = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Returns the seconds that are left, or None without an end.

        Raises:
            LimitReached: none are left.
        """
        if self.at is None:
            return None
        left = self.at - time.monotonic()
        if left <= 0:
            raise self.error()
        return left

    def error(self) -> LimitReached:
        """Returns what to raise when the time is over."""
        return time_is_over(self._seconds or 0)


def time_is_over(seconds: float) -> LimitReached:
    """Returns what to raise where a query has had so much time."""
    message = f"the query was stopped after {seconds:g} s; raise --timeout"
    return LimitReached(message, in_python={"--timeout": "timeout"})

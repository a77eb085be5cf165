"""The times of which a watch run may lack events, and why.

The lease knows when no recording ran, and the repository of which time it has not seen chunks. The
one comes with the other, and then counts once.
"""

from __future__ import annotations

from collections import deque

__all__ = ["Lapses"]

_NOT_RENEWED = "the recording in the VM could not be renewed in time"
_UNSEEN = "jvmscope was too late for what the VM had written"
_MOST_KNOWN = 100
_LEAST_NS = 1_000_000


class Lapses:
    """Collects spans of time, in nanoseconds since 1970, from several threads."""

    def __init__(self) -> None:
        self._known: deque[tuple[int, int]] = deque(maxlen=_MOST_KNOWN)
        self._rows: deque[tuple[int, int, str]] = deque()

    def add_unrecorded(self, start: int, end: int) -> None:
        """Notes a time without a recording."""
        self._known.append((start, end))
        self._rows.append((start, end, _NOT_RENEWED))

    def add_unseen(self, start: int, end: int) -> None:
        """Notes a time of which chunks were not seen, but for what is known already.

        >>> lapses = Lapses()
        >>> lapses.add_unrecorded(12_000_000, 20_000_000)
        >>> lapses.add_unseen(8_000_000, 20_000_000)
        >>> [(start, end) for start, end, _ in lapses.take()]
        [(12000000, 20000000), (8000000, 12000000)]
        """
        for known_start, known_end in sorted(self._known):
            if start < known_end and known_start < end:
                self._append_unseen(start, known_start)
                start = max(start, known_end)
        self._append_unseen(start, end)

    def _append_unseen(self, start: int, end: int) -> None:
        if end - start >= _LEAST_NS:
            self._rows.append((start, end, _UNSEEN))

    def take(self) -> list[tuple[int, int, str]]:
        """Returns the rows of ``lapse`` that are new."""
        found = []
        while self._rows:
            found.append(self._rows.popleft())
        return found

"""The times of which a watch run may lack events, and why; and how much the VM has dropped.

The lease knows when no recording ran, and the repository of which time it has not seen chunks. The
one comes with the other, and then counts once. A VM that ends in order writes its last events
first; one that is killed does not.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from jvmscope.schema.limits import Limit
from jvmscope.schema.watched import watch_tables

__all__ = ["Lapses"]

_NOT_RENEWED = "the recording in the VM could not be renewed in time"
_UNSEEN = "jvmscope was too late for what the VM had written"
_KILLED = "the VM was killed, crashed or halted"
_UNFLUSHED = "the VM has not written its last events"
_OF_SPANS = (_NOT_RENEWED, _UNSEEN)  # the others are told as the end of the run
_LOST_BYTES = [column.name for column in watch_tables()["data_loss"].columns].index("lost_bytes")
_MOST_KNOWN = 100
_LEAST_NS = 1_000_000


class Lapses:
    """Collects spans of time, in nanoseconds since 1970, from several threads."""

    def __init__(self) -> None:
        self._known: deque[tuple[int, int]] = deque(maxlen=_MOST_KNOWN)
        self._rows: deque[tuple[int, int, str]] = deque()
        self._n_spans = self._spans_ns = self._n_dropped = 0
        self._last: list[Limit] = []

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

    def add_unflushed(self, start: int, end: int, *, has_vm_ended: bool) -> None:
        """Notes a time at the end of which the VM has not written the events.

        Args:
            start: when it wrote events last.
            end: when the watch was over.
            has_vm_ended: whether it will not write them any more; else it does not answer.
        """
        reason = _KILLED if has_vm_ended else _UNFLUSHED
        span = max(0, end - start)
        self._rows.append((end - span, end, reason))
        text = f"{reason}: events of the last {span / 1e9:.1f} s may be missing"
        self._last = [Limit("killed" if has_vm_ended else "lapse", text)]

    def note_dropped(self, row: tuple[Any, ...]) -> None:
        """Notes a row of ``data_loss``: events that the VM had no room for.

        >>> lapses = Lapses()
        >>> lapses.note_dropped((30_000_000_000, 4096, 8192))
        >>> [limit.text for limit in lapses.limits()]
        ['the VM dropped 4,096 bytes of events since its buffers were full, as in table data_loss']
        """
        self._n_dropped += row[_LOST_BYTES]

    def limits(self) -> list[Limit]:
        """Returns what the run may lack for all that ``take`` has returned, and was dropped.

        >>> lapses = Lapses()
        >>> lapses.add_unrecorded(12_000_000_000, 20_000_000_000)
        >>> lapses.add_unflushed(29_300_000_000, 30_000_000_000, has_vm_ended=True)
        >>> len(lapses.take())
        2
        >>> for limit in lapses.limits():
        ...     print(limit.text)
        events may be missing in 1 span of 8.0 s, as in table lapse
        the VM was killed, crashed or halted: events of the last 0.7 s may be missing
        """
        found = []
        if self._n_spans:
            found.append(Limit.of_lapses(self._n_spans, self._spans_ns))
        if self._n_dropped:
            found.append(Limit.of_dropped(self._n_dropped))
        return found + self._last

    def take(self) -> list[tuple[int, int, str]]:
        """Returns the rows of ``lapse`` that are new."""
        found = []
        while self._rows:
            found.append(self._rows.popleft())
        spans = [end - start for start, end, reason in found if reason in _OF_SPANS]
        self._n_spans += len(spans)
        self._spans_ns += sum(spans)
        return found

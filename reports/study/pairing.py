"""Which static and which dynamic sample of a method are of the same invocation.

Both probes of a method stand at its beginning and end, one within the other, and read the same
clock. So two samples of one thread are of one invocation if the span of one lies within the span of
the other, which may be equal. Both probes measure only the outermost invocation of a recursion, so
a sample lies within one other at most; if it does not, the samples are ambiguous and no pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["Pairing", "Spans", "pair"]


class Spans(NamedTuple):
    """Samples of one thread, in any order: when they began and ended, in ns of one clock."""

    entry_ns: NDArray[np.int64]
    exit_ns: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs of a thread, and what became of the other samples.

    Attributes:
        static_ns: the duration by the static probe, for each pair in the order of its beginning.
        dynamic_ns: that by the dynamic probe.
        n_dynamic_outside: pairs in which the dynamic sample contains the static one.
        n_ambiguous_static: static samples that meet several dynamic ones, or one that does so.
        n_ambiguous_dynamic: dynamic samples, likewise.
        n_crossing: static samples that meet one dynamic sample, of which neither contains the
            other; as many dynamic samples.
        n_unpaired_static: static samples that meet no dynamic one.
        n_unpaired_dynamic: dynamic samples that meet no static one.
    """

    static_ns: NDArray[np.int64]
    dynamic_ns: NDArray[np.int64]
    n_dynamic_outside: int
    n_ambiguous_static: int
    n_ambiguous_dynamic: int
    n_crossing: int
    n_unpaired_static: int
    n_unpaired_dynamic: int


def pair(static: Spans, dynamic: Spans) -> Pairing:
    """Returns the pairs of a method's samples in one thread.

    >>> static = Spans(np.array([10, 50]), np.array([20, 60]))
    >>> dynamic = Spans(np.array([8, 90]), np.array([23, 95]))
    >>> found = pair(static, dynamic)
    >>> list(map(int, (*found.static_ns, *found.dynamic_ns)))
    [10, 15]
    >>> found.n_unpaired_static, found.n_unpaired_dynamic
    (1, 1)
    """
    static, dynamic = _ordered(static), _ordered(dynamic)
    meetings = np.array(list(_meetings(static, dynamic)), dtype=np.int64).reshape(-1, 2)
    first, second = meetings[:, 0], meetings[:, 1]
    n_of_static = np.bincount(first, minlength=len(static.entry_ns))
    n_of_dynamic = np.bincount(second, minlength=len(dynamic.entry_ns))
    is_alone = (n_of_static[first] == 1) & (n_of_dynamic[second] == 1)
    first, second = first[is_alone], second[is_alone]
    is_within, is_outside = _nesting(static, dynamic, first, second)
    is_pair = is_within | is_outside
    durations = (static.exit_ns - static.entry_ns, dynamic.exit_ns - dynamic.entry_ns)
    return Pairing(
        static_ns=durations[0][first[is_pair]],
        dynamic_ns=durations[1][second[is_pair]],
        n_dynamic_outside=int(is_outside.sum()),
        n_ambiguous_static=int((n_of_static > 0).sum()) - len(first),
        n_ambiguous_dynamic=int((n_of_dynamic > 0).sum()) - len(second),
        n_crossing=int((~is_pair).sum()),
        n_unpaired_static=int((n_of_static == 0).sum()),
        n_unpaired_dynamic=int((n_of_dynamic == 0).sum()),
    )


def _ordered(spans: Spans) -> Spans:
    order = np.lexsort((spans.exit_ns, spans.entry_ns))
    return Spans(spans.entry_ns[order], spans.exit_ns[order])


def _nesting(
    static: Spans, dynamic: Spans, first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tells for pairs whether the dynamic span lies within the static one, or else contains it."""
    entries = (static.entry_ns[first], dynamic.entry_ns[second])
    exits = (static.exit_ns[first], dynamic.exit_ns[second])
    is_outside = (entries[1] <= entries[0]) & (exits[0] <= exits[1])
    is_within = (entries[0] <= entries[1]) & (exits[1] <= exits[0]) & ~is_outside
    return is_within, is_outside


def _meetings(static: Spans, dynamic: Spans) -> Iterator[tuple[int, int]]:
    """Yields the static and dynamic samples that overlap, or of which one contains the other.

    Two spans that only touch, as those of invocations one after the other, do not meet; but a span
    without duration lies within what it touches.
    """
    latest = np.maximum.accumulate(dynamic.exit_ns)
    lows = np.searchsorted(latest, static.entry_ns, "left")
    highs = np.searchsorted(dynamic.entry_ns, static.exit_ns, "right")
    for index, (low, high) in enumerate(zip(lows, highs, strict=True)):
        entry, exit_ = static.entry_ns[index], static.exit_ns[index]
        for other in range(low, high):
            start, end = dynamic.entry_ns[other], dynamic.exit_ns[other]
            if max(entry, start) < min(exit_, end) or (
                (entry <= start and end <= exit_) or (start <= entry and exit_ <= end)
            ):
                yield index, other

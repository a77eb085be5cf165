"""Who calls each method, and what it weighs there: a method's weight, shared out to its callers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from jvmscope.reports.html.heaviest import OUT, largest
from jvmscope.reports.weighed import NONE, RUN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from jvmscope.reports.weighed import Integers, Part, Weighed

__all__ = ["BEGINNING", "FOLDED", "UNLISTED", "Callers", "grouped", "read_callers", "summed"]

BEGINNING, UNLISTED, FOLDED = -1, -2, -3
"""Callers that are not listed methods: the VM, where a thread begins; a method that is not listed;
and whoever made a call that was folded, where the recording does not say what it weighs."""


@dataclass(frozen=True)
class Callers:
    """What methods weigh in a scope, by who calls them.

    Attributes:
        callee: places of methods.
        caller: likewise, or BEGINNING, UNLISTED or FOLDED.
        own: by weight, what the callee itself weighs where the caller calls it.
        inclusive: by weight, what it weighs with callees there; what is inside another of its own
            contexts is left out.
        n_pairs: how many pairs there are, those included that are not told.
    """

    callee: Integers
    caller: Integers
    own: tuple[Integers, ...]
    inclusive: tuple[Integers, ...]
    n_pairs: int


def read_callers(
    weighed: Weighed, places: Integers, n_methods: int, max_callers: int
) -> dict[str, Callers]:
    """Returns who calls the methods at some places, by scope.

    Args:
        weighed: the contexts of a run.
        places: keys of the listed methods, in their order.
        n_methods: one more than the largest key of a method.
        max_callers: how many pairs of callee and caller there are at most in a scope, those with
            the largest shares.
    """
    pairs = _Pairs(weighed, n_methods)
    place = np.full(n_methods - FOLDED, UNLISTED)
    place[places - FOLDED] = np.arange(len(places))
    place[[0, BEGINNING - FOLDED]] = FOLDED, BEGINNING
    callee, caller = np.divmod(pairs.keys, n_methods - FOLDED)
    callee, caller = place[callee - FOLDED], place[caller]
    own: dict[str, list[Integers]] = {}
    inclusive: dict[str, list[Integers]] = {}
    shares: dict[str, npt.NDArray[np.float64]] = {}
    for part in weighed.parts():
        itself, whole = pairs.sums(part)
        own.setdefault(part.scope, []).append(itself)
        inclusive.setdefault(part.scope, []).append(whole)
        share = shares.setdefault(part.scope, np.full(len(callee), OUT))
        total = max(1, int(part.upto[-1])) if len(part.upto) else 1
        for values in (itself, whole):
            np.maximum(share, values / total, out=share, where=(values > 0) & (callee >= 0))
    found = {}
    for scope, share in shares.items():
        chosen = np.sort(largest(share, max_callers))
        found[scope] = Callers(
            callee[chosen],
            caller[chosen],
            tuple(each[chosen] for each in own[scope]),
            tuple(each[chosen] for each in inclusive[scope]),
            int((share > OUT).sum()),
        )
    return found


class _Pairs:
    """The pairs of callee and caller, and which of them each context belongs to.

    Attributes:
        keys: of each pair the method that is called, times the number of possible callers, plus
            the caller, counted from FOLDED.
    """

    def __init__(self, weighed: Weighed, n_methods: int) -> None:
        self._weighed = weighed
        # What folded calls weigh where they were made is not known, but how many there are is.
        callee, caller, self._calls, self._contexts = _calls_of_folded(weighed)
        n_callers = n_methods - FOLDED

        def pairs() -> Iterator[Integers]:
            yield callee * n_callers + caller - FOLDED
            for called in weighed.called():
                above = weighed.method[weighed.parent[called]]
                above[weighed.is_folded[called]] = FOLDED
                yield weighed.method[called].astype(np.int64) * n_callers + above - FOLDED

        self.keys, (self._pair_of_folded, *self._pairs) = grouped(pairs())

    def sums(self, part: Part) -> tuple[Integers, Integers]:
        """Returns what each pair's callee weighs in a part, itself and with callees."""
        weighed, n = self._weighed, len(self.keys)
        is_calls = weighed.weights[part.weight].name == "calls"
        itself: Integers = np.zeros(n, np.int64)
        whole: Integers = np.zeros(n, np.int64)
        for called, pair in zip(weighed.called(), self._pairs, strict=True):
            own = part.own[called]
            if is_calls:
                own = np.where(weighed.is_folded[called], 0, own)
            itself += summed(pair, own, n)
            is_outermost = weighed.outermost[part.scope][called]
            inclusive = part.inclusive(weighed, called[is_outermost])
            whole += summed(pair[is_outermost], inclusive, n)
        if is_calls:
            calls = self._calls
            if part.scope != RUN:
                calls = calls * weighed.scopes[part.scope][self._contexts]
            itself += summed(self._pair_of_folded, calls, n)
        return itself, whole


def summed(keys: Integers, values: Integers, n: int) -> Integers:
    """Returns the sums of values by key, 0 to n - 1, exact up to 2^53."""
    sums: Integers = np.bincount(keys, weights=values, minlength=n).astype(np.int64)
    return sums


def grouped(parts: Iterable[Integers]) -> tuple[Integers, list[Integers]]:
    """Returns the distinct values of all parts in their order, and of each part their places.

    >>> grouped([np.array([7, 5]), np.array([9, 7, 7])])
    (array([5, 7, 9]), [array([1, 0], dtype=int32), array([2, 1, 1], dtype=int32)])
    """
    found, places = [np.zeros(0, np.int64)], []
    for part in parts:
        encoded = pa.array(part).dictionary_encode()  # sorting them all takes ten times as long
        found.append(encoded.dictionary.to_numpy())
        places.append(encoded.indices.to_numpy())
    keys: Integers = np.unique(np.concatenate(found))
    own_keys = (np.searchsorted(keys, each).astype(np.int32) for each in found[1:])
    return keys, [key[place] for key, place in zip(own_keys, places, strict=True)]


def _calls_of_folded(weighed: Weighed) -> tuple[Integers, Integers, Integers, Integers]:
    """Returns callee, caller, calls and context of the calls of contexts that count folded ones.

    Those that were not folded come from the context's parent, the others from where they were.
    """
    source, target, calls = weighed.back_edges.T
    names = [weight.name for weight in weighed.weights]
    if "calls" not in names:
        empty = np.zeros(0, np.int64)
        return empty, empty, empty, empty
    own = weighed.own[names.index("calls")]
    folded = np.flatnonzero(weighed.is_folded & (weighed.method != NONE))
    counts = np.isin(target, folded)
    inwards = summed(np.searchsorted(folded, target[counts]), calls[counts], len(folded))
    callers = np.append(weighed.method[weighed.parent[folded]], weighed.method[source])
    contexts = np.append(folded, target)
    return (
        weighed.method[contexts],
        callers,
        np.append(own[folded] - inwards, calls),
        contexts,
    )

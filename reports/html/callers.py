"""Who calls each method, and what it weighs there: a method's weight, shared out to its callers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.reports.html.heaviest import OUT, largest
from jvmscope.reports.html.weighed import NONE, RUN

if TYPE_CHECKING:
    import numpy.typing as npt

    from jvmscope.reports.html.weighed import Integers, Part, Weighed

__all__ = ["BEGINNING", "FOLDED", "UNLISTED", "Callers", "read_callers", "summed"]

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
        self._called = np.flatnonzero(weighed.method != NONE)
        self._is_folded = weighed.is_folded[self._called]
        caller = weighed.method[weighed.parent[self._called]]
        caller[self._is_folded] = FOLDED
        # What folded calls weigh where they were made is not known, but how many there are is.
        told, teller, self._calls, self._contexts = _calls_of_folded(weighed)
        every = np.append(weighed.method[self._called], told).astype(np.int64)
        every *= n_methods - FOLDED
        every += np.append(caller, teller) - FOLDED
        self.keys, pair = np.unique(every, return_inverse=True)
        self._pair = pair.astype(np.int32)

    def sums(self, part: Part) -> tuple[Integers, Integers]:
        """Returns what each pair's callee weighs in a part, itself and with callees."""
        weighed, called = self._weighed, self._called
        own = part.own[called]
        calls: Integers = np.zeros(len(self._calls), np.int64)
        if weighed.weights[part.weight].name == "calls":
            own = np.where(self._is_folded, 0, own)
            calls = self._calls
            if part.scope != RUN:
                calls = calls * weighed.scopes[part.scope][self._contexts]
        n = len(self.keys)
        itself = summed(self._pair[: len(called)], own, n)
        itself += summed(self._pair[len(called) :], calls, n)
        del own
        outermost = np.flatnonzero(weighed.outermost(part.scope)[called])
        whole = part.inclusive(weighed, called[outermost])
        return itself, summed(self._pair[outermost], whole, n)


def summed(keys: Integers, values: Integers, n: int) -> Integers:
    """Returns the sums of values by key, 0 to n - 1, exact up to 2^53."""
    sums: Integers = np.bincount(keys, weights=values, minlength=n).astype(np.int64)
    return sums


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
    inwards = summed(target, calls, len(own))[folded]
    callers = np.append(weighed.method[weighed.parent[folded]], weighed.method[source])
    contexts = np.append(folded, target)
    return (
        weighed.method[contexts],
        callers,
        np.append(own[folded] - inwards, calls),
        contexts,
    )

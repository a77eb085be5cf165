"""What every executed method of a run weighs, exactly, alone and with everything that it calls.

A method weighs itself what all its contexts weigh. With callees it weighs what the subtrees of its
contexts weigh, of which those inside another one of its own are left out, so that recursion counts
once. Both are told in the whole run and in other scopes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.reports.html.callers import read_callers, summed
from jvmscope.reports.html.heaviest import OUT, Frame, frames_of, largest
from jvmscope.reports.weighed import NONE, RUN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries import Engine
    from jvmscope.reports.exports.weights import Weight
    from jvmscope.reports.html.callers import Callers
    from jvmscope.reports.weighed import Booleans, Integers, Part, Weighed

__all__ = ["Methods", "read_methods"]


@dataclass(frozen=True)
class Methods:
    """The methods that a run executed, the heaviest first.

    Attributes:
        weights: what they are weighed by.
        frames: what is shown of each.
        at_least: whether it may weigh more with callees than is told, since calls were folded.
        totals: by scope and weight the whole.
        own: by scope and weight, what each method weighs itself.
        inclusive: likewise with callees.
        callers: by scope who calls them.
        n_executed: how many there are, those included that are not listed.
        below: the largest share of any whole of a method that is not listed; 0: all are.
        n_calls_folded: calls that were folded to fit into memory.
        untold: the scopes that the run cannot tell, and why.
    """

    weights: tuple[Weight, ...]
    frames: tuple[Frame, ...]
    at_least: Booleans
    totals: Mapping[str, tuple[int, ...]]
    own: Mapping[str, tuple[Integers, ...]]
    inclusive: Mapping[str, tuple[Integers, ...]]
    callers: Mapping[str, Callers]
    n_executed: int
    below: float
    n_calls_folded: int = 0
    untold: Mapping[str, str] = field(default_factory=dict)


def read_methods(engine: Engine, weighed: Weighed, max_methods: int, max_callers: int) -> Methods:
    """Returns the methods with the largest shares by any weight in any scope.

    Args:
        engine: the run.
        weighed: its contexts.
        max_methods: how many there are at most.
        max_callers: how many pairs of caller and callee there are at most in each scope.

    Raises:
        LimitReached: the database needs more memory than it may have.
    """
    n = int(weighed.method.max(initial=NONE)) + 1
    executed = np.zeros(n, np.bool_)
    for called in weighed.called():
        executed[weighed.method[called]] = True
    share = np.where(executed, 0.0, OUT)
    own: dict[str, list[Integers]] = {}
    inclusive: dict[str, list[Integers]] = {}
    totals: dict[str, list[int]] = {}
    for part in weighed.parts():
        itself, whole = _sums(weighed, part, n)
        total = int(part.upto[-1]) if len(part.upto) else 0
        np.maximum(share, whole / max(1, total), out=share, where=executed)
        own.setdefault(part.scope, []).append(itself)
        inclusive.setdefault(part.scope, []).append(whole)
        totals.setdefault(part.scope, []).append(total)
    places = largest(share, max_methods)
    frames = frames_of(engine, places.tolist())
    n_executed = int(executed.sum())
    return Methods(
        weights=weighed.weights,
        frames=tuple(frames[method] for method in places.tolist()),
        at_least=_incomplete(weighed, n)[places],
        totals={scope: tuple(sums) for scope, sums in totals.items()},
        own={scope: tuple(each[places] for each in own[scope]) for scope in own},
        inclusive={scope: tuple(each[places] for each in inclusive[scope]) for scope in own},
        callers=read_callers(weighed, places, n, max_callers),
        n_executed=n_executed,
        below=float(np.delete(share, places).max(initial=0.0)) if n_executed > len(places) else 0.0,
        n_calls_folded=int(weighed.back_edges[:, 2].sum()),
        untold=weighed.untold,
    )


def _sums(weighed: Weighed, part: Part, n_methods: int) -> tuple[Integers, Integers]:
    """Returns what each method weighs in a part, itself and with callees."""
    itself: Integers = np.zeros(n_methods, np.int64)
    whole: Integers = np.zeros(n_methods, np.int64)
    for called in weighed.called():
        itself += summed(weighed.method[called], part.own[called], n_methods)
        outermost = called[weighed.outermost[part.scope][called]]
        whole += summed(weighed.method[outermost], part.inclusive(weighed, outermost), n_methods)
    return itself, whole


def _incomplete(weighed: Weighed, n_methods: int) -> Booleans:
    """Returns the methods whose weight with callees lacks calls that a context above counts.

    Those are the contexts from a call that was folded up to the context that counts it, itself
    left out, where no other of the method is above them.
    """
    lacking = np.zeros(len(weighed.method), np.bool_)
    at, target = weighed.back_edges[:, 0], weighed.back_edges[:, 1]
    while len(at):
        goes_on = (at != target) & (at != NONE)
        pairs = np.unique(np.stack((at[goes_on], target[goes_on])), axis=1)
        lacking[pairs[0]] = True
        at, target = weighed.parent[pairs[0]], pairs[1]
    found = np.zeros(n_methods, np.bool_)
    for scope in (RUN, *weighed.scopes):
        found[weighed.method[lacking & weighed.outermost[scope]]] = True
    return found

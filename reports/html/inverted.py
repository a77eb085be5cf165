"""The calling context tree read from below: the methods that weigh most, and who called them.

Below the root are the methods, each with what it weighs itself; below a node who called it on that
way, with the part of that weight that came in through them. Everything is told for all weights in
all scopes at once: a node is kept if its share of any of them is large enough, and what is left of
a node has nodes of its own, so that the children of a node always add up to it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.reports.exports.forest import NO_METHOD
from jvmscope.reports.html.callers import grouped, summed
from jvmscope.reports.html.heaviest import Frame, frames_of
from jvmscope.reports.weighed import NONE, RUN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.weighed import Booleans, Integers, Weighed

__all__ = ["LEAST_SHARE", "InvertedNode", "InvertedTree", "invert"]

LEAST_SHARE = 0.001
"""The share of a whole below which callers are one node together."""

_MOST_CALLS = 60
"""Calls that are followed up from a method."""

_OTHERS = Frame("(other callers)", "folded")
_METHODS = Frame("(other methods)", "folded")
_BEGINNING = Frame("(the thread begins)", "thread")
_FOLDED = Frame("(unknown: calls were folded)", "folded")
_NO_METHOD = Frame(NO_METHOD, "thread")


@dataclass(frozen=True)
class InvertedNode:
    """A node; its parent comes before it.

    Attributes:
        parent: index of its parent; -1: it is the root.
        frame: the method, or what else calls.
        own: by part, every weight in every scope, what no child of it tells.
    """

    parent: int
    frame: Frame
    own: tuple[int, ...]


@dataclass(frozen=True)
class InvertedTree:
    """The nodes, parents before children, and the scopes of their parts, the run's first."""

    nodes: tuple[InvertedNode, ...]
    scopes: tuple[str, ...]


@dataclass(frozen=True)
class _Block:
    """Some of the contexts whose callers are looked for.

    Attributes:
        leaf: the contexts whose weight it is.
        at: who is called on the way from each, so many calls above it.
        node: the node of each.
    """

    leaf: Integers
    at: Integers
    node: Integers

    def only(self, chosen: Booleans) -> _Block:
        """Returns some of them."""
        return _Block(self.leaf[chosen], self.at[chosen], self.node[chosen])


def invert(engine: Engine, weighed: Weighed, max_nodes: int) -> InvertedTree:
    """Returns the tree of callers of a run's methods.

    Args:
        engine: the run.
        weighed: its contexts.
        max_nodes: about how many nodes there are at most; the lightest are left out.
    """
    return InvertedTree(tuple(_Inversion(weighed, max_nodes).nodes(engine)), _scopes(weighed))


def _scopes(weighed: Weighed) -> tuple[str, ...]:
    return (RUN, *weighed.scopes)


class _Inversion:
    """The tree while it grows, a level of callers at a time."""

    def __init__(self, weighed: Weighed, max_nodes: int) -> None:
        self._weighed = weighed
        self._n_left = max_nodes
        self._n_methods = int(weighed.method.max(initial=NONE)) + 1
        self._parents = [NONE]
        self._methods: list[int | Frame] = [Frame("all methods", "run")]
        every = [_Block(each, each, np.zeros(len(each), np.int32)) for each in weighed.called()]
        roots = _Block(weighed.roots, weighed.roots, np.zeros(len(weighed.roots), np.int32))
        of_roots = self._amounts([roots], [roots.node], 1)
        self._sums = [self._amounts(every, [b.node for b in every], 1)[:, 0] + of_roots[:, 0]]
        self._totals = np.maximum(1, self._sums[0])
        level = self._grown(every)
        if of_roots.any():
            self._end([roots], _NO_METHOD)
        for _ in range(_MOST_CALLS):
            if not level:
                break
            level = self._above(level)

    def nodes(self, engine: Engine) -> list[InvertedNode]:
        """Returns the nodes, with nodes for what is left of each."""
        methods = {method for method in self._methods if isinstance(method, int)}
        frames = frames_of(engine, methods)
        left = [sums.copy() for sums in self._sums]
        for parent, sums in zip(self._parents[1:], self._sums[1:], strict=True):
            left[parent] -= sums
        has_children = set(self._parents)
        nodes, rest = [], []
        for place, (parent, method) in enumerate(zip(self._parents, self._methods, strict=True)):
            frame = method if isinstance(method, Frame) else frames[method]
            is_shared = place in has_children and left[place].any()
            own = np.zeros_like(left[place]) if is_shared else left[place]
            nodes.append(InvertedNode(parent, frame, tuple(own.tolist())))
            if is_shared:
                other = _OTHERS if place else _METHODS
                rest.append(InvertedNode(place, other, tuple(left[place].tolist())))
        return [*nodes, *rest]

    def _above(self, level: Sequence[_Block]) -> list[_Block]:
        """Adds the callers of a level's contexts, and returns those that are kept."""
        weighed = self._weighed
        folded, beginning, above = [], [], []
        for block in level:
            is_folded = weighed.is_folded[block.at]
            parent = weighed.parent[block.at]
            begins = ~is_folded & (weighed.method[parent] == NONE)
            folded.append(block.only(is_folded))
            beginning.append(block.only(begins))
            goes_on = ~is_folded & ~begins
            above.append(_Block(block.leaf[goes_on], parent[goes_on], block.node[goes_on]))
        self._end(folded, _FOLDED)
        self._end(beginning, _BEGINNING)
        return self._grown(above)

    def _grown(self, level: Sequence[_Block]) -> list[_Block]:
        """Adds the nodes of methods that call, and returns the contexts below those kept."""
        n_methods = self._n_methods
        method = self._weighed.method
        keys, groups = grouped(
            block.node.astype(np.int64) * n_methods + method[block.at] for block in level
        )
        sums = self._amounts(level, groups, len(keys))
        share = (sums / self._totals[:, np.newaxis]).max(axis=0)
        chosen = np.flatnonzero(share >= LEAST_SHARE)
        chosen = np.sort(chosen[np.argsort(-share[chosen], kind="stable")][: max(0, self._n_left)])
        place = np.full(len(keys), NONE, np.int32)
        place[chosen] = len(self._parents) + np.arange(len(chosen))
        self._parents += (keys[chosen] // n_methods).tolist()
        self._methods += (keys[chosen] % n_methods).tolist()
        self._sums += list(sums[:, chosen].T)
        self._n_left -= len(chosen)
        kept = (
            _Block(block.leaf, block.at, place[group]).only(place[group] != NONE)
            for block, group in zip(level, groups, strict=True)
        )
        return [block for block in kept if len(block.leaf)]

    def _end(self, level: Sequence[_Block], frame: Frame) -> None:
        """Adds a node below each node at which stacks end."""
        places, groups = grouped(block.node for block in level)
        self._parents += places.tolist()
        self._methods += [frame] * len(places)
        self._sums += list(self._amounts(level, groups, len(places)).T)

    def _amounts(self, level: Sequence[_Block], groups: Sequence[Integers], n: int) -> Integers:
        """Returns by part and group what contexts weigh themselves."""
        weighed = self._weighed
        scopes = (None, *weighed.scopes.values())
        sums: Integers = np.zeros((len(scopes) * len(weighed.own), n), np.int64)
        for block, group in zip(level, groups, strict=True):
            weights = [own[block.leaf] for own in weighed.own]
            for row, (inside, own) in enumerate(itertools.product(scopes, weights)):
                sums[row] += summed(group, own if inside is None else own * inside[block.leaf], n)
        return sums

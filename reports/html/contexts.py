"""The calling context trees of a run, small enough to be embedded in a page, with exact totals.

The contexts that weigh most, by any of the weights, are kept; all other children of a context are
one node, ``(below 1 %)``, that weighs what they and all that they call weigh. One tree serves all
weights in all scopes: a context's share is its largest, so a kept context's caller is kept, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.queries import NO_NAME
from jvmscope.reports.html.heaviest import Contexts, Frame, frames_of
from jvmscope.reports.weighed import RUN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.exports.weights import Weight
    from jvmscope.reports.weighed import Weighed

__all__ = ["ContextTree", "Frame", "TreeNode", "tree_of"]


@dataclass(frozen=True)
class TreeNode:
    """A node; in the order of a tree, its parent comes before it.

    Attributes:
        parent: index of its parent; -1: it is the root.
        frame: what it shows.
        line: line of the call in its caller; None: unknown.
        n_contexts: contexts that it stands for; 0: the run or a thread.
        own: what it weighs without callees, by weight; of what is folded, with them; of a thread,
            while it executes no method.
        scoped: the same in each scope of the tree but the first, which is the run.
    """

    parent: int
    frame: Frame
    line: int | None
    n_contexts: int
    own: tuple[int, ...]
    scoped: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class ContextTree:
    """The trees of all threads of a run, below one root.

    Attributes:
        weights: what nodes are weighed by.
        nodes: the root, the threads in their order, then contexts, parents before children.
        fraction: the share of the whole below which contexts are folded; 0: none is.
        scopes: the run, and the parts of it that nodes are weighed in, too.
    """

    weights: tuple[Weight, ...]
    nodes: tuple[TreeNode, ...]
    fraction: float
    scopes: tuple[str, ...] = (RUN,)


@dataclass
class _Kept:
    """A thread or context that is kept, and what of its subtree has no node of its own yet."""

    parent: int
    frame: Frame
    line: int | None
    n_contexts: int
    own: tuple[int, ...]
    n_left: int
    left: list[int]


def tree_of(engine: Engine, weighed: Weighed, max_nodes: int) -> ContextTree:
    """Returns the trees of a whole run; of each weight, the nodes' own add up to the run's.

    Args:
        engine: the run.
        weighed: its contexts.
        max_nodes: how many nodes there may be, at least four; threads take up to two each, and
            where there are too many of them, the lightest are one node together.

    Raises:
        LimitReached: the database needs more memory than it may have.
    """
    n_weights = len(weighed.weights)
    scopes = (RUN, *weighed.scopes)
    n_parts = n_weights * len(scopes)
    contexts = Contexts(engine, weighed)
    every = contexts.threads()
    totals = [sum(row[3 + part] for row in every) for part in range(n_parts)]
    threads, light = _divide(every, totals, max_nodes)
    heaviest = contexts.heaviest(totals, [row[0] for row in threads], max_nodes)
    n_kept, fraction = _cut(heaviest, threads, max_nodes - bool(light))
    frames = frames_of(engine, {row[3] for row in heaviest[:n_kept]})
    kept = _keep(heaviest[:n_kept], threads, frames, n_parts)

    def node(parent: int, frame: Frame, line: int | None, n: int, own: Sequence[int]) -> TreeNode:
        by_scope = [tuple(own[at : at + n_weights]) for at in range(0, n_parts, n_weights)]
        return TreeNode(parent, frame, line, n, by_scope[0], tuple(by_scope[1:]))

    nodes = [node(-1, Frame(engine.run_id, "run"), None, 0, (0,) * n_parts)]
    nodes += [node(*each) for each in _nodes(kept, fraction)]
    if light:
        sums = [sum(row[3 + part] for row in light) for part in range(n_parts)]
        frame = Frame(f"({len(light):,} lighter threads)", "folded")
        nodes.append(node(0, frame, None, sum(row[2] for row in light), sums))
    is_whole = not any(each.frame.kind == "folded" for each in nodes)
    return ContextTree(weighed.weights, tuple(nodes), 0.0 if is_whole else fraction, scopes)


def _divide(
    threads: Sequence[tuple[Any, ...]], totals: Sequence[int], max_nodes: int
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Returns the threads that are shown, at least one, and those that are one node together."""
    n_shown = len(threads) if 1 + 2 * len(threads) <= max_nodes else max(1, (max_nodes - 2) // 2)

    def share(row: tuple[Any, ...]) -> float:
        shares = (part / max(1, total) for part, total in zip(row[3:], totals, strict=False))
        return float(max(shares))

    heaviest = sorted(threads, key=lambda row: (-share(row), row[0]))
    return sorted(heaviest[:n_shown]), heaviest[n_shown:]


def _cut(
    heaviest: Sequence[tuple[Any, ...]], threads: Sequence[tuple[Any, ...]], max_nodes: int
) -> tuple[int, float]:
    """Returns how many contexts are kept, and the share that no folded context reaches.

    Contexts of equal share are kept or folded together, so that one number says what is folded.
    """
    left = {("thread", row[0]): row[2] for row in threads}
    n_nodes = 1 + 2 * len(threads)  # with what is folded below each
    n_kept, fraction = 0, math.nextafter(1.0, 2.0)
    for index, (context, parent, thread, _method, _line, size, *_, share) in enumerate(heaviest):
        caller = parent if parent in left else ("thread", thread)
        left[caller] -= size
        left[context] = size - 1
        n_nodes += 1 - (left[caller] == 0) + (size > 1)
        is_last_of_share = index + 1 < len(heaviest) and heaviest[index + 1][-1] < share
        if n_nodes > max_nodes:
            break
        if is_last_of_share or index + 1 == len(heaviest):
            n_kept, fraction = index + 1, share
    return n_kept, fraction


def _keep(
    heaviest: Sequence[tuple[Any, ...]],
    threads: Sequence[tuple[Any, ...]],
    frames: Mapping[int, Frame],
    n_parts: int,
) -> list[_Kept]:
    """Returns threads and contexts, those in pre-order, with what is left of each."""
    kept = []
    for _, name, size, *parts in threads:
        itself = tuple(parts[n_parts:])
        left = [total - own for total, own in zip(parts[:n_parts], itself, strict=True)]
        kept.append(_Kept(0, Frame(name or NO_NAME, "thread"), None, 0, itself, size, left))
    places: dict[Any, int] = {("thread", row[0]): i + 1 for i, row in enumerate(threads)}
    for context, parent, thread, method, line, size, *weights, _share in sorted(heaviest):
        place = places[parent] if parent in places else places["thread", thread]
        own, inclusive = tuple(weights[:n_parts]), weights[n_parts:]
        left = [total - itself for total, itself in zip(inclusive, own, strict=True)]
        caller = kept[place - 1]
        caller.n_left -= size
        caller.left = [rest - part for rest, part in zip(caller.left, inclusive, strict=True)]
        kept.append(_Kept(place, frames[method], line, 1, own, size - 1, left))
        places[context] = len(kept)
    return kept


def _nodes(
    kept: Sequence[_Kept], fraction: float
) -> list[tuple[int, Frame, int | None, int, Sequence[int]]]:
    """Returns what the nodes of what is kept are, then those of what is folded."""
    below = Frame(f"(below {_percent_above(fraction)} %)", "folded")
    folded = [
        (place, below, None, node.n_left, node.left)
        for place, node in enumerate(kept, start=1)
        if node.n_left
    ]
    return [
        *((node.parent, node.frame, node.line, node.n_contexts, node.own) for node in kept),
        *folded,
    ]


def _percent_above(fraction: float) -> str:
    """Returns a percentage of two digits that is not less than a fraction.

    >>> [_percent_above(fraction) for fraction in (0.031484, 0.5, 1.0, 0.00001234)]
    ['3.2', '50', '100', '0.0013']
    """
    if fraction <= 0:
        return "0"
    digits = 1 - math.floor(math.log10(100 * fraction))
    scale = 10.0**digits
    return f"{math.ceil(round(100 * fraction * scale, 9)) / scale:.{max(0, digits)}f}"

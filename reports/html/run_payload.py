"""What a page holds of one run: its tree, its methods and their callers, as plain JSON values.

Methods and threads are indices of ``frames``; amounts are lists by weight. The first scope is the
run; of the others the tree says which kept contexts are inside, and what is folded weighs there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.reports.html.interned import Interned
from jvmscope.reports.weighed import RUN

if TYPE_CHECKING:
    from jvmscope.reports.html.callers import Callers
    from jvmscope.reports.html.contexts import ContextTree
    from jvmscope.reports.html.heaviest import Frame
    from jvmscope.reports.html.inverted import InvertedTree
    from jvmscope.reports.html.methods import Methods
    from jvmscope.reports.weighed import Integers

__all__ = ["run_payload"]


def run_payload(tree: ContextTree, methods: Methods, inverted: InvertedTree) -> dict[str, Any]:
    """Returns what a page holds of a run."""
    frames: Interned[Frame] = Interned()
    return {
        "weights": [[weight.name, weight.unit] for weight in tree.weights],
        "scopes": list(tree.scopes),
        "untold": dict(methods.untold),
        "tree": _tree(tree, frames),
        "inverted": _inverted(inverted, frames, len(tree.weights)),
        "methods": _methods(methods, frames),
        "frames": [
            [frame.name, frame.kind, frame.source_file, frame.first_line, frame.twin]
            for frame in frames.values()
        ],
    }


def _tree(tree: ContextTree, frames: Interned[Frame]) -> dict[str, Any]:
    nodes = tree.nodes
    weights = range(len(tree.weights))
    others = range(len(tree.scopes) - 1)
    folded = [node for node in nodes if node.frame.kind == "folded"]
    return {
        "fraction": tree.fraction,
        "parents": [node.parent for node in nodes],
        "frames": [frames.index(node.frame) for node in nodes],
        "lines": [node.line for node in nodes],
        "contexts": [node.n_contexts for node in nodes],
        "own": [[node.own[weight] for node in nodes] for weight in weights],
        "inside": ["".join("01"[n.scoped[scope] == n.own] for n in nodes) for scope in others],
        "folded": [
            [[node.scoped[scope][weight] for node in folded] for weight in weights]
            for scope in others
        ],
    }


def _inverted(tree: InvertedTree, frames: Interned[Frame], n_weights: int) -> dict[str, Any]:
    nodes = tree.nodes
    parts = [[node.own[part] for node in nodes] for part in range(len(tree.scopes) * n_weights)]
    return {
        "parents": [node.parent for node in nodes],
        "frames": [frames.index(node.frame) for node in nodes],
        "own": [parts[at : at + n_weights] for at in range(0, len(parts), n_weights)],
    }


def _methods(methods: Methods, frames: Interned[Frame]) -> dict[str, Any]:
    return {
        "frames": [frames.index(frame) for frame in methods.frames],
        "atLeast": np.flatnonzero(methods.at_least).tolist(),
        "nExecuted": methods.n_executed,
        "below": methods.below,
        "nCallsFolded": methods.n_calls_folded,
        "scopes": [_scope(methods, scope) for scope in methods.totals],
    }


def _scope(methods: Methods, scope: str) -> dict[str, Any]:
    own, inclusive = methods.own[scope], methods.inclusive[scope]
    rows = np.arange(len(methods.frames))
    if scope != RUN:
        rows = np.flatnonzero(np.any([each > 0 for each in (*own, *inclusive)], axis=0))
    return {
        "totals": methods.totals[scope],
        "rows": rows.tolist(),
        "own": _lists(own, rows),
        "inclusive": _lists(inclusive, rows),
        "callers": _callers(methods.callers[scope]),
    }


def _callers(callers: Callers) -> dict[str, Any]:
    rows = np.arange(len(callers.callee))
    return {
        "callee": callers.callee.tolist(),
        "caller": callers.caller.tolist(),
        "nPairs": callers.n_pairs,
        "own": _lists(callers.own, rows),
        "inclusive": _lists(callers.inclusive, rows),
    }


def _lists(arrays: tuple[Integers, ...], rows: Integers) -> list[list[int]]:
    return [array[rows].tolist() for array in arrays]

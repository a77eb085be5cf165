"""The embedded trees of all subjects: how many nodes each may have, read side by side, kept.

A tree is kept under ``RUN/metrics`` as values are, by all that decides about it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import JvmscopeError
from jvmscope.metrics.cache import kept
from jvmscope.metrics.processes import in_processes, n_workers
from jvmscope.metrics.progress import Progress, size_of
from jvmscope.queries import Engine
from jvmscope.reports.exports.weights import find_weight
from jvmscope.reports.html.contexts import ContextTree, Frame, TreeNode, read_tree
from jvmscope.schema import read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["read_trees", "share_out"]


def read_trees(
    runs: Sequence[Path],
    weights: Sequence[str],
    max_nodes: int,
    *,
    is_cached: bool = True,
    jobs: int | None = 1,
    on_progress: Callable[[float], None] | None = None,
) -> list[ContextTree | str]:
    """Returns the tree of each run, or why there is none.

    Args:
        runs: their directories.
        weights: what the trees are weighed by; cycles are left out where they cannot be computed.
        max_nodes: how many nodes there are at most, all trees together.
        is_cached: whether to use and keep trees under ``RUN/metrics``.
        jobs: how many are read at a time, in processes of their own; None: as many as there are
            processors, where there are runs enough.
        on_progress: called with the percentage done, now and then.
    """
    progress = Progress([size_of(run) for run in runs], on_progress)
    asked = list(zip(runs, share_out([_n_nodes(run) for run in runs], max_nodes), strict=True))
    reader = _Reader(tuple(weights), is_cached)
    n_processes = n_workers(len(runs), jobs)
    found = in_processes(reader, asked, n_processes) if n_processes > 1 else map(reader, asked)
    trees = []
    for tree in found:
        trees.append(tree)
        progress.step()
    return trees


def share_out(wanted: Sequence[int], most: int) -> list[int]:
    """Returns how much each gets of what there is: all that it wants, or an equal part of the rest.

    >>> share_out([10, 3, 100, 100], 50)
    [10, 3, 18, 19]
    """
    shares = [0] * len(wanted)
    left = most
    by_size = sorted(range(len(wanted)), key=lambda index: wanted[index])
    for n_before, index in enumerate(by_size):
        shares[index] = min(wanted[index], left // (len(wanted) - n_before))
        left -= shares[index]
    return shares


def _n_nodes(run: Path) -> int:
    """Returns how many nodes the whole tree of a run has, the root above its threads included."""
    try:
        tables = read_manifest(run).tables
    except JvmscopeError:
        return 1  # who reads the tree says what is wrong
    return 1 + (tables["context"].rows if "context" in tables else 0)


@dataclass(frozen=True)
class _Reader:
    """How every tree is read; it goes to other processes, too."""

    weights: tuple[str, ...]
    is_cached: bool

    def __call__(self, asked: tuple[Path, int]) -> ContextTree | str:
        run, max_nodes = asked
        try:
            with Engine(run) as engine:
                try:
                    return self._kept(engine, self.weights, max_nodes)
                except JvmscopeError:
                    plain = tuple(weight for weight in self.weights if weight != "cycles")
                    if plain == self.weights:
                        raise
                    return self._kept(engine, plain, max_nodes)
        except JvmscopeError as error:
            return str(error)

    def _kept(self, engine: Engine, weights: tuple[str, ...], max_nodes: int) -> ContextTree:
        table = kept(
            engine,
            "report.tree",
            {"weights": weights, "max_nodes": max_nodes, "run": engine.run_id},
            lambda: _table(read_tree(engine, weights=weights, max_nodes=max_nodes)),
            is_cached=self.is_cached,
        )
        return _tree(table)


_COLUMNS = {
    "parent": pa.int64(),
    "frame": pa.list_(pa.string()),
    "first_line": pa.int64(),
    "line": pa.int64(),
    "n_contexts": pa.int64(),
    "own": pa.list_(pa.int64()),
}


def _table(tree: ContextTree) -> pa.Table:
    columns: tuple[list[Any], ...] = (
        [node.parent for node in tree.nodes],
        [(node.frame.name, node.frame.kind, node.frame.source_file) for node in tree.nodes],
        [node.frame.first_line for node in tree.nodes],
        [node.line for node in tree.nodes],
        [node.n_contexts for node in tree.nodes],
        [node.own for node in tree.nodes],
    )
    told = {"weights": [weight.name for weight in tree.weights], "fraction": tree.fraction.hex()}
    schema = pa.schema(list(_COLUMNS.items()), {"tree": json.dumps(told)})
    return pa.Table.from_pydict(dict(zip(_COLUMNS, columns, strict=True)), schema=schema)


def _tree(table: pa.Table) -> ContextTree:
    told = json.loads(table.schema.metadata[b"tree"])
    nodes = (
        TreeNode(parent, Frame(name, kind, file, first_line), line, n_contexts, tuple(own))
        for parent, (name, kind, file), first_line, line, n_contexts, own in zip(
            *(table[name].to_pylist() for name in _COLUMNS), strict=True
        )
    )
    weights = tuple(map(find_weight, told["weights"]))
    return ContextTree(weights, tuple(nodes), float.fromhex(told["fraction"]))

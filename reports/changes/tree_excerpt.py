"""The nodes of a differential tree that change most; the others are summed up.

Nodes are taken by how much changes in their subtrees, the topmost first; a parent's subtree changes
at least as much as its child's, so what is taken is a tree. The children of a node that are not
taken become one row, ``folded``, so that the rows of any node's children and its own weight add up
to its total.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from jvmscope.queries import Result, ResultColumn, arrow_schema, in_time, thread_label
from jvmscope.reports.changes.interruptible_queries import ask
from jvmscope.reports.changes.names_of_keys import SITE_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from jvmscope.queries import Deadline, Engine
    from jvmscope.reports.changes.differential_tree import DifferentialTree, Keys, Tree

__all__ = ["MOST_NODES", "Shape", "fold", "tree_columns"]

MOST_NODES = 20_000

_NAMES = f"""
    SELECT node.context_id,
           {thread_label("t.name")} AS thread,
           c.name || '.' || m.name || m.descriptor AS method,
           site.called || ' #' || site.number AS call_site,
           site.line
    FROM run.context AS node
    LEFT JOIN run.thread AS t ON t.root_context_id = node.context_id
    LEFT JOIN run.method AS m ON m.method_id = node.method_id
    LEFT JOIN run.class AS c ON c.class_id = m.class_id
    LEFT JOIN ({SITE_NAMES}) AS site ON site.call_site_id = node.call_site_id
    WHERE node.context_id IN (SELECT UNNEST($ids))
"""


class _Place(NamedTuple):
    """What a node is called: a thread or a method, and the call site in its caller."""

    thread: str | None
    method: str | None
    call_site: str | None
    line: int | None


class _Here(NamedTuple):
    """What one run has of the nodes that are taken, in their order.

    Attributes:
        contexts: their contexts, -1 for none.
        own: what they weigh by themselves.
    """

    contexts: list[int]
    own: list[int]


class Shape(NamedTuple):
    """What is shown of a differential tree.

    Attributes:
        unit: the unit of the weights.
        most_nodes: how many nodes to take, beside what is folded.
        benchmark: what the runs are called; None: nothing.
    """

    unit: str
    most_nodes: int
    benchmark: str | None = None


def tree_columns(unit: str) -> list[ResultColumn]:
    """Returns the columns of ``fold``, for weights of a unit."""
    return [
        ResultColumn("benchmark", "VARCHAR"),
        ResultColumn("node", "BIGINT"),
        ResultColumn("parent", "BIGINT"),
        ResultColumn("level", "BIGINT"),
        ResultColumn("difference", "VARCHAR"),
        ResultColumn("thread", "VARCHAR"),
        ResultColumn("method", "VARCHAR"),
        ResultColumn("call_site", "VARCHAR"),
        ResultColumn("line", "BIGINT"),
        ResultColumn("n_nodes", "BIGINT", "node"),
        ResultColumn("a", "BIGINT", unit),
        ResultColumn("b", "BIGINT", unit),
        ResultColumn("delta", "BIGINT", unit),
        ResultColumn("delta_pct", "DOUBLE", "%"),
        ResultColumn("own_a", "BIGINT", unit),
        ResultColumn("own_b", "BIGINT", unit),
        ResultColumn("own_delta", "BIGINT", unit),
    ]


def fold(
    tree: DifferentialTree,
    runs: tuple[tuple[Engine, Tree], tuple[Engine, Tree]],
    shape: Shape,
    deadline: Deadline,
) -> Result:
    """Returns the nodes that change most, in pre-order, siblings by how much they change.

    ``a`` and ``b`` are the weights of the subtree, ``own_a`` and ``own_b`` of the node itself; what
    a run does not have weighs 0 there, and ``difference`` says it: ``only_a``, ``only_b``, ``own``
    (the weight of the node itself differs), ``below`` (only what it calls does) or ``folded``: the
    row stands for ``n_nodes`` subtrees' nodes, whose weights it sums up.

    Args:
        tree: the tree.
        runs: the runs that it is of, for names.
        shape: what is shown of it.
        deadline: when to stop.

    Raises:
        LimitReached: the time is over.
    """
    taken = in_time(lambda: _taken(tree, shape.most_nodes), deadline)
    a, b = (
        in_time(functools.partial(_here, nodes, facts, taken, len(tree.parent)), deadline)
        for nodes, (_, facts) in zip(tree.nodes, runs, strict=True)
    )
    places = {node: number for number, node in enumerate(taken)}
    names = _names(((runs[0][0], a), (runs[1][0], b)), deadline)
    folded = in_time(lambda: _folded(tree, taken), deadline)
    rows: list[dict[str, Any]] = []
    numbers: dict[int, int] = {}
    for node, parent in _in_preorder(tree, taken, folded):
        above = numbers.get(parent)
        row = {
            "benchmark": shape.benchmark,
            "node": len(rows),
            "parent": above,
            "level": 0 if above is None else rows[above]["level"] + 1,
        }
        if node is None:
            row |= {"difference": "folded", **folded[parent]}
        else:
            numbers[node] = len(rows)
            place = places[node]
            row |= {"difference": _difference(a, b, place), "n_nodes": 1, **names[place]._asdict()}
            row |= _weights([int(sums[node]) for sums in tree.total], [a.own[place], b.own[place]])
        rows.append(row)
    columns = tree_columns(shape.unit)
    return Result.of_table(pa.Table.from_pylist(rows, schema=arrow_schema(columns)), columns)


def _taken(tree: DifferentialTree, most_nodes: int) -> list[int]:
    """Returns the nodes whose subtrees change, the largest changes and the topmost first."""
    least = 1
    if most_nodes < len(tree.change):  # to sort all would take more memory than the tree
        place = len(tree.change) - most_nodes
        least = max(least, int(np.partition(tree.change, place)[place]))
    (nodes,) = np.nonzero(tree.change >= least)
    by_change = np.lexsort((tree.depth[nodes], -tree.change[nodes]))[:most_nodes]
    return [int(node) for node in nodes[by_change]]


def _here(nodes: Keys, facts: Tree, taken: Sequence[int], n_nodes: int) -> _Here:
    """Returns what a run has of the nodes taken; ``nodes``: the node of each of its contexts."""
    places = np.full(n_nodes, -1, np.int32)
    places[taken] = np.arange(len(taken))
    (contexts,) = np.nonzero(places[nodes] >= 0)
    place = places[nodes[contexts]]
    shown = np.full(len(taken), -1, np.int64)
    shown[place] = contexts
    own = np.zeros(len(taken), np.int64)
    np.add.at(own, place, facts.weight[contexts])
    return _Here(shown.tolist(), own.tolist())


def _in_preorder(
    tree: DifferentialTree, taken: Sequence[int], folded: Collection[int]
) -> Iterator[tuple[int | None, int]]:
    """Yields each node and its parent, and for what is folded below a parent None and the parent.

    The parent of a thread is -1. Siblings come in the order in which they were taken, what is
    folded last.
    """
    children: dict[int, list[int]] = {}
    for child in taken:
        children.setdefault(int(tree.parent[child]), []).append(child)

    def below(parent: int) -> Iterator[tuple[int | None, int]]:
        if parent in folded:
            yield None, parent
        for child in reversed(children.get(parent, ())):
            yield child, parent

    stack = list(below(-1))
    while stack:
        node, parent = stack.pop()
        yield node, parent
        if node is not None:
            stack.extend(below(node))


def _folded(tree: DifferentialTree, taken: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Returns what is folded, by the parent whose children it is; -1: threads."""
    is_taken = np.zeros(len(tree.parent) + 1, np.bool_)
    is_taken[taken] = True
    is_taken[-1] = True  # what threads are below
    (nodes,) = np.nonzero(~is_taken[:-1] & is_taken[tree.parent])
    parents, place = np.unique(tree.parent[nodes], return_inverse=True)
    sums = []
    for values in (*tree.total, tree.size):
        total = np.zeros(len(parents), np.int64)
        np.add.at(total, place, values[nodes])
        sums.append(total.tolist())
    return {
        int(parent): {**_weights([a, b], [a, b]), "n_nodes": n}
        for parent, a, b, n in zip(parents, *sums, strict=True)
    }


def _weights(total: Sequence[int], own: Sequence[int]) -> dict[str, Any]:
    a, b = total
    return {
        "a": a,
        "b": b,
        "delta": b - a,
        "delta_pct": 100 * (b - a) / a if a else None,
        "own_a": own[0],
        "own_b": own[1],
        "own_delta": own[1] - own[0],
    }


def _difference(a: _Here, b: _Here, place: int) -> str:
    if a.contexts[place] < 0:
        return "only_b"
    if b.contexts[place] < 0:
        return "only_a"
    return "own" if a.own[place] != b.own[place] else "below"


def _names(runs: Sequence[tuple[Engine, _Here]], deadline: Deadline) -> dict[int, _Place]:
    """Returns what the nodes that are taken are called, by the second run if it has them."""
    found: dict[int, _Place] = {}
    for engine, here in runs:
        places = {context: place for place, context in enumerate(here.contexts) if context >= 0}
        for context, *names in _named(engine, list(places), deadline):
            found[places[context]] = _Place(*names)
    return found


def _named(engine: Engine, contexts: Sequence[int], deadline: Deadline) -> list[Any]:
    given = {"ids": contexts}
    return ask(engine, lambda run: run.execute(_NAMES, given).fetchall(), deadline)

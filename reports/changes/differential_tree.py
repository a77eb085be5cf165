"""The differential tree: the calling context trees of two runs, matched by path and weighed.

A node of both runs is the same if its path is: the thread's name and its place among threads of
that name, then for each call the call site and the called method. A method is its class's name, its
own and its descriptor; a call site is the method that it names, and its place among the call sites
of its method that name it (``names``). Loaders do not count, so what two loaders defined is one
node, with the sum of both. All work is linear in the trees, or a sort of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.errors import LimitReached, RunError
from jvmscope.queries import (
    ROOT_HASHES,
    Question,
    hash_places,
    in_time,
    indices_by_depth,
    parse_query_file,
)
from jvmscope.reports.changes.interruptible_queries import ask
from jvmscope.reports.changes.names_of_keys import SITE_NAMES
from jvmscope.reports.exports.weights import check_recorded

if TYPE_CHECKING:
    import numpy.typing as npt

    from jvmscope.queries import Deadline, Engine
    from jvmscope.reports.exports.weights import Weight

    Integers = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["DifferentialTree", "Tree", "differential_tree", "read_tree"]

_NODES = """
    SELECT COALESCE(node.parent_id, -1) AS parent,
           node.depth,
           COALESCE(node.method_id, -1) AS method,
           COALESCE(node.call_site_id, -1) AS site,
           COALESCE({own}, 0)::BIGINT AS weight
    FROM run.context AS node
    LEFT JOIN context AS c ON c.context_id = node.context_id
    {costs}
    ORDER BY node.context_id
"""
_METHOD_HASHES = """
    SELECT hash(c.name, m.name, m.descriptor) AS hash
    FROM run.method AS m JOIN run.class AS c USING (class_id) ORDER BY m.method_id
"""
_SITE_HASHES = f"SELECT hash(called, number) AS hash FROM ({SITE_NAMES}) ORDER BY call_site_id"


@dataclass(frozen=True)
class Tree:
    """The trees of one run: arrays by context, in pre-order, with keys of -1 for none.

    ``weight`` is that of the context itself, 0 outside of the scope; ``place`` its path's hash.
    """

    parent: Integers
    depth: Integers
    method: Integers
    site: Integers
    weight: Integers
    place: npt.NDArray[np.uint64]


@dataclass(frozen=True)
class DifferentialTree:
    """The nodes of both trees, each once: arrays by node, in no order that means anything.

    Attributes:
        parent: the parent's index, -1 for a thread.
        depth: the depth.
        in_a: the context of the first run, -1 if it has none.
        in_b: the context of the second run, -1 if it has none.
        own: the weights of the nodes themselves, in the first and in the second run.
        total: those with all below.
        change: how much the weights of the nodes in the subtree differ, whichever way, summed up.
        size: the nodes of the subtree.
    """

    parent: Integers
    depth: Integers
    in_a: Integers
    in_b: Integers
    own: tuple[Integers, Integers]
    total: tuple[Integers, Integers]
    change: Integers = field(repr=False)
    size: Integers = field(repr=False)


def read_tree(
    engine: Engine,
    weight: Weight,
    terms: Question,
    deadline: Deadline,
) -> Tree:
    """Returns the trees of a run.

    Args:
        engine: the run.
        weight: what its contexts are weighed by.
        terms: a question without a text: the scope whose contexts weigh anything, and of cycles
            the cost model, its parameters and ``cache``.
        deadline: when to stop.

    Raises:
        RunError: the recording failed, so there are no trees.
        QueryError: the run has no such scope, or the weight cannot be computed.
        LimitReached: the time is over, or the database needs more memory than it may have.
    """
    if "context" not in engine.manifest.tables:
        engine.manifest.expect_tree(engine.run)
        raise RunError(f"{engine.run}: the recording failed, so there is no tree")
    check_recorded(weight, engine)
    engine.scopes.bind(terms.scope)
    costs, given = "", dict(terms.params)
    if weight.costs is not None:
        costs = f"LEFT JOIN {weight.costs} AS cost ON cost.context_id = c.context_id"
    if weight.has_params:
        given.setdefault("cache", "none")
    query = parse_query_file(_NODES.format(own=weight.own, costs=costs), None)
    left = deadline.left()
    try:
        rows = engine.query(replace(terms, query=query, params=given, timeout=left)).arrow()
    except LimitReached:
        deadline.left()  # where the time is over, the error says how long all of it was
        raise
    nodes = {name: rows[name].to_numpy().astype(np.int64) for name in rows.column_names}

    def columns(text: str) -> dict[str, Any]:
        return ask(engine, lambda run: run.execute(text).fetchnumpy(), deadline)

    names = columns(_METHOD_HASHES)["hash"], columns(_SITE_HASHES)["hash"]
    roots = columns(ROOT_HASHES)
    steps = nodes["method"], nodes["site"]
    place = in_time(
        lambda: hash_places(
            nodes["parent"], nodes["depth"], steps, names, (roots["node"], roots["hash"])
        ),
        deadline,
    )
    return Tree(place=place, **nodes)


def differential_tree(a: Tree, b: Tree) -> DifferentialTree:
    """Returns the nodes of two runs, matched by path."""
    places, node = np.unique(np.concatenate((a.place, b.place)), return_inverse=True)
    of_a, of_b = node[: len(a.place)], node[len(a.place) :]
    n = len(places)
    parent, depth = _nothing(n), np.zeros(n, np.int64)
    own = []
    contexts = []
    for tree, index in ((a, of_a), (b, of_b)):
        above = np.append(index, -1)[tree.parent]  # the parent of a thread is the last: -1
        parent[index], depth[index] = above, tree.depth
        context = _nothing(n)
        context[index] = np.arange(len(index))
        contexts.append(context)
        weight = np.zeros(n, np.int64)
        np.add.at(weight, index, tree.weight)
        own.append(weight)
    difference = np.abs(own[1] - own[0])
    sums = [own[0].copy(), own[1].copy(), difference, np.ones(n, np.int64)]
    for level in reversed(list(indices_by_depth(depth))):
        below = level[parent[level] >= 0]
        for values in sums:
            np.add.at(values, parent[below], values[below])
    return DifferentialTree(
        parent,
        depth,
        contexts[0],
        contexts[1],
        (own[0], own[1]),
        (sums[0], sums[1]),
        sums[2],
        sums[3],
    )


def _nothing(n: int) -> Integers:
    return np.full(n, -1, np.int64)

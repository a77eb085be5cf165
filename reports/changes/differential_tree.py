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
    from collections.abc import Iterator

    import numpy.typing as npt

    from jvmscope.queries import Deadline, Engine
    from jvmscope.reports.exports.weights import Weight

    Hashes = npt.NDArray[np.uint64]
    Integers = npt.NDArray[np.int64]
    Keys = npt.NDArray[np.int32]

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

_BLOCK_ROWS = 1 << 20


@dataclass(frozen=True)
class Tree:
    """The trees of one run: arrays by context, in pre-order, as small as keys and depths are.

    Attributes:
        parent: the parent's key, -1 for a thread.
        depth: the depth.
        weight: that of the context itself, 0 outside of the scope.
        place: its path's hash.
    """

    parent: Keys
    depth: Keys
    weight: Integers
    place: Hashes


@dataclass(frozen=True)
class DifferentialTree:
    """The nodes of both trees, each once: arrays by node, in no order that means anything.

    What a node weighs by itself is not kept: there may be as many nodes as contexts in both runs,
    and few of them are shown.

    Attributes:
        parent: the parent's index, -1 for a thread.
        depth: the depth.
        nodes: by context of the first and of the second run, its node.
        total: the weights of the nodes with all below, in the first and in the second run.
        change: how much the weights of the nodes in the subtree differ, whichever way, summed up.
        size: the nodes of the subtree.
    """

    parent: Keys
    depth: Keys
    nodes: tuple[Keys, Keys]
    total: tuple[Integers, Integers]
    change: Integers = field(repr=False)
    size: Keys = field(repr=False)


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
    keys = []
    for name in ("parent", "depth", "method", "site"):
        keys.append(rows[name].to_numpy().astype(np.int32, copy=False))
        rows = rows.drop_columns([name])  # not in memory twice
    parent, depth, method, site = keys
    weights = rows["weight"].to_numpy().astype(np.int64, copy=False)

    def columns(text: str) -> dict[str, Any]:
        return ask(engine, lambda run: run.execute(text).fetchnumpy(), deadline)

    names = columns(_METHOD_HASHES)["hash"], columns(_SITE_HASHES)["hash"]
    roots = columns(ROOT_HASHES)
    place = in_time(
        lambda: hash_places(parent, depth, (method, site), names, (roots["node"], roots["hash"])),
        deadline,
    )
    return Tree(parent, depth, weights, place)


def differential_tree(a: Tree, b: Tree) -> DifferentialTree:
    """Returns the nodes of two runs, matched by path."""
    places = _distinct(np.concatenate((a.place, b.place)))
    n = len(places)
    nodes = _indices(places, a.place), _indices(places, b.place)
    del places
    parent, depth = np.full(n, -1, np.int32), np.zeros(n, np.int32)
    total = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for tree, index, weight in zip((a, b), nodes, total, strict=True):
        above = np.append(index, np.int32(-1))  # the parent of a thread is the last: -1
        for part in _blocks(len(index)):
            parent[index[part]] = above[tree.parent[part]]
            depth[index[part]] = tree.depth[part]
            np.add.at(weight, index[part], tree.weight[part])
    change = np.abs(total[1] - total[0])
    size = np.ones(n, np.int32)
    for level in reversed(list(indices_by_depth(depth))):
        below = level[parent[level] >= 0]
        above = parent[below]
        for values in (*total, change, size):
            np.add.at(values, above, values[below])
    return DifferentialTree(parent, depth, nodes, total, change, size)


def _distinct(hashes: Hashes) -> Hashes:
    """Returns an array's values in their order, each once; sorts the array in its own memory."""
    hashes.sort()
    is_first = np.ones(len(hashes), np.bool_)
    np.not_equal(hashes[1:], hashes[:-1], out=is_first[1:])
    return hashes[is_first]


def _indices(places: Hashes, hashes: Hashes) -> Keys:
    """Returns the index of each hash among sorted places that have all of them."""
    found = np.empty(len(hashes), np.int32)
    for part in _blocks(len(hashes)):
        order = np.argsort(hashes[part])  # a search in order does not jump about in memory
        found[part][order] = np.searchsorted(places, hashes[part][order])
    return found


def _blocks(n: int) -> Iterator[slice]:
    """Yields the parts of an array that are worked on at once: indices take twice as much."""
    for first in range(0, n, _BLOCK_ROWS):
        yield slice(first, first + _BLOCK_ROWS)

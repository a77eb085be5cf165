"""The rows of a tree whose light subtrees are folded: of heavy contexts, and of what is below them.

A run has more contexts than a database can join with their sums in memory, but a subtree is a range
of keys, so prefix sums in arrays tell what every subtree weighs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.queries import Question
from jvmscope.reports.weighed import NONE, columns_of, read_own

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from jvmscope.queries import Engine
    from jvmscope.reports.exports.weights import Weight

    Integers = npt.NDArray[np.integer[Any]]
    Booleans = npt.NDArray[np.bool_]

__all__ = ["folded_rows"]

_BLOCK = 1 << 18  # contexts whose rows are made at a time
_TREE = "SELECT context_id, size, COALESCE(parent_id, -1) FROM run.context"
_INSIDE = "SELECT context_id FROM context WHERE method_id IS NOT NULL"
_ROOTS = "SELECT root_context_id, thread_id FROM run.thread ORDER BY root_context_id"
_KEPT = """
    SELECT c.context_id, c.method_id, site.line
    FROM run.context AS c
    LEFT JOIN run.call_site AS site ON site.call_site_id = c.call_site_id
    WHERE c.context_id BETWEEN $first AND $last AND c.method_id IS NOT NULL
"""


def folded_rows(
    engine: Engine,
    weight: Weight,
    terms: Question,
    min_fraction: float,
) -> Iterator[list[tuple[Any, ...]]]:
    """Yields the rows of a forest, some at a time, in its order.

    Args:
        engine: the run.
        weight: what contexts are weighed by.
        terms: a question without a text: the scope, the cost model and its parameters.
        min_fraction: the share of the whole weight below which a subtree is folded.

    Raises:
        LimitReached: the database needs more memory than it may have.
    """
    tree = _read(engine, weight, terms)
    least = _least(min_fraction, int(tree.own.sum()) + int(tree.own_of_roots.sum()))
    is_heavy = tree.is_inside & (tree.inclusive >= least)
    is_heavy_root = (tree.own_of_roots > 0) & (tree.own_of_roots >= least)
    folded = _folded(tree, is_heavy, (tree.own_of_roots > 0) & ~is_heavy_root)
    for first in range(0, len(tree.size), _BLOCK):
        last = min(first + _BLOCK, len(tree.size)) - 1
        rows = [*_rows_of_heavy(engine, tree, is_heavy, first, last)]
        rows += _rows_of_roots(tree, is_heavy_root, first, last)
        below = slice(*np.searchsorted(folded.place, (first, last + 1)))
        rows += _rows_of_folded(tree, folded, below)
        rows.sort(key=lambda row: (row[0], row[7] is None))
        yield rows


def _least(fraction: float, total: int) -> int:
    """Returns the least weight that is not below a share, as the share is written in decimals.

    >>> _least(0.07, 100), 0.07 * 100
    (7, 7.000000000000001)
    """
    return math.ceil(Fraction(str(fraction)) * total)


@dataclass(frozen=True)
class _Tree:
    """The contexts of a run by their keys, and what those of a scope weigh.

    Attributes:
        size: contexts in its subtree, itself included.
        parent: the context that called it; NONE: a root.
        is_inside: whether it is in the scope, and no root.
        own: what it weighs itself; 0 outside of the scope.
        inclusive: what its subtree weighs.
        roots: the roots of threads.
        threads: of each root its thread.
        own_of_roots: of each root what it weighs itself; 0 outside of the scope.
    """

    size: Integers
    parent: Integers
    is_inside: Booleans
    own: Integers
    inclusive: Integers
    roots: Integers
    threads: Integers
    own_of_roots: Integers

    def root(self, contexts: Integers) -> Integers:
        """Returns of contexts which root they are below."""
        found: Integers = np.searchsorted(self.roots, contexts, side="right") - 1
        return found


def _read(engine: Engine, weight: Weight, terms: Question) -> _Tree:
    own = read_own(engine, weight, terms)
    is_inside = np.zeros(len(own), np.bool_)
    inside = engine.query(Question(_INSIDE, "sql", scope=terms.scope))
    for (place,) in columns_of(inside):
        is_inside[place] = True
    roots = list(engine.query(Question(_ROOTS, "sql")).rows())
    keys = np.array(roots, np.int64).reshape(-1, 2).T
    own_of_roots = own[keys[0]].astype(np.int64)
    own *= is_inside
    size, parent = (np.zeros(len(own), np.int32) for _ in range(2))
    for place, *columns in columns_of(engine.query(Question(_TREE, "sql"))):
        size[place], parent[place] = columns
    upto = np.cumsum(own, dtype=np.int64)
    inclusive = upto[np.arange(len(own)) + size - 1]
    inclusive -= upto
    inclusive += own
    return _Tree(size, parent, is_inside, own, inclusive, keys[0], keys[1], own_of_roots)


@dataclass(frozen=True)
class _Folded:
    """Nodes that stand for all light subtrees below a context, or below no context of a thread.

    Attributes:
        place: the context, or the root of the thread; ascending.
        weight: what they weigh together.
        n_contexts: how many contexts they have, roots left out.
    """

    place: Integers
    weight: Integers
    n_contexts: Integers


def _folded(tree: _Tree, is_heavy: Booleans, is_light_root: Booleans) -> _Folded:
    light = np.flatnonzero(tree.is_inside & ~is_heavy).astype(np.int32)
    caller = tree.parent[light]
    while True:  # the nearest context above in the scope, which may lack some between
        outside = np.flatnonzero((caller != NONE) & ~tree.is_inside[caller])
        if not len(outside):
            break
        caller[outside] = tree.parent[caller[outside]]
    is_top = (caller == NONE) | is_heavy[caller]
    light, caller = light[is_top], caller[is_top]
    above = tree.roots[tree.root(light)] if len(light) else caller
    above = np.append(np.where(caller == NONE, above, caller), tree.roots[is_light_root])
    places, group = np.unique(above, return_inverse=True)
    sums = np.zeros((2, len(places)), np.int64)
    np.add.at(sums[0], group, np.append(tree.inclusive[light], tree.own_of_roots[is_light_root]))
    np.add.at(sums[1], group[: len(light)], tree.size[light])
    return _Folded(places, *sums)


def _rows_of_heavy(
    engine: Engine, tree: _Tree, is_heavy: Booleans, first: int, last: int
) -> Iterator[tuple[Any, ...]]:
    if not is_heavy[first : last + 1].any():
        return
    params = {"first": first, "last": last}
    result = engine.query(Question(_KEPT, "sql", params=params))
    for context, method, line in result.rows():
        if is_heavy[context]:
            own, inclusive = int(tree.own[context]), int(tree.inclusive[context])
            parent, thread = int(tree.parent[context]), int(tree.threads[tree.root(context)])
            size = int(tree.size[context])
            yield context, thread, size, method, line, own, inclusive, context, parent, 1


def _rows_of_roots(
    tree: _Tree, is_heavy: Booleans, first: int, last: int
) -> Iterator[tuple[Any, ...]]:
    is_here = (tree.roots >= first) & (tree.roots <= last)
    for root in np.flatnonzero(is_heavy & is_here):
        place, own = int(tree.roots[root]), int(tree.own_of_roots[root])
        yield place, int(tree.threads[root]), 0, None, None, own, own, place, None, 0


def _rows_of_folded(tree: _Tree, folded: _Folded, below: slice) -> Iterator[tuple[Any, ...]]:
    columns = (folded.place[below], folded.weight[below], folded.n_contexts[below])
    for place, weight, n in zip(*(column.tolist() for column in columns), strict=True):
        caller = place if tree.is_inside[place] else None
        thread = int(tree.threads[tree.root(place)])
        yield place, thread, 0, None, None, weight, weight, None, caller, n

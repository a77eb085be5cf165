"""All contexts of a run as arrays, with what each weighs, and which scopes it belongs to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.errors import QueryError
from jvmscope.queries import Question, parse_query_file, parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from jvmscope.queries import Engine, Result
    from jvmscope.reports.exports.weights import Weight

    Integers = npt.NDArray[np.integer[Any]]
    Booleans = npt.NDArray[np.bool_]

__all__ = ["NONE", "RUN", "Part", "Weighed", "columns_of", "read_own", "read_weighed"]

RUN = "run"
"""The scope of everything."""

NONE = -1
"""The key of a parent, an ancestor or a method that there is not."""

BLOCK = 1 << 21
"""Contexts that are worked on at a time, so that what is made on the way stays small."""

_CONTEXTS = """
    SELECT c.context_id, c.size, COALESCE(c.method_id, -1), COALESCE(c.parent_id, -1),
           COALESCE(c.ancestor_id, -1), c.is_folded
    FROM run.context AS c
"""
_OWN = "SELECT {key}, ({own})::BIGINT FROM {relation}"
_ROOTS = "SELECT context_id, thread_id FROM run.context WHERE method_id IS NULL ORDER BY context_id"
_BACK_EDGES = "SELECT context_id, target_context_id, n_calls FROM run.back_edge"


@dataclass(frozen=True)
class Part:
    """A weight in a scope: what each context weighs itself there, 0 where it is outside."""

    scope: str
    weight: int
    own: Integers
    upto: Integers

    def inclusive(self, weighed: Weighed, contexts: Integers | slice) -> Integers:
        """Returns what the subtrees of some contexts weigh in the scope."""
        last = weighed.last(contexts)
        found: Integers = self.upto[last] - self.upto[contexts] + self.own[contexts]
        return found


@dataclass(frozen=True)
class Weighed:
    """All contexts of a run by their keys, which are 0, 1, …: roots of threads, too.

    A key is a place in pre-order, thread by thread, so a subtree is a range of keys.

    Attributes:
        weights: what they are weighed by.
        roots: the roots of threads, which are not calls.
        thread: of each root its thread.
        size: contexts in its subtree, itself included.
        method: its method; NONE: the root of a thread.
        parent: the context that called it; NONE: a root.
        is_folded: whether it counts calls from deeper down, too.
        own: by weight, what each weighs itself.
        scopes: by scope but that of the run, which contexts are in it.
        outermost: by scope, which contexts in it have none of the same method above them in it.
        untold: the scopes that this run cannot tell, and why.
        back_edges: calling context, context that counts the calls, calls.
    """

    weights: tuple[Weight, ...]
    roots: Integers
    thread: Integers
    size: Integers
    method: Integers
    parent: Integers
    is_folded: Booleans
    own: tuple[Integers, ...]
    scopes: Mapping[str, Booleans]
    outermost: Mapping[str, Booleans]
    untold: Mapping[str, str]
    back_edges: Integers

    def parts(self) -> Iterator[Part]:
        """Yields every weight in every scope, the run's first; each is made when it is its turn."""
        for scope in (RUN, *self.scopes):
            for weight, every in enumerate(self.own):
                own = every * self.scopes[scope] if scope != RUN else every
                yield Part(scope, weight, own, np.cumsum(own, dtype=np.int64))

    def blocks(self) -> Iterator[slice]:
        """Yields all contexts, some at a time."""
        for start in range(0, len(self.size), BLOCK):
            yield slice(start, min(start + BLOCK, len(self.size)))

    def called(self) -> Iterator[Integers]:
        """Yields all contexts but the roots, some at a time."""
        for block in self.blocks():
            yield np.flatnonzero(self.method[block] != NONE).astype(np.int32) + block.start

    def last(self, contexts: Integers | slice) -> Integers:
        """Returns the last contexts of the subtrees of some."""
        if isinstance(contexts, slice):
            return np.arange(contexts.start, contexts.stop) + self.size[contexts] - 1
        found: Integers = contexts + self.size[contexts] - 1
        return found


def read_weighed(
    engine: Engine,
    weights: Sequence[Weight],
    scopes: Sequence[str] = (),
    params: Mapping[str, Any] | None = None,
) -> Weighed:
    """Returns the contexts of a run, in one pass over its table and one for each scope.

    Args:
        engine: the run.
        weights: what contexts are weighed by, at least one.
        scopes: parts of the run, beside all of it.
        params: parameters of the cost model.

    Raises:
        QueryError: there is no such scope at all.
        LimitReached: the database needs more memory than it may have.
    """
    n = engine.manifest.tables["context"].rows
    terms = Question("", params=params or {})
    own = tuple(read_own(engine, weight, terms) for weight in weights)
    inside, untold = _inside(engine, scopes, n)
    size, method, parent, ancestor = (np.zeros(n, np.int32) for _ in range(4))
    is_folded = np.zeros(n, np.bool_)
    # Rows come in any order; keys are places.
    for place, *columns in columns_of(engine.query(Question(_CONTEXTS, "sql"))):
        arrays = (size, method, parent, ancestor, is_folded)
        for array, column in zip(arrays, columns, strict=True):
            array[place] = column
    roots = list(engine.query(Question(_ROOTS, "sql")).rows())
    edges = list(engine.query(Question(_BACK_EDGES, "sql")).rows())
    return Weighed(
        weights=tuple(weights),
        roots=np.array([root for root, _ in roots], np.int32),
        thread=np.array([thread for _, thread in roots], np.int32),
        size=size,
        method=method,
        parent=parent,
        is_folded=is_folded,
        own=own,
        scopes=inside,
        outermost=_outermost(method, ancestor, inside),
        untold=untold,
        back_edges=np.array(edges, np.int64).reshape(-1, 3),
    )


def read_own(engine: Engine, weight: Weight, terms: Question) -> Integers:
    """Returns what the contexts of a scope weigh themselves, others 0.

    Each takes four bytes where that is enough.

    Args:
        engine: the run.
        weight: what they are weighed by.
        terms: a question without a text: the scope, the cost model and its parameters.

    Raises:
        LimitReached: the database needs more memory than it may have.
    """
    key, relation = "c.context_id", "context AS c"
    params: dict[str, Any] = {}
    if weight.costs is not None:
        key, relation = "cost.context_id", f"{weight.costs} AS cost"
    if weight.has_params:
        params = {"cache": "none", **terms.params}
    query = parse_query_file(_OWN.format(key=key, own=weight.own, relation=relation), None)
    found: Integers = np.zeros(engine.manifest.tables["context"].rows, np.int32)
    for place, own in columns_of(engine.query(replace(terms, query=query, params=params))):
        if found.dtype != np.int64 and own.max() > np.iinfo(found.dtype).max:
            found = found.astype(np.int64)
        found[place] = own
    return found


def columns_of(result: Result) -> Iterator[list[Any]]:
    """Yields the columns of a result as arrays, some rows at a time."""
    for batch in result.batches():
        yield [column.to_numpy(zero_copy_only=False) for column in batch.columns]


def _outermost(
    method: Integers, ancestor: Integers, scopes: Mapping[str, Booleans]
) -> dict[str, Booleans]:
    """Returns by scope the contexts that none of the same method is above."""
    is_called = method != NONE
    is_nested = ancestor != NONE
    found = {RUN: is_called & ~is_nested}
    for scope, inside in scopes.items():
        found[scope] = is_called & inside & ~(is_nested & inside[ancestor])
    return found


def _inside(
    engine: Engine, scopes: Sequence[str], n: int
) -> tuple[dict[str, Booleans], dict[str, str]]:
    """Returns which contexts are in each scope, and why other scopes cannot be told."""
    inside, untold = {}, {}
    for text in scopes:
        scope = parse_scope(text)
        try:
            engine.scopes.bind(scope)
        except QueryError as error:
            untold[text] = error.message
            continue
        members = np.zeros(n, np.bool_)
        rows = engine.query(Question("SELECT context_id FROM context", "sql", scope=scope))
        for batch in rows.batches():
            members[batch.column(0).to_numpy(zero_copy_only=False)] = True
        inside[text] = members
    return inside, untold

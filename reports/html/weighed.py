"""All contexts of a run as arrays, with what each weighs, and which scopes it belongs to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.errors import QueryError
from jvmscope.queries import parse_query_file, parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from jvmscope.queries import Engine, Result
    from jvmscope.reports.exports.weights import Weight

    Integers = npt.NDArray[np.integer[Any]]
    Booleans = npt.NDArray[np.bool_]

__all__ = ["RUN", "Part", "Weighed", "read_weighed"]

RUN = "run"
"""The scope of everything."""

NONE = -1
"""The key of a parent, an ancestor or a method that there is not."""

_WEIGHED = """
    SELECT c.context_id, c.thread_id, c.size, COALESCE(c.method_id, -1) AS method_id,
           COALESCE(c.parent_id, -1) AS parent_id, COALESCE(c.ancestor_id, -1) AS ancestor_id,
           c.method_id IS NULL AS is_root, c.is_folded, {own}
    FROM context AS c
    {joined}
"""
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
        found: Integers = (
            self.upto[weighed.last[contexts]] - self.upto[contexts] + self.own[contexts]
        )
        return found


@dataclass(frozen=True)
class Weighed:
    """All contexts of a run by their keys, which are 0, 1, …: roots of threads, too.

    Attributes:
        weights: what they are weighed by.
        thread: of each its thread.
        size: contexts in its subtree, itself included.
        method: its method; NONE: the root of a thread.
        parent: the context that called it; NONE: a root.
        ancestor: the nearest context above of the same method; NONE: there is none.
        is_root: whether it is the root of a thread, which is not a call.
        is_folded: whether it counts calls from deeper down, too.
        last: the last context of its subtree.
        own: by weight, what each weighs itself.
        scopes: by scope but that of the run, which contexts are in it.
        untold: the scopes that this run cannot tell, and why.
        back_edges: calling context, context that counts the calls, calls.
    """

    weights: tuple[Weight, ...]
    thread: Integers
    size: Integers
    method: Integers
    parent: Integers
    ancestor: Integers
    is_root: Booleans
    is_folded: Booleans
    last: Integers
    own: tuple[Integers, ...]
    scopes: Mapping[str, Booleans]
    untold: Mapping[str, str]
    back_edges: Integers
    _outermost: dict[str, Booleans] = field(default_factory=dict)

    def parts(self) -> Iterator[Part]:
        """Yields every weight in every scope, the run's first; each is made when it is its turn."""
        for scope in (RUN, *self.scopes):
            for weight, every in enumerate(self.own):
                own = every * self.scopes[scope] if scope != RUN else every
                yield Part(scope, weight, own, np.cumsum(own))

    def outermost(self, scope: str) -> Booleans:
        """Returns which contexts of a scope have none of the same method above them in it."""
        if scope not in self._outermost:
            is_nested = self.ancestor != NONE
            found = self.method != NONE
            if scope != RUN:
                found &= self.scopes[scope]
                is_nested &= self.scopes[scope][self.ancestor]
            self._outermost[scope] = found & ~is_nested
        return self._outermost[scope]


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
    thread, size, method, parent, ancestor = (np.zeros(n, np.int32) for _ in range(5))
    is_root, is_folded = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    own = tuple(np.zeros(n, np.int64) for _ in weights)
    arrays = (thread, size, method, parent, ancestor, is_root, is_folded, *own)
    for batch in _own(engine, weights, dict(params or {})).batches():
        # A batch comes in any order; keys are places.
        place, *columns = (column.to_numpy(zero_copy_only=False) for column in batch.columns)
        for array, column in zip(arrays, columns, strict=True):
            array[place] = column
    inside, untold = _inside(engine, scopes, n)
    edges = list(engine.query(_BACK_EDGES, language="sql").rows())
    return Weighed(
        weights=tuple(weights),
        thread=thread,
        size=size,
        method=method,
        parent=parent,
        ancestor=ancestor,
        is_root=is_root,
        is_folded=is_folded,
        last=(np.arange(n) + size - 1).astype(np.int32),
        own=own,
        scopes=inside,
        untold=untold,
        back_edges=np.array(edges, np.int64).reshape(-1, 3),
    )


def _own(engine: Engine, weights: Sequence[Weight], params: dict[str, Any]) -> Result:
    if any(weight.costs for weight in weights):
        params.setdefault("cache", "none")
    own = (f"({w.own})::BIGINT AS own_{i}" for i, w in enumerate(weights))
    joined = "\n    ".join(
        f"LEFT JOIN {costs} AS cost ON cost.context_id = c.context_id"
        for costs in {weight.costs for weight in weights if weight.costs}
    )
    return engine.query(
        parse_query_file(_WEIGHED.format(own=", ".join(own), joined=joined), None),
        params=params,
        search_path=engine.bind_scope(parse_scope(RUN)),
    )


def _inside(
    engine: Engine, scopes: Sequence[str], n: int
) -> tuple[dict[str, Booleans], dict[str, str]]:
    """Returns which contexts are in each scope, and why other scopes cannot be told."""
    inside, untold = {}, {}
    for text in scopes:
        scope = parse_scope(text)
        try:
            search_path = engine.bind_scope(scope)
        except QueryError as error:
            untold[text] = error.message
            continue
        members = np.zeros(n, np.bool_)
        rows = engine.query(
            "SELECT context_id FROM context", language="sql", search_path=search_path
        )
        for batch in rows.batches():
            members[batch.column(0).to_numpy(zero_copy_only=False)] = True
        inside[text] = members
    return inside, untold

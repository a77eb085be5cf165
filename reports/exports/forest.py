"""The tree that an export writes, read in SQL and streamed: thread by thread, in pre-order.

Every format is a fold over the same stream, so that all of them agree on the totals. A node is
weighed by what it costs itself; a node of its own, ``(below 1 %)``, stands for all children of a
context that are too light, with all that they call. What weighs something while a thread executes
no method, as objects do that the VM makes for it, has a node ``(no method)`` below the thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from jvmscope.errors import QueryError
from jvmscope.queries import (
    NO_NAME,
    WHOLE_RUN,
    QueryFile,
    Question,
    Scope,
    parse_query_file,
    parse_scope,
)
from jvmscope.reports.exports.folded import folded_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.queries import Engine
    from jvmscope.reports.exports.weights import Weight

__all__ = ["NO_METHOD", "Forest", "Method", "Node", "Thread", "scope_of"]

# A place is a key of the order: what is folded comes first among its caller's children, or first
# in its thread. The caller is the nearest context above in the scope, which may lack some between.
_NODES = """
    SELECT c.context_id AS place,
           c.thread_id,
           CASE WHEN c.method_id IS NULL THEN 0 ELSE c.size END AS size,
           c.method_id,
           site.line,
           {own}::BIGINT AS weight,
           (CASE WHEN c.method_id IS NULL THEN {own} ELSE {inclusive} END)::BIGINT AS inclusive,
           c.context_id,
           c.parent_id,
           (c.method_id IS NOT NULL)::BIGINT AS n_contexts
    FROM context AS c
    LEFT JOIN run.call_site AS site ON site.call_site_id = c.call_site_id
    {joined}
    WHERE c.method_id IS NOT NULL OR {own} > 0
    ORDER BY place
"""
_METHODS = """
    SELECT n.method, c.source_file, m.first_line
    FROM names.methods() AS n
    JOIN run.method AS m USING (method_id)
    JOIN run.class AS c ON c.class_id = m.class_id
    ORDER BY n.method_id
"""
_THREADS = "SELECT thread_id, name FROM run.thread ORDER BY thread_id"
_N_CONTEXTS = "SELECT COUNT(*) FROM run.context"

NO_METHOD = "(no method)"
"""The frame of what a thread weighs while it executes no method."""


class Node(NamedTuple):
    """A node of the exported tree.

    Attributes:
        level: nodes above it, its thread included, so never less than 1.
        frame: its place among the forest's methods: its method's key, or beyond these.
        line: line of its caller's call site; None: unknown.
        weight: of itself, or of all that is folded.
        inclusive: of its subtree, itself included; 0 unless the forest has the sums.
        context_id: its key; None: it is folded.
        parent_id: its parent's key, whether or not that is in the tree; None: folded below the
            thread.
        n_contexts: contexts that it stands for: 1, or those folded; 0: no method.
    """

    level: int
    frame: int
    line: int | None
    weight: int
    inclusive: int
    context_id: int | None
    parent_id: int | None
    n_contexts: int


class Thread(NamedTuple):
    """The root of a tree: a thread's key and name."""

    thread_id: int
    name: str

    @property
    def label(self) -> str:
        """What frames and titles show of the thread.

        >>> Thread(3, "main").label, Thread(4, "").label
        ('main', '(no name)')
        """
        return self.name or NO_NAME


class Method(NamedTuple):
    """What frames show of a method; the source is null where the class file does not say it."""

    name: str
    source_file: str | None
    first_line: int | None


@dataclass(frozen=True)
class Forest:
    """The trees of a run, or their parts below some methods, weighed.

    Attributes:
        engine: the run.
        weight: what nodes are weighed by.
        terms: a question without a text: the scope that is exported, and of cycles the cost model,
            its parameters and ``cache``.
        min_fraction: the share of the whole weight below which a subtree is folded.
        has_sums: whether nodes have their inclusive weights, which costs a sort.
        on_progress: called with the percentage done, now and then.
    """

    engine: Engine
    weight: Weight
    terms: Question
    min_fraction: float = 0.0
    has_sums: bool = False
    on_progress: Callable[[float], None] = lambda _percentage: None

    def threads(self) -> Iterator[tuple[Thread, Iterator[Node]]]:
        """Yields each thread that has nodes, with these in pre-order.

        A thread's nodes must be read before the next thread is asked for.

        Raises:
            QueryError: the query failed.
            LimitReached: the database needs more memory than it may have.
        """
        names = dict(self.engine.query(Question(_THREADS, "sql")).rows())
        for thread_id, rows in groupby(self._rows(), key=itemgetter(1)):
            yield Thread(thread_id, names[thread_id]), self._levelled(rows)

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        """The methods by key, then what stands for no method, and last for what is folded."""
        found = self.engine.query(Question(_METHODS, "sql")).rows()
        below = Method(f"(below {100 * self.min_fraction:g} %)", None, None)
        return (*(Method(*row) for row in found), Method(NO_METHOD, None, None), below)

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """Yields the rows of the query, and reports how far they are."""
        ((n_contexts,),) = self.engine.query(Question(_N_CONTEXTS, "sql")).rows()
        for rows in self._parts():
            if rows:
                self.on_progress(100 * rows[-1][0] / max(1, n_contexts))
            yield from rows

    def _parts(self) -> Iterator[list[tuple[Any, ...]]]:
        if self.min_fraction > 0:
            yield from folded_rows(self.engine, self.weight, self.terms, self.min_fraction)
            return
        params = dict(self.terms.params)
        if self.weight.has_params:
            params.setdefault("cache", "none")
        result = self.engine.query(replace(self.terms, query=self._query(), params=params))
        for batch in result.batches():
            columns: list[list[Any]] = [column.to_pylist() for column in batch.columns]
            yield list(zip(*columns, strict=True))

    def _query(self) -> QueryFile:
        weight = self.weight
        own, inclusive, joined = weight.own, "0", ""
        if weight.costs is not None:
            joined = f"LEFT JOIN {weight.costs} AS cost ON cost.context_id = c.context_id"
        if self.has_sums:
            joined += f" JOIN {weight.sums} AS sum ON sum.context_id = c.context_id"
            inclusive = weight.inclusive
        return parse_query_file(_NODES.format(own=own, inclusive=inclusive, joined=joined), None)

    def _levelled(self, rows: Iterator[tuple[Any, ...]]) -> Iterator[Node]:
        """Yields the nodes of a thread's rows; a node without callers in the scope has level 1."""
        no_method, folded = len(self.methods) - 2, len(self.methods) - 1
        ends: list[int] = []  # where the subtrees of the nodes above end, the nearest last
        for place, _, size, method_id, *others in rows:
            while ends and place >= ends[-1]:
                ends.pop()
            node = Node(len(ends) + 1, folded if method_id is None else method_id, *others)
            is_root = method_id is None and node.context_id is not None
            yield node._replace(frame=no_method) if is_root else node
            if size:
                ends.append(place + size)


def scope_of(engine: Engine, scope: Scope, root: str | None) -> Scope:
    """Returns the part of a run that is exported.

    Args:
        engine: the run.
        scope: what is exported without a root.
        root: a pattern of methods: what they call, with themselves; or None.

    Raises:
        QueryError: there is no such scope, no method matches, or both are given.
    """
    if root is not None and scope != WHOLE_RUN:
        message = "--root GLOB is the scope subtree:GLOB: give one of the two"
        raise QueryError(message, path=f"--scope {scope}")
    try:
        part = scope if root is None else parse_scope(f"subtree:{root}")
        engine.scopes.bind(part)
    except QueryError as error:
        if root is not None:
            error.path = "--root"
        raise
    return part

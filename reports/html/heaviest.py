"""What the embedded trees ask of a run: its threads, its heaviest contexts, their methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.queries import parse_query_file, parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.exports.weights import Weight

__all__ = ["Contexts", "Frame"]

_NODES = """
    SELECT c.context_id, c.parent_id, c.thread_id, c.method_id, site.line, c.size,
           {own}, {inclusive}
    FROM context AS c
    LEFT JOIN run.call_site AS site ON site.call_site_id = c.call_site_id
    {joined}
    WHERE c.method_id IS NOT NULL
"""
_THREADS = """
    SELECT c.thread_id, ANY_VALUE(thread.name) AS name, COUNT(*) AS size, {sums}
    FROM context AS c
    JOIN run.thread AS thread ON thread.thread_id = c.thread_id
    {joined}
    WHERE c.method_id IS NOT NULL
    GROUP BY c.thread_id
    ORDER BY c.thread_id
"""
_HEAVIEST = """
    WITH node AS ({nodes})
    SELECT node.*, GREATEST({shares}) AS share
    FROM node
    WHERE node.thread_id IN (SELECT UNNEST($threads))
    ORDER BY share DESC, context_id
    LIMIT $n_nodes
"""
_FRAMES = """
    SELECT n.method_id, n.method, c.source_file, m.first_line,
           c.loader NOT IN ('boot', 'platform') AS is_application
    FROM names.methods() AS n
    JOIN run.method AS m ON m.method_id = n.method_id
    JOIN run.class AS c ON c.class_id = m.class_id
    WHERE n.method_id IN (SELECT UNNEST($methods))
"""


@dataclass(frozen=True)
class Frame:
    """What a page shows of a node's method, its thread, or of what is folded.

    Attributes:
        name: method with class and parameters, name of the thread, or what is folded.
        kind: ``run``, ``thread``, ``application``, ``library`` or ``folded``.
        source_file: where the method is; None: the class file does not say, or no method.
        first_line: its first line there; None: likewise.
    """

    name: str
    kind: str
    source_file: str | None = None
    first_line: int | None = None


class Contexts:
    """The contexts of a run, weighed.

    Args:
        engine: the run.
        weights: what contexts are weighed by, at least one.
        params: parameters of the cost model.
    """

    def __init__(self, engine: Engine, weights: Sequence[Weight], params: dict[str, Any]) -> None:
        self._engine = engine
        self._search_path = engine.bind_scope(parse_scope("run"))
        self._weights = weights
        self._params = params
        if any(weight.costs for weight in weights):
            self._params.setdefault("cache", "none")
        self._costs = "\n    ".join(
            f"LEFT JOIN {costs} AS cost ON cost.context_id = c.context_id"
            for costs in {weight.costs for weight in weights if weight.costs}
        )

    def threads(self) -> list[tuple[Any, ...]]:
        """Returns (thread, name, contexts, sum of each weight) of threads with contexts."""
        sums = (f"SUM({w.own})::BIGINT AS own_{i}" for i, w in enumerate(self._weights))
        return self._rows(_THREADS.format(sums=", ".join(sums), joined=self._costs))

    def heaviest(
        self, totals: Sequence[int], threads: Sequence[int], n_nodes: int
    ) -> list[tuple[Any, ...]]:
        """Returns the contexts of some threads with the largest shares, these first, then by key.

        Returns:
            Rows of context, parent, thread, method, line, size, own and inclusive weights, share.
        """
        indices = range(len(self._weights))
        nodes = _NODES.format(
            own=", ".join(f"({w.own})::BIGINT AS own_{i}" for i, w in enumerate(self._weights)),
            inclusive=", ".join(f"inclusive_{i}::BIGINT AS inclusive_{i}" for i in indices),
            joined=f"{self._sums()}\n    {self._costs}",
        )
        shares = ", ".join(f"inclusive_{i} / {max(1, totals[i])}" for i in indices)
        text = _HEAVIEST.format(nodes=nodes, shares=shares)
        return self._rows(text, threads=list(threads), n_nodes=n_nodes + 1)

    def _sums(self) -> str:
        """Returns joins with the sums over subtrees, one for weights that share a relation."""
        columns: dict[str, list[str]] = {}
        for index, weight in enumerate(self._weights):
            columns.setdefault(weight.sums, []).append(f"{weight.inclusive} AS inclusive_{index}")
        return "\n    ".join(
            f"JOIN (SELECT sum.context_id, {', '.join(sums)} FROM {relation} AS sum)"
            f" AS sums_{index} ON sums_{index}.context_id = c.context_id"
            for index, (relation, sums) in enumerate(columns.items())
        )

    def frames(self, methods: Iterable[int]) -> dict[int, Frame]:
        """Returns what is shown of methods, by key."""
        rows = self._engine.query(_FRAMES, language="sql", params={"methods": sorted(methods)})
        return {
            method_id: Frame(name, "application" if is_application else "library", file, line)
            for method_id, name, file, line, is_application in rows.rows()
        }

    def _rows(self, text: str, **params: Any) -> list[tuple[Any, ...]]:
        result = self._engine.query(
            parse_query_file(text, None),
            params=self._params | params,
            search_path=self._search_path,
        )
        return list(result.rows())

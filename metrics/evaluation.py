"""Evaluates one metric on one run, or takes its values from the cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.metrics import cache, tidy
from jvmscope.metrics.requirements import folded, unmet
from jvmscope.metrics.tidy_rows import Spool, TidyRows, gathered
from jvmscope.queries import Deadline, Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import pyarrow as pa

    from jvmscope.queries import CostModel, Engine, QueryFile, Scope

__all__ = ["Evaluation"]


@dataclass(frozen=True)
class Evaluation:
    """How every metric of one call is evaluated.

    Attributes:
        scope: the part of the run that the metrics are about.
        timeout: stop a metric after this many seconds; None: never.
        is_cached: whether to use and keep values under ``RUN/metrics``.
        cost_model: the user's own, for metrics that use costs; None: the one they name.

    Raises:
        ValueError: the timeout is negative, or not a number.
    """

    scope: Scope
    timeout: float | None = None
    is_cached: bool = False
    cost_model: CostModel | None = None

    def __post_init__(self) -> None:
        """Checks the timeout, which values that are kept need not."""
        Deadline(self.timeout)

    def has_kept(
        self, engine: Engine, asked: Iterable[tuple[QueryFile, Mapping[str, Any]]]
    ) -> bool:
        """Returns whether values of all metrics that the run can tell, at least one, are kept."""
        paths = [
            cache.cache_path(engine, self._question(query, params))
            for query, params in asked
            if unmet(query, engine, self.scope, params) is None
        ]
        return self.is_cached and bool(paths) and all(path.is_file() for path in paths)

    def values(self, engine: Engine, query: QueryFile, params: Mapping[str, Any]) -> pa.Table:
        """Returns tidy values without ``run_id``; nulls with the reason where nothing can be told.

        Raises:
            QueryError: the query failed, or the run does not have the scope.
            LimitReached: the time is over.
        """
        return self.rows(engine, query, params, Spool().folder).table()

    def rows(
        self, engine: Engine, query: QueryFile, params: Mapping[str, Any], spool: Path
    ) -> TidyRows:
        """Returns the same, in a file if there are many rows.

        Args:
            engine: the run.
            query: the metric.
            params: its parameters.
            spool: where to write many rows that are not kept.

        Raises:
            QueryError: the query failed, or the run does not have the scope.
            LimitReached: the time is over.
        """
        reason = unmet(query, engine, self.scope, params)
        if reason is None and engine.manifest.kind != "watch":
            reason = folded(query, engine, self.scope, params)
        if reason is not None:
            return TidyRows(tidy.explain_absence(query, reason))
        question = self._question(query, params)
        path = cache.cache_path(engine, question)
        is_cached = self.is_cached and engine.manifest.kind != "watch"  # it grows, and has company
        kept = cache.load_rows(path) if is_cached else None
        if kept is not None:
            return kept
        result = engine.untouched().query(question)
        is_kept = is_cached and cache.is_open_to(path)
        values = gathered(
            tidy.to_tidy(query, result, str(self.scope)),
            path.parent if is_kept else spool,
            path.name,
        )
        if is_kept and values.found is not None:
            cache.store(path, values.found)
        return values

    def _question(self, query: QueryFile, params: Mapping[str, Any]) -> Question:
        return Question(
            query,
            params=params,
            scope=self.scope,
            timeout=self.timeout,
            cost_model=self.cost_model,
        )

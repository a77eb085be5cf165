"""Evaluates metrics on runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.metrics import cache, tidy
from jvmscope.metrics.catalogue import select
from jvmscope.metrics.requirements import unmet
from jvmscope.queries import Result, bind_params, parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

    from jvmscope.queries import Engine, QueryFile, Scope

__all__ = ["measure", "measure_query"]


def measure(
    engines: Sequence[Engine],
    *,
    metrics: Sequence[str] = (),
    scope: str = "run",
    params: Mapping[str, Any] | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    is_cached: bool = True,
) -> Result:
    """Returns tidy values: run by run, metric by metric, in the metric's own order.

    Args:
        engines: the runs.
        metrics: ids, globs of ids or ``tag:NAME``; none means every metric.
        scope: ``run``, ``application``, ``thread:NAME`` or ``subtree:PATTERN``.
        params: values for the parameters that the metrics declare.
        limit: deliver at most this many rows.
        timeout: stop each metric after this many seconds.
        is_cached: whether to use and keep values under ``RUN/metrics``.

    Raises:
        QueryError: a metric, the scope or a parameter does not exist.
        LimitReached: the time is over.
    """
    queries = select(metrics)
    bound = _bind_all(queries, params or {})
    evaluation = _Evaluation(parse_scope(scope), timeout, is_cached)
    values = [
        (engine.run_id, evaluation.values(engine, query, bound[query.id]))
        for engine in engines
        for query in queries
    ]
    table = tidy.combine(values, queries)
    return Result(tidy.describe(queries), table.schema, _batches(table), limit)


def measure_query(
    engine: Engine,
    query: QueryFile,
    scope: Scope,
    params: Mapping[str, Any],
    *,
    timeout: float | None = None,
) -> Result:
    """Returns the values of any query with measures on one run, wide: its keys and measures.

    Values that are null have their reason in the column ``reason``; nothing is cached.

    Raises:
        QueryError: the query, the scope or a parameter is wrong.
        LimitReached: the time is over.
    """
    evaluation = _Evaluation(scope, timeout, is_cached=False)
    values = evaluation.values(engine, query, bind_params(query, params))
    wide = tidy.widen(tidy.combine([(engine.run_id, values)], [query]), query)
    return Result.of_table(wide.arrow().drop_columns(["run_id"]), wide.columns[1:])


@dataclass(frozen=True)
class _Evaluation:
    """How every metric of one call is evaluated."""

    scope: Scope
    timeout: float | None
    is_cached: bool

    def values(self, engine: Engine, query: QueryFile, params: Mapping[str, Any]) -> pa.Table:
        """Returns the values of one metric on one run, from the cache if they are there."""
        reason = unmet(query, engine.manifest, self.scope)
        if reason is not None:
            return tidy.explain_absence(query, reason)
        path = cache.cache_path(engine, query, params, str(self.scope))
        values = cache.load(path) if self.is_cached else None
        if values is None:
            search_path = engine.bind_scope(self.scope)
            result = engine.query(
                query, params=params, timeout=self.timeout, search_path=search_path
            )
            values = tidy.to_tidy(query, result, str(self.scope))
            if self.is_cached:
                cache.store(path, values)
        return values


def _bind_all(queries: Sequence[QueryFile], params: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns the parameters of each metric; each given one must be some metric's."""
    declared = {param.name for query in queries for param in query.params}
    for name in params:
        if name not in declared:
            hint = did_you_mean(name, declared) or f"parameters: {', '.join(sorted(declared))}"
            raise QueryError(f"no metric has a parameter {name!r}", path="--param", hint=hint)
    return {
        query.id: bind_params(
            query, {p.name: params[p.name] for p in query.params if p.name in params}
        )
        if query.params
        else {}
        for query in queries
    }


def _batches(table: pa.Table) -> Iterator[pa.RecordBatch]:
    yield from table.to_batches()

"""Measures pairs of runs, and returns the changes of all values from one to the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.errors import JvmscopeError, QueryError, RunError
from jvmscope.metrics import measure, select
from jvmscope.metrics.measure import Failure, selected
from jvmscope.metrics.parameters import bind_all
from jvmscope.metrics.reasons import Reason, ReasonCode
from jvmscope.metrics.requirements import WITHOUT_TREE
from jvmscope.metrics.tidy import combine, explain_absence
from jvmscope.queries import WHOLE_RUN, Engine, Result
from jvmscope.reports.changes.matched_values import change_columns, empty_changes, match
from jvmscope.reports.changes.names_of_keys import key_columns, unnameable, with_names
from jvmscope.reports.changes.pairs import are_watches, are_without_tree, runs_of, saying_which

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from jvmscope.queries import CostModel, QueryFile, Scope
    from jvmscope.reports.changes.names_of_keys import KeyColumn
    from jvmscope.reports.changes.pairs import Pair, Side

__all__ = ["Measuring", "changes", "changes_of", "no_changes", "why_not_comparable"]


@dataclass(frozen=True)
class Measuring:
    """How both runs of a pair are measured; the attributes are those of ``metrics.measure``.

    ``open_run`` opens a run.
    """

    scope: Scope = WHOLE_RUN
    params: Mapping[str, Any] = field(default_factory=dict)
    timeout: float | None = None
    is_cached: bool = True
    cost_model: CostModel | None = None
    on_failure: Callable[[Failure], None] | None = None
    on_progress: Callable[[float], None] | None = None
    open_run: Callable[[Path], AbstractContextManager[Engine]] = Engine


def changes(
    pairs: Sequence[Pair], metrics: Sequence[str], measuring: Measuring, *, limit: int | None = None
) -> Result:
    """Returns the changes of metrics, one a row: pair by pair, metric by metric.

    The columns are ``benchmark, metric, measure, <names>, a, b, delta, delta_pct, unit, better,
    reason, reason_code_a, reason_code_b``. ``delta`` is b - a, and ``delta_pct`` 100 * (b - a) /
    |a|. Where a or b is null, so is the difference, and the reason says why, for programs the codes
    of ``ReasonCode``; where a is 0, there is no percentage. A run that is missing is null in all
    its values.

    Args:
        pairs: what is compared.
        metrics: ids, globs of ids or ``tag:NAME``; none means every metric, or of watch runs those
            that are about times.
        measuring: how the runs are measured.
        limit: deliver at most this many rows.

    Raises:
        RunError: a directory is not a run.
        QueryError: a metric, the scope or a parameter does not exist, or a metric failed.
        LimitReached: the time is over.
    """
    queries = selected(metrics, [*runs_of(pairs)])
    has_tree = are_watches(pairs) or not are_without_tree(pairs)
    refused = {
        query.id: Reason(ReasonCode.NOT_COMPARABLE, text)
        if has_tree or query.step
        else WITHOUT_TREE
        for query in queries
        if (text := why_not_comparable(query))
    }
    measured = [query for query in queries if query.id not in refused]
    bind_all(measured, measuring.params, measuring.cost_model)
    keys = key_columns(measured)
    found = [empty_changes(keys)]
    for number, pair in enumerate(pairs):
        sides = []
        for index, side in enumerate((pair.a, pair.b)):
            share = (2 * number + index, 2 * len(pairs))
            try:
                with saying_which(index):
                    values = _values(side, measured, keys, measuring, share)
            except (RunError, QueryError) as error:
                if pair.benchmark is None or measuring.on_failure is None:
                    raise
                values = _failed(side, error, measured, keys, measuring.on_failure)
            absent = _absent([query for query in queries if query.id in refused], refused, keys)
            sides.append(pa.concat_tables([values, absent]))
        found.append(match(sides[0], sides[1], keys, queries, pair.benchmark))
    table = pa.concat_tables(found)
    return Result(change_columns(keys), table.schema, iter(table.to_batches()), limit)


def changes_of(metrics: Sequence[str], measured: Result) -> Result:
    """Returns the changes of some metrics from those of more, as ``changes`` returns them.

    Args:
        metrics: their ids.
        measured: the changes of these and of other metrics.
    """
    table = measured.arrow()
    rows = table.filter(pc.is_in(table["metric"], value_set=pa.array(metrics, pa.string())))
    schema = no_changes(metrics).schema
    columns = {column.name: column for column in measured.columns}
    rows = rows.select(schema.names).cast(schema)
    return Result.of_table(rows, [columns[name] for name in schema.names])


def no_changes(metrics: Sequence[str]) -> pa.Table:
    """Returns no changes, in the columns that those of metrics have.

    Raises:
        QueryError: a metric does not exist.
    """
    return empty_changes(key_columns(q for q in select(metrics) if why_not_comparable(q) is None))


def why_not_comparable(query: QueryFile) -> str | None:
    """Returns why the values of a metric cannot be compared between two runs; None: they can."""
    if query.step:
        return "about several runs together, not about one"
    return unnameable(query)


def _values(
    side: Side,
    queries: Sequence[QueryFile],
    keys: Sequence[KeyColumn],
    measuring: Measuring,
    share: tuple[int, int],
) -> pa.Table:
    """Returns the values of a run with names; if there is no run, nulls with the reason.

    Args:
        side: the run.
        queries: the metrics.
        keys: the columns of the names.
        measuring: how.
        share: how many runs are done, of how many.
    """
    if side.run is None or not queries:
        why = Reason(ReasonCode.NO_RUN, side.reason or "there is no run")
        reasons = dict.fromkeys((query.id for query in queries), why)
        return _absent(queries, reasons, keys)
    tell = measuring.on_progress
    with measuring.open_run(side.run) as engine:
        tidy = measure(
            [engine],
            metrics=[query.id for query in queries],
            scope=measuring.scope,
            params=measuring.params,
            timeout=measuring.timeout,
            is_cached=measuring.is_cached,
            cost_model=measuring.cost_model,
            on_failure=measuring.on_failure,
            on_progress=(lambda done: tell((100 * share[0] + done) / share[1])) if tell else None,
            has_codes=True,
        )
        return with_names(engine, tidy.arrow(), keys)


def _failed(
    side: Side,
    error: JvmscopeError,
    queries: Sequence[QueryFile],
    keys: Sequence[KeyColumn],
    tell: Callable[[Failure], None],
) -> pa.Table:
    """Returns nulls for a run of a suite that cannot be measured, which loses no other run."""
    tell(Failure(str(side.run), None, error))
    first_line = str(error).partition("\n")[0]
    why = Reason(ReasonCode.FAILED, f"failed: {first_line}")
    return _absent(queries, dict.fromkeys((q.id for q in queries), why), keys)


def _absent(
    queries: Sequence[QueryFile], reasons: Mapping[str, Reason], keys: Sequence[KeyColumn]
) -> pa.Table:
    """Returns a row for each measure, without value and names, with the metric's reason."""
    parts = [(None, explain_absence(query, reasons[query.id])) for query in queries]
    tidy = combine(parts, queries, has_codes=True)
    columns = {name: tidy[name] for name in ("metric", "measure")}
    types = empty_changes(keys).schema
    columns |= {key.name: pa.nulls(tidy.num_rows, types.field(key.name).type) for key in keys}
    columns |= {name: tidy[name] for name in ("value", "unit", "reason", "reason_code")}
    n_rows = tidy.num_rows
    positions = pa.array(range(n_rows), pa.int64())
    unplaced = pa.nulls(n_rows, pa.int64())
    return pa.table({**columns, "position": positions, "place_in_code": unplaced})

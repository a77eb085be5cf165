"""Tidy results: one row for each value of a metric, whatever the metric's own columns are.

The columns are ``run_id, metric, <grain keys>, measure, value, unit, reason``. ``value`` is a
double, exact for counts up to 2**53; where it is null, ``reason`` says why, and so does, for
programs, ``reason_code``, which results have only if it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.metrics.reasons import Reason, ReasonCode
from jvmscope.queries import Result, ResultColumn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jvmscope.queries import QueryColumn, QueryFile

__all__ = [
    "SQL_TYPES",
    "combine",
    "combined",
    "combined_schema",
    "describe",
    "explain_absence",
    "to_tidy",
    "widen",
]

_ARROW_TYPES = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "text": pa.string(),
    "boolean": pa.bool_(),
}
_PART_ROWS = 1 << 14  # of an answer; a measure each makes some times as many
_REASON = "reason"
_CODE = "reason_code"
_RUN = "run_id"
SQL_TYPES = {"integer": "BIGINT", "number": "DOUBLE", "text": "VARCHAR", "boolean": "BOOLEAN"}
"""The types of columns in results, by those that headers declare."""


def to_tidy(query: QueryFile, result: Result, scope: str) -> Iterator[pa.Table]:
    """Yields the values of one metric, some at a time: row by row, measure by measure.

    There is no ``run_id``, unless the metric is about several runs and declares it. A value that
    is null, and a metric without rows, get a reason: the text in the answer's column ``reason``,
    if the query gives one, else what a null means in general.
    """
    is_empty = True
    for batch in result.batches():
        is_empty = False
        for start in range(0, batch.num_rows, _PART_ROWS):
            part = pa.Table.from_batches([batch.slice(start, _PART_ROWS)])
            yield _tidy_rows(query, part, scope)
    if is_empty:
        text = f"nothing to measure: nothing counts in the scope {scope}"
        yield explain_absence(query, Reason(ReasonCode.NOTHING, text))


def _tidy_rows(query: QueryFile, table: pa.Table, scope: str) -> pa.Table:
    general = pa.scalar(f"undefined: nothing to divide by in the scope {scope}")
    said = table[_REASON].cast(pa.string()) if _REASON in table.column_names else general
    keys = {key.name: table[key.name].cast(_ARROW_TYPES[key.type]) for key in query.keys}
    parts = []
    for measure in query.measures:
        value = table[measure.name].cast(pa.float64(), safe=False)  # beyond 2^53 the nearest double
        reason = pc.if_else(pc.is_null(value), pc.coalesce(said, general), None)
        code = pc.if_else(pc.is_null(value), pa.scalar(ReasonCode.UNDEFINED.value), None)
        values = {"value": value, "reason": reason.cast(pa.string()), _CODE: code.cast(pa.string())}
        parts.append(_tidy(query, measure, table.num_rows, {**keys, **values}))
    by_row = np.arange(table.num_rows * len(parts)).reshape(len(parts), -1).T.ravel()
    return pa.concat_tables(parts).combine_chunks().take(by_row)


def widen(table: pa.Table, query: QueryFile) -> Result:
    """Returns the values of one metric as people read them: a column for each measure.

    Args:
        table: the rows of ``combine``, of every metric, whole.
        query: the metric.
    """
    rows = table.filter(pc.equal(table["metric"], pa.scalar(query.id)))
    by_measure = [rows.filter(pc.equal(rows["measure"], pa.scalar(m.name))) for m in query.measures]
    first = by_measure[0]
    columns = [ResultColumn(_RUN, "VARCHAR")]
    columns += [ResultColumn(key.name, SQL_TYPES[key.type]) for key in _keys([query])]
    if query.step and first[_RUN].null_count == first.num_rows:
        del columns[0]
    arrays = [first[column.name] for column in columns]
    columns += [ResultColumn(m.name, "DOUBLE", m.unit) for m in query.measures]
    arrays += [part["value"] for part in by_measure]
    reason = pc.coalesce(*(part["reason"] for part in by_measure))
    if reason.null_count < len(reason):
        columns.append(ResultColumn("reason", "VARCHAR"))
        arrays.append(reason)
    wide = pa.table(arrays, names=[column.name for column in columns])
    return Result.of_table(wide, columns)


def explain_absence(query: QueryFile, reason: Reason) -> pa.Table:
    """Returns one row for each measure of a metric: no keys, no value, and the reason."""
    why = {"reason": pa.array([reason.text]), _CODE: pa.array([reason.code.value])}
    return pa.concat_tables(_tidy(query, measure, 1, why) for measure in query.measures)


def combine(
    tables: Iterable[tuple[str | None, pa.Table]],
    queries: Sequence[QueryFile],
    *,
    has_codes: bool = False,
) -> pa.Table:
    """Returns the values of several metrics and runs in one table, with the keys of them all.

    Args:
        tables: pairs of a run's id and the values of one metric; None: of several runs.
        queries: the metrics, which decide the order of the key columns.
        has_codes: whether the last column is ``reason_code``.
    """
    schema = combined_schema(queries, has_codes=has_codes)
    parts = [combined(run_id, table, schema) for run_id, table in tables]
    return pa.concat_tables(parts) if parts else schema.empty_table()


def combined(run_id: str | None, table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Returns some of the rows of ``combine``.

    Args:
        run_id: the run's id; None: several runs, which the rows tell.
        table: values of one metric.
        schema: that of all values, as ``combined_schema`` returns it.
    """
    named = table
    if _RUN not in table.column_names:
        run = pa.repeat(pa.scalar(run_id, pa.string()), table.num_rows)
        named = table.add_column(0, _RUN, run)
    for field in schema:
        if field.name not in named.column_names:
            named = named.append_column(field, pa.nulls(table.num_rows, field.type))
    return named.select(schema.names)


def combined_schema(queries: Sequence[QueryFile], *, has_codes: bool = False) -> pa.Schema:
    """Returns the schema of ``combine``."""
    schema = _schema(_keys(queries))
    return schema if has_codes else schema.remove(schema.get_field_index(_CODE))


def describe(queries: Sequence[QueryFile], *, has_codes: bool = False) -> list[ResultColumn]:
    """Returns the columns of ``combine`` as results show them."""
    keys = [ResultColumn(key.name, SQL_TYPES[key.type]) for key in _keys(queries)]
    before = [ResultColumn(_RUN, "VARCHAR"), ResultColumn("metric", "VARCHAR")]
    after = [
        ResultColumn("measure", "VARCHAR"),
        ResultColumn("value", "DOUBLE"),
        ResultColumn("unit", "VARCHAR"),
        ResultColumn("reason", "VARCHAR"),
        *([ResultColumn(_CODE, "VARCHAR")] if has_codes else []),
    ]
    return [*before, *keys, *after]


def _keys(queries: Sequence[QueryFile]) -> list[QueryColumn]:
    keys: dict[str, QueryColumn] = {}
    for query in queries:
        for key in query.keys:
            if key.name != _RUN:
                keys.setdefault(key.name, key)
    return list(keys.values())


def _schema(keys: Sequence[QueryColumn]) -> pa.Schema:
    return pa.schema(
        [
            pa.field(_RUN, pa.string()),
            pa.field("metric", pa.string()),
            *(pa.field(key.name, _ARROW_TYPES[key.type]) for key in keys),
            pa.field("measure", pa.string()),
            pa.field("value", pa.float64()),
            pa.field("unit", pa.string()),
            pa.field("reason", pa.string()),
            pa.field(_CODE, pa.string()),
        ]
    )


def _tidy(
    query: QueryFile, measure: QueryColumn, n_rows: int, columns: Mapping[str, Any]
) -> pa.Table:
    """Returns rows of one measure; columns that are not given are null."""
    texts = {"metric": query.id, "measure": measure.name, "unit": measure.unit}
    schema = _schema(_keys([query]))
    if _RUN not in columns:
        schema = schema.remove(schema.get_field_index(_RUN))
    arrays = []
    for field in schema:
        if field.name in texts:
            arrays.append(pa.repeat(pa.scalar(texts[field.name], pa.string()), n_rows))
        else:
            arrays.append(columns.get(field.name, pa.nulls(n_rows, field.type)))
    return pa.table(arrays, schema=schema)

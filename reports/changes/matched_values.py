"""The values of two runs side by side: rows matched by metric, measure and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from jvmscope.metrics.reasons import ReasonCode
from jvmscope.queries import ResultColumn, arrow_schema, memory_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries import QueryFile
    from jvmscope.reports.changes.names_of_keys import KeyColumn

__all__ = ["AFTER", "NO_PERCENTAGE", "change_columns", "empty_changes", "match"]

_NO_ROW = "no such row"
NO_PERCENTAGE = "no delta_pct: a is 0"
"""The reason of a row that has both values and no percentage."""

_BEFORE = (
    ResultColumn("benchmark", "VARCHAR"),
    ResultColumn("metric", "VARCHAR"),
    ResultColumn("measure", "VARCHAR"),
)
AFTER = (
    ResultColumn("a", "DOUBLE"),
    ResultColumn("b", "DOUBLE"),
    ResultColumn("delta", "DOUBLE"),
    ResultColumn("delta_pct", "DOUBLE", "%"),
    ResultColumn("unit", "VARCHAR"),
    ResultColumn("better", "VARCHAR"),
    ResultColumn("reason", "VARCHAR"),
    ResultColumn("reason_code_a", "VARCHAR"),
    ResultColumn("reason_code_b", "VARCHAR"),
)
"""The columns of changes behind those that say what a row is about."""

# What falls to 0 has lost 100 % exactly: a product and a quotient, rounded, may come to more.
# A metric that could not be computed has one row without keys for each measure (tidy); its reason
# is that of every row which the other run has. Rows of one name are matched in their order.
_CHANGES = """
    WITH side_a AS ({side_a}),
    side_b AS ({side_b}),
    absent_a AS (FROM side_a WHERE is_absent),
    absent_b AS (FROM side_b WHERE is_absent),
    present_a AS (FROM side_a WHERE NOT is_absent),
    present_b AS (FROM side_b WHERE NOT is_absent),
    matched AS (
        SELECT COALESCE(a.metric, b.metric) AS metric,
               COALESCE(a.measure, b.measure) AS measure,
               {keys}
               a.value AS a,
               b.value AS b,
               CASE WHEN a.metric IS NOT NULL THEN COALESCE(a.reason, 'unknown') END AS reason_a,
               CASE WHEN b.metric IS NOT NULL THEN COALESCE(b.reason, 'unknown') END AS reason_b,
               a.reason_code AS reason_code_a,
               b.reason_code AS reason_code_b,
               COALESCE(a.unit, b.unit) AS unit,
               COALESCE(b.position, a.position) AS position,
               b.metric IS NULL AS is_only_in_a
        FROM present_a AS a
        FULL JOIN present_b AS b ON {same}
        UNION ALL
        SELECT a.metric, a.measure, {no_keys} NULL, NULL, a.reason, b.reason, a.reason_code,
               b.reason_code, a.unit, a.position, FALSE
        FROM absent_a AS a
        JOIN absent_b AS b ON a.metric = b.metric AND a.measure = b.measure
    ),
    explained AS (
        SELECT matched.* REPLACE (
                   CASE WHEN matched.a IS NULL
                        THEN COALESCE(reason_a, absent_a.reason, '{no_row}') END AS reason_a,
                   CASE WHEN matched.b IS NULL
                        THEN COALESCE(reason_b, absent_b.reason, '{no_row}') END AS reason_b,
                   CASE WHEN matched.a IS NULL
                        THEN COALESCE(reason_code_a, absent_a.reason_code, '{no_row_code}')
                   END AS reason_code_a,
                   CASE WHEN matched.b IS NULL
                        THEN COALESCE(reason_code_b, absent_b.reason_code, '{no_row_code}')
                   END AS reason_code_b
               )
        FROM matched
        LEFT JOIN absent_a
            ON absent_a.metric = matched.metric AND absent_a.measure = matched.measure
        LEFT JOIN absent_b
            ON absent_b.metric = matched.metric AND absent_b.measure = matched.measure
    )
    SELECT $benchmark::VARCHAR AS benchmark,
           metric,
           measure,
           {names}
           a,
           b,
           b - a AS delta,
           CASE WHEN b - a = -a THEN -100 * NULLIF(SIGN(a), 0)
                ELSE 100 * (b - a) / NULLIF(ABS(a), 0) END AS delta_pct,
           unit,
           definition.better,
           CASE WHEN reason_a = reason_b THEN reason_a
                WHEN reason_a IS NOT NULL OR reason_b IS NOT NULL
                THEN CONCAT_WS('; ', 'A: ' || reason_a, 'B: ' || reason_b)
                WHEN a = 0 THEN '{no_percentage}'
           END AS reason,
           reason_code_a,
           reason_code_b
    FROM explained
    JOIN definition USING (metric)
    ORDER BY metric, position, is_only_in_a, measure
"""
_SIDE = """
    SELECT side.*,
           definition.has_keys AND value IS NULL {all_null} AS is_absent,
           ROW_NUMBER() OVER (
               PARTITION BY metric, measure, place_in_code {keys} ORDER BY position
           ) AS occurrence
    FROM {table} AS side
    JOIN definition USING (metric)
"""


def change_columns(keys: Sequence[KeyColumn]) -> list[ResultColumn]:
    """Returns the columns of changes, with those that say what rows are about."""
    return [*_BEFORE, *(ResultColumn(key.name, key.type) for key in keys), *AFTER]


def empty_changes(keys: Sequence[KeyColumn]) -> pa.Table:
    """Returns no changes, in their columns."""
    return arrow_schema(change_columns(keys)).empty_table()


def _placed(values: pa.Table) -> pa.Table:
    """Returns values with the column ``place_in_code``, which is null where nobody numbered any."""
    if "place_in_code" in values.column_names:
        return values
    return values.append_column("place_in_code", pa.nulls(values.num_rows, pa.int64()))


def match(
    a: pa.Table,
    b: pa.Table,
    keys: Sequence[KeyColumn],
    queries: Sequence[QueryFile],
    benchmark: str | None,
) -> pa.Table:
    """Returns the changes from one run to another, in the columns of ``change_columns``.

    Args:
        a: the values of the first, as ``names.with_names`` returns them.
        b: those of the second.
        keys: the columns that say what rows are about.
        queries: the metrics.
        benchmark: what the runs are called; None: nothing.
    """
    matched = [f'"{key.name}"' for key in keys if key.is_matched]
    sides = {
        f"side_{side}": _SIDE.format(
            table=f"values_{side}",
            all_null="".join(f" AND {key} IS NULL" for key in matched),
            keys="".join(f", {key}" for key in matched),
        )
        for side in ("a", "b")
    }
    same = ["a.metric = b.metric", "a.measure = b.measure", "a.occurrence = b.occurrence"]
    same.append("a.place_in_code IS NOT DISTINCT FROM b.place_in_code")
    same += [f"a.{key} IS NOT DISTINCT FROM b.{key}" for key in matched]
    text = _CHANGES.format(
        **sides,
        keys="".join(f'COALESCE(b."{key.name}", a."{key.name}") AS "{key.name}", ' for key in keys),
        no_keys="NULL, " * len(keys),
        names="".join(f'"{key.name}", ' for key in keys),
        same=" AND ".join(same),
        no_row=_NO_ROW,
        no_percentage=NO_PERCENTAGE,
        no_row_code=ReasonCode.NO_ROW,
    )
    config: dict[str, Any] = dict(memory_settings())
    with duckdb.connect(config=config) as connection:
        connection.register("values_a", _placed(a))
        connection.register("values_b", _placed(b))
        connection.register("definition", _definitions(queries))
        found: pa.Table = connection.sql(text, params={"benchmark": benchmark}).to_arrow_table()
    return found.cast(empty_changes(keys).schema)


def _definitions(queries: Sequence[QueryFile]) -> pa.Table:
    return pa.table(
        {
            "metric": pa.array([query.id for query in queries], pa.string()),
            "better": pa.array([query.better for query in queries], pa.string()),
            "has_keys": pa.array([bool(query.keys) for query in queries], pa.bool_()),
        }
    )

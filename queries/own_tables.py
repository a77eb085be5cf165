"""The tables of a user's own probe, as views of the rows in which a run has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, RunError
from jvmscope.schema.own_tables import parse_own_table

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    import duckdb

    from jvmscope.schema.own_tables import OwnTable

__all__ = ["has_mixed_callers", "own_tables", "own_view"]

# What the row of a place says of the table that a column refers to.
_OF_PLACE = {
    "instruction": "p.instruction_id",
    "basic_block": "i.basic_block_id",
    "call_site": "s.call_site_id",
}

# Contexts into which calls were folded, with rows of a table: of one that counts calls by a scope,
# all must be by it. A call that never was, as that of a context for folded calls alone, is by none.
_HAS_MIXED_CALLERS = """
    WITH shared AS (
        SELECT context_id FROM run.probe_count WHERE table_name = $name
        INTERSECT
        SELECT target_context_id FROM run.back_edge
    ),
    every AS (
        SELECT context_id, COUNT(*) FILTER (n_calls > 0) AS n
        FROM run.call SEMI JOIN shared USING (context_id) GROUP BY context_id
    ),
    inside AS (
        SELECT context_id, COUNT(*) FILTER (n_calls > 0) AS n
        FROM {schema}.call SEMI JOIN shared USING (context_id) GROUP BY context_id
    )
    SELECT EXISTS (FROM inside JOIN every USING (context_id) WHERE inside.n < every.n)
"""


def own_tables(
    connection: duckdb.DuckDBPyConnection, recorded: Collection[str], run: Path
) -> tuple[OwnTable, ...]:
    """Returns the tables that a run brings with it.

    Args:
        connection: a connection to the run's database.
        recorded: the names of the run's tables.
        run: the run, for messages.

    Raises:
        RunError: a definition in the run is not one.
    """
    if not {"probe_table", "probe_count"} <= set(recorded):
        return ()
    rows = connection.execute("SELECT name, ddl FROM run.probe_table ORDER BY name").fetchall()
    found: list[OwnTable] = []
    for name, ddl in rows:
        try:
            table = parse_own_table(ddl, f"{name}.sql")
        except QueryError as error:
            raise RunError(f"{run}: probe_table: {error}") from None
        if table.name != name or table.name in {each.name for each in found}:
            raise RunError(f"{run}: probe_table: {name!r} is not the name of one table, once")
        found.append(table)
    return tuple(found)


def own_view(table: OwnTable, schema: str) -> str:
    """Returns what a table of a probe selects.

    Args:
        table: the table.
        schema: the schema whose rows it shows: ``run``, or that of a scope.
    """
    selected, grouped = [], []
    values = iter(("p.key_a", "p.key_b", "p.key_c", "p.key_d"))
    for column in table.columns:
        if column in table.counts:
            value = f"COALESCE(SUM(p.n_events) FILTER (p.counter = '{column.name}'), 0)"
        elif column.references in ("context", "thread", "method"):
            value = f"{'p' if column.references == 'context' else 'c'}.{column.references}_id"
        elif column.references in _OF_PLACE:
            value = _OF_PLACE[column.references]
        elif column.references == "class":
            value = "p.class_id"
        else:
            value = next(values)
        if column not in table.counts:
            grouped.append(value)
        selected.append(f'TRY_CAST({value} AS {column.sql_type}) AS "{column.name}"')
    is_of_calls = table.is_counted_at_caller and schema != "run"
    rows = "run" if is_of_calls else schema
    text = f"SELECT {', '.join(selected)} FROM {rows}.probe_count AS p {_joins(table)}"
    text += f" WHERE p.table_name = '{table.name}'"
    if is_of_calls:
        text += f" AND p.context_id IN (SELECT context_id FROM {schema}.call)"
    return f"{text} GROUP BY {', '.join(grouped)}" if grouped else f"{text} HAVING COUNT(*) > 0"


def has_mixed_callers(connection: duckdb.DuckDBPyConnection, table: OwnTable, schema: str) -> bool:
    """Tells whether rows of a table in a scope also count calls by callers outside of it.

    They do where calls of both were folded into one context, if the table is counted at callers.

    Args:
        connection: a connection to the database of a run with folded calls.
        table: the table.
        schema: that of the scope.
    """
    if not table.is_counted_at_caller:
        return False
    sql = _HAS_MIXED_CALLERS.format(schema=schema)
    return connection.execute(sql, {"name": table.name}).fetchall() == [(True,)]


def _joins(table: OwnTable) -> str:
    """Returns the joins that lead from a row to what columns refer to."""
    wanted = {column.references for column in table.columns}
    joins = ""
    if wanted & {"thread", "method"}:
        joins += " JOIN run.context AS c ON c.context_id = p.context_id"
    if wanted & {"basic_block", "call_site"}:
        joins += " LEFT JOIN run.instruction AS i ON i.instruction_id = p.instruction_id"
    if "call_site" in wanted:
        joins += (
            " LEFT JOIN run.basic_block AS b ON b.basic_block_id = i.basic_block_id"
            ' LEFT JOIN run.call_site AS s ON s.caller_id = b.method_id AND s."offset" = i."offset"'
        )
    return joins

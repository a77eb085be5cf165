"""The relations of a watch run that are not tables.

``resource`` is what foci can name, ``resolution`` how fine tables are whose older rows were folded
into time bins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.schema.watched import BINNED, watch_tables

if TYPE_CHECKING:
    from collections.abc import Collection

    import duckdb

__all__ = ["bind_watch_views"]

_CODE = (
    "interpreter", "compiled", "inlined", "native", "gc", "compiler", "compiler/c1", "compiler/c2",
    "classes", "deoptimization", "safepoint",
)  # fmt: skip
"""Activities of the VM, and the forms in which code runs."""

_LATER = frozenset({"class_content"})
"""Tables that watch runs of an older jvmscope do not have, and that relations read."""

_SYNC = ("monitor_enter", "monitor_wait", "monitor_inflation", "park")


def bind_watch_views(connection: duckdb.DuckDBPyConnection, recorded: Collection[str]) -> None:
    """Makes the views.

    ``run.resource (hierarchy, path)`` has each resource, and all above it. ``run.resolution`` has a
    row for each table whose rows can be put together: ``table_name``; ``n_events``, the rows that
    are there one by one; ``n_binned``, those that are in bins; and ``bin_ns``, how wide these are,
    null if there are none.

    Args:
        connection: a database with the tables of a watch run.
        recorded: their names; a run of an older jvmscope lacks those of bins, and newer ones.
    """
    _bind_lacking(connection, recorded)
    _bind_resolution(connection, recorded)
    named = "SELECT class_name || '/' || name AS path FROM run.{}"
    methods = " UNION ALL ".join(map(named.format, ("vm_method", "probe_method")))
    classes = " UNION ALL ".join(
        f"SELECT class_name AS path FROM run.class_define{end}" for end in ("", BINNED)
    )
    objects = " UNION ".join(
        f"SELECT class_name AS path FROM run.{table}{end}"
        for table in _SYNC
        for end in ("", BINNED)
    )
    code = ", ".join(f"('Code', '{path}')" for path in _CODE)
    connection.execute(f"""
        CREATE VIEW run.resource AS
        WITH leaf (hierarchy, path) AS (
            SELECT DISTINCT 'APCode', path FROM ({methods} UNION ALL {classes})
            UNION ALL SELECT DISTINCT 'APSyncObj', path FROM ({objects})
        )
        SELECT DISTINCT hierarchy, array_to_string(parts[:depth], '/') AS path
        FROM (SELECT hierarchy, string_split(path, '/') AS parts FROM leaf WHERE path IS NOT NULL),
            UNNEST(range(1, len(parts) + 1)) AS level (depth)
        UNION ALL SELECT DISTINCT 'APThreads', name FROM run.vm_thread WHERE name IS NOT NULL
        UNION ALL (VALUES {code})
    """)


def _bind_lacking(connection: duckdb.DuckDBPyConnection, recorded: Collection[str]) -> None:
    """Makes the tables that a run of an older jvmscope does not have, without rows."""
    for name, table in watch_tables().items():
        if (name.endswith(BINNED) or name in _LATER) and name not in recorded:
            columns = ", ".join(f"NULL::{each.sql_type} AS {each.name}" for each in table.columns)
            connection.execute(f"CREATE VIEW run.{name} AS SELECT {columns} WHERE FALSE")


def _bind_resolution(connection: duckdb.DuckDBPyConnection, recorded: Collection[str]) -> None:
    parts = " UNION ALL ".join(
        f"""
        SELECT '{name}' AS table_name, (SELECT COUNT(*) FROM run.{name}) AS n_events,
            COALESCE(SUM(n_events), 0)::BIGINT AS n_binned, MAX(end_ns - start_ns) AS bin_ns
        FROM run.{name}{BINNED}
        """
        for name, table in watch_tables().items()
        if table.binning is not None and not table.binning.is_here and name in recorded
    )
    connection.execute(f"CREATE VIEW run.resolution AS {parts}")

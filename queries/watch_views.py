"""The relations of a watch run that are not tables: ``resource``, what foci can name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

__all__ = ["bind_watch_views"]

_CODE = (
    "interpreter", "compiled", "inlined", "native", "gc", "compiler", "compiler/c1", "compiler/c2",
    "classes", "deoptimization", "safepoint",
)  # fmt: skip
"""Activities of the VM, and the forms in which code runs."""

_SYNC = ("monitor_enter", "monitor_wait", "monitor_inflation", "park")


def bind_watch_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes ``run.resource (hierarchy, path)``: each resource, and all above it."""
    named = "SELECT class_name || '/' || name AS path FROM run.{}"
    methods = " UNION ALL ".join(map(named.format, ("vm_method", "probe_method")))
    classes = "SELECT class_name AS path FROM run.class_define"
    objects = " UNION ".join(f"SELECT class_name AS path FROM run.{table}" for table in _SYNC)
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

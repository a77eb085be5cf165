"""What must be true of the tables about objects, which say the same of objects in several ways.

Counts move from one state to another while the program runs, so a run that was cut may have a few
objects in neither or both: only complete runs are judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmscope.schema.manifest import Manifest

__all__ = ["object_invariants"]


def _by_type(one: str, other: str, *keys: str) -> str:
    """Returns the condition that rows of two tables are of the same type of objects."""
    same = [f"{one}.{key} = {other}.{key}" for key in ("type", *keys)]
    return " AND ".join([*same, f"{one}.class_id IS NOT DISTINCT FROM {other}.class_id"])


# What must be true of some tables, and a query that counts the rows of which it is not.
_CLAIMS: dict[tuple[str, ...], dict[str, str]] = {
    ("watched_class", "early_object", "allocation"): {
        # Of those that are allocated, some are never constructed, and nobody sees them.
        "the objects of a class that are watched, or from before, are among the allocated": """
            SELECT COUNT(*) FROM (
                SELECT class_id, SUM(n_objects) AS n_objects FROM allocation
                WHERE type NOT LIKE '[%' AND class_id IS NOT NULL GROUP BY class_id
            ) AS a
            FULL JOIN watched_class AS w USING (class_id)
            FULL JOIN early_object AS e USING (class_id)
            WHERE w.reason IS NULL AND COALESCE(a.n_objects, 0)
                < COALESCE(w.n_objects, 0) + COALESCE(e.n_objects, 0)
        """,
    },
    ("field_immutability", "field_zeroing"): {
        "a field that was read or written first is immutable or mutable": """
            SELECT COUNT(*) FROM field_immutability AS i
            FULL JOIN field_zeroing AS z USING (field_id)
            WHERE i.n_objects IS DISTINCT FROM z.n_objects
               OR i.n_immutable + i.n_mutable != z.n_read_first + z.n_written_first
        """,
    },
    ("field_immutability",): {
        "a field is immutable or mutable in no more objects than have it": """
            SELECT COUNT(*) FROM field_immutability WHERE n_immutable + n_mutable > n_objects
        """,
    },
    ("field_sharing",): {
        "a field is shared in no more objects than have it": """
            SELECT COUNT(*) FROM field_sharing WHERE n_read_shared + n_write_shared > n_objects
        """,
    },
    ("field_zeroing",): {
        "a field is accessed first in no more objects than have it": """
            SELECT COUNT(*) FROM field_zeroing WHERE n_read_first + n_written_first > n_objects
        """,
    },
    ("object_immutability", "watched_class"): {
        "the immutable and mutable objects of a class are among those that are watched": """
            SELECT COUNT(*) FROM object_immutability AS i
            FULL JOIN (FROM watched_class WHERE n_objects > 0) AS w USING (class_id)
            WHERE i.n_objects IS DISTINCT FROM w.n_objects
               OR i.n_immutable + i.n_mutable > i.n_objects
        """,
    },
    ("object_sharing", "watched_class"): {
        "the shared objects of a class are among those that are watched": """
            SELECT COUNT(*) FROM object_sharing AS s
            FULL JOIN (FROM watched_class WHERE n_objects > 0) AS w USING (class_id)
            WHERE s.n_objects IS DISTINCT FROM w.n_objects
               OR s.n_partially_read_shared + s.n_fully_read_shared > s.n_objects
               OR s.n_partially_write_shared + s.n_fully_write_shared > s.n_objects
        """,
    },
    ("needless_lock", "watched_class"): {
        "the needlessly locked objects of a class are among those that are locked and watched": """
            SELECT COUNT(*) FROM needless_lock AS n
            FULL JOIN (FROM watched_class WHERE n_objects > 0) AS w USING (class_id)
            WHERE n.n_objects IS DISTINCT FROM w.n_objects OR n.n_locked > n.n_objects
               OR GREATEST(n.n_immutable, n.n_unshared) > n.n_locked
               OR n.n_immutable_unshared > LEAST(n.n_immutable, n.n_unshared)
        """,
    },
    ("object_lock", "lock_operations"): {
        "each object that is locked has a number of operations": f"""
            SELECT COUNT(*) FROM object_lock AS o FULL JOIN (
                SELECT type, class_id, SUM(n_objects) AS n FROM lock_operations GROUP BY ALL
            ) AS l ON {_by_type("l", "o")}
            WHERE o.n_objects IS DISTINCT FROM l.n
        """,
    },
    ("object_lock", "lock_depth"): {
        "each object that is locked, and each entry of a monitor, has a depth": f"""
            SELECT COUNT(*) FROM object_lock AS o FULL JOIN (
                SELECT type, class_id, SUM(n_objects) AS n, SUM(n_entries) AS n_entries
                FROM lock_depth GROUP BY ALL
            ) AS d ON {_by_type("d", "o")}
            WHERE o.n_objects IS DISTINCT FROM d.n
               OR o.n_block_entries + o.n_method_entries != d.n_entries
        """,
    },
    ("object_hash", "hash_calls"): {
        "each object whose hash code was asked for has a number of calls": f"""
            SELECT COUNT(*) FROM object_hash AS o FULL JOIN (
                SELECT type, class_id, kind, SUM(n_objects) AS n FROM hash_calls GROUP BY ALL
            ) AS c ON {_by_type("c", "o", "kind")}
            WHERE o.n_objects IS DISTINCT FROM c.n OR o.n_objects > o.n_calls
        """,
    },
    ("object_lifetime", "object_churn"): {
        "each object has a lifetime, and if it died, a distance": f"""
            SELECT COUNT(*) FROM (
                SELECT context_id, instruction_id, type, class_id,
                       SUM(n_objects) FILTER (lifetime_bytes IS NOT NULL) AS n
                FROM object_lifetime GROUP BY ALL
            ) AS l FULL JOIN (
                SELECT context_id, instruction_id, type, class_id, SUM(n_objects) AS n
                FROM object_churn GROUP BY ALL
            ) AS c ON {_by_type("c", "l", "context_id")}
                  AND c.instruction_id IS NOT DISTINCT FROM l.instruction_id
            WHERE l.n IS DISTINCT FROM c.n
        """,
    },
    ("object_lifetime", "object_presence"): {
        "each object that has a lifetime was born, and if it died, it did so at a tick": """
            SELECT COUNT(*) FROM (
                SELECT context_id, SUM(n_objects) AS n_born,
                       SUM(CASE WHEN lifetime_bytes IS NULL THEN 0 ELSE n_objects END) AS n_died
                FROM object_lifetime GROUP BY ALL
            ) AS l FULL JOIN (
                SELECT context_id, SUM(n_born) AS n_born, SUM(n_died) AS n_died
                FROM object_presence GROUP BY ALL
            ) AS p USING (context_id)
            WHERE l.n_born IS DISTINCT FROM p.n_born OR l.n_died IS DISTINCT FROM p.n_died
        """,
        "the ticks of a run have one length, and end with it": """
            SELECT COUNT(*) FROM object_presence
            WHERE clock_bytes % tick_bytes != 0
               OR tick_bytes != (SELECT MAX(tick_bytes) FROM object_presence)
        """,
        "no more objects of a context, nor bytes, have died than were born": """
            SELECT COUNT(*) FROM (
                SELECT SUM(n_born - n_died) OVER upto AS n,
                       SUM(born_bytes - died_bytes) OVER upto AS b
                FROM object_presence
                WINDOW upto AS (PARTITION BY context_id ORDER BY clock_bytes)
            )
            WHERE n < 0 OR b < 0
        """,
    },
}


def object_invariants(manifest: Manifest) -> dict[str, str]:
    """Returns what must be true of the tables about objects of a run, each with its query."""
    if manifest.status != "complete":
        return {}
    return {
        statement: query
        for needed, claims in _CLAIMS.items()
        if manifest.tables.keys() >= {*needed}
        for statement, query in claims.items()
    }

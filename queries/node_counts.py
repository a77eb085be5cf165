"""Which counts of contexts differ between two runs, with their values in both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from jvmscope.queries.engine import Engine

__all__ = ["NAMED_COUNTS", "differing_counts"]

NAMED_COUNTS = {
    "context_block": """
        SELECT f.context_id, b."index" AS rank, f.n_executions AS value,
               'block ' || b."index" || ' at offset ' || b.first_offset AS name
        FROM asked JOIN context_block AS f USING (context_id)
        JOIN basic_block AS b USING (basic_block_id)
    """,
    "context_segment": """
        SELECT f.context_id, s.first_offset AS rank, f.n_executions AS value,
               'segment ' || s."index" || ' of block ' || b."index" || ' at offset '
               || s.first_offset AS name
        FROM asked JOIN context_segment AS f USING (context_id)
        JOIN block_segment AS s USING (block_segment_id)
        JOIN basic_block AS b USING (basic_block_id)
    """,
    "receiver": """
        SELECT f.context_id, 0 AS rank, SUM(f.n_calls)::BIGINT AS value,
               'calls on ' || COALESCE(c.name || ' (' || c.loader || ')', 'arrays') AS name
        FROM asked JOIN receiver AS f USING (context_id) LEFT JOIN class AS c USING (class_id)
        GROUP BY ALL
    """,
    "method_cache": """
        SELECT context_id, 0 AS rank, value, name
        FROM (
            SELECT f.context_id, f.n_call_hits AS "cache hits of calls",
                   f.n_call_misses AS "cache misses of calls",
                   f.n_return_hits AS "cache hits of returns",
                   f.n_return_misses AS "cache misses of returns",
                   f.n_catch_hits AS "cache hits of catches",
                   f.n_catch_misses AS "cache misses of catches"
            FROM asked JOIN method_cache AS f USING (context_id)
        ) UNPIVOT (value FOR name IN (* EXCLUDE (context_id)))
    """,
    "back_edge": """
        SELECT f.context_id, COALESCE(s."offset", -1) AS rank, SUM(f.n_calls)::BIGINT AS value,
               'calls folded into the context ' || (x.depth - t.depth) || ' above'
               || COALESCE(' from offset ' || s."offset", '') AS name
        FROM asked JOIN back_edge AS f USING (context_id)
        JOIN context AS x USING (context_id)
        JOIN context AS t ON t.context_id = f.target_context_id
        LEFT JOIN call_site AS s ON s.call_site_id = f.call_site_id
        GROUP BY ALL
    """,
}
"""For each table of facts about contexts a query of them by name; a count of 0 has no row."""

_OF_BLOCKS = (1, 2)
"""The first two tables, whose facts are missing where a method's blocks were not counted."""

_OF_NODES = """
    SELECT context_id, -2 AS rank, x.n_calls AS value, 'calls' AS name
    FROM asked JOIN context AS x USING (context_id)
    UNION ALL
    SELECT context_id, -1, 1, 'folded' FROM asked JOIN context AS x USING (context_id)
    WHERE x.is_folded
"""
_UNCOUNTED = """
    SELECT context_id FROM asked JOIN context AS x USING (context_id)
    JOIN method AS m USING (method_id) WHERE m.coverage <> 'full'
"""

_Counts = dict[tuple[int, int, str], int]
"""Values by table, rank and name, in which order they are shown; table 0 is context itself."""


def differing_counts(
    a: Engine, b: Engine, pairs: Sequence[tuple[int, int]], tables: Collection[str]
) -> list[str]:
    """Returns what differs of each pair of contexts, as ``block 2 at offset 10: 5 and 7; …``.

    Args:
        a: one run.
        b: the other.
        pairs: keys of contexts of a and b at the same place.
        tables: the tables of facts about contexts that count.
    """
    facts = (_Facts(a, [i for i, _ in pairs], tables), _Facts(b, [j for _, j in pairs], tables))
    return ["; ".join(_told(facts[0], i, facts[1], j)) for i, j in pairs]


class _Facts:
    """The counts of some contexts of a run."""

    def __init__(self, run: Engine, contexts: Sequence[int], tables: Collection[str]) -> None:
        connection = run.connect()
        connection.register("asked", pa.table({"context_id": pa.array(contexts, pa.int32())}))
        self._counts: dict[int, _Counts] = {context: {} for context in contexts}
        queries = {"context": _OF_NODES, **NAMED_COUNTS}
        for table, (table_name, query) in enumerate(queries.items()):
            if table_name in tables:
                for context, rank, value, name in connection.execute(query).fetchall():
                    self._counts[context][table, rank, name] = value
        self._uncounted = {context for (context,) in connection.execute(_UNCOUNTED).fetchall()}
        connection.unregister("asked")

    def of(self, context: int) -> _Counts:
        return self._counts[context]

    def value(self, context: int, count: tuple[int, int, str]) -> int | None:
        """Returns a count; None where the blocks of the context's method were not counted."""
        found = self._counts[context].get(count)
        if found is None and count[0] in _OF_BLOCKS and context in self._uncounted:
            return None
        return found or 0


def _told(in_a: _Facts, i: int, in_b: _Facts, j: int) -> list[str]:
    told = []
    for count in sorted(in_a.of(i).keys() | in_b.of(j).keys()):
        values = in_a.value(i, count), in_b.value(j, count)
        if values[0] != values[1]:
            shown = ("not counted" if value is None else f"{value:,}" for value in values)
            told.append(f"{count[2]}: {' and '.join(shown)}")
    return told

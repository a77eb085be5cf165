"""Which counts of contexts differ between two runs, with their values in both."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmscope.queries.identity.row_names import fact_names
from jvmscope.schema.definitions import facts_of, tables

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from jvmscope.queries.engine import Engine
    from jvmscope.schema import Column

__all__ = ["differing_counts"]

_OF_NODES = """
    SELECT context_id, 'calls' AS name, x.n_calls AS value
    FROM asked JOIN context AS x USING (context_id)
    UNION ALL
    SELECT context_id, 'folded', 1 FROM asked JOIN context AS x USING (context_id)
    WHERE x.is_folded
"""
_UNCOUNTED = """
    SELECT context_id FROM asked JOIN context AS x USING (context_id)
    JOIN method AS m USING (method_id) WHERE m.coverage <> 'full'
"""

_DIGITS = re.compile(r"(\d+)")

_Counts = dict[tuple[str, str], int]
"""Values by table and name; a count of 0 is not there."""


def differing_counts(
    a: Engine, b: Engine, pairs: Sequence[tuple[int, int]], common: Collection[str]
) -> list[str]:
    """Returns what differs of each pair of contexts, as ``block 2 at offset 10: 5 and 7; …``.

    Args:
        a: one run.
        b: the other.
        pairs: keys of contexts of a and b at the same place.
        common: the tables of facts about contexts that count.
    """
    facts = (_Facts(a, [i for i, _ in pairs], common), _Facts(b, [j for _, j in pairs], common))
    return ["; ".join(_told(facts[0], i, facts[1], j)) for i, j in pairs]


class _Facts:
    """The counts of some contexts of a run."""

    def __init__(self, run: Engine, contexts: Sequence[int], common: Collection[str]) -> None:
        connection = run.connect()
        connection.register("asked", pa.table({"context_id": pa.array(contexts, pa.int32())}))
        self._counts: dict[int, _Counts] = {context: {} for context in contexts}
        for table in ("context", *facts_of("context")):
            if table in common:
                query = _OF_NODES if table == "context" else _named_counts(table)
                for context, name, value in connection.execute(query).fetchall():
                    self._counts[context][table, name] = value
        self._uncounted = {context for (context,) in connection.execute(_UNCOUNTED).fetchall()}
        connection.unregister("asked")

    def of(self, context: int) -> _Counts:
        return self._counts[context]

    def value(self, context: int, count: tuple[str, str]) -> int | None:
        """Returns a count; None where the blocks of the context's method were not counted."""
        found = self._counts[context].get(count)
        if found is None and _is_of_blocks(count[0]) and context in self._uncounted:
            return None
        return found or 0


def _told(in_a: _Facts, i: int, in_b: _Facts, j: int) -> list[str]:
    told = []
    for count in sorted(in_a.of(i).keys() | in_b.of(j).keys(), key=_place):
        values = in_a.value(i, count), in_b.value(j, count)
        if values[0] != values[1]:
            shown = ("not counted" if value is None else f"{value:,}" for value in values)
            told.append(f"{count[1]}: {' and '.join(shown)}")
    return told


def _named_counts(table: str) -> str:
    """Returns the query of a table's facts about the contexts asked for, by name."""
    names = fact_names(table)
    counts = tables()[table].counts
    values = " UNION ALL ".join(
        f"SELECT context_id, name{_label(column) if len(counts) > 1 else ''} AS name, "
        f"SUM({column.name})::BIGINT AS value FROM fact GROUP BY ALL"
        for column in counts
    )
    return (
        f"WITH fact AS (SELECT f.*, {names.name} AS name FROM {names.source} "
        f"WHERE f.context_id IN (SELECT context_id FROM asked)) "
        f"SELECT * FROM ({values}) WHERE value != 0"
    )


def _label(column: Column) -> str:
    return f" || ' {column.name.removeprefix('n_').replace('_', ' ')}'"


def _is_of_blocks(table: str) -> bool:
    """Says that a table's facts are missing where a method's blocks were not counted."""
    referred = {column.references for column in tables()[table].columns}
    return not referred.isdisjoint({"basic_block", "block_segment"})


def _place(count: tuple[str, str]) -> tuple[int, list[str | int]]:
    """Returns what counts are sorted by: the table, and the name with its numbers as numbers."""
    table, name = count
    place = facts_of("context").index(table) if table != "context" else -1
    return place, [int(part) if part.isdigit() else part for part in _DIGITS.split(name)]

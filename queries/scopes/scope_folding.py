"""What folding took from a scope: whole paths, and calls that count outside of it.

A context into which calls were folded stands for several paths. So a scope has the paths of all
that it counts if no context of it is below such a one, calls one, or had a call folded. Where a
scope is whole subtrees, what it called may count outside of them: then its numbers are too small.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.queries.first_rows import first_row

if TYPE_CHECKING:
    import duckdb

__all__ = ["MIXED_CALLERS", "NOTHING_FOLDED", "ScopeFolding", "scope_folding"]


@dataclass(frozen=True)
class ScopeFolding:
    """What folding did to a scope.

    Attributes:
        has_whole_paths: whether each of its contexts, and each that it calls, stands for one path.
        n_lost_calls: calls by its contexts that count outside of it, as does all that they call;
            0 if the scope has no subtrees.
        example: the methods of such a call, as ``p/Callee.f by p/Caller.g``; "" if there is none.
    """

    has_whole_paths: bool
    n_lost_calls: int = 0
    example: str = ""


NOTHING_FOLDED = ScopeFolding(has_whole_paths=True)

MIXED_CALLERS = (
    "calls were folded, and it does not tell those of callers outside of the scope apart"
)
"""Why a scope has no rows of a table of the user's probe that is counted at callers."""

_HAS_FOLDED_CALLS = """
    SELECT EXISTS (
        SELECT 1 FROM run.back_edge WHERE context_id IN (SELECT context_id FROM {schema}.context)
    )
"""

# The first context of the scope from a folded one on is below it, or none is.
_IS_BELOW_FOLDED = """
    SELECT EXISTS (
        SELECT 1
        FROM (SELECT context_id, size FROM run.context WHERE is_folded) AS folded
        ASOF JOIN (SELECT context_id AS member_id FROM {schema}.context) AS member
            ON folded.context_id <= member.member_id
        WHERE member.member_id < folded.context_id + folded.size
    )
"""

_CALLS_FOLDED = """
    SELECT EXISTS (
        SELECT 1 FROM run.context
        WHERE is_folded AND parent_id IN (SELECT context_id FROM {schema}.context)
    )
"""

_LOST_CALLS = """
    WITH lost AS (
        SELECT context_id, call_site_id, target_context_id, n_calls
        FROM run.back_edge
        WHERE context_id IN (SELECT context_id FROM {schema}.context)
          AND target_context_id NOT IN (SELECT context_id FROM {schema}.context)
    )
    SELECT SUM(lost.n_calls) OVER ()::BIGINT,
           callee_class.name || '.' || callee.name || ' by '
               || caller_class.name || '.' || caller.name
    FROM lost
    JOIN run.context AS "to" ON "to".context_id = lost.target_context_id
    JOIN run.method AS callee ON callee.method_id = "to".method_id
    JOIN run.class AS callee_class ON callee_class.class_id = callee.class_id
    JOIN run.context AS "from" ON "from".context_id = lost.context_id
    JOIN run.method AS caller ON caller.method_id = "from".method_id
    JOIN run.class AS caller_class ON caller_class.class_id = caller.class_id
    ORDER BY lost.n_calls DESC, lost.context_id, lost.call_site_id, lost.target_context_id
    LIMIT 1
"""


def scope_folding(
    connection: duckdb.DuckDBPyConnection, schema: str, *, is_of_subtrees: bool
) -> ScopeFolding:
    """Returns what folding did to a scope, by its relations.

    Args:
        connection: a connection to the run's database.
        schema: the scope's.
        is_of_subtrees: whether all that a context of the scope calls is meant to be in it.
    """

    def is_true(sql: str) -> bool:
        return connection.execute(sql.format(schema=schema)).fetchall() == [(True,)]

    is_touched = any(is_true(sql) for sql in (_HAS_FOLDED_CALLS, _IS_BELOW_FOLDED, _CALLS_FOLDED))
    if not is_touched:
        return NOTHING_FOLDED
    found = None
    if is_of_subtrees:
        found = first_row(connection, _LOST_CALLS.format(schema=schema))
    n_lost, example = found or (0, "")
    return ScopeFolding(has_whole_paths=False, n_lost_calls=n_lost, example=example)

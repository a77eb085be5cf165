"""Invariants of every run, whoever wrote it: keys, references, orders, trees, sums.

Keys are dense, so a reference is right if it lies between 0 and the rows of its table; every other
check is a join or an aggregate over the contexts, or reads a table once to see that it is sorted.
None is more than linear, but for hashing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.first_rows import first_row
from jvmscope.queries.object_invariants import object_invariants
from jvmscope.queries.row_order import misplaced_row
from jvmscope.queries.watch_invariants import broken_watch_invariants
from jvmscope.schema.definitions import facts_of, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.engine import Engine

__all__ = ["INVARIANTS", "broken_invariants"]

# What must be true of the contexts, and a query that counts the rows of which it is not.
INVARIANTS = {
    "each thread has one root, and each root a thread": """
        SELECT COUNT(*) FROM thread AS t
        FULL JOIN (FROM context WHERE parent_id IS NULL) AS r
               ON r.context_id = t.root_context_id AND r.thread_id = t.thread_id
        WHERE t.thread_id IS NULL OR r.context_id IS NULL OR r.depth != 0 OR r.n_calls != 0
    """,
    "a context lies in the subtree of its parent, one deeper, in the same thread": """
        SELECT COUNT(*) FROM context AS c JOIN context AS p ON p.context_id = c.parent_id
        WHERE c.context_id <= p.context_id OR c.context_id + c.size > p.context_id + p.size
           OR c.depth != p.depth + 1 OR c.thread_id != p.thread_id
    """,
    "a subtree is a context and the subtrees of its children": """
        SELECT COUNT(*) FROM context AS c
        LEFT JOIN (SELECT parent_id, SUM(size) AS size FROM context GROUP BY parent_id) AS below
               ON below.parent_id = c.context_id
        WHERE c.size != 1 + COALESCE(below.size, 0)
    """,
    "a context is called from a call site of its parent's method": """
        SELECT COUNT(*) FROM context AS c
        JOIN context AS p ON p.context_id = c.parent_id
        LEFT JOIN call_site AS s ON s.call_site_id = c.call_site_id
        WHERE s.caller_id IS DISTINCT FROM p.method_id
    """,
    "contexts of one parent differ in call site or method": """
        SELECT COUNT(*) FROM (
            SELECT 1 FROM context WHERE parent_id IS NOT NULL
            GROUP BY parent_id, call_site_id, method_id HAVING COUNT(*) > 1
        )
    """,
    "an ancestor is of the same method, and above": """
        SELECT COUNT(*) FROM context AS c JOIN context AS a ON a.context_id = c.ancestor_id
        WHERE a.method_id != c.method_id OR a.context_id >= c.context_id
           OR c.context_id >= a.context_id + a.size
    """,
    "the bytecodes of a context are those of its blocks": """
        SELECT COUNT(*) FROM context AS c
        LEFT JOIN (
            SELECT x.context_id, SUM(x.n_executions * b.n_instructions) AS n_bytecodes
            FROM context_part AS x JOIN block_part AS b USING (block_part_id)
            GROUP BY x.context_id
        ) AS ran USING (context_id)
        WHERE c.n_bytecodes != COALESCE(ran.n_bytecodes, 0)
    """,
    "thread_method is the sum of context": """
        SELECT COUNT(*) FROM (
            SELECT thread_id, method_id, SUM(n_calls) AS n_calls, SUM(n_bytecodes) AS n_bytecodes
            FROM context WHERE method_id IS NOT NULL GROUP BY thread_id, method_id
        ) AS c
        FULL JOIN thread_method AS t USING (thread_id, method_id)
        WHERE c.n_calls IS DISTINCT FROM t.n_calls OR c.n_bytecodes IS DISTINCT FROM t.n_bytecodes
    """,
    "thread_block is the sum of context_block": """
        SELECT COUNT(*) FROM (
            SELECT c.thread_id, x.basic_block_id, SUM(x.n_executions) AS n_executions
            FROM context_block AS x JOIN context AS c USING (context_id)
            GROUP BY c.thread_id, x.basic_block_id
        ) AS c
        FULL JOIN thread_block AS t USING (thread_id, basic_block_id)
        WHERE c.n_executions IS DISTINCT FROM t.n_executions
    """,
    "a folded context counts at least the calls along its back edges": """
        SELECT COUNT(*) FROM (
            SELECT target_context_id AS context_id, SUM(n_calls) AS n_calls
            FROM back_edge GROUP BY target_context_id
        ) AS edge
        JOIN context AS c USING (context_id)
        WHERE NOT c.is_folded OR c.n_calls < edge.n_calls
    """,
    "blocks and instructions of a method follow each other": """
        SELECT COUNT(*) FROM basic_block AS b
        JOIN (
            SELECT basic_block_id, MIN("offset") AS low, MAX("offset") AS high, COUNT(*) AS n
            FROM instruction GROUP BY basic_block_id
        ) AS i USING (basic_block_id)
        WHERE b.first_offset != i.low OR b.last_offset != i.high OR b.n_instructions != i.n
    """,
    "no class is one of its own superclasses": """
        WITH RECURSIVE above AS (
            SELECT class_id, super_id FROM class WHERE super_id IS NOT NULL
            UNION
            SELECT above.class_id, c.super_id
            FROM above JOIN class AS c ON c.class_id = above.super_id
            WHERE c.super_id IS NOT NULL
        )
        SELECT COUNT(*) FROM above WHERE super_id = class_id
    """,
}

# The same of native code.
NATIVE_INVARIANTS = {
    "the calls of native methods in a thread are its transitions to native code": """
        SELECT COUNT(*) FROM (
            SELECT thread_id, SUM(n_calls) AS n_calls FROM native_method GROUP BY thread_id
        ) AS m
        FULL JOIN (FROM native_transition WHERE kind = 'native_method') AS t USING (thread_id)
        WHERE m.n_calls IS DISTINCT FROM t.n_transitions
    """,
    "calls of a native method that ended with an exception are calls": """
        SELECT COUNT(*) FROM native_method WHERE n_exceptions > n_calls
    """,
    "a native method that is not followed has no calls": """
        SELECT COUNT(*) FROM native_method SEMI JOIN unfollowed_native USING (method_id)
    """,
}


def broken_invariants(engine: Engine) -> list[str]:
    """Returns what does not hold in a run, one line each; none if all is well."""
    recorded = engine.manifest.tables
    if engine.manifest.kind == "watch":
        return broken_watch_invariants(engine)
    if engine.manifest.kind == "recorded" and "context" not in recorded:
        return []
    problems = list(_broken_keys(engine))
    if problems:
        return problems  # joins of wrong keys would only repeat them
    problems += _misplaced_rows(engine)
    connection = engine.connect()
    for statement, query in _claims(engine).items():
        row = first_row(connection, query)
        if row is not None and row[0]:
            problems.append(f"{engine.run}: violated by {row[0]} rows: {statement}")
    return problems


def _claims(engine: Engine) -> dict[str, str]:
    """Returns what must be true of a run's rows, each with its query."""
    claims = NATIVE_INVARIANTS if "native_method" in engine.manifest.tables else {}
    if engine.manifest.kind == "native":
        return claims
    of_objects = object_invariants(engine.manifest)
    return {**INVARIANTS, **dict(_of_facts(engine)), **of_objects, **claims}


def _of_facts(engine: Engine) -> Iterator[tuple[str, str]]:
    """Yields what must be true of the tables that say something of contexts, with its query."""
    for name in facts_of("context"):
        if name not in engine.manifest.tables:
            continue
        for column in tables()[name].columns:
            code = _code(column.references) if column.references else None
            if code is not None:
                query = (
                    f"SELECT COUNT(*) FROM {name} AS x JOIN context AS c USING (context_id) "
                    f"JOIN ({code}) AS o ON o.key = x.{column.name} "
                    f"WHERE o.method_id IS DISTINCT FROM c.method_id"
                )
                yield f"{name}.{column.name} is of the context's method", query
            if column.is_positive:
                query = f"SELECT COUNT(*) FROM {name} WHERE {column.name} < 1"
                yield f"{name}.{column.name} is at least 1", query


def _code(name: str) -> str | None:
    """Returns the query of the method that holds each row of a table; None: no method does."""
    source, alias = f"{name} AS o", "o"
    owner = tables()[name].owner
    while owner is not None and owner.references not in (None, "method", "class", "thread"):
        held, alias = alias, f"{alias}o"
        holder = owner.references or ""
        source += f" JOIN {holder} AS {alias} ON {alias}.{holder}_id = {held}.{owner.name}"
        owner = tables()[holder].owner
    if owner is None or owner.references != "method":
        return None
    return f"SELECT o.{name}_id AS key, {alias}.{owner.name} AS method_id FROM {source}"


def _misplaced_rows(engine: Engine) -> Iterator[str]:
    """Yields the tables whose rows are not in the order of their definition."""
    for name in engine.recorded:
        table = engine.manifest.definitions.get(name)
        if table is None:
            continue
        row = misplaced_row(engine.run / "tables" / f"{name}.parquet", table)
        if row is not None:
            yield (
                f"{engine.run}: row {row} of the table {name} is out of order or occurs twice: "
                f"rows are sorted by {table.order}"
            )


def _broken_keys(engine: Engine) -> Iterator[str]:
    recorded = engine.manifest.tables
    connection = engine.connect()
    for name in engine.recorded:
        table = engine.manifest.definitions.get(name)
        if table is None:
            continue
        for column in table.columns:
            is_key = table.has_dense_key and table.key == (column.name,)
            target = name if is_key else column.references
            if target is None:
                continue
            n_rows = recorded[target].rows if target in recorded else 0
            distinct = f'COUNT(DISTINCT "{column.name}")' if is_key else "NULL"
            row = first_row(
                connection,
                f'SELECT MIN("{column.name}"), MAX("{column.name}"), {distinct} FROM "{name}"',
            )
            low, high, n_distinct = row if row is not None else (None, None, 0)
            if is_key and n_distinct != n_rows:
                yield f"{engine.run}: the keys of the table {name} are not distinct"
            elif low is not None and (low < 0 or high >= n_rows):
                yield f"{engine.run}: {name}.{column.name} has no row in {target}"

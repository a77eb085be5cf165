"""Reads from a run what the oracles count as well."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import duckdb

from oracle.steps import MethodKey, canonical_class
from oracle.trees import Node, Trees

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.trees import ThreadKey

__all__ = ["Count", "Recorded", "RecordedMethod", "read_recorded"]

_OWN_SCOPE = """
CREATE TEMP TABLE own AS
SELECT c.context_id
FROM context AS c
JOIN thread AS t USING (thread_id)
LEFT JOIN context AS main ON main.context_id = $main
WHERE c.context_id BETWEEN main.context_id AND main.context_id + main.size - 1
   OR (NOT t.is_vm_internal AND t.name <> 'DestroyJavaVM' AND t.thread_id <> main.thread_id)
"""

_BLOCK_COUNTS = """
SELECT b.method_id, list(i.offset ORDER BY i.offset), any_value(x.n), any_value(x.n_own)
FROM basic_block AS b
JOIN instruction AS i USING (basic_block_id)
LEFT JOIN (
    SELECT cb.basic_block_id, sum(cb.n_executions) AS n,
        sum(cb.n_executions) FILTER (cb.context_id IN (SELECT context_id FROM own)) AS n_own
    FROM context_block AS cb
    GROUP BY ALL
) AS x USING (basic_block_id)
GROUP BY b.basic_block_id, b.method_id
"""

_SEGMENT_COUNTS = """
SELECT b.method_id, list(i.offset ORDER BY i.offset), any_value(x.n), 0
FROM block_segment AS s
JOIN basic_block AS b USING (basic_block_id)
JOIN instruction AS i
    ON i.basic_block_id = s.basic_block_id AND i.offset BETWEEN s.first_offset AND s.last_offset
LEFT JOIN (
    SELECT block_segment_id, sum(n_executions) AS n FROM context_segment GROUP BY ALL
) AS x USING (block_segment_id)
GROUP BY s.block_segment_id, b.method_id
"""


@dataclass(frozen=True)
class Count:
    """Executions of a block or segment: its bytecode offsets, in all and in the own scope."""

    offsets: tuple[int, ...]
    n: int
    n_own: int


@dataclass
class RecordedMethod:
    """A method as the run has it, one for each class of the name."""

    key: MethodKey
    is_application: bool
    coverage: str
    blocks: list[Count] = field(default_factory=list)
    segments: list[Count] = field(default_factory=list)


@dataclass
class Recorded:
    """The counts and trees of a run.

    `invokes` are, by method and offset, name and descriptor of what an invoke instruction calls;
    `exclusions` are the methods that the exclusion table lists.
    """

    methods: list[RecordedMethod]
    trees: Trees
    invokes: dict[MethodKey, dict[int, tuple[str, str]]]
    exclusions: set[str]
    has_segments: bool


def _open(run: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for table in (run / "tables").glob("*.parquet"):
        connection.execute(f"CREATE VIEW \"{table.stem}\" AS SELECT * FROM read_parquet('{table}')")
    return connection


def _read_methods(db: duckdb.DuckDBPyConnection) -> dict[int, RecordedMethod]:
    rows = db.execute(
        """SELECT m.method_id, c.name, c.loader, m.name, m.descriptor, m.size_bytes, m.coverage
           FROM method AS m JOIN class AS c USING (class_id)"""
    ).fetchall()
    return {
        method_id: RecordedMethod(
            MethodKey(canonical_class(class_name), name, descriptor, size or 0),
            loader not in ("boot", "platform"),
            coverage,
        )
        for method_id, class_name, loader, name, descriptor, size, coverage in rows
    }


def _read_counts(db: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[int, Count]]:
    return [
        (method_id, Count(tuple(offsets), int(n or 0), int(n_own or 0)))
        for method_id, offsets, n, n_own in db.execute(sql).fetchall()
    ]


def _read_trees(db: duckdb.DuckDBPyConnection, methods: dict[int, RecordedMethod]) -> Trees:
    trees = Trees({}, [])
    keys: dict[int, ThreadKey] = {}
    for thread_id, kind, name, is_internal in db.execute(
        "SELECT thread_id, kind, name, is_vm_internal FROM thread"
    ).fetchall():
        if not is_internal and name != "DestroyJavaVM":
            keys[thread_id] = (kind, name or "")
    nodes: dict[int, Node] = {}
    for context_id, parent_id, thread_id, method_id, offset, n_calls in db.execute(
        """SELECT c.context_id, c.parent_id, c.thread_id, c.method_id, s.offset, c.n_calls
           FROM context AS c LEFT JOIN call_site AS s USING (call_site_id)
           ORDER BY c.context_id"""
    ).fetchall():
        if thread_id not in keys:
            continue
        if parent_id is None:
            nodes[context_id] = trees.threads.setdefault(keys[thread_id], Node(None))
            continue
        method = methods[method_id]
        node = nodes[parent_id].child(offset, method.key, is_application=method.is_application)
        node.n_calls += n_calls
        nodes[context_id] = node
    return trees


def read_recorded(run: Path) -> Recorded:
    """The run's counts, with names that can be compared with the oracles'."""
    db = _open(run)
    main = json.loads((run / "run.json").read_text(encoding="utf-8"))["main"]
    db.execute(_OWN_SCOPE, {"main": main["context_id"]})
    methods = _read_methods(db)
    for method_id, count in _read_counts(db, _BLOCK_COUNTS):
        methods[method_id].blocks.append(count)
    has_segments = (run / "tables" / "block_segment.parquet").exists()
    if has_segments:
        for method_id, count in _read_counts(db, _SEGMENT_COUNTS):
            methods[method_id].segments.append(count)
    invokes: dict[MethodKey, dict[int, tuple[str, str]]] = {}
    for caller_id, offset, name, descriptor in db.execute(
        """SELECT caller_id, "offset", name, descriptor FROM call_site
           WHERE opcode LIKE 'invoke%' AND opcode <> 'invokedynamic'"""
    ).fetchall():
        invokes.setdefault(methods[caller_id].key, {})[offset] = (name, descriptor)
    exclusions = {
        f"{class_name}.{name}{descriptor}"
        for class_name, name, descriptor in db.execute(
            "SELECT class_name, method_name, descriptor FROM exclusion"
        ).fetchall()
    }
    trees = _read_trees(db, methods)
    db.close()
    return Recorded(list(methods.values()), trees, invokes, exclusions, has_segments)

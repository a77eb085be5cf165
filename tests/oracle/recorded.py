"""Reads from a run what the oracles count as well."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import duckdb
import numpy as np

from oracle.steps import MethodKey, canonical_class
from oracle.trees import NONE, Tree

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["Count", "Recorded", "RecordedMethod", "read_recorded"]

_WANTED = """
CREATE TEMP TABLE wanted AS
SELECT m.method_id, c.loader NOT IN ('boot', 'platform') AS is_application
FROM method AS m
JOIN class AS c USING (class_id)
WHERE is_application OR $library
    OR m.method_id IN (SELECT unnest($called))
"""

_METHODS = """
SELECT w.method_id, w.is_application, c.name, m.name, m.descriptor, m.size_bytes, m.coverage
FROM wanted AS w
JOIN method AS m USING (method_id)
JOIN class AS c USING (class_id)
ORDER BY w.method_id
"""

# The executions in the own scope: below `main`, and in the threads that the program starts.
_BLOCK_COUNTS = """
WITH main AS (
    SELECT context_id AS first_id, context_id + size AS end_id, thread_id
    FROM context
    WHERE context_id = $main
), own AS (
    SELECT c.context_id
    FROM context AS c
    JOIN thread AS t USING (thread_id)
    LEFT JOIN main ON true
    WHERE c.context_id >= main.first_id AND c.context_id < main.end_id
       OR NOT t.is_vm_internal AND t.name <> 'DestroyJavaVM' AND t.thread_id <> main.thread_id
), executed AS (
    SELECT cb.basic_block_id, sum(cb.n_executions) AS n, sum(cb.n_executions)
        FILTER (cb.context_id IN (SELECT context_id FROM own)) AS n_own
    FROM context_block AS cb
    GROUP BY ALL
), chosen AS (
    SELECT b.basic_block_id, b.method_id
    FROM basic_block AS b
    JOIN wanted AS w USING (method_id)
    WHERE w.is_application OR $library AND b.method_id IN (SELECT method_id FROM thread_method)
)
SELECT b.method_id, list(i.offset ORDER BY i.offset), any_value(x.n), any_value(x.n_own)
FROM chosen AS b
JOIN instruction AS i USING (basic_block_id)
LEFT JOIN executed AS x USING (basic_block_id)
GROUP BY b.basic_block_id, b.method_id
"""

_SEGMENT_COUNTS = """
SELECT b.method_id, list(i.offset ORDER BY i.offset), any_value(x.n), 0
FROM wanted AS w
JOIN basic_block AS b USING (method_id)
JOIN block_segment AS s USING (basic_block_id)
JOIN instruction AS i
    ON i.basic_block_id = s.basic_block_id AND i.offset BETWEEN s.first_offset AND s.last_offset
LEFT JOIN (
    SELECT block_segment_id, sum(n_executions) AS n FROM context_segment GROUP BY ALL
) AS x USING (block_segment_id)
WHERE w.is_application
GROUP BY s.block_segment_id, b.method_id
"""

_CONTEXTS = """
SELECT
    coalesce(c.parent_id, -1) AS parent,
    coalesce(c.method_id, -1) AS method,
    coalesce(s."offset", -1) AS site,
    c.n_calls,
    c.size,
    m.method_id IN (
        SELECT m.method_id
        FROM method AS m
        JOIN class AS k USING (class_id)
        WHERE k.loader NOT IN ('boot', 'platform')
    ) AS is_application
FROM context AS c
LEFT JOIN call_site AS s USING (call_site_id)
LEFT JOIN method AS m ON m.method_id = c.method_id
ORDER BY c.context_id
"""

_INVOKES = """
SELECT caller_id, "offset", name, descriptor
FROM call_site
WHERE opcode LIKE 'invoke%' AND opcode <> 'invokedynamic'
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
    `exclusions` are the methods that the exclusion table lists. Without the class library its
    methods have no blocks, there are no `invokes`, and the tree has only the application's contexts
    and those above them.
    """

    methods: list[RecordedMethod]
    tree: Tree
    invokes: dict[MethodKey, dict[int, tuple[str, str]]]
    exclusions: set[str]
    has_segments: bool

    @property
    def coverage(self) -> dict[MethodKey, str]:
        """How far each method is counted."""
        return {method.key: method.coverage for method in self.methods}


def _open(run: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for table in (run / "tables").glob("*.parquet"):
        connection.execute(f"CREATE VIEW \"{table.stem}\" AS SELECT * FROM read_parquet('{table}')")
    return connection


def _read_methods(db: duckdb.DuckDBPyConnection) -> dict[int, RecordedMethod]:
    return {
        method_id: RecordedMethod(
            MethodKey(canonical_class(class_name), name, descriptor, size or 0),
            is_application,
            coverage,
        )
        for method_id, is_application, class_name, name, descriptor, size, coverage in db.execute(
            _METHODS
        ).fetchall()
    }


def _read_counts(
    db: duckdb.DuckDBPyConnection, sql: str, **values: object
) -> list[tuple[int, Count]]:
    return [
        (method_id, Count(tuple(offsets), int(n or 0), int(n_own or 0)))
        for method_id, offsets, n, n_own in db.execute(sql, values).fetchall()
    ]


def _read_contexts(db: duckdb.DuckDBPyConnection, *, library: bool) -> dict[str, NDArray]:
    """The columns of the tree; `row` is, by context, its row or that of the next that has one."""
    contexts = db.execute(_CONTEXTS).fetchnumpy()
    is_kept = np.full(len(contexts["parent"]), fill_value=True)
    if not library:  # a context is followed by all that are below it: some of the application?
        is_application = np.ma.filled(contexts["is_application"], fill_value=False)
        n_before = np.concatenate([[0], np.cumsum(is_application)])
        first = np.arange(len(is_kept))
        is_kept = n_before[first + contexts["size"]] > n_before[first]
        is_kept |= contexts["parent"] == NONE
    kept = {name: column[is_kept] for name, column in contexts.items()}
    row = np.cumsum(is_kept) - is_kept
    parent = kept["parent"]
    return kept | {"parent": np.where(parent == NONE, NONE, row[parent]), "row": row}


def _read_tree(
    db: duckdb.DuckDBPyConnection,
    methods: dict[int, RecordedMethod],
    contexts: dict[str, NDArray],
) -> Tree:
    numbers = {method_id: number for number, method_id in enumerate(methods)}
    threads = db.execute(
        """SELECT root_context_id, kind, coalesce(name, '') FROM thread
           WHERE NOT is_vm_internal AND name IS DISTINCT FROM 'DestroyJavaVM'"""
    ).fetchall()
    return Tree(
        methods=[method.key for method in methods.values()],
        is_application=[method.is_application for method in methods.values()],
        threads={int(contexts["row"][root]): (kind, name) for root, kind, name in threads},
        parent=contexts["parent"].tolist(),
        method=[numbers.get(method_id, NONE) for method_id in contexts["method"].tolist()],
        site=contexts["site"].tolist(),
        n_calls=contexts["n_calls"].tolist(),
    )


def _read_invokes(
    db: duckdb.DuckDBPyConnection, methods: dict[int, RecordedMethod]
) -> dict[MethodKey, dict[int, tuple[str, str]]]:
    invokes: dict[MethodKey, dict[int, tuple[str, str]]] = {}
    for caller_id, offset, name, descriptor in db.execute(_INVOKES).fetchall():
        invokes.setdefault(methods[caller_id].key, {})[offset] = (name, descriptor)
    return invokes


def _read_exclusions(db: duckdb.DuckDBPyConnection) -> set[str]:
    rows = db.execute("SELECT class_name, method_name, descriptor FROM exclusion").fetchall()
    return {f"{class_name}.{name}{descriptor}" for class_name, name, descriptor in rows}


def read_recorded(run: Path, *, library: bool = False) -> Recorded:
    """The run's counts, with names that can be compared with the oracles'.

    Args:
        run: the run.
        library: the counts of the class library too, which takes longer.
    """
    main = json.loads((run / "run.json").read_text(encoding="utf-8"))["main"]["context_id"]
    with _open(run) as db:
        contexts = _read_contexts(db, library=library)
        called = np.unique(contexts["method"]).tolist()
        db.execute(_WANTED, {"library": library, "called": called})
        methods = _read_methods(db)
        for method_id, count in _read_counts(db, _BLOCK_COUNTS, main=main, library=library):
            methods[method_id].blocks.append(count)
        has_segments = (run / "tables" / "block_segment.parquet").exists()
        if has_segments:
            for method_id, count in _read_counts(db, _SEGMENT_COUNTS):
                methods[method_id].segments.append(count)
        invokes = _read_invokes(db, methods) if library else {}
        return Recorded(
            list(methods.values()),
            _read_tree(db, methods, contexts),
            invokes,
            _read_exclusions(db),
            has_segments,
        )

"""The differences of two runs, each a row: contexts, classes, and tables without contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jvmscope.queries.node_counts import differing_counts

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from jvmscope.queries.digest import TreeDigest
    from jvmscope.queries.engine import Engine

    Flags = npt.NDArray[np.bool_]
    Indices = npt.NDArray[np.int64]

__all__ = ["Row", "class_rows", "table_rows", "tree_rows"]

Row = dict[str, str | int | bool | None]
"""A difference, by the names of the columns of ``Comparison.differences``."""

# A hash of each part of a class, in the order of _CLASS_PARTS.
_CLASS_PARTS = ("the class itself", "fields", "methods", "code")
_CLASS_CONTENT = """
    WITH fact AS (
        SELECT class_id, 0 AS part, hash(module, access_flags, major_version, source_file,
                                         size_bytes, is_interface, is_hidden) AS hash
        FROM class
        UNION ALL
        SELECT class_id, 1, hash(name, descriptor, access_flags) FROM field
        UNION ALL
        SELECT class_id, 2,
               hash(name, descriptor, access_flags, max_stack, max_locals, coverage)
        FROM method
        UNION ALL
        SELECT m.class_id, 3,
               hash(m.name, m.descriptor, b."index", i."offset", i.opcode, i.operand)
        FROM instruction AS i
        JOIN basic_block AS b USING (basic_block_id)
        JOIN method AS m USING (method_id)
    )
    SELECT c.name, c.loader,
           BIT_XOR(f.hash) FILTER (f.part = 0), BIT_XOR(f.hash) FILTER (f.part = 1),
           BIT_XOR(f.hash) FILTER (f.part = 2), BIT_XOR(f.hash) FILTER (f.part = 3)
    FROM fact AS f JOIN class AS c USING (class_id) GROUP BY c.class_id, c.name, c.loader
"""
# Tables whose rows are not about contexts, without keys.
_TABLE_CONTENT = {
    "exclusion": "SELECT class_name, method_name, descriptor, reason FROM exclusion",
    "call_order": """
        SELECT t.name, c.name, c.loader, m.name, m.descriptor, s."offset",
               f.n_calls, f.n_receiver_misses, f.n_target_misses
        FROM call_order AS f
        JOIN thread AS t USING (thread_id)
        JOIN call_site AS s USING (call_site_id)
        JOIN method AS m ON m.method_id = s.caller_id
        JOIN class AS c USING (class_id)
        WHERE NOT t.is_vm_internal
    """,
    "branch_order": """
        SELECT t.name, c.name, c.loader, m.name, m.descriptor, i."offset",
               f.n_executions, f.n_changes
        FROM branch_order AS f
        JOIN thread AS t USING (thread_id)
        JOIN instruction AS i USING (instruction_id)
        JOIN basic_block AS b USING (basic_block_id)
        JOIN method AS m USING (method_id)
        JOIN class AS c USING (class_id)
        WHERE NOT t.is_vm_internal
    """,
}
_METHOD_NAMES = """
    SELECT c.name || '.' || m.name || m.descriptor
    FROM method AS m JOIN class AS c USING (class_id) ORDER BY m.method_id
"""
_THREAD_NAMES = "SELECT name FROM thread ORDER BY thread_id"
_SHOWN_FRAMES = 8


def tree_rows(
    in_a: tuple[Engine, TreeDigest], in_b: tuple[Engine, TreeDigest], tables: Collection[str]
) -> list[Row]:
    """Returns the topmost contexts that differ: those of the first run, then those only in b.

    Args:
        in_a: one run and its tree.
        in_b: the other.
        tables: the tables whose facts about contexts the trees' contents are made of.
    """
    tree_a, tree_b = in_a[1], in_b[1]
    partner_a, partner_b = _partners(tree_a, tree_b)
    topmost_a = _topmost(tree_a, _differs(tree_a, tree_b, partner_a)).tolist()
    topmost_b = _topmost(tree_b, _differs(tree_b, tree_a, partner_b)).tolist()
    pairs = [(i, int(partner_a[i])) for i in topmost_a if partner_a[i] >= 0]
    keys = [(tree_a.first + i, tree_b.first + j) for i, j in pairs]
    counts = dict(zip(pairs, differing_counts(in_a[0], in_b[0], keys, tables), strict=True))
    names = _Names(*in_a), _Names(*in_b)
    rows = []
    for i in topmost_a:
        j = int(partner_a[i])
        if j < 0:
            kind = "only_a"
        else:
            kind = "calls" if tree_a.n_calls[i] != tree_b.n_calls[j] else "counts"
        row = _node_row(kind, names[0].path(i), (tree_a, i), (tree_b, j))
        rows.append({**row, "counts": counts.get((i, j))})
    rows += [
        _node_row("only_b", names[1].path(j), (tree_a, -1), (tree_b, j))
        for j in topmost_b
        if partner_b[j] < 0
    ]
    return rows


def _partners(a: TreeDigest, b: TreeDigest) -> tuple[Indices, Indices]:
    """Returns, for each node of each tree, the index of the node at the same place, or -1."""
    partner_a = np.full(len(a.place), -1, dtype=np.int64)
    partner_b = np.full(len(b.place), -1, dtype=np.int64)
    _, in_a, in_b = np.intersect1d(a.place, b.place, return_indices=True)
    partner_a[in_a] = in_b
    partner_b[in_b] = in_a
    return partner_a, partner_b


def _differs(tree: TreeDigest, other: TreeDigest, partner: Indices) -> Flags:
    if len(other.content) == 0:
        return np.ones(len(tree.content), dtype=np.bool_)
    differs: Flags = (partner < 0) | (tree.content != other.content[partner])
    return differs


def _topmost(tree: TreeDigest, differs: Flags) -> Indices:
    """Returns the flagged nodes that are below no flagged node."""
    flagged = np.flatnonzero(differs)
    ends = flagged + tree.size[flagged]
    before = np.concatenate(([0], np.maximum.accumulate(ends)[:-1])) if len(ends) else ends
    return flagged[flagged >= before]


def class_rows(a: Engine, b: Engine) -> list[Row]:
    """Returns the classes that only one run loaded, and those that differ in content."""
    contents = []
    for run in (a, b):
        rows = run.connect().execute(_CLASS_CONTENT).fetchall()
        contents.append({(name, loader): parts for name, loader, *parts in rows})
    in_a, in_b = contents
    differences = []
    for name, loader in sorted(in_a.keys() | in_b.keys()):
        mine, other = in_a.get((name, loader)), in_b.get((name, loader))
        where = f"class {name} ({loader})"
        if mine is None or other is None:
            counts = (int(mine is not None), int(other is not None))
            differences.append(_row("only_b" if mine is None else "only_a", where, counts))
        elif mine != other:
            parts = zip(_CLASS_PARTS, mine, other, strict=True)
            told = ", ".join(part for part, hash_a, hash_b in parts if hash_a != hash_b)
            differences.append({**_row("content", where, (1, 1)), "counts": told})
    return differences


def table_rows(a: Engine, b: Engine) -> list[Row]:
    """Returns the tables that only one run has, or whose rows differ, if they have no contexts."""
    tables_a, tables_b = a.manifest.tables, b.manifest.tables
    differences = [
        _row("only_a" if name in tables_a else "only_b", f"table {name}", (0, 0))
        for name in sorted(tables_a.keys() ^ tables_b.keys())
    ]
    for table, query in _TABLE_CONTENT.items():
        if table in tables_a and table in tables_b:
            rows_a, rows_b = (set(run.connect().execute(query).fetchall()) for run in (a, b))
            if rows_a != rows_b:
                counts = len(rows_a - rows_b), len(rows_b - rows_a)
                differences.append(_row("rows", f"table {table}", counts))
    return differences


def _row(kind: str, where: str, counts: tuple[int, int]) -> Row:
    return {"kind": kind, "is_vm_internal": False, "where": where, "a": counts[0], "b": counts[1]}


def _node_row(
    kind: str, where: str, in_a: tuple[TreeDigest, int], in_b: tuple[TreeDigest, int]
) -> Row:
    values: dict[str, int | None] = {}
    is_internal = False
    for side, (tree, index) in (("a", in_a), ("b", in_b)):
        exists = index >= 0
        values[side] = int(tree.n_calls[index]) if exists else None
        values[f"size_{side}"] = int(tree.size[index]) if exists else None
        is_internal = is_internal or (exists and bool(tree.is_internal[index]))
    return {"kind": kind, "is_vm_internal": is_internal, "where": where, **values}


class _Names:
    """Paths of a run's nodes as text."""

    def __init__(self, run: Engine, tree: TreeDigest) -> None:
        connection = run.connect()
        self._tree = tree
        self._methods = [name for (name,) in connection.execute(_METHOD_NAMES).fetchall()]
        self._threads = [name for (name,) in connection.execute(_THREAD_NAMES).fetchall()]

    def path(self, index: int) -> str:
        """Returns thread and methods down to a node; a long path loses its middle."""
        frames = []
        current = index
        while current >= 0:
            method = int(self._tree.method[current])
            thread = int(self._tree.thread[current])
            is_root = method < 0
            frames.append(f"thread {self._threads[thread]}" if is_root else self._methods[method])
            current = int(self._tree.parent[current])
        frames.reverse()
        if len(frames) > _SHOWN_FRAMES:
            n_left_out = len(frames) - _SHOWN_FRAMES
            frames[1 : 1 + n_left_out] = [f"… {n_left_out} more …"]
        return " > ".join(frames)

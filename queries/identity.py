"""Whether two runs are identical, and where not: the topmost nodes that differ.

Runs are compared by content, never by key: one more class in one run renumbers everything, and
changes nothing. Threads that serve the VM are compared too, and told apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from jvmscope.errors import RunError
from jvmscope.queries.digest import TreeDigest, digest_tree
from jvmscope.queries.result import Result, ResultColumn

if TYPE_CHECKING:
    import numpy.typing as npt

    from jvmscope.queries.engine import Engine

    Flags = npt.NDArray[np.bool_]
    Indices = npt.NDArray[np.int64]

Row = dict[str, str | int | bool | None]

__all__ = ["Comparison", "compare_runs", "find_context"]

_CLASS_CONTENT = """
    SELECT name, loader, module, access_flags, major_version, source_file, size_bytes,
           is_interface, is_hidden
    FROM class
"""
_ORDER_CONTENT = {
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
_COLUMNS = (
    ResultColumn("kind", "VARCHAR"),
    ResultColumn("is_vm_internal", "BOOLEAN"),
    ResultColumn("where", "VARCHAR"),
    ResultColumn("a", "BIGINT"),
    ResultColumn("b", "BIGINT"),
    ResultColumn("size_a", "BIGINT", "node"),
    ResultColumn("size_b", "BIGINT", "node"),
)
_ARROW_TYPES: dict[str, pa.DataType] = {
    "VARCHAR": pa.string(),
    "BOOLEAN": pa.bool_(),
    "BIGINT": pa.int64(),
}
_SCHEMA = pa.schema([pa.field(column.name, _ARROW_TYPES[column.type]) for column in _COLUMNS])
_SHOWN_FRAMES = 8


@dataclass(frozen=True)
class Comparison:
    """What was found: rows of differences, and how many there are of each sort.

    ``differences`` has one row a difference. ``kind`` is ``calls`` or ``counts`` (a node is in
    both runs and its calls, or other counts, differ), ``only_a`` or ``only_b`` (a node, or a
    class, is in one run), or ``order`` (rows of an order table). ``a`` and ``b`` are the calls,
    or rows, in each run; ``size_a`` and ``size_b`` the nodes of the subtree.
    """

    differences: Result
    n_nodes: int
    n_differing: int
    n_internal: int

    def __str__(self) -> str:
        """Returns the verdict in one line."""
        internal = f"; {self.n_internal} in threads of the VM" if self.n_internal else ""
        if self.is_identical:
            return f"identical: {self.n_nodes} contexts{internal}"
        return (
            f"different: {self.n_differing} topmost differences in {self.n_nodes} contexts"
            f"{internal}"
        )

    @property
    def is_identical(self) -> bool:
        """Whether nothing differs outside the threads that serve the VM."""
        return self.n_differing == 0


def compare_runs(
    a: Engine, b: Engine, below: str | None = None, limit: int | None = None
) -> Comparison:
    """Compares two runs.

    Args:
        a: one run.
        b: the other.
        below: ``main`` or CLASS.METHOD: compare only the subtrees of its first context.
        limit: deliver at most this many differences; all of them are counted.

    Raises:
        RunError: a run has no such context.
    """
    hashes_a = {name: facts.sha256 for name, facts in a.manifest.tables.items()}
    hashes_b = {name: facts.sha256 for name, facts in b.manifest.tables.items()}
    if hashes_a == hashes_b:
        n_nodes = a.manifest.tables["context"].rows
        return Comparison(Result.of_table(_SCHEMA.empty_table(), _COLUMNS), n_nodes, 0, 0)
    starts = [find_context(run, below) if below else None for run in (a, b)]
    trees = [digest_tree(run, start) for run, start in zip((a, b), starts, strict=True)]
    rows = _tree_rows(a, b, *trees)
    if below is None:
        rows += _class_rows(a, b) + _order_rows(a, b)
    rows.sort(key=lambda row: bool(row["is_vm_internal"]))
    n_internal = sum(1 for row in rows if row["is_vm_internal"])
    table = pa.Table.from_pylist(rows, schema=_SCHEMA)
    return Comparison(
        differences=Result(_COLUMNS, _SCHEMA, iter(table.to_batches()), limit),
        n_nodes=max(len(tree.place) for tree in trees),
        n_differing=len(rows) - n_internal,
        n_internal=n_internal,
    )


def find_context(run: Engine, method: str) -> int:
    """Returns the first context of a method: ``main`` is the program's, else CLASS.METHOD.

    Raises:
        RunError: the method was not executed, or the run does not know its main method.
    """
    main = run.manifest.main
    if method == "main":
        if main.context_id is not None:
            return main.context_id
        if main.class_name is None:
            raise RunError(f"{run.run}: the run does not know its main class; name CLASS.METHOD")
        method = f"{main.class_name}.main"
    found = run.connect().execute(
        "SELECT MIN(x.context_id) FROM context AS x JOIN method AS m USING (method_id) "
        "JOIN class AS c USING (class_id) WHERE c.name || '.' || m.name = $method",
        {"method": method},
    )
    row = found.fetchone()
    if row is None or row[0] is None:
        raise RunError(f"{run.run}: the method {method} was not executed")
    return int(row[0])


def _tree_rows(a: Engine, b: Engine, tree_a: TreeDigest, tree_b: TreeDigest) -> list[Row]:
    partner_a, partner_b = _partners(tree_a, tree_b)
    differs_a = _differs(tree_a, tree_b, partner_a)
    differs_b = _differs(tree_b, tree_a, partner_b)
    rows = []
    names = _Names(a, tree_a), _Names(b, tree_b)
    for i in _topmost(tree_a, differs_a):
        j = int(partner_a[i])
        if j < 0:
            kind = "only_a"
        else:
            kind = "calls" if tree_a.n_calls[i] != tree_b.n_calls[j] else "counts"
        where = names[0].path(int(i))
        rows.append(_node_row(kind, where, (tree_a, int(i)), (tree_b, j)))
    for j in _topmost(tree_b, differs_b):
        if partner_b[j] < 0:
            where = names[1].path(int(j))
            rows.append(_node_row("only_b", where, (tree_a, -1), (tree_b, int(j))))
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


def _class_rows(a: Engine, b: Engine) -> list[Row]:
    in_a, in_b = (set(run.connect().execute(_CLASS_CONTENT).fetchall()) for run in (a, b))
    rows = []
    for kind, classes in (("only_a", in_a - in_b), ("only_b", in_b - in_a)):
        for name, loader, *_ in sorted(classes, key=repr):
            counts = (1, 0) if kind == "only_a" else (0, 1)
            rows.append(_row(kind, f"class {name} ({loader})", counts))
    return rows


def _order_rows(a: Engine, b: Engine) -> list[Row]:
    rows = []
    for table, query in _ORDER_CONTENT.items():
        if table not in a.manifest.tables or table not in b.manifest.tables:
            continue
        contents = [set(run.connect().execute(query).fetchall()) for run in (a, b)]
        counts = len(contents[0] - contents[1]), len(contents[1] - contents[0])
        if any(counts):
            rows.append(_row("order", f"table {table}", counts))
    return rows


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

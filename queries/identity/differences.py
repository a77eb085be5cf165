"""The differences of two runs, each a row: contexts, classes, and tables without contexts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.queries.identity.node_counts import differing_counts
from jvmscope.queries.identity.row_names import class_content, is_measured, named_rows
from jvmscope.queries.nameless import NO_NAME
from jvmscope.schema.definitions import facts_of, tables
from jvmscope.schema.xml.vocabulary import tables_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import numpy.typing as npt

    from jvmscope.queries.engine import Engine
    from jvmscope.queries.identity.digest import TreeDigest

    Flags = npt.NDArray[np.bool_]
    Indices = npt.NDArray[np.integer[Any]]

__all__ = ["Row", "class_rows", "lone_tables", "table_rows", "tree_rows"]

Row = dict[str, str | int | bool | None]
"""A difference, by the names of the columns of ``Comparison.differences``."""

_METHOD_NAMES = """
    SELECT c.name || '.' || m.name || m.descriptor
    FROM method AS m JOIN class AS c USING (class_id) ORDER BY m.method_id
"""
_THREAD_NAMES = "SELECT name FROM thread ORDER BY thread_id"
_SHOWN_FRAMES = 8
_BLOCK_ROWS = 1 << 20


def tree_rows(
    in_a: tuple[Engine, TreeDigest], in_b: tuple[Engine, TreeDigest], common: Collection[str]
) -> list[Row]:
    """Returns the topmost contexts that differ: those of the first run, then those only in b.

    Args:
        in_a: one run and its tree.
        in_b: the other.
        common: the tables of both runs whose facts about contexts the trees' contents are made of.
    """
    tree_a, tree_b = in_a[1], in_b[1]
    partner_a, partner_b = _partners(tree_a, tree_b)
    topmost_a = _topmost(tree_a, _differs(tree_a, tree_b, partner_a)).tolist()
    topmost_b = _topmost(tree_b, _differs(tree_b, tree_a, partner_b)).tolist()
    pairs = [(i, int(partner_a[i])) for i in topmost_a if partner_a[i] >= 0]
    keys = [(tree_a.first + i, tree_b.first + j) for i, j in pairs]
    counts = dict(zip(pairs, differing_counts(in_a[0], in_b[0], keys, common), strict=True))
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
    """Returns, for each node of each tree, the index of the node at the same place, or -1.

    Of several nodes of a tree at a place, the first one has a partner. Nodes of b are looked up in
    order, block by block, so that little is held beside the trees.
    """
    order = np.argsort(a.place, kind="stable").astype(np.int32)
    places = a.place[order]
    partner_a = np.full(len(a.place), -1, dtype=np.int32)
    partner_b = np.full(len(b.place), -1, dtype=np.int32)
    for first in range(0, len(b.place) if len(places) else 0, _BLOCK_ROWS):
        block = b.place[first : first + _BLOCK_ROWS]
        nodes = np.argsort(block, kind="stable")
        block = block[nodes]
        found = np.searchsorted(places, block)
        found[found == len(places)] = 0
        is_there = (places[found] == block) & np.append(True, block[1:] != block[:-1])
        in_a, in_b = order[found[is_there]], (nodes[is_there] + first).astype(np.int32)
        is_new = partner_a[in_a] < 0
        partner_a[in_a[is_new]] = in_b[is_new]
        partner_b[in_b[is_new]] = in_a[is_new]
    return partner_a, partner_b


def _differs(tree: TreeDigest, other: TreeDigest, partner: Indices) -> Flags:
    if len(other.content) == 0:
        return np.ones(len(tree.content), dtype=np.bool_)
    differs: Flags = partner < 0
    for first in range(0, len(partner), _BLOCK_ROWS):
        part = slice(first, first + _BLOCK_ROWS)
        differs[part] |= tree.content[part] != other.content[partner[part]]
    return differs


def _topmost(tree: TreeDigest, differs: Flags) -> Indices:
    """Returns the flagged nodes that are below no flagged node."""
    flagged = np.flatnonzero(differs)
    ends = flagged + tree.size[flagged]
    before = np.concatenate(([0], np.maximum.accumulate(ends)[:-1])) if len(ends) else ends
    return flagged[flagged >= before]


def class_rows(a: Engine, b: Engine) -> list[Row]:
    """Returns the classes that only one run loaded, and those that differ in content."""
    contents = [_class_contents(run) for run in (a, b)]
    in_a, in_b = contents
    differences = []
    for name, loader in sorted(in_a.keys() | in_b.keys()):
        mine, other = in_a.get((name, loader)), in_b.get((name, loader))
        where = f"class {name} ({loader})"
        if mine is None or other is None:
            counts = (int(mine is not None), int(other is not None))
            differences.append(_row("only_b" if mine is None else "only_a", where, counts))
        elif mine != other:
            told = ", ".join(part for part in mine if mine[part] != other[part])
            differences.append({**_row("content", where, (1, 1)), "counts": told})
    return differences


def _class_contents(run: Engine) -> dict[tuple[str, str], dict[str, int | None]]:
    """Returns a hash of each part of each class, by the class's name and loader."""
    parts: dict[str, list[str]] = {}
    for table in tables_in("classes"):
        if table in run.manifest.tables and "class" in (table, *_holders(table)):
            parts.setdefault(_part_of_class(table), []).append(table)
    facts = []
    for number, names in enumerate(parts.values()):
        for table in names:
            rows = class_content(table)
            facts.append(
                f"SELECT {rows.names[0]} AS class_id, {number} AS part, "
                f"hash('{table}', {', '.join(rows.names[1:])}) AS hash FROM {rows.source}"
            )
    hashes = ", ".join(f"BIT_XOR(f.hash) FILTER (f.part = {n})" for n in range(len(parts)))
    query = (
        f"SELECT c.name, c.loader, {hashes} FROM ({' UNION ALL '.join(facts)}) AS f "
        f"JOIN class AS c USING (class_id) GROUP BY c.class_id, c.name, c.loader"
    )
    return {
        (name, loader): dict(zip(parts, found, strict=True))
        for name, loader, *found in run.connect().execute(query).fetchall()
    }


def _holders(table: str) -> Iterator[str]:
    """Yields the tables whose rows hold those of a table, the nearest first."""
    place = tables()[table].place
    while place is not None and place.within in tables():
        yield place.within
        place = tables()[place.within].place


def _part_of_class(table: str) -> str:
    match len(list(_holders(table))):
        case 0:
            return "the class itself"
        case 1:
            return f"{table}s"
    return "code"


def lone_tables(a: Engine, b: Engine, names: Collection[str] | None = None) -> list[Row]:
    """Returns the tables that only one run has, of all or of those given."""
    tables_a, tables_b = (_compared(run) for run in (a, b))
    return [
        _row("only_a" if name in tables_a else "only_b", f"table {name}", (0, 0))
        for name in sorted(tables_a ^ tables_b)
        if names is None or name in names
    ]


def _compared(run: Engine) -> set[str]:
    return {name for name in run.manifest.tables if not is_measured(name)}


def table_rows(a: Engine, b: Engine) -> list[Row]:
    """Returns the tables whose rows differ, if they have no contexts.

    Rows of threads that share a name may be equal, so that it matters how many there are.
    """
    differences = []
    common = _compared(a) & _compared(b)
    for table in (*facts_of("thread"), *facts_of("classes")):
        if table in common:
            query = _rows_by_name(table)
            rows_a, rows_b = (Counter(run.connect().execute(query).fetchall()) for run in (a, b))
            if rows_a != rows_b:
                counts = (rows_a - rows_b).total(), (rows_b - rows_a).total()
                differences.append(_row("rows", f"table {table}", counts))
    return differences


def _rows_by_name(table: str) -> str:
    rows = named_rows(table)
    is_of_thread = table in facts_of("thread")
    condition = "WHERE NOT f_thread.is_vm_internal" if is_of_thread else ""
    return f"SELECT {', '.join(rows.names)} FROM {rows.source} {condition}"


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
        names = connection.execute(_THREAD_NAMES).fetchall()
        self._threads = [f"thread {name or NO_NAME}" for (name,) in names]

    def path(self, index: int) -> str:
        """Returns thread and methods down to a node; a long path loses its middle."""
        frames = []
        current = index
        while current >= 0:
            method = int(self._tree.method[current])
            thread = int(self._tree.thread[current])
            is_root = method < 0
            frames.append(self._threads[thread] if is_root else self._methods[method])
            current = int(self._tree.parent[current])
        frames.reverse()
        if len(frames) > _SHOWN_FRAMES:
            n_left_out = len(frames) - _SHOWN_FRAMES
            frames[1 : 1 + n_left_out] = [f"… {n_left_out} more …"]
        return " > ".join(frames)

"""A calling context tree as arrays of numbers that do not depend on the run's keys.

Every node gets two 64-bit hashes: of its *place*, the names and offsets on its path, and of its
*content*, its counts. Nodes of two runs are the same if their places are, and equal if their
contents are. All work is linear in the tree; arrays are indexed by node, in pre-order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.queries.identity.path_hashes import ROOT_HASHES, hash_places, mix
from jvmscope.queries.identity.row_names import named_rows
from jvmscope.schema.definitions import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    import duckdb
    import numpy.typing as npt

    from jvmscope.queries.engine import Engine

    Hashes = npt.NDArray[np.uint64]

__all__ = ["TreeDigest", "digest_tree"]

_METHOD_HASHES = """
    SELECT hash(c.name, c.loader, m.name, m.descriptor) AS hash
    FROM method AS m JOIN class AS c USING (class_id) ORDER BY m.method_id
"""
_SITE_HASHES = """
    SELECT hash('site', "offset") AS hash FROM call_site ORDER BY call_site_id
"""
_BATCH_ROWS = 1 << 20


@dataclass(frozen=True)
class TreeDigest:
    """The nodes of a part of a run: arrays of equal length, in pre-order.

    ``parent`` are indices, -1 for a root; ``method`` and ``thread`` keys in the run, a method of
    -1 for the root of a thread; ``size`` the subtrees' sizes, ``n_calls`` the calls, ``place``
    and ``content`` the hashes. ``is_internal`` tells the nodes of threads that serve the VM.
    ``first`` is the key of the first node.
    """

    parent: npt.NDArray[np.int32]
    method: npt.NDArray[np.int32]
    thread: npt.NDArray[np.int32]
    size: npt.NDArray[np.int32]
    n_calls: npt.NDArray[np.int64]
    place: Hashes
    content: Hashes
    is_internal: npt.NDArray[np.bool_]
    first: int = 0


def digest_tree(engine: Engine, common: Collection[str], below: int | None = None) -> TreeDigest:
    """Returns the digest of all threads, or of the subtree of one node.

    Args:
        engine: the run.
        common: the tables whose facts about contexts count, among those that the run has.
        below: the node whose subtree to take; its place is then that of a root.
    """
    connection = engine.connect()

    def column(query: str) -> dict[str, Any]:
        return dict(connection.execute(query).fetchnumpy())

    nodes = _nodes(connection, below)
    first = 0 if below is None else below
    place = _places(nodes, first, column)
    content = mix((nodes["n_calls"] * 2 + nodes["is_folded"]).astype(np.uint64))
    for rank, table in enumerate(facts_of("context")):
        if table in common and engine.manifest.tables[table].rows:
            rows = named_rows(table, of_method=True)
            names = ", ".join(rows.names)
            query = f"SELECT f.context_id AS node, hash({rank}, {names}) AS hash FROM {rows.source}"
            _add_facts(content, first, connection.sql(query))
    return TreeDigest(
        parent=nodes["parent"],
        method=nodes["method"],
        thread=nodes["thread"],
        size=nodes["size"],
        n_calls=nodes["n_calls"],
        place=place,
        content=content,
        is_internal=nodes["is_internal"],
        first=first,
    )


def _nodes(connection: duckdb.DuckDBPyConnection, below: int | None) -> dict[str, Any]:
    restriction, first = "", 0
    if below is not None:
        first = below
        restriction = (
            f"WHERE c.context_id >= {below} AND c.context_id < {below} + "
            f"(SELECT size FROM context WHERE context_id = {below})"
        )
    return dict(
        connection.execute(
            f"""
            SELECT GREATEST(COALESCE(c.parent_id, -1) - {first}, -1)::INTEGER AS parent,
                   c.thread_id AS thread,
                   COALESCE(c.method_id, -1) AS method,
                   COALESCE(c.call_site_id, -1) AS site,
                   c.depth, c.size, c.n_calls, c.is_folded, t.is_vm_internal AS is_internal
            FROM context AS c JOIN thread AS t USING (thread_id)
            {restriction}
            ORDER BY c.context_id
            """
        ).fetchnumpy()
    )


def _places(nodes: dict[str, Any], first: int, column: Callable[[str], dict[str, Any]]) -> Hashes:
    """Returns the hash of each node's path: names, loaders and offsets."""
    roots = column(ROOT_HASHES)
    in_part = (roots["node"] >= first) & (roots["node"] < first + len(nodes["parent"]))
    return hash_places(
        nodes["parent"],
        nodes["depth"],
        (nodes["method"], nodes["site"]),
        (column(_METHOD_HASHES)["hash"], column(_SITE_HASHES)["hash"]),
        (roots["node"][in_part] - first, roots["hash"][in_part]),
    )


def _add_facts(content: Hashes, first: int, facts: duckdb.DuckDBPyRelation) -> None:
    """Adds the hashes of facts to their nodes, in any order and a batch at a time."""
    for batch in facts.to_arrow_reader(_BATCH_ROWS):
        index = batch["node"].to_numpy().astype(np.int64) - first
        inside = (index >= 0) & (index < len(content))
        np.add.at(content, index[inside], mix(batch["hash"].to_numpy()[inside]))

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
    Integers = npt.NDArray[np.integer[Any]]

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
    -1 for the root of a thread; ``size`` the subtrees' sizes, ``n_calls`` the calls, in integers
    as wide as they need to be; ``place`` and ``content`` the hashes. ``is_internal`` tells the
    nodes of threads that serve the VM. ``first`` is the key of the first node.
    """

    parent: Integers
    method: Integers
    thread: Integers
    size: Integers
    n_calls: Integers
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
    content = nodes.pop("content")
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
    """Returns columns of the nodes, and the hash of each node's own counts as ``content``."""
    size = "SELECT COUNT(*) FROM context"
    if below is not None:
        size = f"SELECT size FROM context WHERE context_id = {below}"
    ((n,),) = connection.execute(size).fetchall()
    first, restriction = below or 0, ""
    if below is not None:
        restriction = f"WHERE c.context_id >= {below} AND c.context_id < {below + n}"
    contexts = connection.sql(
        f"""
        SELECT c.context_id - {first} AS node,
               GREATEST(COALESCE(c.parent_id, -1) - {first}, -1)::INTEGER AS parent,
               c.thread_id AS thread,
               COALESCE(c.method_id, -1) AS method,
               COALESCE(c.call_site_id, -1) AS site,
               c.depth, c.size, c.n_calls, c.is_folded, t.is_vm_internal AS is_internal
        FROM context AS c JOIN thread AS t USING (thread_id)
        {restriction}
        """
    )
    nodes: dict[str, Any] = {name: np.empty(n, kind) for name, kind in _kinds(connection).items()}
    for batch in contexts.to_arrow_reader(_BATCH_ROWS):  # in any order: keys are places
        node = batch["node"].to_numpy()
        for name, values in nodes.items():
            if name != "content":
                values[node] = batch[name].to_numpy(zero_copy_only=False)
        counts = batch["n_calls"].to_numpy() * 2 + batch["is_folded"].to_numpy(zero_copy_only=False)
        nodes["content"][node] = mix(counts.astype(np.uint64))
    return nodes


def _kinds(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Returns the type of each column of nodes: the narrowest in which its values have room."""
    greatest = connection.execute(
        "SELECT COUNT(*), COALESCE(MAX(depth), 0), COALESCE(MAX(n_calls), 0), "
        "(SELECT COUNT(*) FROM thread) FROM context"
    ).fetchall()[0]
    key, depth, n_calls, thread = (
        np.result_type(np.int16, np.min_scalar_type(-1 - most)) for most in greatest
    )
    return {
        "parent": key,
        "thread": thread,
        "method": np.int32,
        "site": np.int32,
        "depth": depth,
        "size": key,
        "n_calls": n_calls,
        "is_internal": np.bool_,
        "content": np.uint64,
    }


def _places(nodes: dict[str, Any], first: int, column: Callable[[str], dict[str, Any]]) -> Hashes:
    """Returns the hash of each node's path: names, loaders and offsets."""
    roots = column(ROOT_HASHES)
    in_part = (roots["node"] >= first) & (roots["node"] < first + len(nodes["parent"]))
    return hash_places(
        nodes["parent"],
        nodes.pop("depth"),
        (nodes["method"], nodes.pop("site")),
        (column(_METHOD_HASHES)["hash"], column(_SITE_HASHES)["hash"]),
        (roots["node"][in_part] - first, roots["hash"][in_part]),
    )


def _add_facts(content: Hashes, first: int, facts: duckdb.DuckDBPyRelation) -> None:
    """Adds the hashes of facts to their nodes, in any order and a batch at a time."""
    for batch in facts.to_arrow_reader(_BATCH_ROWS):
        index = batch["node"].to_numpy().astype(np.int64) - first
        inside = (index >= 0) & (index < len(content))
        np.add.at(content, index[inside], mix(batch["hash"].to_numpy()[inside]))

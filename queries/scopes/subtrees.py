"""Subtrees of a calling context tree: which contexts are below some methods, and which above these.

Keys are dense and in pre-order, so the subtree of a context is a range of keys. One pass over the
tree finds the ranges of all matching contexts, another the contexts whose range holds one of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    import duckdb
    import numpy.typing as npt

    Integers = npt.NDArray[np.integer[Any]]

__all__ = ["bind_subtrees", "covered", "lineage"]

_BATCH_ROWS = 1 << 20


def bind_subtrees(connection: duckdb.DuckDBPyConnection, schema: str, method_ids: Integers) -> None:
    """Makes the tables ``member`` and ``line`` of a scope: its contexts, and all above them.

    Args:
        connection: a connection to the run's database.
        schema: the schema to make them in.
        method_ids: the methods whose contexts are the roots of the scope; without any, both
            tables are empty.
    """
    method, size = _columns(connection)
    is_member = covered(np.isin(method, method_ids), size)
    members = pa.table({"context_id": pa.array(np.flatnonzero(is_member), pa.int32())})
    keys, ends = lineage(is_member, size)
    line = pa.table(
        {"context_id": pa.array(keys, pa.int32()), "end_id": pa.array(ends, pa.int32())}
    )
    for name, table in (("member", members), ("line", line)):
        connection.register("_made", table)
        connection.execute(f"CREATE TABLE {schema}.{name} AS FROM _made")
        connection.unregister("_made")


def covered(is_root: npt.NDArray[np.bool_], size: Integers) -> npt.NDArray[np.bool_]:
    """Returns which contexts are roots of a scope or below one.

    Args:
        is_root: of each context, by its key, whether it is a root.
        size: of each the contexts of its subtree, itself included.

    >>> covered(np.array([False, True, False, False]), np.array([4, 2, 1, 1])).tolist()
    [False, True, True, False]
    """
    keys = np.arange(len(size))
    ends = np.maximum.accumulate(np.where(is_root, keys + size, 0))
    return keys < ends


def lineage(is_member: npt.NDArray[np.bool_], size: Integers) -> tuple[Integers, Integers]:
    """Returns the contexts that are members or above one, and where among these each one ends.

    Args:
        is_member: of each context, by its key, whether it is a member.
        size: of each the contexts of its subtree, itself included.

    Returns:
        Keys in their order, and for each the first of them behind its subtree; behind the last one
        the number of all contexts.

    >>> keys, ends = lineage(np.array([False, False, True, False]), np.array([4, 1, 1, 1]))
    >>> keys.tolist(), ends.tolist()
    ([0, 2], [4, 4])
    """
    upto = np.concatenate(([0], np.cumsum(is_member)))
    every = np.arange(len(size))
    keys = np.flatnonzero(upto[every + size] > upto[every])
    following = np.searchsorted(keys, keys + size[keys])
    return keys, np.append(keys, len(size))[following]


def _columns(connection: duckdb.DuckDBPyConnection) -> tuple[Integers, Integers]:
    """Returns each context's method, -1 for the root of a thread, and its size, by their keys."""
    (n,) = connection.execute("SELECT COUNT(*) FROM run.context").fetchall()[0]
    method, size = np.empty(n, np.int32), np.empty(n, np.int32)
    contexts = connection.sql("SELECT context_id, COALESCE(method_id, -1), size FROM run.context")
    for batch in contexts.to_arrow_reader(_BATCH_ROWS):  # in any order: keys are places
        place, methods, sizes = (column.to_numpy() for column in batch.columns)
        method[place], size[place] = methods, sizes
    return method, size

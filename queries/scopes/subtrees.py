"""Subtrees of a calling context tree: which contexts are below some methods, and which above these.

Keys are dense and in pre-order, so the subtree of a context is a range of keys, and one pass over
the tree finds the ranges of all matching contexts. The arrays of a large tree are large, too: what
they are made of is worked through in blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from jvmscope.queries.scopes.context_sets import make_context_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb
    import numpy.typing as npt

    from jvmscope.queries.scopes.context_sets import ContextSet

    Flags = npt.NDArray[np.bool_]
    Integers = npt.NDArray[np.integer[Any]]

__all__ = ["Subtrees", "bind_subtrees", "covered", "lineage", "next_in_line"]

_BLOCK_ROWS = 1 << 20


@dataclass(frozen=True)
class Subtrees:
    """Contexts of a scope: its own, those of them that it called, and all that are in or above it.

    The ends of subtrees that are not in this lineage are in the table ``behind (place, end_id)``,
    with the next context that is.
    """

    members: ContextSet
    called: ContextSet
    lineage: ContextSet


def bind_subtrees(
    connection: duckdb.DuckDBPyConnection, schema: str, method_ids: Integers
) -> Subtrees:
    """Makes the sets of contexts of a scope, each a table, and the table ``behind``.

    Args:
        connection: a connection to the run's database.
        schema: the schema to make them in.
        method_ids: the methods whose contexts are the roots of the scope; without any, it is empty.
    """
    method, size = _columns(connection)
    is_member, is_topmost = covered(np.isin(method, method_ids), size)
    del method
    is_line = lineage(is_member, is_topmost, size)
    places, ends = next_in_line(is_line, size)
    behind = {"place": pa.array(places, pa.int32()), "end_id": pa.array(ends, pa.int32())}
    connection.register("_made", pa.table(behind))
    connection.execute(f"CREATE TABLE {schema}.behind AS FROM _made")
    connection.unregister("_made")
    return Subtrees(
        make_context_set(connection, f"{schema}.member", is_member),
        make_context_set(connection, f"{schema}.called", is_member & ~is_topmost),
        make_context_set(connection, f"{schema}.line", is_line),
    )


def covered(is_root: Flags, size: Integers) -> tuple[Flags, Flags]:
    """Returns which contexts are roots of a scope or below one, and which roots are below none.

    Args:
        is_root: of each context, by its key, whether it is a root.
        size: of each the contexts of its subtree, itself included.

    >>> is_member, is_topmost = covered(np.array([False, True, True, False]),
    ...                                 np.array([4, 2, 1, 1]))
    >>> is_member.tolist(), is_topmost.tolist()
    ([False, True, True, False], [False, True, False, False])
    """
    is_member, is_topmost = np.zeros(len(size), np.bool_), np.zeros(len(size), np.bool_)
    end = 0  # of the topmost subtree that was last
    for keys in _blocks(len(size)):
        ends = np.where(is_root[keys], keys + size[keys], 0)
        before = np.maximum.accumulate(np.concatenate(([end], ends)))
        is_topmost[keys] = is_root[keys] & (before[:-1] <= keys)
        is_member[keys] = keys < before[1:]
        end = before[-1]
    return is_member, is_topmost


def lineage(is_member: Flags, is_topmost: Flags, size: Integers) -> Flags:
    """Returns which contexts are members of a scope or above one.

    Args:
        is_member: of each context, by its key, whether it is a member.
        is_topmost: whether it is one that is below no other.
        size: of each the contexts of its subtree, itself included.

    >>> is_member = np.array([False, False, True, False])
    >>> lineage(is_member, is_member, np.array([4, 1, 1, 1])).tolist()
    [True, False, True, False]
    """
    is_line = is_member.copy()
    topmost = np.append(np.flatnonzero(is_topmost), len(size))
    for keys in _blocks(len(size)):
        following = topmost[np.searchsorted(topmost, keys)]
        is_line[keys] |= following < keys + size[keys]
    return is_line


def next_in_line(is_line: Flags, size: Integers) -> tuple[Integers, Integers]:
    """Returns where subtrees of a lineage end outside of it, and the next context that is in it.

    Args:
        is_line: of each context, by its key, whether it is in the lineage.
        size: of each the contexts of its subtree, itself included.

    Returns:
        Keys in their order, and for each the first of the lineage behind it; behind the last one
        the number of all contexts.

    >>> places, following = next_in_line(np.array([True, True, False, True]),
    ...                                  np.array([4, 1, 1, 1]))
    >>> places.tolist(), following.tolist()
    ([2], [3])
    """
    n = len(size)
    found = [np.empty(0, np.int64)]
    for keys in _blocks(n):
        mine = keys[is_line[keys]]
        ends = mine + size[mine]
        ends = ends[ends < n]
        found.append(np.unique(ends[~is_line[ends]]))
    places = np.unique(np.concatenate(found))
    line = np.flatnonzero(is_line)
    return places, np.append(line, n)[np.searchsorted(line, places)]


def _blocks(n: int) -> Iterator[Integers]:
    """Yields the keys of n contexts in their order, some at a time."""
    for first in range(0, n, _BLOCK_ROWS):
        yield np.arange(first, min(first + _BLOCK_ROWS, n))


def _columns(connection: duckdb.DuckDBPyConnection) -> tuple[Integers, Integers]:
    """Returns each context's method, -1 for the root of a thread, and its size, by their keys."""
    (n,) = connection.execute("SELECT COUNT(*) FROM run.context").fetchall()[0]
    method, size = np.empty(n, np.int32), np.empty(n, np.int32)
    contexts = connection.sql("SELECT context_id, COALESCE(method_id, -1), size FROM run.context")
    for batch in contexts.to_arrow_reader(_BLOCK_ROWS):  # in any order: keys are places
        place, methods, sizes = (column.to_numpy() for column in batch.columns)
        method[place], size[place] = methods, sizes
    return method, size

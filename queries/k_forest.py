"""The k-calling context forest of a calling context tree (Ausiello et al. 2012).

A node of the forest is a path of at most k calls that leads to a method, the *routine*: a string of
methods from the routine to its caller, its caller's caller, and so on. It counts the executions of
the routine by which the stack ended in this path, over all calling contexts. The routines are the
roots; a child of a path has one caller more. So k = 0 is the profile of methods, k = 1 that of
caller and callee, and without a limit every calling context is a path, but for its call sites.

The forest grows by levels. Contexts whose last d calls are the same are a class; the class of a
context at level d + 1 is the pair of its class at d and the method of its ancestor d + 1. Contexts
of a class that have this ancestor in common go on as one. A level needs one sort, and memory for
the contexts that are left, whatever k is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from duckdb.func import FunctionNullHandling, PythonUDFType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import duckdb
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

__all__ = ["FUNCTION", "bind_k_forest", "k_forest"]

FUNCTION = "_k_forest"
"""The name by which the macro ``cct.k_forest`` calls it."""

_COLUMNS = (
    "path_id",
    "parent_id",
    "depth",
    "routine_id",
    "method_id",
    "n_calls",
    "n_bytecodes",
    "n_contexts",
)
_NONE = -1


@dataclass(frozen=True)
class _Frontier:
    """Contexts by path: of each the path's key, its outermost context, and what it counts."""

    path: Integers
    outermost: Integers
    weights: Sequence[Integers]


def bind_k_forest(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the function known to a database, once."""
    known = "SELECT 1 FROM duckdb_functions() WHERE function_name = $name LIMIT 1"
    if connection.execute(known, {"name": FUNCTION}).fetchall():
        return
    columns = ", ".join(f"{name} BIGINT" for name in _COLUMNS)
    connection.create_function(
        FUNCTION,
        _of_lists,
        ["BIGINT", "INTEGER[]", "INTEGER[]", "BIGINT[]", "BIGINT[]"],
        f"STRUCT({columns})[]",
        type=PythonUDFType.ARROW,
        null_handling=FunctionNullHandling.SPECIAL,
    )


def k_forest(
    k: int | None,
    parent: npt.NDArray[Any],
    method: npt.NDArray[Any],
    n_calls: npt.NDArray[Any],
    n_bytecodes: npt.NDArray[Any],
) -> dict[str, Integers]:
    """Returns the paths, level by level, in each by parent and method.

    Args:
        k: calls in the longest paths; None: no limit.
        parent: of each context its parent's index; -1 for the root of a thread.
        method: of each context its method; -1 for the root of a thread.
        n_calls: its calls; -1 where a context does not count, but may be an ancestor.
        n_bytecodes: its bytecodes.

    Returns:
        Arrays by name: ``path_id`` from 0, ``parent_id`` the path without its outermost method
        (-1: a root), ``depth`` its calls, ``routine_id``, ``method_id`` its outermost method,
        ``n_calls``, ``n_bytecodes`` and ``n_contexts``, the contexts that it stands for.

    >>> tree = [-1, 0, 1, 0, 3], [-1, 7, 8, 9, 8], [0, 1, 2, 3, 4], [0, 0, 0, 0, 0]
    >>> found = k_forest(1, *map(np.array, tree))
    >>> [found[name].tolist() for name in ("parent_id", "routine_id", "method_id", "n_calls")]
    [[-1, -1, -1, 1, 1], [7, 8, 9, 8, 8], [7, 8, 9, 7, 9], [1, 6, 3, 2, 4]]
    """
    if k is not None and k < 0:
        raise ValueError(f"k is a number of calls, 0 or more, not {k}")
    levels = list(_levels(k, parent, method.astype(np.int64), n_calls, n_bytecodes))
    return {name: np.concatenate([level[i] for level in levels]) for i, name in enumerate(_COLUMNS)}


def _levels(
    k: int | None,
    parent: npt.NDArray[Any],
    method: Integers,
    n_calls: npt.NDArray[Any],
    n_bytecodes: npt.NDArray[Any],
) -> Iterator[Sequence[Integers]]:
    """Yields the columns of each level of the forest; of an empty tree one level without rows."""
    counted = np.flatnonzero((method != _NONE) & (n_calls >= 0))
    ones = np.ones(len(counted), dtype=np.int64)
    weights = (n_calls[counted].astype(np.int64), n_bytecodes[counted].astype(np.int64), ones)
    frontier = _Frontier(np.zeros(len(counted), dtype=np.int64), counted, weights)
    rank = np.empty(len(method), dtype=np.int64)  # contexts of one method lie together by it
    rank[np.argsort(method, kind="stable")] = np.arange(len(method))
    depth = first_parent = first = 0
    routines: Integers = np.empty(0, dtype=np.int64)
    while True:
        frontier = _merged(frontier, rank)
        methods = method[frontier.outermost]
        starts = _starts(frontier.path, methods)
        parents, methods = frontier.path[starts], methods[starts]
        routines = routines[parents] if depth else methods
        yield (
            np.arange(first, first + len(starts)),
            parents + first_parent if depth else np.full(len(starts), _NONE),
            np.full(len(starts), depth),
            routines,
            methods,
            *(_sums(weight, starts) for weight in frontier.weights),
        )
        if depth == k:
            return
        depth, first_parent, first = depth + 1, first, first + len(starts)
        frontier = _called_from(frontier, starts, parent, method)
        if not len(frontier.path):
            return


def _merged(frontier: _Frontier, rank: Integers) -> _Frontier:
    """Returns the contexts by path and method; those of one path and outermost context are one."""
    order = np.argsort(frontier.path * len(rank) + rank[frontier.outermost])
    path, outermost = frontier.path[order], frontier.outermost[order]
    starts = _starts(path, outermost)
    weights = [_sums(weight[order], starts) for weight in frontier.weights]
    return _Frontier(path[starts], outermost[starts], weights)


def _called_from(
    frontier: _Frontier, starts: Integers, parent: npt.NDArray[Any], method: Integers
) -> _Frontier:
    """Returns the contexts with one caller more, where they have one; paths begin at ``starts``."""
    is_new = np.zeros(len(frontier.path), dtype=np.int64)
    is_new[starts] = 1
    path = np.cumsum(is_new) - 1
    above = parent[frontier.outermost].astype(np.int64)
    has_caller = method[above] != _NONE
    weights = [weight[has_caller] for weight in frontier.weights]
    return _Frontier(path[has_caller], above[has_caller], weights)


def _starts(first: Integers, second: Integers) -> Integers:
    """Returns where runs of equal pairs begin."""
    if not len(first):
        return np.empty(0, dtype=np.int64)
    differs = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return np.concatenate(([0], np.flatnonzero(differs) + 1))


def _sums(weights: Integers, starts: Integers) -> Integers:
    """Returns the sums of the runs that begin at ``starts``."""
    sums: Integers = np.add.reduceat(weights, starts) if len(starts) else weights[:0]
    return sums


def _of_lists(k: Any, parents: Any, methods: Any, n_calls: Any, n_bytecodes: Any) -> Any:
    """Returns the forest as DuckDB wants it: a list of rows for each row of arguments."""
    lists = [_combined(column) for column in (parents, methods, n_calls, n_bytecodes)]
    rows = []
    for index, limit in enumerate(k.to_pylist()):
        arrays = [_values(column, index) for column in lists]
        found = k_forest(limit, *arrays)
        rows.append(
            pa.StructArray.from_arrays(
                [
                    pa.array(v, mask=v == _NONE if n == "parent_id" else None)
                    for n, v in found.items()
                ],
                names=list(found),
            )
        )
    offsets = np.cumsum([0, *map(len, rows)])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.concat_arrays(rows))


def _combined(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _values(column: Any, index: int) -> npt.NDArray[Any]:
    """Returns a list as an array, with -1 where it has no value; a list that is null has none."""
    if not column[index].is_valid:
        return np.empty(0, dtype=np.int64)
    values = column[index].values
    found: npt.NDArray[Any] = values.fill_null(_NONE).to_numpy()
    return found

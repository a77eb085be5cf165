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

import itertools
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
    """Makes the function known to a database that does not know it yet."""
    columns = ", ".join(f"{name} BIGINT" for name in _COLUMNS)
    connection.create_function(
        FUNCTION,
        _forest_of_lists,
        ["BIGINT", *["INTEGER[]"] * 4, *["BIGINT[]"] * 2],
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
    counted, rank = _by_method(method, n_calls)
    ones = np.ones(len(counted), dtype=np.int64)
    weights = (n_calls[counted].astype(np.int64), n_bytecodes[counted].astype(np.int64), ones)
    first_parent = first = 0
    routines: Integers = np.empty(0, dtype=np.int64)
    levels = []
    shortest = _Frontier(np.zeros_like(counted), counted, weights)
    for depth, (frontier, starts) in enumerate(_levels(k, parent, method, rank, shortest)):
        parents, methods = frontier.path[starts], method[frontier.outermost[starts]]
        routines = routines[parents] if depth else methods
        columns = (
            np.arange(first, first + len(starts)),
            parents + first_parent if depth else np.full(len(starts), _NONE),
            np.full(len(starts), depth),
            routines,
            methods,
            *(_sums(weight, starts) for weight in frontier.weights),
        )
        levels.append(columns)
        first_parent, first = first, first + len(starts)
    return {
        name: np.concatenate([level[i] for level in levels], dtype=np.int64)
        for i, name in enumerate(_COLUMNS)
    }


def _by_method(method: npt.NDArray[Any], n_calls: npt.NDArray[Any]) -> tuple[Integers, Integers]:
    """Returns the contexts that count, by method, and the place of each context in this order."""
    order = np.argsort(method, kind="stable")
    rank = np.empty(len(method), dtype=np.int64)
    rank[order] = np.arange(len(method))
    is_counted = (method != _NONE) & (n_calls >= 0)
    return order[is_counted[order]], rank


def _levels(
    k: int | None,
    parent: npt.NDArray[Any],
    method: npt.NDArray[Any],
    rank: Integers,
    frontier: _Frontier,
) -> Iterator[tuple[_Frontier, Integers]]:
    """Yields the contexts by path, and where each path begins: once for each number of calls.

    The first ones are those given, whose paths are methods alone, in the order of ``rank``.
    """
    if k is not None and k < 0:
        raise ValueError(f"k is a number of calls, 0 or more, not {k}")
    for depth in itertools.count():
        frontier = _merged(frontier, rank) if depth else frontier
        starts = _starts(frontier.path, method[frontier.outermost])
        yield frontier, starts
        if depth == k:
            return
        frontier = _called_from(frontier, starts, parent, method)
        if not len(frontier.path):
            return


def _merged(frontier: _Frontier, rank: Integers) -> _Frontier:
    """Returns the contexts by path and rank; those of one path and outermost context are one."""
    order = np.argsort(frontier.path * len(rank) + rank[frontier.outermost])
    path, outermost = frontier.path[order], frontier.outermost[order]
    starts = _starts(path, outermost)
    weights = [_sums(weight[order], starts) for weight in frontier.weights]
    return _Frontier(path[starts], outermost[starts], weights)


def _called_from(
    frontier: _Frontier, starts: Integers, parent: npt.NDArray[Any], method: npt.NDArray[Any]
) -> _Frontier:
    """Returns the contexts with one caller more, where they have one; paths begin at ``starts``."""
    path = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(frontier.path)))
    above = parent[frontier.outermost]
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


def _forest_of_lists(  # noqa: PLR0917 - DuckDB gives one argument a column
    k: Any, ids: Any, parents: Any, methods: Any, counted: Any, n_calls: Any, n_bytecodes: Any
) -> Any:
    """Returns the forest as DuckDB wants it: a list of rows for each row of arguments."""
    rows = []
    columns = (ids, parents, methods, counted, n_calls, n_bytecodes)
    for limit, parent, method, where, *weights in _arguments(k, *columns):
        calls, bytecodes = (_scattered(weight, where, len(parent)) for weight in weights)
        found = k_forest(limit, parent, method, calls, bytecodes)
        arrays = {name: pa.array(values) for name, values in found.items()}
        no_parent = found["parent_id"] == _NONE
        arrays["parent_id"] = pa.array(found["parent_id"], mask=no_parent)
        rows.append(pa.StructArray.from_arrays(list(arrays.values()), names=list(arrays)))
    return _lists(rows)


def _arguments(
    k: Any, ids: Any, parents: Any, methods: Any, *of_counted: Any
) -> Iterator[tuple[Any, ...]]:
    """Yields k, the parents and methods in the order of the contexts' keys, and the other arrays.

    DuckDB gathers the columns of one table into lists in one order, which is any.
    """
    columns = (ids, parents, methods, *of_counted)
    chunks = [c.combine_chunks() if isinstance(c, pa.ChunkedArray) else c for c in columns]
    for index, limit in enumerate(k.to_pylist()):
        keys, parent, method, *rest = (_values(chunk[index]) for chunk in chunks)
        tree = (_scattered(values, keys, len(keys)) for values in (parent, method))
        yield limit, *tree, *rest


def _scattered(values: npt.NDArray[Any], where: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
    """Returns an array of length n with values at some places, and -1 elsewhere."""
    found = np.full(n, _NONE, dtype=values.dtype)
    found[where] = values
    return found


def _values(cell: Any) -> npt.NDArray[Any]:
    """Returns a list as an array, -1 for null; a list that is null has no values."""
    if not cell.is_valid:
        return np.empty(0, dtype=np.int64)
    found: npt.NDArray[Any] = cell.values.fill_null(_NONE).to_numpy()
    return found


def _lists(rows: list[Any]) -> Any:
    offsets = np.cumsum([0, *map(len, rows)])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.concat_arrays(rows))

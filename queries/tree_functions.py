"""Functions of SQL about a context's place in the calling context tree.

What SQL would find by joining the tree with itself, arrays of the whole tree have at a context's
key: keys are dense and in pre-order. They are made in one pass over the tree, for a query that
calls the function, and kept. Queries do not call these functions, whose names begin with ``_``, but
macros of the library that do.

    _n_slots_below(context_id)   slots of all frames above the context in the tree
    _n_called(context_id)        contexts that are called from it, its degree
    _k_levels(k, context_ids)    numbers of paths of 0 to k calls to the contexts
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from duckdb.func import FunctionNullHandling, PythonUDFType

from jvmscope.queries.k_levels import k_levels

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    import duckdb
    import numpy.typing as npt

    Integers = npt.NDArray[np.integer[Any]]

__all__ = ["TreeFunctions"]

_BATCH_ROWS = 1 << 17
_NONE = -1


class TreeFunctions:
    """The functions for one run's database, with the arrays that they read."""

    def __init__(self) -> None:
        self._functions: dict[str, Callable[..., Any]] = {}
        self._arrays: dict[str, Any] = {}

    @property
    def loaded(self) -> frozenset[str]:
        """The functions whose arrays are there."""
        return frozenset(self._arrays)

    def bind(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Makes the functions known to a database, unless it knows them."""
        if self._functions:
            return
        # They know the arrays, not the database, which would then hold itself; and they are held
        # here, since the database lets go of them with the connection (DuckDB 2.0).
        arrays = self._arrays
        self._functions = {
            "_n_slots_below": _lookup(arrays, "_n_slots_below"),
            "_n_called": _lookup(arrays, "_n_called"),
            "_k_levels": _levels(arrays),
        }
        for name in ("_n_slots_below", "_n_called"):
            connection.create_function(
                name, self._functions[name], ["INTEGER"], "BIGINT", type=PythonUDFType.ARROW
            )
        connection.create_function(
            "_k_levels",
            self._functions["_k_levels"],
            ["BIGINT", "INTEGER[]"],
            "BIGINT[]",
            type=PythonUDFType.ARROW,
            null_handling=FunctionNullHandling.SPECIAL,
        )

    def load(self, connection: duckdb.DuckDBPyConnection, called: Container[str]) -> None:
        """Makes the arrays of the functions that are called, unless they are there.

        Args:
            connection: a connection to the database, which has the run's tables.
            called: names of functions; others are ignored.
        """
        for name, make in _ARRAYS.items():
            if name in called and name not in self._arrays:
                self._arrays[name] = make(connection)


def _lookup(arrays: dict[str, Any], name: str) -> Callable[[Any], Any]:
    def look_up(context_ids: Any) -> Any:
        return pa.array(arrays[name][_integers(context_ids)], pa.int64())

    return look_up


def _levels(arrays: dict[str, Any]) -> Callable[[Any, Any], Any]:
    def levels(limits: Any, contexts: Any) -> Any:
        """Returns a list of numbers of paths for each row of arguments."""
        parent, method = arrays["_k_levels"]
        found = []
        for limit, cell in zip(limits.to_pylist(), contexts, strict=True):
            is_counted = np.zeros(len(parent), dtype=np.bool_)
            if cell.is_valid:
                is_counted[cell.values.to_numpy()] = True
            found.append(k_levels(limit, parent, method, is_counted))
        return pa.array(found, pa.list_(pa.int64()))

    return levels


def _integers(column: Any) -> Integers:
    """Returns a column of a vector without nulls as an array."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    found: Integers = whole.to_numpy(zero_copy_only=False)
    return found


def _slots_below(connection: duckdb.DuckDBPyConnection) -> Integers:
    """Returns the slots (max_locals + max_stack) of the frames above each context.

    A frame's are added behind its context, and taken away where its subtree ends.
    """
    methods = connection.execute(
        "SELECT method_id, COALESCE(max_locals + max_stack, 0) AS n_slots FROM run.method"
    ).fetchnumpy()
    n_slots = np.zeros(int(methods["method_id"].max(initial=_NONE)) + 2, dtype=np.int64)
    n_slots[methods["method_id"]] = methods["n_slots"]  # the last one, at -1, is a thread's root
    n = _n_contexts(connection)
    ((deepest,),) = connection.execute("SELECT COALESCE(MAX(depth), 0) FROM run.context").fetchall()
    has_room = int(n_slots.max()) * (deepest + 1) < np.iinfo(np.int32).max
    below: Integers = np.zeros(n + 1, dtype=np.int32 if has_room else np.int64)
    for keys, method, size in _columns(connection, "method_id", "size"):
        own = n_slots[method].astype(below.dtype)
        np.add.at(below, keys + 1, own)
        np.subtract.at(below, keys + size, own)
    np.cumsum(below, out=below)
    return below[:n]


def _n_called(connection: duckdb.DuckDBPyConnection) -> Integers:
    """Returns the number of contexts called from each context."""
    found = np.zeros(_n_contexts(connection), dtype=np.int32)
    for _, parents in _columns(connection, "parent_id"):
        np.add.at(found, parents[parents >= 0], 1)
    return found


def _edges(connection: duckdb.DuckDBPyConnection) -> tuple[Integers, Integers]:
    """Returns the parent of each context, and its method; -1 for the root of a thread."""
    n = _n_contexts(connection)
    parent, method = np.full(n, _NONE, dtype=np.int32), np.full(n, _NONE, dtype=np.int32)
    for keys, parents, methods in _columns(connection, "parent_id", "method_id"):
        parent[keys], method[keys] = parents, methods
    return parent, method


_ARRAYS: dict[str, Callable[[duckdb.DuckDBPyConnection], Any]] = {
    "_n_slots_below": _slots_below,
    "_n_called": _n_called,
    "_k_levels": _edges,
}


def _n_contexts(connection: duckdb.DuckDBPyConnection) -> int:
    ((n,),) = connection.execute("SELECT COUNT(*) FROM run.context").fetchall()
    return int(n)


def _columns(connection: duckdb.DuckDBPyConnection, *names: str) -> Iterator[tuple[Integers, ...]]:
    """Yields the keys of contexts and columns of the table, -1 for null, in any order."""
    wanted = ", ".join(f"COALESCE({name}, {_NONE}) AS {name}" for name in names)
    contexts = connection.sql(f"SELECT context_id, {wanted} FROM run.context")
    for batch in contexts.to_arrow_reader(_BATCH_ROWS):
        yield tuple(column.to_numpy() for column in batch.columns)

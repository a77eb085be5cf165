"""The samples of a study, in groups, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray

__all__ = ["groups", "method_names"]


def groups(
    connection: DuckDBPyConnection, query: str, n_keys: int
) -> Iterator[tuple[tuple[int, ...], Sequence[NDArray[np.int64]]]]:
    """Yields the rows of a query that have equal keys, as their keys and the other columns.

    Args:
        connection: the study.
        query: a query whose columns are integers that are never null, ordered by the keys.
        n_keys: how many of its first columns are keys.
    """
    columns = [np.asarray(column) for column in connection.execute(query).fetchnumpy().values()]
    keys, others = columns[:n_keys], columns[n_keys:]
    if not len(keys[0]):
        return
    is_new = np.zeros(len(keys[0]), dtype=bool)
    for key in keys:
        is_new[1:] |= key[1:] != key[:-1]
    borders = np.flatnonzero(is_new)
    starts = [0, *borders.tolist()]
    parts = zip(*(np.split(column, borders) for column in others), strict=True)
    for start, values in zip(starts, parts, strict=True):
        yield tuple(int(key[start]) for key in keys), values


def method_names(connection: DuckDBPyConnection) -> dict[int, str]:
    """Returns the class and name of each method, with its parameters where others are called so.

    Types of parameters have the form of descriptors.
    """
    rows = connection.execute(
        "SELECT method_id, class_name, name, descriptor, COUNT(*) OVER (PARTITION BY class_name,"
        " name) > 1 FROM study_method ORDER BY method_id"
    ).fetchall()
    return {
        method: f"{class_name.replace('/', '.')}.{name}{descriptor if is_shared else ''}"
        for method, class_name, name, descriptor, is_shared in rows
    }

"""To which method of the program each context of a recorded run is charged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    import duckdb
    import numpy.typing as npt

__all__ = ["charged_contexts", "nearest_marked"]

_CONTEXTS = """
    SELECT x.parent_id, x.method_id, COALESCE(c.loader NOT IN ('boot', 'platform'), FALSE) AS is_own
    FROM recorded.context AS x
    LEFT JOIN recorded.method AS m USING (method_id)
    LEFT JOIN recorded.class AS c USING (class_id)
    ORDER BY x.context_id
"""


def charged_contexts(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Returns the method that each context is charged to, as ``context_id`` and ``charged_id``.

    It is the method of the context itself, or of the nearest one above, whose class the program
    has; null where the JDK alone is on the stack.
    """
    columns = connection.execute(_CONTEXTS).fetchnumpy()
    parents = np.ma.filled(np.ma.asarray(columns["parent_id"]), -1).astype(np.int64)
    methods = np.ma.filled(np.ma.asarray(columns["method_id"]), -1).astype(np.int64)
    nearest = nearest_marked(parents, np.asarray(columns["is_own"], np.bool_))
    charged = np.where(nearest >= 0, methods[nearest], -1)
    numbers = np.arange(len(parents), dtype=np.int64)
    return pa.table(
        {"context_id": numbers, "charged_id": pa.array(charged, mask=charged < 0, type=pa.int64())}
    )


def nearest_marked(
    parents: npt.NDArray[np.int64], is_marked: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """Returns for each node the nearest marked one on its path to the root, itself first; -1: none.

    Each step doubles the distance that was looked at, so a deep tree takes few.

    >>> nearest_marked(np.array([-1, 0, 1, 2, 0]), np.array([0, 1, 0, 0, 0], bool)).tolist()
    [-1, 1, 1, 1, -1]
    """
    end = len(parents)
    jump = np.append(np.where(parents < 0, end, parents), end)
    jump[:end] = np.where(is_marked, np.arange(end), jump[:end])
    while True:
        further = jump[jump]
        if np.array_equal(further, jump):
            found = jump[:end]
            return np.where(found == end, -1, found)
        jump = further

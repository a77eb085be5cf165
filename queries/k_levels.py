"""The sizes of the levels of the k-calling context forest (``k_forest``), without its paths.

A path of d calls to a context is its method and the path of d - 1 calls to its caller. So each
level numbers the pairs of these; to count them, none has to be told from the others twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Integers = npt.NDArray[np.integer[Any]]

__all__ = ["k_levels"]

_AT_A_TIME = 1 << 22
_NONE = -1


def k_levels(
    k: int | None, parent: Integers, method: Integers, is_counted: npt.NDArray[np.bool_]
) -> list[int]:
    """Returns how many different paths of 0, 1, … calls there are, at least those of 0.

    Args:
        k: calls in the longest paths; None: no limit.
        parent: of each context its parent's index; anything for the root of a thread.
        method: of each context its method; -1 for the root of a thread.
        is_counted: whether paths to it count; others may still be on them.

    >>> everything = np.ones(5, dtype=np.bool_)
    >>> k_levels(5, np.array([-1, 0, 1, 0, 3]), np.array([-1, 7, 8, 9, 8]), everything)
    [3, 2]
    """
    if k is not None and k < 0:
        raise ValueError(f"k is a number of calls, 0 or more, not {k}")
    n_methods = int(method.max(initial=_NONE)) + 1
    path: Integers = method.astype(np.int32)
    left = np.flatnonzero(method != _NONE).astype(np.int32)
    counts = [_n_different(path[left[is_counted[left]]])]
    while k is None or len(counts) <= k:
        above = path  # numbers of the paths that are one call shorter
        left = left[above[parent[left]] != _NONE]
        if not is_counted[left].any():
            break
        if len(counts) == k:
            counted = left[is_counted[left]]
            counts.append(_n_different_pairs(counted, parent, method, above, n_methods))
            break
        path, n = _numbered(left, parent, method, above, n_methods)
        is_whole = len(left) == np.count_nonzero(is_counted[left])
        counts.append(n if is_whole else _n_different(path[left[is_counted[left]]]))
    return counts


def _pairs(
    contexts: Integers, parent: Integers, method: Integers, above: Integers, n_methods: int
) -> Iterator[tuple[Integers, Any]]:
    """Yields some contexts at a time, with what each path is: its shorter path, and its method."""
    for begin in range(0, len(contexts), _AT_A_TIME):
        some = contexts[begin : begin + _AT_A_TIME]
        yield some, pa.array(above[parent[some]].astype(np.int64) * n_methods + method[some])


def _n_different_pairs(*of_pairs: Any) -> int:
    return len(_different(pairs for _, pairs in _pairs(*of_pairs)))


def _n_different(numbers: Integers) -> int:
    return len(pc.unique(pa.array(numbers)))


def _different(parts: Iterator[Any]) -> Any:
    """Returns each value of some arrays once."""
    found: Any = pa.array([], pa.int64())
    for part in parts:
        found = pc.unique(pa.chunked_array([found, pc.unique(part)]))
    return found


def _numbered(
    contexts: Integers, parent: Integers, method: Integers, above: Integers, n_methods: int
) -> tuple[Integers, int]:
    """Returns the number of the path to each context, -1 where none is so long; and their count."""
    of_pairs = (contexts, parent, method, above, n_methods)
    different = _different(pairs for _, pairs in _pairs(*of_pairs))
    path = np.full(len(parent), _NONE, dtype=np.int32)
    for some, pairs in _pairs(*of_pairs):
        path[some] = pc.index_in(pairs, value_set=different).to_numpy()
    return path, len(different)

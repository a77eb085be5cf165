"""What the embedded trees ask of a run: its threads, its heaviest contexts, their methods."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.queries import parse_query_file, parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from jvmscope.queries import Engine, Result
    from jvmscope.reports.exports.weights import Weight

    Integers = npt.NDArray[np.integer[Any]]

__all__ = ["Contexts", "Frame"]

_WEIGHED = """
    SELECT c.context_id, c.thread_id, c.size, c.method_id IS NULL AS is_root, {own}
    FROM context AS c
    {joined}
"""
_THREADS = "SELECT thread_id, name FROM run.thread"
_CONTEXTS = """
    SELECT c.context_id, c.parent_id, c.thread_id, c.method_id, site.line, c.size
    FROM run.context AS c
    LEFT JOIN run.call_site AS site ON site.call_site_id = c.call_site_id
    WHERE c.context_id IN (SELECT UNNEST($contexts))
"""
_FRAMES = """
    SELECT n.method_id, n.method, c.source_file, m.first_line,
           c.loader NOT IN ('boot', 'platform') AS is_application
    FROM names.methods() AS n
    JOIN run.method AS m ON m.method_id = n.method_id
    JOIN run.class AS c ON c.class_id = m.class_id
    WHERE n.method_id IN (SELECT UNNEST($methods))
"""
_OUT = -1.0
"""The share of what is not chosen from."""


@dataclass(frozen=True)
class Frame:
    """What a page shows of a node's method, its thread, or of what is folded.

    Attributes:
        name: method with class and parameters, name of the thread, or what is folded.
        kind: ``run``, ``thread``, ``application``, ``library`` or ``folded``.
        source_file: where the method is; None: the class file does not say, or no method.
        first_line: its first line there; None: likewise.
    """

    name: str
    kind: str
    source_file: str | None = None
    first_line: int | None = None


@dataclass(frozen=True)
class _Weighed:
    """All contexts of a run by their keys, which are 0, 1, …: roots of threads, too.

    Attributes:
        thread: of each its thread.
        size: contexts in its subtree, itself included.
        is_root: whether it is the root of a thread, which is no call.
        own: by weight, what each weighs itself.
        inclusive: by weight, what its subtree weighs.
    """

    thread: Integers
    size: Integers
    is_root: npt.NDArray[np.bool_]
    own: tuple[Integers, ...]
    inclusive: tuple[Integers, ...]


class Contexts:
    """The contexts of a run, weighed: in one pass over its table, subtrees by running sums.

    Args:
        engine: the run.
        weights: what contexts are weighed by, at least one.
        params: parameters of the cost model.
    """

    def __init__(self, engine: Engine, weights: Sequence[Weight], params: dict[str, Any]) -> None:
        self._engine = engine
        self._weights = weights
        self._params = params
        if any(weight.costs for weight in weights):
            self._params.setdefault("cache", "none")

    def threads(self) -> list[tuple[Any, ...]]:
        """Returns (thread, name, contexts, sum of each weight) of threads with contexts."""
        weighed = self._weighed
        names = dict(self._engine.query(_THREADS, language="sql").rows())
        found = []
        for root in np.flatnonzero(weighed.is_root & (weighed.size > 1)):
            thread = int(weighed.thread[root])
            sums = (int(inclusive[root]) for inclusive in weighed.inclusive)
            found.append((thread, names[thread], int(weighed.size[root]) - 1, *sums))
        return sorted(found)

    def heaviest(
        self, totals: Sequence[int], threads: Sequence[int], n_nodes: int
    ) -> list[tuple[Any, ...]]:
        """Returns the contexts of some threads with the largest shares, these first, then by key.

        Returns:
            Rows of context, parent, thread, method, line, size, own and inclusive weights, share.
        """
        weighed = self._weighed
        share = np.zeros(len(weighed.size))
        for total, inclusive in zip(totals, weighed.inclusive, strict=True):
            np.maximum(share, inclusive / max(1, total), out=share)
        share[weighed.is_root] = _OUT
        share[~np.isin(weighed.thread, threads)] = _OUT
        chosen = _largest(share, n_nodes + 1)
        rows = self._engine.query(
            _CONTEXTS, language="sql", params={"contexts": chosen.tolist()}
        ).rows()
        told = {row[0]: row for row in rows}
        arrays = (*weighed.own, *weighed.inclusive, share)
        columns = [array[chosen].tolist() for array in arrays]
        return [
            (*told[context], *weights)
            for context, *weights in zip(chosen.tolist(), *columns, strict=True)
        ]

    def frames(self, methods: Iterable[int]) -> dict[int, Frame]:
        """Returns what is shown of methods, by key."""
        rows = self._engine.query(_FRAMES, language="sql", params={"methods": sorted(methods)})
        return {
            method_id: Frame(name, "application" if is_application else "library", file, line)
            for method_id, name, file, line, is_application in rows.rows()
        }

    @cached_property
    def _weighed(self) -> _Weighed:
        n = self._engine.manifest.tables["context"].rows
        thread, size = np.zeros(n, np.int32), np.zeros(n, np.int32)
        is_root = np.zeros(n, np.bool_)
        own = tuple(np.zeros(n, np.int64) for _ in self._weights)
        for batch in self._own().batches():
            # A batch comes in any order; keys are places.
            place, *columns = (column.to_numpy(zero_copy_only=False) for column in batch.columns)
            for array, column in zip((thread, size, is_root, *own), columns, strict=True):
                array[place] = column
        last = np.arange(n) + size - 1
        inclusive = []
        for each in own:
            upto = np.cumsum(each)
            inclusive.append(upto[last] - upto + each)
        return _Weighed(thread, size, is_root, own, tuple(inclusive))

    def _own(self) -> Result:
        own = (f"({w.own})::BIGINT AS own_{i}" for i, w in enumerate(self._weights))
        joined = "\n    ".join(
            f"LEFT JOIN {costs} AS cost ON cost.context_id = c.context_id"
            for costs in {weight.costs for weight in self._weights if weight.costs}
        )
        return self._engine.query(
            parse_query_file(_WEIGHED.format(own=", ".join(own), joined=joined), None),
            params=self._params,
            search_path=self._engine.bind_scope(parse_scope("run")),
        )


def _largest(share: npt.NDArray[np.float64], n: int) -> Integers:
    """Returns the places of the n largest shares, the largest first, equal ones by their place.

    >>> _largest(np.array([0.5, _OUT, 1.0, 0.5, 0.5, 0.1]), 3)
    array([2, 0, 3])
    """
    places = np.flatnonzero(share > _OUT)
    if len(places) > n > 0:
        least = np.partition(share[places], len(places) - n)[len(places) - n]
        places = places[share[places] >= least]
    found: Integers = places[np.lexsort((places, -share[places]))][:n]
    return found

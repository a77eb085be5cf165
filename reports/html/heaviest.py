"""Queries for the trees in a page: threads, heaviest contexts, and their methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.queries import Question
from jvmscope.reports.weighed import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from jvmscope.queries import Engine
    from jvmscope.reports.weighed import Weighed

    Integers = npt.NDArray[np.integer[Any]]

__all__ = ["OUT", "Contexts", "Frame", "frames_of", "largest"]

_THREADS = "SELECT thread_id, name FROM run.thread"
_CONTEXTS = """
    SELECT c.context_id, c.parent_id, c.thread_id, c.method_id, site.line, c.size
    FROM run.context AS c
    LEFT JOIN run.call_site AS site ON site.call_site_id = c.call_site_id
    WHERE c.context_id IN (SELECT UNNEST($contexts))
"""
_FRAMES = """
    WITH shown AS (
        SELECT n.method_id, n.method, c.source_file, m.first_line,
               c.loader NOT IN ('boot', 'platform') AS is_application
        FROM names.methods() AS n
        JOIN run.method AS m ON m.method_id = n.method_id
        JOIN run.class AS c ON c.class_id = m.class_id
    ),
    numbered AS (
        SELECT *, ROW_NUMBER() OVER (
            PARTITION BY method, source_file, first_line, is_application ORDER BY method_id
        ) - 1 AS twin
        FROM shown
    )
    SELECT method_id, method, source_file, first_line, is_application, twin
    FROM numbered
    WHERE method_id IN (SELECT UNNEST($methods))
"""
OUT = -1.0
"""The share of what is not chosen from."""


@dataclass(frozen=True)
class Frame:
    """What a page shows of a node's method, its thread, or of what is folded.

    Attributes:
        name: method with class and parameters, name of the thread, or what is folded.
        kind: ``run``, ``thread``, ``application``, ``library`` or ``folded``.
        source_file: where the method is; None: the class file does not say, or no method.
        first_line: its first line there; None: likewise.
        twin: how many other methods of the run that look the same come before this one: a class
            may be loaded twice, and a bridge method stands in the line of the method it calls.
    """

    name: str
    kind: str
    source_file: str | None = None
    first_line: int | None = None
    twin: int = 0


class Contexts:
    """The heaviest contexts of a run, and its threads.

    Args:
        engine: the run.
        weighed: its contexts.
    """

    def __init__(self, engine: Engine, weighed: Weighed) -> None:
        self._engine = engine
        self._weighed = weighed

    def threads(self) -> list[tuple[Any, ...]]:
        """Returns rows of thread, name, contexts, sums and own parts of threads with contexts.

        A thread's own parts are what it weighs while it executes no method.
        """
        weighed = self._weighed
        names = dict(self._engine.query(Question(_THREADS, "sql")).rows())
        is_shown = weighed.size[weighed.roots] > 1
        for every in weighed.own:
            is_shown |= every[weighed.roots] > 0
        roots, thread = weighed.roots[is_shown], weighed.thread[is_shown]
        sums, own = [], []
        for part in weighed.parts():
            sums.append(part.inclusive(weighed, roots).tolist())
            own.append(part.own[roots].tolist())
        columns = (thread.tolist(), (weighed.size[roots] - 1).tolist(), *sums, *own)
        return sorted(
            (thread, names[thread], *rest) for thread, *rest in zip(*columns, strict=True)
        )

    def heaviest(
        self, totals: Sequence[int], threads: Sequence[int], n_nodes: int
    ) -> list[tuple[Any, ...]]:
        """Returns the contexts of some threads with the largest shares, these first, then by key.

        Args:
            totals: of each part the whole.
            threads: keys of the threads.
            n_nodes: how many contexts are asked for; there is one more, if there are more.

        Returns:
            Rows of context, parent, thread, method, line, size, own and inclusive parts, share.
        """
        weighed = self._weighed
        likely = self._likely(totals, threads, n_nodes + 1)
        share = np.zeros(len(likely))
        own, inclusive = [], []
        for total, part in zip(totals, weighed.parts(), strict=True):
            own.append(part.own[likely])
            inclusive.append(part.inclusive(weighed, likely))
            np.maximum(share, inclusive[-1] / max(1, total), out=share)
        first = largest(share, n_nodes + 1)
        chosen = likely[first].tolist()
        question = Question(_CONTEXTS, "sql", params={"contexts": chosen})
        told = {row[0]: row for row in self._engine.query(question).rows()}
        columns = [each[first].tolist() for each in (*own, *inclusive, share)]
        return [
            (*told[context], *weights) for context, *weights in zip(chosen, *columns, strict=True)
        ]

    def _likely(self, totals: Sequence[int], threads: Sequence[int], n: int) -> Integers:
        """Returns contexts with the n largest shares of each part, by key.

        The n with the largest shares of any part are among them: what has a larger share of the
        same part, or the same one and a smaller key, comes before a context there, too.
        """
        weighed = self._weighed
        is_out = weighed.method == NONE
        for root in weighed.roots[~np.isin(weighed.thread, threads)].tolist():
            is_out[root : root + int(weighed.size[root])] = True
        found = []
        for total, part in zip(totals, weighed.parts(), strict=True):
            first: Integers = np.zeros(0, np.int64)
            shares = np.zeros(0)
            for block in weighed.blocks():
                share = part.inclusive(weighed, block) / max(1, total)
                share[is_out[block]] = OUT
                heavier = np.flatnonzero(share > (shares.min() if len(shares) == n else OUT))
                shares = np.append(shares, share[heavier])
                first = np.append(first, heavier + block.start)
                kept = np.sort(largest(shares, n))
                first, shares = first[kept], shares[kept]
            found.append(first)
        return np.unique(np.concatenate(found))


def frames_of(engine: Engine, methods: Iterable[int]) -> dict[int, Frame]:
    """Returns what is shown of methods, by key."""
    rows = engine.query(Question(_FRAMES, "sql", params={"methods": sorted(methods)}))
    return {
        method_id: Frame(name, "application" if is_application else "library", file, line, twin)
        for method_id, name, file, line, is_application, twin in rows.rows()
    }


def largest(share: npt.NDArray[np.float64], n: int) -> Integers:
    """Returns the places of the n largest shares, the largest first, equal ones by their place.

    >>> largest(np.array([0.5, OUT, 1.0, 0.5, 0.5, 0.1]), 3)
    array([2, 0, 3])
    """
    places = np.flatnonzero(share > OUT)
    if len(places) > n > 0:
        least = np.partition(share[places], len(places) - n)[len(places) - n]
        places = places[share[places] >= least]
    found: Integers = places[np.lexsort((places, -share[places]))][:n]
    return found

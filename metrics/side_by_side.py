"""Evaluates several metrics of a run in parallel.

A metric's SQL keeps DuckDB's threads busy for a part of its time only; the rest is planning,
running sums and Python. So as many metrics run at once as there are processors, each on a cursor of
its own. What is evaluated on trees, which are not made for threads, stays in the caller's.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from jvmscope.queries import language_of, n_processors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmscope.queries import Engine, QueryFile

__all__ = ["side_by_side"]

_MOST = 4  # more would need memory, and win little

_T = TypeVar("_T")


class _AbandonedError(Exception):
    """The caller wants no more results."""


def side_by_side(
    engine: Engine, queries: Sequence[QueryFile], work: Callable[[QueryFile], _T]
) -> Iterator[_T]:
    """Yields what the work makes of each query, in the queries' order.

    An error of the work is raised in its place; then, and upon Ctrl-C, the others are given up.

    Args:
        engine: the run that the work asks; its progress is not told where several queries run.
        queries: the queries.
        work: asks the run one of them.
    """
    n_threads = min(_MOST, n_processors(), len(queries))
    if n_threads < 2:
        yield from map(work, queries)
        return
    is_over = threading.Event()

    def end_if_over(_percentage: float) -> None:
        if is_over.is_set():
            raise _AbandonedError

    told, engine.on_progress = engine.on_progress, end_if_over
    pool = ThreadPoolExecutor(n_threads, "jvmscope-metric")
    try:
        sql = [query for query in queries if language_of(query) == "sql"]
        begun = {query.id: pool.submit(work, query) for query in sql}
        for query in queries:
            yield begun[query.id].result() if query.id in begun else work(query)
    finally:
        is_over.set()
        pool.shutdown(cancel_futures=True)
        engine.on_progress = told

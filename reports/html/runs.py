"""The contexts and methods of all subjects: how many each may have, read side by side, kept.

What is read is kept under ``RUN/metrics`` as values are, by all that decides about it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import JvmscopeError
from jvmscope.metrics.cache import cached_table
from jvmscope.metrics.processes import in_processes, n_workers
from jvmscope.metrics.progress import Progress, size_of
from jvmscope.queries import Engine
from jvmscope.reports.exports.weights import find_weight, is_recorded
from jvmscope.reports.html.contexts import tree_of
from jvmscope.reports.html.inverted import invert
from jvmscope.reports.html.methods import read_methods
from jvmscope.reports.html.run_payload import run_payload
from jvmscope.reports.places import without_place
from jvmscope.reports.weighed import read_weighed
from jvmscope.schema import read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["Limits", "read_run", "read_runs", "share_out"]


def read_runs(
    runs: Sequence[Path],
    weights: Sequence[str],
    limits: Limits,
    *,
    scopes: Sequence[str] = (),
    is_cached: bool = True,
    jobs: int | None = 1,
    on_progress: Callable[[float], None] | None = None,
) -> list[dict[str, Any] | str]:
    """Returns what a page holds of each run, or why there is nothing.

    Args:
        runs: their directories.
        weights: what the trees are weighed by; what a run cannot tell is left out there.
        limits: how much there is at most, all runs together.
        scopes: the parts of each run that are told, too.
        is_cached: whether to use and keep what is read under ``RUN/metrics``.
        jobs: how many are read at a time, in processes of their own; None: as many as there are
            processors, where there are runs enough.
        on_progress: called with the percentage done, now and then.
    """
    progress = Progress([size_of(run) for run in runs], on_progress)
    nodes = share_out([_n_rows(run, "context") + 1 for run in runs], limits.nodes)
    methods = share_out([_n_rows(run, "thread_method") for run in runs], limits.methods)
    n = max(1, len(runs))
    asked = [
        (run, Limits(n_nodes, n_methods, limits.callers // n, limits.inverted // n))
        for run, n_nodes, n_methods in zip(runs, nodes, methods, strict=True)
    ]
    reader = _Reader(tuple(weights), tuple(scopes), is_cached)
    n_processes = n_workers(len(runs), jobs)
    found = in_processes(reader, asked, n_processes) if n_processes > 1 else map(reader, asked)
    told = []
    for each in found:
        told.append(each)
        progress.step()
    return told


def share_out(wanted: Sequence[int], most: int) -> list[int]:
    """Returns how much each gets of what there is: all that it wants, or an equal part of the rest.

    >>> share_out([10, 3, 100, 100], 50)
    [10, 3, 18, 19]
    """
    shares = [0] * len(wanted)
    left = most
    by_size = sorted(range(len(wanted)), key=lambda index: wanted[index])
    for n_before, index in enumerate(by_size):
        shares[index] = min(wanted[index], left // (len(wanted) - n_before))
        left -= shares[index]
    return shares


def _n_rows(run: Path, table: str) -> int:
    """Returns how many rows a table of a run has; 0 where it has no such table."""
    try:
        tables = read_manifest(run).tables
    except JvmscopeError:
        return 0  # who reads the run says what is wrong
    return tables[table].rows if table in tables else 0


@dataclass(frozen=True)
class Limits:
    """How much a page holds, over all runs: nodes of trees, methods, callers of methods."""

    nodes: int = 20_000
    methods: int = 30_000
    callers: int = 30_000
    inverted: int = 8_000


@dataclass(frozen=True)
class _Reader:
    """How every run is read; it goes to other processes, too."""

    weights: tuple[str, ...]
    scopes: tuple[str, ...]
    is_cached: bool

    def __call__(self, asked: tuple[Path, Limits]) -> dict[str, Any] | str:
        run, limits = asked
        try:
            with Engine(run) as engine:
                weights = tuple(w for w in self.weights if is_recorded(find_weight(w), engine))
                try:
                    return self._kept(engine, weights, limits)
                except JvmscopeError:
                    plain = tuple(weight for weight in weights if weight != "cycles")
                    if plain == weights:
                        raise
                    return self._kept(engine, plain, limits)
        except JvmscopeError as error:
            return without_place(str(error), run)

    def _kept(self, engine: Engine, weights: tuple[str, ...], limits: Limits) -> dict[str, Any]:
        decisive = {
            "weights": weights,
            "scopes": self.scopes,
            "limits": asdict(limits),
            "run": engine.run_id,
        }

        def compute() -> pa.Table:
            text = json.dumps(read_run(engine, weights, self.scopes, limits))
            return pa.table({"contexts": pa.array([text], pa.large_string())})

        table = cached_table(engine, "report.contexts", decisive, compute, is_cached=self.is_cached)
        told: dict[str, Any] = json.loads(table.column(0)[0].as_py())
        return told


def read_run(
    engine: Engine, weights: Sequence[str], scopes: Sequence[str], limits: Limits
) -> dict[str, Any]:
    """Returns what a page holds of a run, as ``run_payload`` does.

    Raises:
        QueryError: there is no such weight or scope, or the cost model is not usable.
        LimitReached: the database needs more memory than it may have.
    """
    weighed = read_weighed(engine, tuple(map(find_weight, weights)), scopes)
    return run_payload(
        tree_of(engine, weighed, limits.nodes),
        read_methods(engine, weighed, limits.methods, limits.callers),
        invert(engine, weighed, limits.inverted),
    )

"""Refining foci: from the whole program to the resources that take most, step by step.

Paradyn's Performance Consultant searches in this way. A focus *matters* if its value is at least a
part of a reference: of a time, the time watched; of samples, the processor time that they stand
for, likewise; of other counts, their total. The search begins at the roots. It refines the focus
with the greatest value next, in the one hierarchy whose children keep most of it, and goes on with
the children that matter. A focus without such children is where a path ends.

A value is charged once in each hierarchy: of a stack, to the topmost method that is not of the JDK.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmscope.reports.watched.constraints import written_path
from jvmscope.reports.watched.histogram import series_of
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS
from jvmscope.reports.watched.pairs import Pair, parse_pair
from jvmscope.reports.watched.totals import charges_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.watched.histogram import Bins

__all__ = ["HYPOTHESES", "Refined", "Refinement", "Search", "refine", "searched"]

HYPOTHESES = (
    "samples{/Code/interpreter OR /Code/compiled OR /Code/inlined}",
    "lock_wait_time",
    "collection_pauses",
    "class_load_time",
)
"""Where a search begins unless a metric is named.

Threads that sleep, park or wait may be idle, and compilers work beside the program.
"""

_OPTION = "--refine"
_LEAST_SAMPLES = 10
_NO_CHARGE = ""


@dataclass(frozen=True)
class Search:
    """How far a search goes.

    Attributes:
        threshold: the least part of the reference that matters.
        budget: how many foci get a value, at most, for each metric.
    """

    threshold: float = 0.2
    budget: int = 200


@dataclass(frozen=True)
class Refined:
    """A focus on the way of a search.

    Attributes:
        focus: the paths of its resources by hierarchy; those without are at the root.
        value: what the metric function is there, in its unit.
        share: as a part of the reference.
        children: the foci below it that matter, the greatest first.
        is_open: whether the budget ended before it was refined.
    """

    focus: Mapping[str, str]
    value: float
    share: float
    children: list[Refined] = field(default_factory=list)
    is_open: bool = False

    def __str__(self) -> str:
        """Returns the resources as they are written in a pair."""
        return ", ".join(written_path(*each) for each in self.focus.items()) or "whole program"

    def walked(self, depth: int = 0) -> Iterator[tuple[int, Refined]]:
        """Yields this and what is below, each with its depth."""
        yield depth, self
        for child in self.children:
            yield from child.walked(depth + 1)


@dataclass(frozen=True)
class Refinement:
    """What was found for one metric.

    Attributes:
        pair: where the search began.
        unit: the unit of its values.
        reference: what shares are parts of, in words.
        root: the whole of the pair; None: it does not matter.
        n_valued: how many foci got a value.
        reason: why there is nothing to refine, if so.
    """

    pair: Pair
    unit: str
    reference: str
    root: Refined | None
    n_valued: int = 0
    reason: str | None = None


def searched(engine: Engine, bins: Bins, text: str | None, search: Search) -> list[Refinement]:
    """Returns what a search finds for a pair; None: for each of ``HYPOTHESES``.

    Raises:
        QueryError: the text is not a pair, or names a resource that the run does not have.
    """
    texts = HYPOTHESES if text is None else (text,)
    return [_searched(engine, bins, parse_pair(each, _OPTION), search) for each in texts]


def _searched(engine: Engine, bins: Bins, pair: Pair, search: Search) -> Refinement:
    metric = METRIC_FUNCTIONS[pair.metric]
    series = series_of(engine, pair, bins)
    reference, unit = _reference(engine, bins, pair)
    if series.reason is not None:
        return Refinement(pair, metric.unit, unit, None, 0, series.reason)
    if not series.total:
        return Refinement(pair, metric.unit, unit, None, 0, "nothing was measured")
    least = _LEAST_SAMPLES if metric.name == "samples" else 0
    rows = charges_of(engine, pair, bins)
    root, n_valued = refine(rows, reference, search, least=least)
    reason = None
    if root is None:
        part = f"{100 * series.total / reference:.2g} %" if reference else "nothing"
        reason = f"{part} of {unit} is less than {100 * search.threshold:.3g} %"
        if series.total < least:
            reason = f"too few samples to tell: {series.total:.0f}"
    return Refinement(pair, metric.unit, unit, root, n_valued, reason)


def _reference(engine: Engine, bins: Bins, pair: Pair) -> tuple[float, str]:
    """Returns what shares are parts of, and what that is."""
    metric = METRIC_FUNCTIONS[pair.metric]
    if metric.unit == "ns":
        return series_of(engine, parse_pair(metric.name), bins).span_ns, "the time watched"
    whole = series_of(engine, parse_pair(metric.name), bins).total
    if metric.name != "samples":
        return whole, f"all {metric.name.replace('_', ' ')}"
    used = series_of(engine, parse_pair("cpu_time"), bins)
    running = series_of(engine, parse_pair(HYPOTHESES[0]), bins)
    return (used.span_ns * running.total / used.total if used.total else 0.0), "one processor"


def refine(
    rows: Sequence[tuple[Mapping[str, str], float]],
    reference: float,
    search: Search,
    *,
    least: float = 0,
) -> tuple[Refined | None, int]:
    """Returns the root with what matters below it, or None, and how many foci got a value.

    Args:
        rows: paths by hierarchy, and how much is charged to them.
        reference: what shares are parts of.
        search: how far the search goes.
        least: a value below this is too little to tell.

    >>> rows = [({"APThreads": "a"}, 6.0), ({"APThreads": "b"}, 1.0)]
    >>> root, n = refine(rows, 10.0, Search(threshold=0.5))
    >>> [(str(child), child.share) for child in root.children], n
    ([('/APThreads/a', 0.6)], 3)
    """
    total = sum(value for _, value in rows)
    limit = max(search.threshold * reference, least)
    if not reference or total < limit:
        return None, 1
    root = Refined({}, total, total / reference)
    n_valued, number = 1, 0
    waiting = [(-total, number, root, list(rows))]
    while waiting:
        _, _, node, below = heapq.heappop(waiting)
        children = _children(node, below)
        if n_valued + len(children) > search.budget:
            object.__setattr__(node, "is_open", bool(children))
            continue
        n_valued += len(children)
        for focus, chosen in children:
            value = sum(each for _, each in chosen)
            if value < limit:
                continue
            child = Refined(focus, value, value / reference)
            node.children.append(child)
            number += 1
            heapq.heappush(waiting, (-value, number, child, chosen))
        node.children.sort(key=lambda child: -child.value)
    return root, n_valued


_Rows = list[tuple["Mapping[str, str]", float]]


def _children(node: Refined, rows: _Rows) -> list[tuple[dict[str, str], _Rows]]:
    """Returns the children in the hierarchy whose greatest child keeps most, with their rows."""
    best: dict[str, _Rows] = {}
    chosen, most = "", 0.0
    for hierarchy in sorted({name for paths, _ in rows for name in paths}):
        found: dict[str, _Rows] = {}
        before = node.focus.get(hierarchy, "")
        for row in rows:
            child = _below(before, row[0].get(hierarchy, _NO_CHARGE), hierarchy)
            if child is not None:
                found.setdefault(child, []).append(row)
        greatest = max((sum(v for _, v in each) for each in found.values()), default=0.0)
        if greatest > most:
            best, chosen, most = found, hierarchy, greatest
    return [({**node.focus, chosen: path}, each) for path, each in best.items()]


def _below(before: str, path: str, hierarchy: str) -> str | None:
    """Returns the resource right below another one on the way to a path; None: there is none.

    >>> _below("app", "app/Main/run", "APCode"), _below("app/Main/run", "app/Main/run", "APCode")
    ('app/Main', None)
    >>> _below("", "pool/1", "APThreads")
    'pool/1'
    """
    if not path or path == before:
        return None
    if hierarchy == "APThreads":
        return path if not before else None
    depth = len(before.split("/")) + 1 if before else 1
    return "/".join(path.split("/")[:depth])

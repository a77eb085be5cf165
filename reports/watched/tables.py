"""Tables by focus: what is charged to each resource, and what each activity is charged to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Grid, Heading, Note, Paragraph
from jvmscope.reports.faces.numbers import percent, shown
from jvmscope.reports.watched.charges import unasked_reason
from jvmscope.reports.watched.locks import lock_blocks
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS
from jvmscope.reports.watched.pairs import Pair
from jvmscope.reports.watched.times import shown_amount
from jvmscope.reports.watched.totals import totals_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.queries import Engine
    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.watched.histogram import Bins
    from jvmscope.reports.watched.totals import Charged

__all__ = ["table_blocks"]

_MOST_ROWS = 20
_MOST_METHODS = 5

_HIERARCHIES = {
    "APCode": "Methods",
    "APThreads": "Threads",
    "APSyncObj": "Classes of objects that threads wait for",
    "Code": "Activities of the VM, and forms of code",
}
_NOTES = {
    "APCode": "What has a stack is charged to the topmost method, a compilation to the method that "
    "was compiled. “with callees” counts every sample with the method on its stack.",
}
_WITH_CALLEES = "samples, with callees"

_RESOURCES = """
    SELECT hierarchy, LEN(string_split(path, '/')), COUNT(*) FROM resource GROUP BY ALL ORDER BY ALL
"""


def table_blocks(engine: Engine, bins: Bins) -> Iterator[Block]:
    """Yields a table for each hierarchy, and one of the methods that activities are charged to."""
    yield Heading("By resource")
    for hierarchy, title in _HIERARCHIES.items():
        columns = _columns(engine, bins, hierarchy)
        yield Heading(title, 3)
        yield _grid(columns) if columns else Paragraph("Nothing was charged to any.")
        if columns and hierarchy in _NOTES:
            yield Note(_NOTES[hierarchy])
    yield from lock_blocks(engine)
    yield Heading("By activity")
    yield _activities(engine, bins)
    yield Note(
        "Each share is charged to the topmost method on the stack that is not of the JDK, and a "
        "compilation to the method that was compiled."
    )
    yield from _resources(engine)


def _columns(engine: Engine, bins: Bins, hierarchy: str) -> dict[str, tuple[str, dict[str, float]]]:
    """Returns for each metric function with values its unit, and the values by resource."""
    charged: Charged = "top" if hierarchy == "APCode" else "all"
    found = {}
    for metric in METRIC_FUNCTIONS.values():
        if hierarchy in metric.absent or unasked_reason(engine, metric):
            continue
        pair = Pair(metric.name, metric.name)
        values = totals_by(engine, pair, bins, hierarchy, charged=charged)
        if values:
            found[metric.name] = (metric.unit, values)
        if metric.name == "samples" and values and hierarchy == "APCode":
            whole = totals_by(engine, pair, bins, hierarchy)
            found[_WITH_CALLEES] = (metric.unit, whole)
    return found


def _grid(columns: Mapping[str, tuple[str, Mapping[str, float]]]) -> Grid:
    """Returns a row for each resource that has a large part of a column, the largest first."""
    parts: dict[str, float] = {}
    for name, (_, values) in columns.items():
        if name == _WITH_CALLEES:
            continue
        whole = sum(values.values())
        for path, value in values.items():
            parts[path] = max(parts.get(path, 0.0), value / whole)
    chosen = sorted(parts, key=lambda path: (-parts[path], path))[:_MOST_ROWS]
    rows = tuple(
        (
            path,
            *(
                shown_amount(values[path], unit) if path in values else "0"
                for unit, values in columns.values()
            ),
        )
        for path in chosen
    )
    titles = ("resource", *(name.replace("_", " ") for name in columns))
    return Grid(titles, rows, frozenset(range(1, len(titles))), names=frozenset({0}))


def _activities(engine: Engine, bins: Bins) -> Grid:
    """Returns for each activity the methods of the program that it is charged to most."""
    rows: list[tuple[str, ...]] = []
    for metric in METRIC_FUNCTIONS.values():
        if "APCode" in metric.absent or unasked_reason(engine, metric):
            continue
        pair = Pair(metric.name, metric.name)
        values = totals_by(engine, pair, bins, "APCode", charged="program")
        whole = sum(values.values())
        for rank, (path, value) in enumerate(list(values.items())[:_MOST_METHODS]):
            name = metric.name if rank == 0 else ""
            rows.append(
                (name, path, shown_amount(value, metric.unit), f"{percent(value / whole)} %")
            )
    titles = ("activity", "method", "value", "share")
    return Grid(titles, tuple(rows), frozenset({2, 3}), names=frozenset({0, 1}), n_keys=2)


def _resources(engine: Engine) -> Iterator[Block]:
    """Yields how many resources each hierarchy has."""
    counts: dict[str, dict[int, int]] = {}
    for hierarchy, depth, n in engine.connect().execute(_RESOURCES).fetchall():
        counts.setdefault(hierarchy, {})[depth] = n
    yield Heading("Resource hierarchies")
    deepest = max((max(levels) for levels in counts.values()), default=0)
    titles = ("hierarchy", "resources", *(f"level {depth}" for depth in range(1, deepest + 1)))
    rows = tuple(
        (
            f"/{hierarchy}",
            shown(sum(levels.values())),
            *(shown(levels.get(depth, 0)) for depth in range(1, deepest + 1)),
        )
        for hierarchy, levels in counts.items()
    )
    yield Grid(titles, rows, frozenset(range(1, len(titles))))

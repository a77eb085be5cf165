"""What calls and objects cost, estimated from the recorded run beside a watch run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jvmscope.metrics import catalogue
from jvmscope.metrics.measure import measure_query
from jvmscope.queries import WHOLE_RUN
from jvmscope.reports.faces.blocks import Grid, Heading, Note
from jvmscope.reports.faces.numbers import shown
from jvmscope.reports.watched.method_names import method_names
from jvmscope.reports.watched.times import shown_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.queries import Engine
    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.watched.method_names import Method

__all__ = ["cost_blocks"]

_MOST_ROWS = 10


class _Table(NamedTuple):
    """A table of the page: its metric and title, what its rows are about, counts, and times."""

    metric: str
    title: str
    key: str
    columns: tuple[tuple[str, str], ...]


_ESTIMATED = (("estimated_ns", "estimated"),)
_TABLES = (
    _Table(
        "time.estimated_costs",
        "Estimated cost of calls and objects",
        "method of the program, with the JDK below it",
        (
            ("n_calls", "calls"),
            ("estimated_calls_ns", "of calls"),
            ("n_objects", "objects"),
            ("estimated_creations_ns", "of objects"),
            ("estimated_ns", "estimated"),
        ),
    ),
    _Table(
        "time.estimated_called",
        "Estimated cost of calls by called method",
        "called method",
        (("n_calls", "calls"), ("n_estimated", "of known cost"), *_ESTIMATED),
    ),
    _Table(
        "time.estimated_created",
        "Estimated cost of objects by type",
        "type",
        (("n_objects", "objects"), ("n_estimated", "of known cost"), *_ESTIMATED),
    ),
)


def cost_blocks(engine: Engine) -> Iterator[Block]:
    """Yields a table of each kind, those that cost most first; nothing without a calibration."""
    calibration = engine.calibration
    if calibration is None:
        return
    for table in _TABLES:
        query = catalogue()[table.metric]
        rows = measure_query(engine, query, WHOLE_RUN, {}).arrow().to_pylist()
        yield Heading(table.title)
        known = [row for row in rows if row["estimated_ns"] is not None]
        names = method_names(_method(row) for row in rows if "name" in row)
        if known:
            cells = tuple(_cells(table, row, names) for row in known[:_MOST_ROWS])
            titles = (table.key, *(title for _, title in table.columns), "95 % interval")
            numeric = frozenset(range(1, len(titles)))
            yield Grid(titles, cells, numeric, names=frozenset({0}))
        reasons = {row["reason"] for row in rows if row["estimated_ns"] is None}
        if len(known) > _MOST_ROWS or reasons:
            yield Note(_rest(table, len(known), len(rows), reasons))
    processor, made = calibration.machine.get("processor"), calibration.made
    yield Note(
        f"costs in nanoseconds of processor time by a calibration of {made}, Java "
        f"{calibration.jdk.get('version')}, {processor}; counts are those of the recorded run"
    )


def _method(row: Mapping[str, Any]) -> Method:
    return row["class_name"], row["name"], row["descriptor"]


def _cells(table: _Table, row: Mapping[str, Any], names: Mapping[Method, str]) -> tuple[str, ...]:
    values = []
    for column, _ in table.columns:
        value = row[column]
        is_time = column.endswith("_ns")
        values.append("" if value is None else shown_time(value) if is_time else shown(value))
    low, high = shown_time(row["estimated_low_ns"]), shown_time(row["estimated_high_ns"])
    subject = names[_method(row)] if "name" in row else str(row["type"]).replace("/", ".")
    return (subject, *values, f"{low} to {high}")


def _rest(table: _Table, n_known: int, n_all: int, reasons: set[str]) -> str:
    """Returns what the table leaves out.

    >>> _rest(_TABLES[2], 12, 15, {"too few samples"})
    '2 more with a known cost and 3 without are in time.estimated_created: too few samples'
    """
    more, without = max(0, n_known - _MOST_ROWS), n_all - n_known
    parts = [f"{shown(more)} more with a known cost"] * bool(more)
    parts += [f"{shown(without)} without"] * bool(without)
    verb = "is" if more + without == 1 else "are"
    why = f": {'; '.join(sorted(reasons))}" if reasons else ""
    return f"{' and '.join(parts)} {verb} in {table.metric}{why}"

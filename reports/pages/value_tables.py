"""The values of one metric as a table that people read.

Columns that say nothing are left out: those without a value, and those with the same value in every
row, which is said once. What is counted by class, method, site, context or opcode comes with the
largest values first. A metric whose header has ``@matrix KEY MEASURE`` becomes a matrix: a column
for each value of the key, with the measure in its cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.metrics import widen
from jvmscope.queries import ResultColumn
from jvmscope.reports.faces.numbers import shown

if TYPE_CHECKING:
    import pyarrow as pa

    from jvmscope.queries import QueryFile

__all__ = ["RUN", "Row", "ValueTable", "cell", "order_of", "value_table"]

RUN = "run_id"
"""The column that says which run a row is of."""

_REASON = "reason"
_BY_VALUE = ("class", "method", "basic_block", "call_site", "context", "opcode")

Row = dict[str, Any]
"""A row's values by the names of its columns."""


@dataclass(frozen=True, slots=True)
class ValueTable:
    """What is shown of a metric's values.

    Attributes:
        columns: the columns in order.
        rows: by the columns' names; a row may have more values than there are columns.
        facts: what is the same in every row, as ``n_all_calls: 12 call``.
        n_more: rows that are not shown.
    """

    columns: tuple[ResultColumn, ...]
    rows: tuple[Row, ...]
    facts: tuple[str, ...] = ()
    n_more: int = 0


@dataclass
class _Table:
    metric: QueryFile
    columns: list[ResultColumn]
    rows: list[Row]
    facts: list[str] = field(default_factory=list)


def value_table(values: pa.Table, metric: QueryFile, top: int | None) -> ValueTable | None:
    """Returns the table of a metric; None if none of its values is there.

    Args:
        values: tidy values of any metrics on some runs, in the runs' order.
        metric: the metric.
        top: how many rows of each run to show, at most; None: all. A matrix is whole.
    """
    wide = widen(values, metric)
    rows: list[Row] = wide.arrow().to_pylist()
    if not any(row[measure.name] is not None for row in rows for measure in metric.measures):
        return None
    table = _Table(metric, [c for c in wide.columns if c.name != _REASON], rows)
    _leave_out_constants(table)
    n_rows = len(table.rows)
    if metric.matrix is not None:
        _spread(table, *metric.matrix)
        n_rows = len(table.rows)
    else:
        _take_first(table, top)
    return ValueTable(
        tuple(table.columns), tuple(table.rows), tuple(table.facts), n_rows - len(table.rows)
    )


def order_of(metric: QueryFile) -> list[str]:
    """Returns the measures by which rows are ordered, the largest first; none: as they come."""
    first = [metric.sort] if metric.sort else []
    is_sorted = first or metric.grain in _BY_VALUE
    return [*first, *(measure.name for measure in metric.measures)] if is_sorted else []


def cell(value: Any) -> str:
    """Returns a value as a cell.

    >>> cell(True), cell(1234), cell("main"), cell(None)
    ('true', '1,234', 'main', '')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return shown(value)


def _leave_out_constants(table: _Table) -> None:
    measures = {measure.name for measure in table.metric.measures}
    kept, facts = [], []
    for column in table.columns:
        found = {row[column.name] for row in table.rows}
        if column.name == RUN and len(found) == 1:
            continue
        if len(found) > 1 or len(table.rows) == 1:
            kept.append(column)
        elif found != {None}:
            unit = f" {column.unit}" if column.unit not in {None, "1"} else ""
            facts.append(f"{column.name}: {cell(found.pop())}{unit}")
    if len(table.rows) == 1:
        kept = [column for column in kept if table.rows[0][column.name] is not None]
    if measures & {column.name for column in kept}:
        table.columns, table.facts = kept, facts


def _take_first(table: _Table, top: int | None) -> None:
    """Leaves the first rows of each run, those with the largest values first."""
    measures = order_of(table.metric)
    by_run: dict[str | None, list[Row]] = {}
    for row in table.rows:
        by_run.setdefault(row.get(RUN), []).append(row)
    table.rows = []
    for rows in by_run.values():
        if measures:
            rows.sort(key=lambda row: [-(row[name] or 0) for name in measures])
        table.rows += rows[:top]


def _spread(table: _Table, key: str, measure: str) -> None:
    """Makes a matrix of the rows; other measures stay where they are the same in all its cells."""
    by_name = {column.name: column for column in table.columns}
    if key not in by_name or measure not in by_name:
        return
    places = [RUN, *(k.name for k in table.metric.keys if k.name != key)]
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in table.rows:
        groups.setdefault(tuple(row[name] for name in places), []).append(row)
    spread = list(dict.fromkeys(row[key] for row in table.rows))
    if all(isinstance(value, int) for value in spread):
        spread.sort()
    others = [
        other
        for other in table.metric.measures
        if other.name != measure
        and all(len({row[other.name] for row in rows}) == 1 for rows in groups.values())
    ]
    kept = {*places, *(other.name for other in others)}
    unit = by_name[measure].unit
    table.columns = [
        *(column for column in table.columns if column.name in kept),
        *(ResultColumn(_title(key, value), "DOUBLE", unit) for value in spread),
    ]
    table.rows = [
        rows[0] | {_title(key, row[key]): row[measure] for row in rows} for rows in groups.values()
    ]
    table.facts.append(f"in the cells: {measure}")


def _title(key: str, value: Any) -> str:
    return f"{key}\n{cell(value)}" if isinstance(value, int | float) else str(value)

"""The pages of ``jvmscope measure``: what matters first, or the values of the metrics asked for."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.queries import ResultColumn
from jvmscope.reports.faces.blocks import Block, Grid, Heading, Note
from jvmscope.reports.faces.numbers import share, shown
from jvmscope.reports.named import NAMED
from jvmscope.reports.pages.outstanding import listed_first, outstanding, overview_metrics
from jvmscope.reports.pages.value_tables import RUN, Row, cell, value_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from jvmscope.queries import QueryFile

    Names = Callable[[str, str, Sequence[int]], Mapping[int, tuple[str, ...]]]

__all__ = ["Look", "metrics_page", "overview_page"]

_LISTED_ROWS = 10
_MOST_RUNS = 4


_NO_KEYS = frozenset({RUN, "metric", "measure", "value", "unit", "reason"})


class _Value(NamedTuple):
    value: float | None
    reason: str | None


_NOTHING = _Value(None, None)


@dataclass(frozen=True, slots=True)
class Look:
    """How values are shown.

    Attributes:
        names: returns what keys of a run are called: of the run's id, a key's name and keys.
        top: how many rows of each run a metric has, at most; None: all.
        n_left_out: by metric, rows that are not among the values of its page, since there were
            too many.
    """

    names: Names
    top: int | None
    n_left_out: Mapping[str, int] = field(default_factory=dict)


def overview_page(values: pa.Table, metrics: Iterable[QueryFile], look: Look) -> Iterator[Block]:
    """Yields what matters first: the measures that stand out, and the first rows of two metrics.

    Args:
        values: tidy values of some runs, in the runs' order.
        metrics: the metrics that were measured.
        look: how they are shown.
    """
    runs = list(dict.fromkeys(run for run in values[RUN].to_pylist() if run is not None))
    found = _by_measure(values)
    yield _outstanding(found, runs)
    yield from _reasons(
        (measure.id, value.reason)
        for measure in outstanding()
        for value in found.get(measure.id, {}).values()
    )
    top = _LISTED_ROWS if look.top is None else min(_LISTED_ROWS, look.top)
    listed = [metric for metric in metrics if metric.id in listed_first()]
    yield from metrics_page(values, listed, replace(look, top=top))


def metrics_page(values: pa.Table, metrics: Iterable[QueryFile], look: Look) -> Iterator[Block]:
    """Yields a table for each metric, and why values are absent.

    The arguments are those of ``overview_page``.
    """
    for metric in metrics:
        yield Heading(f"{metric.id}: {metric.name}")
        table = value_table(values, metric, look.top)
        if table is not None:
            if table.facts:
                yield Note("; ".join(table.facts))
            columns, rows = _with_names(table.columns, table.rows, look)
            yield _grid(columns, rows)
            n_left_out = look.n_left_out.get(metric.id, 0)
            if table.n_more + n_left_out:
                where = "a file, as -o values.csv, has all" if n_left_out else "--top 0 shows all"
                yield Note(f"… and {table.n_more + n_left_out:,} more rows: {where}")
        of_metric = values.filter(pc.equal(values["metric"], pa.scalar(metric.id)))
        absences: list[Row] = of_metric.select(["measure", "reason"]).to_pylist()
        yield from _reasons((row["measure"], row["reason"]) for row in absences)


def _by_measure(values: pa.Table) -> dict[str, dict[str, _Value]]:
    """Returns value and reason by ``METRIC.MEASURE[KEY]`` and run, of what may stand out."""
    metrics = pa.array(sorted({*overview_metrics()} - {*listed_first()}))
    kept = values.filter(pc.is_in(values["metric"], metrics))
    keys = [name for name in kept.column_names if name not in _NO_KEYS]
    found: dict[str, dict[str, _Value]] = {}
    for row in kept.to_pylist():
        key = ", ".join(str(row[name]) for name in keys if row[name] is not None)
        name = f"{row['metric']}.{row['measure']}" + (f"[{key}]" if key else "")
        found.setdefault(name, {})[row[RUN]] = _Value(row["value"], row["reason"])
    return found


def _outstanding(found: Mapping[str, Mapping[str, _Value]], runs: Sequence[str]) -> Grid:
    """Returns the measures that stand out: of few runs each value, of many where they lie."""
    rows = []
    for measure in outstanding():
        values = [found.get(measure.id, {}).get(run, _NOTHING).value for run in runs]
        present = [value for value in values if value is not None]
        if len(runs) > _MOST_RUNS:
            ends = (min(present), statistics.median(present), max(present)) if present else ()
            values = [*ends, *[None] * (3 - len(ends))]
        number = share if measure.is_share else shown
        rows.append((measure.words, *map(number, values), measure.metric))
    titles = [""] if len(runs) == 1 else list(runs)
    if len(runs) > _MOST_RUNS:
        titles = ["minimum", "median", "maximum"]
    numeric = frozenset(range(1, 1 + len(titles)))
    return Grid(("", *titles, "metric"), tuple(rows), numeric)


def _with_names(
    columns: Sequence[ResultColumn], rows: Sequence[Row], look: Look
) -> tuple[list[ResultColumn], list[Row]]:
    """Returns columns of names in place of those of keys."""
    named_columns: list[ResultColumn] = []
    named = [dict(row) for row in rows]
    for column in columns:
        titles = NAMED.get(column.name)
        if titles is None:
            named_columns.append(column)
            continue
        named_columns += [ResultColumn(title, "VARCHAR") for title in titles]
        for row, names in zip(named, _names(column.name, rows, look), strict=True):
            row.update(zip(titles, names, strict=False))
    return named_columns, named


def _names(key: str, rows: Sequence[Row], look: Look) -> Iterator[Sequence[str]]:
    wanted: dict[str, list[int]] = {}
    for row in rows:
        if row[key] is not None:
            wanted.setdefault(row[RUN], []).append(row[key])
    found = {run: look.names(run, key, keys) for run, keys in wanted.items()}
    for row in rows:
        yield found.get(row[RUN], {}).get(row[key], (cell(row[key]),))


def _grid(columns: Sequence[ResultColumn], rows: Sequence[Row]) -> Grid:
    titles = tuple(
        column.name if column.unit in {None, "1"} else f"{column.name}\n[{column.unit}]"
        for column in columns
    )
    cells = tuple(tuple(cell(row.get(column.name)) for column in columns) for row in rows)
    numeric = {index for index, column in enumerate(columns) if column.is_number}
    n_keys = sum(column.unit is None for column in columns)
    names = frozenset(range(len(columns))) - numeric
    return Grid(titles, cells, frozenset(numeric), names=names, n_keys=n_keys)


def _reasons(absences: Iterable[tuple[str, str | None]]) -> Iterator[Note]:
    """Yields why values are absent: each reason once, with its measures."""
    found: dict[str, dict[str, None]] = {}
    for measure, reason in absences:
        if reason is not None:
            found.setdefault(reason, {})[measure] = None
    for reason, measures in found.items():
        yield Note(f"no {', '.join(measures)}: {reason}")

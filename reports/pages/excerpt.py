"""Of very many values the few rows from which a page is made, in one pass over them.

The page of the excerpt is that of all values: the rows that are shown, and where needed one that
shows that a column is not constant, and one for each reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.reports.pages.value_tables import RUN, order_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from jvmscope.queries import QueryFile, Result

    Integers = npt.NDArray[np.integer[Any]]

__all__ = ["MOST_ROWS", "MOST_SHOWN", "Excerpt", "excerpt"]

MOST_SHOWN = 10_000
"""Rows of a run that a metric has on a page, at most: what more is asked for is for a file."""

MOST_ROWS = 1 << 19
"""Rows of a metric below which none is left out."""


@dataclass(frozen=True)
class Excerpt:
    """The rows of a page.

    Attributes:
        values: tidy values, metric by metric.
        n_left_out: by metric, rows of its table that are not among them.
    """

    values: pa.Table
    n_left_out: Mapping[str, int]


def excerpt(values: Result, metrics: Sequence[QueryFile], top: int | None) -> Excerpt:
    """Returns the rows of a page of some metrics.

    Args:
        values: tidy values of the metrics on some runs, which are read.
        metrics: what was measured.
        top: how many rows of each run a metric shows, at most; None: as many as a page can show.
    """
    most = MOST_SHOWN if top is None else min(top, MOST_SHOWN)
    parts = {metric.id: _Part(metric, most) for metric in metrics}
    for batch in values.batches():
        table = pa.Table.from_batches([batch])
        for id_ in map(str, pc.unique(table["metric"]).to_pylist()):
            parts[id_].add(table.filter(pc.equal(table["metric"], pa.scalar(id_))))
    kept = [table for part in parts.values() for table in part.tables]
    every = pa.concat_tables(kept) if kept else values.arrow_schema.empty_table()
    return Excerpt(every, {id_: part.n_left_out for id_, part in parts.items()})


@dataclass
class _Part:
    """The rows of one metric while they come, which are few again whenever they are too many."""

    metric: QueryFile
    most: int
    tables: list[pa.Table] = field(default_factory=list)
    n_left_out: int = 0

    def add(self, table: pa.Table) -> None:
        self.tables.append(table)
        if sum(each.num_rows for each in self.tables) > MOST_ROWS and self.metric.matrix is None:
            self._leave_out()

    def _leave_out(self) -> None:
        rows = pa.concat_tables(self.tables).combine_chunks()
        n_measures = len(self.metric.measures)
        n_whole = rows.num_rows // n_measures * n_measures  # a batch may end within a row
        rest = rows.slice(n_whole)
        wide = [rows.take(np.arange(first, n_whole, n_measures)) for first in range(n_measures)]
        kept = _kept(self.metric, wide, self.most)
        self.n_left_out += n_whole // n_measures - len(kept)
        places = (kept[:, np.newaxis] * n_measures + np.arange(n_measures)).ravel()
        self.tables = [rows.take(places), rest]


def _kept(metric: QueryFile, wide: Sequence[pa.Table], most: int) -> Integers:
    """Returns the rows that are kept, in their order.

    Args:
        metric: the metric.
        wide: by measure its rows, the same number of each.
        most: how many of each run are shown.
    """
    keys = [key.name for key in metric.keys if key.name != RUN]
    differing = [wide[0][name] for name in (RUN, *keys)] + [part["value"] for part in wide]
    chosen = [_first_of_each(wide[0][RUN], _order(metric, wide), most)]
    chosen += [_witnesses(column) for column in differing]
    chosen += [_first_seen(part["reason"]) for part in wide]
    return np.unique(np.concatenate(chosen))


def _order(metric: QueryFile, wide: Sequence[pa.Table]) -> Integers:
    """Returns the rows as the page orders them: by their values, or as they come."""
    names = [measure.name for measure in metric.measures]
    values = [
        pc.coalesce(wide[names.index(name)]["value"], pa.scalar(0.0)) for name in order_of(metric)
    ]
    columns = [-np.asarray(column) for column in values]
    return np.lexsort((np.arange(wide[0].num_rows), *reversed(columns)))


def _first_of_each(runs: Any, order: Integers, most: int) -> Integers:
    """Returns the first rows of each run, in some order."""
    index = _numbered(runs)[order]
    found = [order[index == run][:most] for run in np.unique(index)]
    return np.concatenate(found)


def _witnesses(column: Any) -> Integers:
    """Returns the first row, and the first that differs from it."""
    index = _numbered(column)
    return np.append(np.flatnonzero(index != index[0])[:1], 0)


def _first_seen(column: Any) -> Integers:
    """Returns the first row of each value."""
    found: Integers = np.unique(_numbered(column), return_index=True)[1]
    return found


def _numbered(column: Any) -> Integers:
    """Returns a number for each value, the same for the same, null among them."""
    numbers: Integers = column.combine_chunks().dictionary_encode("encode").indices.to_numpy()
    return numbers

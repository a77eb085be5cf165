"""Pairs of a watch run as data for programs: their values over time, and what a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.queries import Result, ResultColumn
from jvmscope.reports.watched.histogram import bins_of, series_of
from jvmscope.reports.watched.page import DEFAULT_PAIRS
from jvmscope.reports.watched.pairs import read_pairs
from jvmscope.reports.watched.refined_page import refined_rows
from jvmscope.reports.watched.refining import searched

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.watched.refining import Search

__all__ = ["pairs_table", "refined_table"]

_PAIRS = (
    ("pair", pa.string(), "VARCHAR"),
    ("start_ns", pa.int64(), "BIGINT"),
    ("value", pa.float64(), "DOUBLE"),
    ("unit", pa.string(), "VARCHAR"),
    ("reason", pa.string(), "VARCHAR"),
)
_FOUND = (
    ("pair", pa.string(), "VARCHAR"),
    ("depth", pa.int32(), "INTEGER"),
    ("focus", pa.string(), "VARCHAR"),
    ("value", pa.float64(), "DOUBLE"),
    ("unit", pa.string(), "VARCHAR"),
    ("share", pa.float64(), "DOUBLE"),
    ("is_end", pa.bool_(), "BOOLEAN"),
    ("reason", pa.string(), "VARCHAR"),
)


def pairs_table(engine: Engine, texts: Sequence[str]) -> Result:
    """Returns a row for each pair and bin, in order; of a pair without values one with the reason.

    ``start_ns`` is the start of the bin; no pairs: those that the page begins with.

    Raises:
        QueryError: a text is not a pair, or names a resource that the run does not have.
    """
    bins = bins_of(engine)
    rows: list[tuple[str, int | None, float | None, str, str | None]] = []
    for pair in read_pairs(texts or DEFAULT_PAIRS):
        text = pair.text
        series = series_of(engine, pair, bins)
        if series.reason is not None:
            rows.append((text, None, None, series.unit, series.reason))
        for number, value in enumerate(series.values):
            start = bins.start_ns + number * bins.width_ns
            rows.append((text, start, value, series.unit, None))
    return _result(rows, _PAIRS)


def refined_table(engine: Engine, text: str | None, search: Search) -> Result:
    """Returns what a search finds, a row for each focus; without a text, a search of several pairs.

    Raises:
        QueryError: the metric is not one, or names a resource that the run does not have.
    """
    return _result(refined_rows(searched(engine, bins_of(engine), text, search)), _FOUND)


def _result(
    rows: Iterable[Sequence[Any]], columns: Sequence[tuple[str, pa.DataType, str]]
) -> Result:
    cells = list(zip(*rows, strict=True)) or [()] * len(columns)
    kinds = [kind for _, kind, _ in columns]
    arrays = [pa.array(each, kind) for each, kind in zip(cells, kinds, strict=True)]
    table = pa.Table.from_arrays(arrays, names=[name for name, _, _ in columns])
    return Result.of_table(table, [ResultColumn(name, word) for name, _, word in columns])

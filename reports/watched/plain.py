"""Pairs of a watch run as data for programs: their values over time, and what a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries import Result, ResultColumn
from jvmscope.reports.watched.histogram import bins_of, series_of
from jvmscope.reports.watched.page import DEFAULT_PAIRS
from jvmscope.reports.watched.pairs import read_pairs
from jvmscope.reports.watched.refined_page import refined_rows
from jvmscope.reports.watched.refining import searched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.watched.refining import Search

__all__ = ["pairs_table", "refined_table"]

_PAIRS = (
    ResultColumn("pair", "VARCHAR"),
    ResultColumn("start_ns", "BIGINT"),
    ResultColumn("value", "DOUBLE"),
    ResultColumn("unit", "VARCHAR"),
    ResultColumn("reason", "VARCHAR"),
)
_NOT_SEEN = "not seen: before the VM told of events, or before or after the process was read"
_FOUND = (
    ResultColumn("pair", "VARCHAR"),
    ResultColumn("depth", "INTEGER"),
    ResultColumn("focus", "VARCHAR"),
    ResultColumn("value", "DOUBLE"),
    ResultColumn("unit", "VARCHAR"),
    ResultColumn("share", "DOUBLE"),
    ResultColumn("is_end", "BOOLEAN"),
    ResultColumn("reason", "VARCHAR"),
)


def pairs_table(engine: Engine, texts: Sequence[str]) -> Result:
    """Returns a row for each pair and bin, in order; of a pair without values one with the reason.

    ``start_ns`` is the start of the bin, and ``value`` null if what the pair counts was not seen in
    that time; no pairs: those that the page begins with.

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
            reason = _NOT_SEEN if value is None else None
            rows.append((text, start, value, series.unit, reason))
    return Result.of_values(_PAIRS, rows)


def refined_table(engine: Engine, text: str | None, search: Search) -> Result:
    """Returns what a search finds, a row for each focus; without a text, a search of several pairs.

    Raises:
        QueryError: the metric is not one, or names a resource that the run does not have.
    """
    found = searched(engine, bins_of(engine), text, search)
    return Result.of_values(_FOUND, refined_rows(found))

"""The metrics of a report: each with its definition, and where every subject lies among all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Better", "Cell", "Measure", "MetricTable"]

Better = Literal["higher", "lower", "none"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A subject's value of a measure.

    Attributes:
        value: the value; None: see the reason.
        reason: why there is no value.
        rank: 1 for the best, or where neither end is better the largest; equal values have the
            same rank, the smallest of those that they share (1, 2, 2, 4). None: no value.
    """

    value: float | None
    reason: str | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure on every subject, and where each lies among them.

    Attributes:
        id: ``hotness.methods.executions_gini``, or with the row's keys in brackets
            ``invocations.calls.share[invokevirtual]``.
        name: the metric's column: ``executions_gini``.
        key: the keys, ``invokevirtual``; empty: the metric has one row.
        meaning: what the column holds.
        unit: its unit; ``1`` for pure numbers, which shares are.
        cells: a cell for each subject.
        n: how many have a value.
        minimum, median, maximum: of these values; the median of an even number of values is the
            mean of the two in the middle. None: there is no value.
        reason: why none has a value, if it is the same for all.
        is_share: whether it is a part of a whole, from 0 to 1.
    """

    id: str
    name: str
    key: str
    meaning: str
    unit: str
    cells: tuple[Cell, ...]
    n: int
    minimum: float | None
    median: float | None
    maximum: float | None
    reason: str | None = None
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class MetricTable:
    """A metric with its definition, and its measures.

    Attributes:
        id: ``hotness.methods``; ``area`` of an id is what is before its dot.
        name: its title.
        description: its definition.
        grain: what a row of it is.
        better: which end is better; decides the ranks.
        version: of the definition.
        source: where the definition comes from.
        file: the query, by its path in the project.
        tags: words that select it.
        measures: its measures; empty: it has too many rows for a table, see ``reason``.
        reason: why there are no measures, or why no subject has a value.
    """

    id: str
    name: str
    description: str
    grain: str
    better: Better
    version: int
    source: str
    file: str
    tags: tuple[str, ...]
    measures: tuple[Measure, ...]
    reason: str | None = None

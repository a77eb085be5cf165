"""Curves, stacked shares, and tables about one subject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from jvmscope.reports.model.measures import Measure

__all__ = ["Curve", "Curves", "Details", "Listing", "ListingColumn", "Stack"]


@dataclass(frozen=True, slots=True)
class Curve:
    """A subject's curve; ``points`` are (x, y) by growing x, None: see the reason."""

    points: tuple[tuple[float, float], ...] | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves of all subjects in one plot; both axes are shares from 0 to 1.

    ``metric`` is the one that sums them up.
    """

    id: str
    name: str
    description: str
    x_title: str
    y_title: str
    curves: tuple[Curve, ...]
    metric: str = ""


@dataclass(frozen=True, slots=True)
class Stack:
    """What the whole of each subject falls into: shares that add up to 1.

    Attributes:
        id: ``polymorphism.targets.calls``.
        name: its title.
        description: what is shared out, and into which segments.
        segments: a measure for each segment, in the order of the stack; ``key`` is its label, its
            cells are shares.
        totals: what the whole of each subject is, in ``unit``; None: no value.
        unit: the unit of the totals.
        metric: the metric whose rows are added up.
        by: what tells the segments apart, as ``kind``.
    """

    id: str
    name: str
    description: str
    segments: tuple[Measure, ...]
    totals: tuple[float | None, ...]
    unit: str
    metric: str = ""
    by: str = "segment"


@dataclass(frozen=True, slots=True)
class ListingColumn:
    """A column of a listing.

    Attributes:
        name: its title.
        unit: the unit of its numbers; None for texts.
        meaning: what it says.
        holds: what its texts are: ``method``, by which callers can be asked for, ``code``, another
            name in the program, ``source``, a file and line; or, as the numbers, nothing of these.
    """

    name: str
    unit: str | None = None
    meaning: str = ""
    holds: Literal["method", "code", "source", ""] = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A table of a subject's methods or call sites, sorted; ``n_more`` rows are not in it.

    Columns that hold a source have ``File.java:12``, or None where the class file does not say.
    ``id`` says which listing it is, as ``report.hottest_methods``; ``kind`` what its rows are.
    """

    name: str
    description: str
    columns: tuple[ListingColumn, ...]
    rows: tuple[tuple[float | str | None, ...], ...]
    n_more: int = 0
    id: str = ""
    kind: Literal["methods", "call_sites", "parts", "exclusions"] = "methods"


@dataclass(frozen=True, slots=True)
class Details:
    """What is shown of one subject alone."""

    subject: int
    listings: tuple[Listing, ...]

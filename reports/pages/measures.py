"""Tables of measures: each value if there are few subjects, otherwise minimum, median, maximum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Block, Grid, Paragraph
from jvmscope.reports.faces.numbers import share, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmscope.reports.model import Measure, Report

__all__ = ["measures_of_all", "measures_of_one", "overview", "values"]


def measures_of_all(report: Report, measures: Sequence[Measure], n_columns: int) -> list[Block]:
    """Returns the measures of all subjects: a column for each if they are few, and the statistics.

    Args:
        report: whose subjects they are of.
        measures: a row each; names are those of one metric.
        n_columns: subjects that get a column, at most.
    """
    names = [subject.name for subject in report.subjects]
    shows_subjects = len(names) <= n_columns
    titles = ["measure", "unit"]
    if shows_subjects:
        titles += names
    n_texts = 2
    if len(names) > 1:
        titles += ["n", "minimum", "median", "maximum"]
    rows = []
    for measure in measures:
        row = [_name(measure), _unit(measure)]
        if shows_subjects:
            row += [shown(cell.value) for cell in measure.cells]
        if len(names) > 1:
            statistics = (measure.n, measure.minimum, measure.median, measure.maximum)
            row += map(shown, statistics)
        rows.append(tuple(row))
    numeric = frozenset(range(n_texts, len(titles)))
    return [Grid(tuple(titles), tuple(rows), numeric, names=frozenset({0})), *_reasons(measures)]


def measures_of_one(measures: Sequence[Measure], subject: int) -> list[Block]:
    """Returns the measures of one subject, and where it lies among all, as DaCapo prints it.

    Args:
        measures: a row each.
        subject: its index.
    """
    rows = []
    for measure in measures:
        cell = measure.cells[subject]
        rank = "" if cell.rank is None else f"{cell.rank} of {measure.n}"
        among = map(shown, (measure.minimum, measure.median, measure.maximum))
        rows.append((_name(measure), _unit(measure), shown(cell.value), rank, *among))
    titles = ("measure", "unit", "value", "rank", "minimum", "median", "maximum")
    reasons = {measure.cells[subject].reason for measure in measures} - {None}
    return [
        Grid(titles, tuple(rows), frozenset(range(2, 7)), names=frozenset({0})),
        *(Paragraph(f"No value: {reason}.") for reason in sorted(filter(None, reasons))),
    ]


def values(measures: Iterable[tuple[Measure, str]], names: Sequence[str]) -> Grid:
    """Returns the values of a few subjects, with what they are in a few words.

    Where there are no words, they are the column's meaning; of the only subject, why there is no
    value is added.

    Args:
        measures: each with the words for it.
        names: the subjects' names, a column each.
    """
    rows = []
    for measure, words in measures:
        what = words or f"{measure.meaning} [{_unit(measure)}]".removesuffix(" []")
        reason = measure.cells[0].reason if len(names) == 1 else None
        number = share if measure.is_share else shown
        cells = [number(cell.value) for cell in measure.cells]
        rows.append((": ".join(filter(None, (what, reason))), *cells, _metric(measure)))
    titles = [""] if len(names) == 1 else names
    return Grid(("", *titles, "metric"), tuple(rows), frozenset(range(1, 1 + len(names))))


def overview(report: Report, measures: Iterable[Measure]) -> Grid:
    """Returns where the subjects lie by some measures, and which are at the ends."""
    rows = [
        (
            measure.id,
            _unit(measure),
            shown(measure.n),
            shown(measure.minimum),
            _at(report, measure, measure.minimum),
            shown(measure.median),
            shown(measure.maximum),
            _at(report, measure, measure.maximum),
        )
        for measure in measures
    ]
    titles = ("measure", "unit", "n", "minimum", "of", "median", "maximum", "of")
    numeric, names = frozenset({2, 3, 5, 6}), frozenset({0, 4, 7})
    return Grid(titles, tuple(rows), numeric, names=names)


def _at(report: Report, measure: Measure, value: float | None) -> str:
    """Returns the first subject that has a value, and how many others have it, too."""
    if value is None:
        return measure.reason or ""
    cells = zip(report.subjects, measure.cells, strict=True)
    names = [subject.name for subject, cell in cells if cell.value == value]
    return names[0] if len(names) == 1 else f"{names[0]} +{len(names) - 1}"


def _metric(measure: Measure) -> str:
    """Returns the id of the metric that a measure is of."""
    return measure.id.partition("[")[0].rpartition(".")[0]


def _name(measure: Measure) -> str:
    return f"{measure.name}[{measure.key}]" if measure.key else measure.name


def _unit(measure: Measure) -> str:
    return "" if measure.unit == "1" else measure.unit


def _reasons(measures: Sequence[Measure]) -> list[Block]:
    """Returns why values are absent, each reason once, with how many values it is the reason of."""
    counts: dict[str, int] = {}
    for measure in measures:
        for cell in measure.cells:
            if cell.reason is not None:
                counts[cell.reason] = counts.get(cell.reason, 0) + 1
    return [Paragraph(f"No value ({n:,}): {reason}.") for reason, n in counts.items()]

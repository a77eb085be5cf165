"""Several studies side by side, and the paper beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from jvmscope.queries import Result, ResultColumn
from jvmscope.reports.faces.blocks import Grid, Heading, Note
from jvmscope.reports.study.page import PAPER, published, written
from jvmscope.reports.study.plain import to_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.study.answers import Answer
    from jvmscope.reports.study.questions import StudyReport

__all__ = ["studies_page", "studies_table"]

_SHOWN = (
    "methods.static", "methods.eligible", "cycles", "accuracy.n_pairs",
    "accuracy.difference.minimum", "accuracy.difference.median", "accuracy.difference.maximum",
    "stability.interquartile_range", "stability.anova_short.p",
    "during.ratio.lower_quartile", "during.ratio.median", "during.ratio.upper_quartile",
    "during.slower_share", "during.faster_share",
    "launch.ratio.median", "launch.slower_share", "launch.faster_share",
    "control.ratio.median", "control.slower_share", "control.faster_share",
    "insertion.median", "insertion.timed_out_share", "removal.median", "removal.timed_out_share",
    "utilization.during", "utilization.after", "utilization.difference", "utilization.p",
)  # fmt: skip


def studies_page(reports: Sequence[StudyReport]) -> Iterator[Block]:
    """Yields a table with a column for each study and one for the paper, and what limits them."""
    yield Heading("Overhead of dynamic probes: studies side by side", 1)
    columns = [dict(_answers(report)) for report in reports]
    questions = {each.name: found.name for found in reports[0].questions for each in found.answers}
    rows = []
    for name in _SHOWN:
        first = columns[0][name]
        cells = [_cell(column[name]) for column in columns]
        rows.append((questions.get(name, ""), first.meaning, *cells, published(first)))
    titles = ("", "", *(report.title for report in reports), "the paper")
    yield Grid(titles, tuple(rows), frozenset(range(2, len(titles))), n_keys=2)
    for report in reports:
        yield from (Note(f"{report.title}: {note}") for note in report.notes)
        for name in _SHOWN:
            each = dict(_answers(report))[name]
            if each.value is None:
                yield Note(f"{report.title}: {each.meaning}: no value: {each.reason}")
    yield Note(PAPER)


def studies_table(reports: Sequence[StudyReport]) -> Result:
    """Returns the rows that ``to_table`` has of each study, behind a column with its title."""
    tables, columns = [], []
    for report in reports:
        found = to_table(report)
        columns = list(found.columns)
        rows = found.arrow()
        titles = pa.array([report.title] * rows.num_rows, pa.string())
        tables.append(rows.add_column(0, "study", titles))
    return Result.of_table(pa.concat_tables(tables), [ResultColumn("study", "VARCHAR"), *columns])


def _answers(report: StudyReport) -> Iterator[tuple[str, Answer]]:
    for answers in (report.answers, *(found.answers for found in report.questions)):
        yield from ((each.name, each) for each in answers)


def _cell(found: Answer) -> str:
    return "" if found.value is None else written(found, found.value)

"""The page of a study: each question with its numbers beside the paper's, and the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Grid, Heading, Note, Paragraph
from jvmscope.reports.faces.numbers import share, shown
from jvmscope.reports.study.characters import drawn
from jvmscope.reports.study.numbers import shown_p, shown_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.study.answers import Answer
    from jvmscope.reports.study.figures import Figure
    from jvmscope.reports.study.questions import Observed, Question, StudyReport

__all__ = [
    "PAPER",
    "answer_grid",
    "fact_grid",
    "observed_blocks",
    "published",
    "question_blocks",
    "study_page",
    "summary_page",
    "title_of",
    "written",
]

PAPER = (
    "The paper is Horký, Kotrč, Libič, Tůma: Analysis of Overhead in Dynamic Java Performance "
    "Monitoring, ICPE 2016. It measured SPECjbb2015 on OpenJDK 1.7.0 with 32 processors, so its "
    "numbers are a comparison, not a goal."
)

_MOST_ROWS = 30
_FIVE_NUMBERS = {
    "minimum": "smallest",
    "lower_quartile": "lower quartile",
    "median": "median",
    "upper_quartile": "upper quartile",
    "maximum": "largest",
}
_SUMMARY = (
    "accuracy.n_pairs", "accuracy.difference.median", "stability.interquartile_range",
    "during.ratio.median", "during.slower_share", "during.faster_share", "launch.ratio.median",
    "control.ratio.median", "insertion.median", "removal.median", "utilization.during",
    "utilization.after", "utilization.difference", "utilization.p",
)  # fmt: skip


def study_page(report: StudyReport) -> Iterator[Block]:
    """Yields the blocks of the whole page."""
    yield Heading(title_of(report), 1)
    yield from map(Note, report.notes)
    yield fact_grid(report)
    yield answer_grid(report.answers)
    for question in report.questions:
        yield Heading(f"{question.name}: {question.text}")
        yield from question_blocks(question)
        for figure in question.figures:
            yield from _figure_blocks(figure)
    yield Heading("The observed methods")
    yield from observed_blocks(report)
    yield Note(PAPER)


def summary_page(report: StudyReport) -> Iterator[Block]:
    """Yields a few numbers of each question."""
    answers = {each.name: each for question in report.questions for each in question.answers}
    yield Heading(title_of(report), 1)
    yield from map(Note, report.notes)
    yield answer_grid([answers[name] for name in _SUMMARY])


def question_blocks(question: Question) -> Iterator[Block]:
    """Yields the answers of a question: distributions first."""
    spread = [each for each in question.answers if each.name.split(".")[-1] in _FIVE_NUMBERS]
    yield from _spread_blocks(spread)
    yield answer_grid(each for each in question.answers if each not in spread)


def _spread_blocks(answers: Sequence[Answer]) -> Iterator[Block]:
    """Yields a row for each distribution and one for the paper's, and why one is missing."""
    found: dict[str, list[Answer]] = {}
    for each in answers:
        found.setdefault(each.name.rpartition(".")[0], []).append(each)
    rows = []
    for five in found.values():
        what = next(each.meaning for each in five if each.name.endswith(".median"))
        name = what.removeprefix("median ")
        rows.append(
            (name, *("" if each.value is None else written(each, each.value) for each in five))
        )
        if any(map(published, five)):
            rows.append(("in the paper", *map(published, five)))
    if rows:
        yield Grid(("", *_FIVE_NUMBERS.values()), tuple(rows), frozenset(range(1, 6)))
    for five in found.values():
        for reason in dict.fromkeys(each.reason for each in five if each.reason):
            yield Note(f"{five[0].name.rpartition('.')[0]}: no value: {reason}")


def title_of(report: StudyReport) -> str:
    """Returns the title of the page."""
    return f"Overhead of dynamic probes: {report.title}"


def fact_grid(report: StudyReport) -> Grid:
    """Returns what is known of the study."""
    return Grid(("study", ""), report.facts)


def answer_grid(answers: Iterable[Answer]) -> Grid:
    """Returns a row for each answer, beside what the paper says."""
    rows = tuple((each.meaning, _value(each), published(each)) for each in answers)
    return Grid(("", "this study", "the paper"), rows)


def observed_blocks(report: StudyReport) -> Iterator[Block]:
    """Yields a table of the cycles, first to last, as far as it is not too long."""
    titles = (
        "cycle", "method", "duration", "difference", "dynamic by static", "during by after", "p",
        "quiet after insertion", "after removal",
    )  # fmt: skip
    rows = tuple(_observed_row(each) for each in report.observed[:_MOST_ROWS])
    numeric = frozenset({0, *range(2, len(titles))})
    yield Grid(titles, rows, numeric, names=frozenset({1}), n_keys=2)
    if len(report.observed) > _MOST_ROWS:
        yield Note(f"{len(report.observed) - _MOST_ROWS} more cycles are in the report as json")
    reasons = [f"cycle {each.cycle_id}: {each.reason}" for each in report.observed if each.reason]
    yield from map(Note, reasons[:_MOST_ROWS])


def _figure_blocks(figure: Figure) -> Iterator[Block]:
    yield Heading(f"Figure {figure.number}: {figure.title}", 3)
    if figure.reason is not None:
        yield Note(f"no values: {figure.reason}")
        return
    yield Paragraph(figure.caption)
    for chart in figure.charts:
        yield drawn(chart)


def _observed_row(each: Observed) -> tuple[str, ...]:
    return (
        str(each.cycle_id),
        each.method,
        _time(each.static_ns),
        _time(each.difference_ns),
        shown(each.accuracy_ratio),
        shown(each.during_ratio),
        shown_p(each.p),
        _time(each.insertion_quiet_ns),
        _time(each.removal_quiet_ns),
    )


def _time(ns: float | None) -> str:
    return "" if ns is None else shown_value(ns, "ns")


def _value(found: Answer) -> str:
    if found.value is None:
        return f"none: {found.reason}"
    return written(found, found.value)


def published(found: Answer) -> str:
    """Returns the paper's number, or what it says instead; empty: nothing."""
    if found.paper is not None:
        return written(found, found.paper)
    return found.note or ""


def written(found: Answer, value: float) -> str:
    """Returns a value of an answer with its unit, as a share if it is one."""
    if found.is_share:
        return share(value)
    if found.name.endswith(".p"):
        return shown_p(value)
    return shown_value(value, "ns") if found.unit == "ns" else shown(value)

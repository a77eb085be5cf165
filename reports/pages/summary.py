"""The page ``summary``: what there is, and what stands out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Bars, Bullets, Grid, Heading, Paragraph
from jvmscope.reports.faces.numbers import shown
from jvmscope.reports.pages.likeness import subset_blocks
from jvmscope.reports.pages.measures import overview, values
from jvmscope.reports.pages.outstanding import outstanding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.model import Fact, Listing, Measure, Report, Subject

__all__ = ["bars_of", "summary_page"]

_STACKS = ("instructions.mix.groups", "polymorphism.targets.calls")
_FEW = 3
_COUNTS = ("bytecodes", "calling contexts", "threads", "classes", "methods")


def summary_page(report: Report) -> Iterator[Block]:
    """Yields the page: of one subject also its hottest methods and most polymorphic call sites."""
    yield Heading(report.title, 1)
    if report.notes:
        yield Bullets(report.notes)
    if len(report.subjects) == 1:
        yield Bullets(_facts(report.subjects[0]))
    else:
        yield _subjects(report.subjects)
    yield Heading(f"Metrics (scope: {report.scope})")
    measures = _outstanding(report)
    names = [subject.name for subject in report.subjects]
    if len(names) <= _FEW:
        words = {each.id: each.words for each in outstanding()}
        yield values(((measure, words.get(measure.id, "")) for measure in measures), names)
    else:
        yield overview(report, measures)
    for stack in report.stacks:
        if stack.id in _STACKS:
            yield Heading(stack.name, 3)
            yield bars_of(report, stack.segments)
    for details in report.details if len(report.subjects) == 1 else ():
        for listing in details.listings:
            if listing.kind != "exclusions":  # how it was recorded is a matter of the page
                yield from _listing(listing)
    if report.clusters.reason is None:
        yield Heading("Similar subjects")
        yield from subset_blocks(report)


def bars_of(report: Report, segments: Sequence[Measure]) -> Bars:
    """Returns a bar for each subject."""
    rows = []
    for index, subject in enumerate(report.subjects):
        cells = [segment.cells[index] for segment in segments]
        shares = tuple(cell.value for cell in cells if cell.value is not None)
        whole: tuple[float, ...] | str = shares
        if len(shares) < len(cells):
            whole = cells[0].reason or "no value"
        rows.append((subject.name, whole))
    return Bars(tuple(segment.key for segment in segments), tuple(rows))


def _facts(subject: Subject) -> tuple[str, ...]:
    said = {
        "Command": subject.command,
        "Java": subject.jvm_version,
        "Status": ": ".join(filter(None, (subject.status, subject.reason))),
    }
    first = [f"{name}: {value}" for name, value in said.items() if value]
    return (*first, *(f"{fact.name.capitalize()}: {_with_unit(fact)}" for fact in subject.facts))


def _with_unit(fact: Fact) -> str:
    return f"{shown(fact.value)} s" if fact.unit == "s" else shown(fact.value)


def _subjects(subjects: Sequence[Subject]) -> Grid:
    has_jvms = len({subject.jvm_version for subject in subjects if subject.is_measured}) > 1
    titles = ["subject", "status", *(["JVM"] if has_jvms else []), *_COUNTS]
    rows = []
    for subject in subjects:
        counts = {fact.name: fact.value for fact in subject.facts}
        status = ": ".join(filter(None, (subject.status, subject.reason)))
        jvm = [subject.jvm_version or ""] if has_jvms else []
        rows.append((subject.name, status, *jvm, *(shown(counts.get(name)) for name in _COUNTS)))
    first = len(titles) - len(_COUNTS)
    numeric = frozenset(range(first, len(titles)))
    return Grid(tuple(titles), tuple(rows), numeric, names=frozenset({0}))


def _outstanding(report: Report) -> list[Measure]:
    """Returns the measures that stand out; all, where others were selected."""
    known = {measure.id: measure for metric in report.metrics for measure in metric.measures}
    return [known[each.id] for each in outstanding() if each.id in known] or list(known.values())


def _listing(listing: Listing) -> Iterator[Block]:
    yield Heading(listing.name)
    yield Paragraph(listing.description)
    titles = tuple(column.name for column in listing.columns)
    rows = tuple(tuple(map(shown, row)) for row in listing.rows)
    numeric = {index for index, column in enumerate(listing.columns) if column.unit is not None}
    names = frozenset(range(len(titles))) - numeric
    yield Grid(titles, rows, frozenset(numeric), names=names)
    if listing.n_more:
        yield Paragraph(f"… and {listing.n_more:,} more")

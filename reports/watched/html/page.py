"""The page of a watch run as one file: markup, style and figures, without scripts and requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Heading
from jvmscope.reports.html.markup import markup, text
from jvmscope.reports.html.scriptless import Section, scriptless_page
from jvmscope.reports.watched.costs import cost_blocks
from jvmscope.reports.watched.forms import FORMS, forms_of
from jvmscope.reports.watched.histogram import bins_of, series_of
from jvmscope.reports.watched.html.figures import histogram, layers, lines
from jvmscope.reports.watched.page import (
    DEFAULT_PAIRS,
    amount_and_rate,
    missing_notes,
    resolution_notes,
    span_of,
    title_of,
)
from jvmscope.reports.watched.pairs import parse_pair, read_pairs
from jvmscope.reports.watched.probes import probe_blocks
from jvmscope.reports.watched.tables import table_blocks
from jvmscope.reports.watched.together import together_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.watched.histogram import Bins, Series

__all__ = ["render_watch"]

_TIMES = (
    "cpu_time", "compile_time", "collection_pauses", "safepoint_time", "class_load_time",
    "lock_wait_time",
)  # fmt: skip
"""Times that are shown in one frame: so many processors or threads at a time."""

_UNSEEN = "SELECT subject, reason FROM unseen ORDER BY ALL"


def render_watch(engine: Engine, texts: Sequence[str], refined: Sequence[Block] = ()) -> str:
    """Returns the page.

    Args:
        engine: a watch run.
        texts: the pairs that are shown, or ``@FILE``; none: all of the page, with
            ``DEFAULT_PAIRS``.
        refined: what a search for a bottleneck found; none if there was no search.

    Raises:
        QueryError: a text is not a pair, or names a resource that the run does not have.
    """
    pairs = read_pairs(texts or DEFAULT_PAIRS)
    bins = bins_of(engine)
    curves = _curves([series_of(engine, pair, bins) for pair in pairs], bins)
    sections = [Section("pairs", "Over time", "".join(curves))]
    if refined:
        sections[:0] = [Section("refined", *next(_divided(refined)))]
    if not texts:
        sections[:0] = [Section("times", "Times", _times(engine, bins))]
        sections += _wholes(engine, bins)
    return scriptless_page(
        kicker="jvmscope watch",
        title=title_of(engine),
        subtitle=span_of(engine, bins),
        sections=sections,
        foot="Samples are samples; all else that the tables count is every event of its kind.",
        notes=_notes(engine),
    )


def _notes(engine: Engine) -> str:
    notes = (*missing_notes(engine), *resolution_notes(engine))
    return "".join(f'<p class="note">{text(each.text)}</p>' for each in notes)


def _wholes(engine: Engine, bins: Bins) -> Iterator[Section]:
    """Yields the sections that are about the run as a whole."""
    forms = forms_of(engine, bins)
    figure = layers(FORMS, forms, bins) if any(map(sum, forms)) else "<p>No samples.</p>"
    lead = '<p class="lead">Samples by the form in which the topmost method ran.</p>'
    yield Section("forms", "Execution forms", lead + figure)
    names = ("resources", "activities", "hierarchies")
    for name, (title, body) in zip(names, _divided(table_blocks(engine, bins)), strict=True):
        yield Section(name, title, body)
    probes = "".join(map(markup, list(probe_blocks(engine))[1:]))
    if probes:
        yield Section("probes", "Probes", probes)
    together = "".join(map(markup, list(together_blocks(engine))[1:]))
    if together:
        yield Section("together", "Together with the recorded run", together)
    names = ("costs", "called", "created")
    for name, (title, body) in zip(names, _divided(cost_blocks(engine)), strict=False):
        if body:
            yield Section(name, title, body)
    rows = engine.connect().execute(_UNSEEN).fetchall()
    items = "".join(f"<dt>{text(subject)}</dt><dd>{text(reason)}</dd>" for subject, reason in rows)
    yield Section("unseen", "What cannot be seen", f'<dl class="facts">{items}</dl>')


def _divided(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """Yields the titles of level 2, each with the markup below it."""
    title = ""
    parts: list[str] = []
    for block in blocks:
        if isinstance(block, Heading) and block.level == 2:
            if title:
                yield title, "".join(parts)
            title, parts = block.text, []
        else:
            parts.append(markup(block))
    yield title, "".join(parts)


def _times(engine: Engine, bins: Bins) -> str:
    """Returns the times of the program and of the VM in one frame, and why others are not there."""
    found = [series_of(engine, parse_pair(name), bins) for name in _TIMES]
    named = [(series.pair.text.replace("_", " "), series) for series in found]
    curves = [(name, series.values) for name, series in named if series.reason is None]
    lacking = [f"{name}: {series.reason}" for name, series in named if series.reason is not None]
    lead = (
        '<p class="lead">Processor time of the process beside times of the VM, and of threads '
        "that wait to enter monitors: how many processors or threads at a time.</p>"
    )
    below = "".join(f'<p class="quiet">{text(told)}</p>' for told in lacking)
    return lead + lines(curves, bins) + below


def _curves(found: Iterable[Series], bins: Bins) -> Iterator[str]:
    """Yields a figure for each pair."""
    yield '<div class="charts">'
    for series in found:
        told = series.reason or amount_and_rate(series)
        drawn = "" if series.reason else histogram(series.values, series.unit, bins)
        caption = f"<b>{text(series.pair.text)}</b><span>{text(told)}</span>"
        yield f"<figure><figcaption>{caption}</figcaption>{drawn}</figure>"
    yield "</div>"

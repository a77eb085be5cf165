"""The page of a study for the browser: one file without scripts, which requests nothing."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Grid, Heading, Note, Paragraph, Toned
from jvmscope.reports.faces.text import harmless
from jvmscope.reports.study.page import (
    PAPER,
    answer_grid,
    fact_grid,
    observed_blocks,
    question_blocks,
)
from jvmscope.reports.study.svg import svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.study.figures import Figure
    from jvmscope.reports.study.questions import StudyReport

__all__ = ["to_html"]

_STYLE = """
:root { color-scheme: light dark; --line: #8885; --first: #3b6ea5; --second: #d08a3c; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .7rem; text-align: left; }
td.number, th.number { text-align: right; }
.charts { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 1.5rem 0; }
figcaption { max-width: 60rem; }
.note { font-style: italic; }
svg { max-width: 100%; height: auto; }
svg text { font-size: 11px; fill: currentColor; }
svg text.title { font-weight: 600; }
.axis { stroke: currentColor; }
.mark { stroke: currentColor; stroke-dasharray: 3 3; opacity: .6; }
.series-0 { fill: var(--first); }
.series-1 { fill: var(--second); }
circle { fill-opacity: .6; }
"""


def to_html(report: StudyReport) -> str:
    """Returns the page: a document that needs no other file."""
    title = _text(f"Overhead of dynamic probes: {report.title}")
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    body = "\n".join(_body(report))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )


def _body(report: StudyReport) -> Iterator[str]:
    yield from _blocks([fact_grid(report), answer_grid(report.answers)])
    for question in report.questions:
        yield from _blocks(question_blocks(question))
        yield from map(_figure, question.figures)
    yield from _blocks([*observed_blocks(report), Note(PAPER)])


def _figure(figure: Figure) -> str:
    title = f"Figure {figure.number}: {_text(figure.title)}"
    if figure.reason is not None:
        return f'<h3>{title}</h3>\n<p class="note">no values: {_text(figure.reason)}</p>'
    charts = "\n".join(map(svg, figure.charts))
    return (
        f'<figure id="figure-{figure.number}">\n<h3>{title}</h3>\n<div class="charts">\n{charts}\n'
        f"</div>\n<figcaption>{_text(figure.caption)}</figcaption>\n</figure>"
    )


def _blocks(blocks: Iterable[Block]) -> Iterator[str]:
    """Yields the kinds of blocks that a study has beside its drawings."""
    for block in blocks:
        match block:
            case Heading(text, level):
                yield f"<h{level}>{_text(text)}</h{level}>"
            case Paragraph(text):
                yield f"<p>{_text(text)}</p>"
            case Note(text):
                yield f'<p class="note">{_text(text)}</p>'
            case Grid():
                yield _table(block)
            case _:
                raise ValueError(f"{type(block).__name__} has no form in this page")


def _table(grid: Grid) -> str:
    rows = "\n".join(_row("td", row, grid) for row in grid.rows)
    return (
        f"<table>\n<thead>{_row('th', grid.titles, grid)}</thead>\n<tbody>\n{rows}\n</tbody>\n"
        "</table>"
    )


def _row(tag: str, cells: Iterable[str | Toned], grid: Grid) -> str:
    made = (
        f'<{tag} class="number">{text}</{tag}>'
        if index in grid.numeric
        else f"<{tag}>{text}</{tag}>"
        for index, text in enumerate(
            _text(cell.text if isinstance(cell, Toned) else cell) for cell in cells
        )
    )
    return f"<tr>{''.join(made)}</tr>"


def _text(text: str) -> str:
    return escape(harmless(text))

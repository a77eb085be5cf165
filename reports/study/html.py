"""The page of a study for the browser: one file without scripts, which requests nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.html.files import asset
from jvmscope.reports.html.markup import markup, text
from jvmscope.reports.html.scriptless import Section, scriptless_page
from jvmscope.reports.study.page import (
    PAPER,
    answer_grid,
    fact_grid,
    observed_blocks,
    question_blocks,
    title_of,
)
from jvmscope.reports.study.svg import svg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.study.figures import Figure
    from jvmscope.reports.study.questions import Question, StudyReport

__all__ = ["to_html"]


def to_html(report: StudyReport) -> str:
    """Returns the page: a document that needs no other file."""
    sizes = _joined([fact_grid(report), answer_grid(report.answers)])
    return scriptless_page(
        kicker="jvmscope study overhead",
        title=title_of(report),
        subtitle=dict(report.facts).get("command", ""),
        sections=[
            Section("study", "The study", sizes),
            *map(_section, report.questions),
            Section("methods", "The observed methods", _joined(observed_blocks(report))),
        ],
        foot=PAPER,
        notes="".join(f'<p class="note">{text(each)}</p>' for each in report.notes),
        style=asset("study.css"),
    )


def _section(question: Question) -> Section:
    figures = "\n".join(map(_figure, question.figures))
    lead = f'<p class="lead">{text(question.text)}</p>'
    body = f"{lead}{_joined(question_blocks(question))}\n{figures}"
    return Section(question.name, question.name, body)


def _joined(blocks: Iterable[Block]) -> str:
    return "\n".join(map(markup, blocks))


def _figure(figure: Figure) -> str:
    title = f"<h3>Figure {figure.number}: {text(figure.title)}</h3>"
    if figure.reason is not None:
        return f'{title}<p class="quiet">no values: {text(figure.reason)}</p>'
    charts = "\n".join(map(svg, figure.charts))
    return (
        f'<figure class="figure" id="figure-{figure.number}">{title}\n<div class="pair">\n{charts}'
        f"\n</div>\n<figcaption>{text(figure.caption)}</figcaption></figure>"
    )

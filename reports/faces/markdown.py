"""Blocks in Markdown, as GitHub reads it. Names from recorded programs are never markup."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from jvmscope.markdown_text import as_markdown
from jvmscope.reports.faces.blocks import (
    Bars,
    Bullets,
    Drawing,
    Grid,
    Heading,
    Note,
    Paragraph,
    Section,
    Sparks,
    Toned,
    Verdict,
)
from jvmscope.reports.faces.numbers import percent, spark
from jvmscope.reports.faces.text import harmless

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmscope.reports.faces.blocks import Block

__all__ = ["escaped", "to_markdown"]

_FIRST = re.compile(r"^[#+>-]")
"""What would be markup where it begins a block."""

_FENCE = re.compile(r"`{3,}")


def to_markdown(blocks: Iterable[Block]) -> str:
    """Returns the text of a page."""
    return "\n\n".join(filter(None, map(_block, blocks))) + "\n"


def _block(block: Block) -> str:
    match block:
        case Verdict():
            written = _verdict(block)
        case Heading(text, level):
            written = f"{'#' * level} {_begun(text)}"
        case Paragraph(text):
            written = _begun(text)
        case Note(text):
            written = f"*{escaped(text)}*"
        case Bullets(items):
            written = "\n".join(f"- {_begun(item)}" for item in items)
        case Grid():
            written = _grid(block)
        case Bars(segments, rows):
            written = _grid(_bars(segments, rows))
        case Sparks(rows):
            written = _grid(_sparks(rows))
        case Drawing(lines):
            written = _drawing(lines)
        case Section():
            written = _section(block)
    return written


def escaped(text: str) -> str:
    r"""Returns text that Markdown shows as it is, within a line.

    >>> escaped("a|b <init> \n c")
    'a\\|b &lt;init> c'
    """
    return as_markdown(harmless(" ".join(text.split())))


def _begun(text: str) -> str:
    r"""Returns text that Markdown shows as it is, also where a block begins with it.

    >>> _begun("# no title"), _begun("- no list")
    ('\\# no title', '\\- no list')
    """
    return _FIRST.sub(r"\\\g<0>", escaped(text))


def _verdict(verdict: Verdict) -> str:
    mark = {True: "❌ ", False: "✅ ", None: ""}[verdict.has_failed]
    title, text, scope = map(escaped, (verdict.title, verdict.text, verdict.scope))
    return f"### {mark}{title}\n\n**{text}**\n(scope: {scope})"


def _section(section: Section) -> str:
    """Returns a section; the title of one that is folded stands in HTML, where only that counts."""
    below = "\n\n".join(map(_block, section.blocks))
    if not section.is_folded:
        return f"#### {_begun(section.title)}\n\n{below}"
    title = escape(harmless(" ".join(section.title.split())), quote=False)
    return f"<details><summary>{title}</summary>\n\n{below}\n\n</details>"


def _grid(grid: Grid) -> str:
    if not grid.rows:
        return "None."
    rows = [tuple(map(_plain, row)) for row in grid.rows]
    if grid.is_tree:
        return _drawing(_aligned(grid, rows))
    marks = ["---:" if index in grid.numeric else "---" for index in range(len(grid.titles))]
    lines = [grid.titles, tuple(marks), *rows]
    return "\n".join(
        "| " + " | ".join(line if number == 1 else map(escaped, line)) + " |"
        for number, line in enumerate(lines)
    )


def _plain(cell: str | Toned) -> str:
    return cell.text if isinstance(cell, Toned) else cell


def _aligned(grid: Grid, rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Returns a line for each row, titles first; every column but the last is aligned."""
    lines = [grid.titles, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    last = len(widths) - 1
    return tuple(
        "  ".join(
            text if n == last else text.rjust(width) if n in grid.numeric else text.ljust(width)
            for n, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _bars(segments: tuple[str, ...], rows: tuple[tuple[str, tuple[float, ...] | str], ...]) -> Grid:
    """Returns bars as a table of percents; why there are none stands in the first cell."""
    return Grid(
        ("", *(f"{segment} %" for segment in segments)),
        tuple(
            (name, shares, *[""] * (len(segments) - 1))
            if isinstance(shares, str)
            else (name, *map(percent, shares))
            for name, shares in rows
        ),
        frozenset(range(1, len(segments) + 1)),
    )


def _sparks(rows: tuple[tuple[str, tuple[float | None, ...] | str, str], ...]) -> Grid:
    return Grid(
        ("", "curve", ""),
        tuple(
            (name, heights if isinstance(heights, str) else spark(heights), note)
            for name, heights, note in rows
        ),
    )


def _drawing(lines: tuple[str, ...]) -> str:
    text = "\n".join(map(harmless, lines))
    longest = max((len(found) for found in _FENCE.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"

"""Blocks in Markdown, as GitHub reads it. Names of others' are text there, never markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.reports.pages.blocks import Bars, Bullets, Drawing, Grid, Heading, Paragraph, Sparks
from jvmscope.reports.pages.numbers import percent, spark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.reports.pages.blocks import Block

__all__ = ["escaped", "to_markdown"]

_SPECIAL = re.compile(r"[\\`*|~]|(?<![^\W_])_|_(?![^\W_])|\[(?=[^\]]*\]\()|^[#+>-]")
"""What would be markup: also a line at the edge of a word, a link, and what begins a block."""

_FENCE = re.compile(r"`{3,}")


def to_markdown(blocks: Iterable[Block]) -> str:
    """Returns the text of a page."""
    return "\n\n".join(filter(None, map(_block, blocks))) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            written = f"{'#' * level} {escaped(text)}"
        case Paragraph(text):
            written = escaped(text)
        case Bullets(items):
            written = "\n".join(f"- {escaped(item)}" for item in items)
        case Grid():
            written = _grid(block)
        case Bars(segments, rows):
            written = _grid(_bars(segments, rows))
        case Sparks(rows):
            written = _grid(_sparks(rows))
        case Drawing(lines):
            written = _drawing(lines)
    return written


def escaped(text: str) -> str:
    r"""Returns text that Markdown shows as it is.

    >>> escaped("a|b <init> *x* [y](z) & \n c")
    'a\\|b &lt;init> \\*x\\* \\[y](z) &amp; c'
    >>> escaped("n_calls[x] of __init__"), escaped("# no title"), escaped("- no list")
    ('n_calls[x] of \\_\\_init\\_\\_', '\\# no title', '\\- no list')
    """
    joined = " ".join(text.split())
    return _SPECIAL.sub(r"\\\g<0>", joined.replace("&", "&amp;").replace("<", "&lt;"))


def _grid(grid: Grid) -> str:
    if not grid.rows:
        return "None."
    marks = ["---:" if index in grid.numeric else "---" for index in range(len(grid.titles))]
    lines = [grid.titles, tuple(marks), *grid.rows]
    return "\n".join(
        "| " + " | ".join(line if number == 1 else map(escaped, line)) + " |"
        for number, line in enumerate(lines)
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


def _sparks(rows: tuple[tuple[str, tuple[float, ...] | str, str], ...]) -> Grid:
    return Grid(
        ("", "curve", ""),
        tuple(
            (name, heights if isinstance(heights, str) else spark(heights), note)
            for name, heights, note in rows
        ),
    )


def _drawing(lines: tuple[str, ...]) -> str:
    text = "\n".join(lines)
    longest = max((len(found) for found in _FENCE.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"

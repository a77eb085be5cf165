"""Blocks on a terminal, by rich. Names from recorded programs are text there, never markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from rich import box
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

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
from jvmscope.reports.faces.drawn import columns_of, lengths_of, narrowed
from jvmscope.reports.faces.fitting import fitted, is_number
from jvmscope.reports.faces.numbers import percent, spark
from jvmscope.reports.faces.text import harmless

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.faces.drawn import Columns
    from jvmscope.reports.faces.fitting import Fitted

__all__ = ["print_page"]

_COLORS = (
    "blue",
    "cyan",
    "green",
    "yellow",
    "magenta",
    "red",
    "bright_blue",
    "bright_cyan",
    "bright_green",
    "bright_yellow",
    "bright_magenta",
)
_FILLS = "█▓▒░▚▞■□▪▫·"
"""What tells segments apart where there are no colours."""

_TONES = {"worse": "red", "better": "green", "other": "yellow", "none": ""}

_BAR_WIDTH = 48


def print_page(
    blocks: Iterable[Block], stream: TextIO, *, is_colored: bool, width: int | None = None
) -> None:
    """Prints a page.

    Args:
        blocks: what it consists of.
        stream: where to.
        is_colored: whether to use colours.
        width: characters in a line; None: the terminal's, or what ``COLUMNS`` says.
    """
    console = Console(
        file=stream,
        width=width,
        no_color=not is_colored,
        force_terminal=is_colored or None,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for number, block in enumerate(blocks):
        if number:
            console.print()
        console.print(_rendered(block, console.width, is_colored=is_colored))


def _rendered(block: Block, width: int, *, is_colored: bool) -> RenderableType:
    rendered: RenderableType
    match block:
        case Verdict(title, text, scope, has_failed):
            judged = _text(text, "bold red" if has_failed else "bold")
            rendered = Group(_text(f"{title}  (scope: {scope})"), judged)
        case Heading(text, level):
            rendered = _text(text, "bold underline" if level == 1 else "bold")
        case Paragraph(text):
            rendered = _text(text)
        case Note(text):
            rendered = _text(text, "dim")
        case Bullets(items):
            rendered = Group(*(Padding(_text(f"• {item}"), (0, 0, 0, 2)) for item in items))
        case Grid():
            first, *others = (_grid(each) for each in fitted(block, width))
            rendered = Group(first, *(Padding(other, (1, 0, 0, 0)) for other in others))
        case Bars(segments, rows):
            rendered = _bars(segments, rows, width, is_colored=is_colored)
        case Sparks(rows):
            rendered = _sparks(rows, width)
        case Drawing(lines):
            rendered = Group(*(_text(line, no_wrap=True) for line in lines))
        case Section(title, below):
            inner = (_rendered(each, width, is_colored=is_colored) for each in below)
            rendered = Group(_text(title, "bold"), *inner)
    return rendered


def _text(text: str, style: str = "", *, no_wrap: bool = False) -> Text:
    """Returns text in which a terminal finds nothing to obey."""
    return Text(
        harmless(text),
        style=style,
        no_wrap=no_wrap,
        overflow="ellipsis" if no_wrap else "fold",
    )


def _grid(fit: Fitted) -> RenderableType:
    """Returns a table; a number stays in one line, and so does each line of a tree."""
    grid, widths = fit
    if not grid.rows:
        return _text("None.")
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for index, title in enumerate(grid.titles):
        table.add_column(
            Text("\n").join(map(_text, title.split("\n"))),
            justify="right" if index in grid.numeric else "left",
            overflow="fold",
            width=widths[index] if widths else None,
        )
    last = len(grid.titles) - 1
    for row in grid.rows:
        table.add_row(
            *(
                _cell(cell, is_whole=is_number(grid, n, cell) or (grid.is_tree and n == last))
                for n, cell in enumerate(row)
            )
        )
    return table


def _cell(cell: str | Toned, *, is_whole: bool) -> Text:
    if isinstance(cell, Toned):
        return _text(cell.text, _TONES[cell.tone], no_wrap=is_whole)
    return _text(cell, no_wrap=is_whole)


def _bars(
    segments: tuple[str, ...],
    rows: tuple[tuple[str, tuple[float, ...] | str], ...],
    width: int,
    *,
    is_colored: bool,
) -> RenderableType:
    marks = _marks(len(segments), is_colored=is_colored)
    notes = [each if isinstance(each, str) else _largest(segments, each) for _, each in rows]
    columns = columns_of([name for name, _ in rows], notes, _BAR_WIDTH, width)
    table = _drawings(columns)
    for (name, shares), note in zip(rows, notes, strict=True):
        bar = Text(no_wrap=True)
        lengths = [] if isinstance(shares, str) else lengths_of(shares, columns.drawing)
        for (fill, style), length in zip(marks, lengths, strict=False):  # without any: no bar
            bar.append(fill * length, style)
        table.add_row(_text(name), bar, _text(note, "dim"))
    legend = Text()
    for (fill, style), label in zip(marks, segments, strict=True):
        legend.append(fill, style).append_text(_text(f" {label}   "))
    return Group(table, legend)


def _drawings(columns: Columns) -> Table:
    """Returns a table for drawings, without rows."""
    table = Table.grid(padding=(0, 1))
    for width in columns:
        table.add_column(width=width, overflow="fold")
    return table


def _marks(n: int, *, is_colored: bool) -> list[tuple[str, str]]:
    """Returns a character and a style for each segment."""
    return [
        ("█", _COLORS[i % len(_COLORS)]) if is_colored else (_FILLS[i % len(_FILLS)], "")
        for i in range(n)
    ]


def _largest(segments: tuple[str, ...], shares: tuple[float, ...]) -> str:
    """Returns the two largest segments with their percents.

    >>> _largest(("a", "b", "c"), (0.2, 0.7, 0.1))
    'b 70 %, a 20 %'
    """
    order = sorted(range(len(shares)), key=lambda index: -shares[index])[:2]
    return ", ".join(f"{segments[i]} {percent(shares[i])} %" for i in order if shares[i] > 0)


def _sparks(
    rows: tuple[tuple[str, tuple[float | None, ...] | str, str], ...], width: int
) -> RenderableType:
    longest = max((len(heights) for _, heights, _ in rows), default=0)  # also of a reason
    columns = columns_of([name for name, *_ in rows], [note for *_, note in rows], longest, width)
    table = _drawings(columns)
    for name, heights, note in rows:
        if isinstance(heights, str):
            table.add_row(_text(name), _text(heights, "cyan"), _text(note))
            continue
        curve = spark(narrowed(heights, columns.drawing))
        table.add_row(_text(name), _text(curve, "cyan", no_wrap=True), _text(note))
    return table

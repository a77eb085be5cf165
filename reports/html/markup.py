"""Blocks as markup. Names of programs are escaped, and never markup."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Grid, Heading, Note, Paragraph
from jvmscope.reports.faces.text import harmless

if TYPE_CHECKING:
    from jvmscope.reports.faces.blocks import Block, Toned

__all__ = ["markup", "text"]


def text(value: str) -> str:
    """Returns text that is shown as it is.

    >>> text("<init> & co")
    '&lt;init&gt; &amp; co'
    """
    return escape(harmless(value))


def markup(block: Block) -> str:
    """Returns the markup of a block, as those of tables have them.

    Raises:
        TypeError: it is of another kind.
    """
    match block:
        case Heading(title, level):
            return f"<h{level}>{text(title)}</h{level}>"
        case Paragraph(told):
            return f"<p>{text(told)}</p>"
        case Note(told):
            return f'<p class="quiet">{text(told)}</p>'
        case Grid():
            return _grid(block)
    raise TypeError(block)


def _grid(grid: Grid) -> str:
    if not grid.rows:
        return '<p class="quiet">None.</p>'
    classes = ["number" if index in grid.numeric else "" for index in range(len(grid.titles))]
    head = "".join(
        f'<th scope="col"{_class(kind)}>{text(title)}</th>'
        for title, kind in zip(grid.titles, classes, strict=True)
    )
    names = grid.names or frozenset()
    body = []
    for row in map(_indented, grid.rows) if grid.is_tree else grid.rows:
        cells = [
            f"<td{_class('code' if index in names else kind)}>{text(str(cell))}</td>"
            for index, (cell, kind) in enumerate(zip(row, classes, strict=True))
        ]
        body.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="scroll listing"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _indented(row: tuple[str | Toned, ...]) -> tuple[str, ...]:
    """Returns a row of a tree, whose last cell begins with blanks that a browser keeps."""
    *cells, last = map(str, row)
    name = last.lstrip(" ")
    return (*cells, "\u2003" * ((len(last) - len(name)) // 2) + name)


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""

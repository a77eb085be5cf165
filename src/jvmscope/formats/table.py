"""A table of aligned columns, as a terminal shows it."""

from __future__ import annotations

import itertools
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from jvmscope.control_characters import visible
from jvmscope.formats.registry import Format, register
from jvmscope.formats.texts import TRUNCATED, column_titles, shown, text_stream

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from jvmscope.queries import Result

__all__ = ["write_table"]

_WIDTH_ROWS = 10_000
"""Rows that decide the widths of a table's columns; more rows are printed as they come."""

_CELL_WIDTH = 96
"""Characters of the widest cell of a table; the other formats give cells whole."""

_BETWEEN = "  "  # two columns

_NARROW = 12
"""Characters to which a text gives way where a line has no room for a table."""

_KEY = 24
"""Characters that the first column keeps where others are left out."""


@dataclass(frozen=True)
class _Layout:
    """The columns of a table that are shown, and how wide each is."""

    titles: list[str]
    chosen: list[int]
    widths: list[int]

    @property
    def left_out(self) -> list[str]:
        """The titles of the columns that are not shown."""
        return [title for at, title in enumerate(self.titles) if at not in self.chosen]


def write_table(result: Result, stream: BinaryIO, width: int | None = None) -> None:
    """Writes a table of aligned columns.

    Args:
        result: the rows.
        stream: where to.
        width: characters of a line, for which texts, never numbers, lose their middle, then titles
            their units, then the table columns, the last ones first; None: any.
    """
    rows = ([_shortened(shown(value)) for value in row] for row in result.written_rows())
    head = list(itertools.islice(rows, _WIDTH_ROWS))
    numeric = [column.is_number for column in result.columns]
    layout = _layout(result, head, width)

    def line(cells: Sequence[str]) -> str:
        padded = (
            cells[at].rjust(width) if numeric[at] else _shortened(cells[at], width).ljust(width)
            for at, width in zip(layout.chosen, layout.widths, strict=True)
        )
        return _BETWEEN.join(padded).rstrip() + "\n"

    with text_stream(stream) as text:
        text.write(line(layout.titles))
        text.write(_BETWEEN.join("─" * width for width in layout.widths) + "\n")
        text.writelines(line(row) for row in itertools.chain(head, rows))
        if width is not None and layout.left_out:
            note = f"(not shown on this narrow terminal: {', '.join(layout.left_out)})"
            text.write(textwrap.fill(note, width, break_on_hyphens=False) + "\n")
        if result.is_truncated:
            text.write(f"({TRUNCATED})\n")


def _layout(result: Result, head: Sequence[Sequence[str]], width: int | None) -> _Layout:
    """Returns what fits in a line: titles with units if they fit, all columns if they fit.

    Args:
        result: the table.
        head: the cells that decide how wide columns are.
        width: characters of a line; None: any.
    """
    every = list(range(len(result.columns)))
    contents = [max((len(row[at]) for row in head), default=0) for at in every]
    with_units = column_titles(result)
    if width is None:
        return _Layout(with_units, every, [max(len(with_units[at]), contents[at]) for at in every])
    for titles in (with_units, [visible(column.name) for column in result.columns]):
        widths = [max(len(titles[at]), contents[at]) for at in every]
        least = [
            widths[at]
            if result.columns[at].is_number
            else min(widths[at], max(len(title), _NARROW))
            for at, title in enumerate(titles)
        ]
        if sum(least) <= _room(len(every), width):
            return _Layout(titles, every, _narrowed(widths, least, _room(len(every), width)))
    key = min(_KEY, max(width, _NARROW))
    least[:1] = [max(each, min(widths[0], key)) for each in least[:1]]  # what a row is about
    chosen = _chosen(least, width, [at for at in every if not contents[at]])
    narrowed = _narrowed(
        [widths[at] for at in chosen], [least[at] for at in chosen], _room(len(chosen), width)
    )
    return _Layout(titles, chosen, narrowed)


def _shortened(cell: str, width: int = _CELL_WIDTH) -> str:
    """Returns a cell without its middle if it is longer than a table has room for.

    >>> len(_shortened("x" * 1000)), _shortened("short"), _shortened("java/lang/String", 12)
    (96, 'short', 'jav…g/String')
    """
    if len(cell) <= width:
        return cell
    head = width // 4
    return f"{cell[:head]}…{cell[head + 1 - width :]}"


def _room(n_columns: int, width: int) -> int:
    """Returns how many characters of a line the cells of some columns have."""
    return width - len(_BETWEEN) * (n_columns - 1)


def _chosen(least: Sequence[int], width: int, empty: Collection[int]) -> list[int]:
    """Returns the columns that a line has room for: empty ones give way first, then the last.

    The first column stays whatever its width is.

    >>> _chosen([10, 10, 10, 10], 34, []), _chosen([10, 10, 10, 10], 34, [1])
    ([0, 1, 2], [0, 2, 3])
    """
    found = list(range(len(least)))
    while sum(least[at] for at in found) > _room(len(found), width) and len(found) > 1:
        spare = [at for at in found[1:] if at in empty] or found
        found.remove(spare[-1])
    return found


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Returns the widths of columns in a line: the widest give way first, none below its least.

    >>> _narrowed([40, 10, 30], [12, 10, 12], 50), _narrowed([40, 10], [30, 10], 20)
    ([20, 10, 20], [30, 10])
    """
    if sum(least) > room:
        return list(least)
    found = list(widths)
    while sum(found) > room:
        spare = [index for index in range(len(found)) if found[index] > least[index]]
        found[max(spare, key=found.__getitem__)] -= 1
    return found


register(Format("table", write_table, rank=0, endings=("txt",), write_within=write_table))

"""A table of aligned columns, as a terminal shows it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, BinaryIO

from jvmscope.formats.registry import Format, register
from jvmscope.formats.texts import TRUNCATED, column_titles, shown, text_stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries import Result

__all__ = ["write_table"]

_WIDTH_ROWS = 10_000
"""Rows that decide the widths of a table's columns; more rows are printed as they come."""

_CELL_WIDTH = 96
"""Characters of the widest cell of a table; the other formats give cells whole."""

_NARROW = 12
"""Characters to which a text gives way where a line has no room for a table."""


def write_table(result: Result, stream: BinaryIO, width: int | None = None) -> None:
    """Writes a table of aligned columns.

    Args:
        result: the rows.
        stream: where to.
        width: characters of a line, for which texts, never numbers, lose their middle; None: any.
    """
    rows = ([_shortened(shown(value)) for value in row] for row in result.written_rows())
    head = list(itertools.islice(rows, _WIDTH_ROWS))
    titles = column_titles(result)
    widths = [
        max([len(title), *(len(row[index]) for row in head)]) for index, title in enumerate(titles)
    ]
    numeric = [column.is_number for column in result.columns]
    if width is not None:
        least = [
            found if is_number else min(found, max(len(title), _NARROW))
            for found, is_number, title in zip(widths, numeric, titles, strict=True)
        ]
        widths = _narrowed(widths, least, width - 2 * (len(widths) - 1))

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if right else _shortened(cell, width).ljust(width)
            for cell, width, right in zip(cells, widths, numeric, strict=True)
        )
        return "  ".join(padded).rstrip() + "\n"

    with text_stream(stream) as text:
        text.write(line(titles))
        text.write(line(["─" * width for width in widths]))
        text.writelines(line(row) for row in itertools.chain(head, rows))
        if result.is_truncated:
            text.write(f"({TRUNCATED})\n")


def _shortened(cell: str, width: int = _CELL_WIDTH) -> str:
    """Returns a cell without its middle if it is longer than a table has room for.

    >>> len(_shortened("x" * 1000)), _shortened("short"), _shortened("java/lang/String", 12)
    (96, 'short', 'jav…g/String')
    """
    if len(cell) <= width:
        return cell
    head = width // 4
    return f"{cell[:head]}…{cell[head + 1 - width :]}"


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Returns the widths of columns in a line: the widest give way first, none below its least.

    Where they do not fit in any way, they stay as they are.

    >>> _narrowed([40, 10, 30], [12, 10, 12], 50), _narrowed([40, 10], [30, 10], 20)
    ([20, 10, 20], [40, 10])
    """
    if sum(least) > room:
        return list(widths)
    found = list(widths)
    while sum(found) > room:
        spare = [index for index in range(len(found)) if found[index] > least[index]]
        found[max(spare, key=found.__getitem__)] -= 1
    return found


register(Format("table", write_table, rank=0, endings=("txt",), write_within=write_table))

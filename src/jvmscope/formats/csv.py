"""CSV: a line for each row. A limit that was reached is not marked in the file."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from jvmscope.formats.registry import Format, register
from jvmscope.formats.texts import plain, text_stream

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.queries import Result

__all__ = ["write_csv", "write_rows"]


_END = "\r\n"
"""What ends a line for Python's writer, which quotes the characters of an end; files have LF."""


class _Lines:
    """Takes lines from Python's writer, and ends them with LF."""

    def __init__(self, text: TextIO) -> None:
        self._text = text

    def write(self, line: str) -> int:
        return self._text.write(f"{line.removesuffix(_END)}\n")


def write_rows(text: TextIO, rows: Iterable[Iterable[Any]]) -> None:
    """Writes a line for each row; what has a comma, a quote or the end of a line has quotes."""
    csv.writer(_Lines(text), lineterminator=_END).writerows(rows)


def write_csv(result: Result, stream: BinaryIO) -> None:
    """Writes a line with the names of the columns, and one for each row."""
    with text_stream(stream) as text:
        write_rows(text, [[column.name for column in result.columns]])
        if result.comes_in_rows or len(result.columns) == 1:  # an only, empty cell has quotes
            write_rows(text, (map(_field, row) for row in result.written_rows()))
        else:
            from jvmscope.output.cells import joined_rows
            from jvmscope.queries import texts

            ends = ["", *[","] * (len(result.columns) - 1), "\n"]
            for batch in result.batches():
                text.writelines(joined_rows(batch, _cell, ends, texts))


def _cell(value: Any) -> str:
    r"""Returns a value as a cell among others.

    >>> [_cell(value) for value in (None, True, 2.0, 'a "b", c', "x\ny")]
    ['', 'true', '2', '"a ""b"", c"', '"x\ny"']
    """
    cells = io.StringIO()
    write_rows(cells, [(_field(value), "")])
    return cells.getvalue()[:-2]


def _field(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    found = plain(value)
    return f"{found:f}" if isinstance(found, Decimal) else found


register(Format("csv", write_csv, rank=1))

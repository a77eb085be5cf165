"""Results as people and programs read them: table, csv, json, jsonl, parquet, markdown.

A truncated result says so in every format that has room for it, which csv has not.
"""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import json
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmscope.queries import Result

__all__ = ["FORMATS", "ITEMS", "OUTPUT_SCHEMA", "TRUNCATED", "WRITERS", "write_table"]

FORMATS = ("table", "csv", "json", "jsonl", "parquet", "markdown")

ITEMS = "items"
"""No table: the items of an XQuery, serialized as it declares."""

OUTPUT_SCHEMA = 1
"""Version of the shape of json and jsonl output."""

_WIDTH_ROWS = 10_000
"""Rows that decide the widths of a table's columns; more rows are printed as they come."""

_CELL_WIDTH = 96
"""Characters of the widest cell of a table; the other formats give cells whole."""

_NARROW = 12
"""Characters to which a text gives way where a line has no room for a table."""

TRUNCATED = "truncated: more rows exist"


def _write_csv(result: Result, stream: BinaryIO) -> None:
    with _text(stream) as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(column.name for column in result.columns)
        if result.comes_in_rows or len(result.columns) == 1:  # an only, empty cell has quotes
            for row in result.rows():
                writer.writerow(_csv_field(value) for value in row)
        else:
            from jvmscope.cells import joined_rows

            ends = ["", *[","] * (len(result.columns) - 1), "\n"]
            for batch in result.batches():
                text.writelines(joined_rows(batch, _csv_cell, ends))


def _write_json(result: Result, stream: BinaryIO) -> None:
    with _text(stream) as text:
        names = _keys(result)
        columns = _json_columns(result, names)
        text.write(f'{{\n  "schema": {OUTPUT_SCHEMA},\n  "columns": {columns},\n  "rows": [')
        separator = "\n    "
        for row in _json_rows(result, names):
            text.write(separator + row)
            separator = ",\n    "
        text.write(f'\n  ],\n  "truncated": {json.dumps(result.is_truncated)}\n}}\n')


def _write_jsonl(result: Result, stream: BinaryIO) -> None:
    with _text(stream) as text:
        names = _keys(result)
        text.write(f'{{"schema": {OUTPUT_SCHEMA}, "columns": {_json_columns(result, names)}}}\n')
        for row in _json_rows(result, names):
            text.write(row + "\n")
        if result.is_truncated:
            text.write('{"truncated": true}\n')


def _write_parquet(result: Result, stream: BinaryIO) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(stream, result.arrow_schema, compression="zstd") as writer:
        for batch in result.batches():
            writer.write_batch(batch)
        if result.is_truncated:
            writer.add_key_value_metadata({"jvmscope.truncated": "true"})


def write_table(result: Result, stream: BinaryIO, *, width: int | None = None) -> None:
    """Writes a table of aligned columns.

    Args:
        result: the rows.
        stream: where to.
        width: characters of a line, for which texts, never numbers, lose their middle; None: any.
    """
    rows = ([_shortened(_cell(value)) for value in row] for row in result.rows())
    head = list(itertools.islice(rows, _WIDTH_ROWS))
    titles = _titles(result)
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

    with _text(stream) as text:
        text.write(line(titles))
        text.write(line(["─" * width for width in widths]))
        text.writelines(line(row) for row in itertools.chain(head, rows))
        if result.is_truncated:
            text.write(f"({TRUNCATED})\n")


def _titles(result: Result) -> list[str]:
    """Returns the columns' names with their units; pure numbers have none worth a word."""
    return [
        column.name if column.unit in (None, "1") else f"{column.name} [{column.unit}]"
        for column in result.columns
    ]


def _write_markdown(result: Result, stream: BinaryIO) -> None:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    with _text(stream) as text:
        text.write(line(_titles(result)))
        text.write(line(["---:" if column.is_number else "---" for column in result.columns]))
        text.writelines(line([_cell(value) for value in row]) for row in result.rows())
        if result.is_truncated:
            text.write(f"\n*{TRUNCATED}*\n")


WRITERS: dict[str, Callable[[Result, BinaryIO], None]] = {
    "table": write_table,
    "csv": _write_csv,
    "json": _write_json,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
    "markdown": _write_markdown,
}


@contextlib.contextmanager
def _text(stream: BinaryIO) -> Iterator[io.TextIOWrapper]:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
    try:
        yield text
        text.flush()
    finally:
        with contextlib.suppress(ValueError, BrokenPipeError):
            text.detach()


def _keys(result: Result) -> list[str]:
    """Returns a key for each column: its name, with a number where another has it already."""
    keys: list[str] = []
    for column in result.columns:
        others = (f"{column.name}_{number}" for number in itertools.count(1))
        names = itertools.chain([column.name], others)
        keys.append(next(name for name in names if name not in keys))
    return keys


def _json_columns(result: Result, keys: Sequence[str]) -> str:
    columns = [
        {"name": key, "type": column.type, "unit": column.unit}
        for key, column in zip(keys, result.columns, strict=True)
    ]
    return json.dumps(columns, ensure_ascii=False)


def _json_rows(result: Result, names: Sequence[str]) -> Iterator[str]:
    """Yields the rows as objects: of plain rows one by one, else a batch at a time."""
    if result.comes_in_rows or not names:
        for row in result.rows():
            yield _json_text(dict(zip(names, map(_plain, row), strict=True)))
        return
    from jvmscope.cells import joined_rows

    keys = [f"{_json_text(name)}: " for name in names]
    between = [f"{{{keys[0]}", *(f", {key}" for key in keys[1:]), "}"]
    for batch in result.batches():
        yield from joined_rows(batch, _json_cell, between)


def _json_cell(value: Any) -> str:
    return _json_text(_plain(value))


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    """Returns a value as csv and json write it: whole numbers without a point, no NaN.

    >>> [_plain(value) for value in (Decimal(3), 2.0, 0.5, float("nan"), "x")]
    [3, 2, 0.5, None, 'x']
    """
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value


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


def _csv_cell(value: Any) -> str:
    r"""Returns a value as a cell among others.

    >>> [_csv_cell(value) for value in (None, True, 2.0, 'a "b", c', "x\ny")]
    ['', 'true', '2', '"a ""b"", c"', '"x\ny"']
    """
    cells = io.StringIO()
    csv.writer(cells, lineterminator="\n").writerow((_csv_field(value), ""))
    return cells.getvalue()[:-2]


def _csv_field(value: Any) -> Any:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else _plain(value)


def _cell(value: Any) -> str:
    """Returns a value as a table shows it: fractions with six digits, nothing for null.

    >>> [_cell(value) for value in (None, 1 / 3, 12.0, "a", [1, 2], True)]
    ['', '0.333333', '12', 'a', '[1, 2]', 'true']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    value = _plain(value) if isinstance(value, float | Decimal) else value
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value).replace("\n", "\\n")

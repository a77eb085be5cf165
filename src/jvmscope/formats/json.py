"""JSON, and JSON Lines: an object for each row."""

from __future__ import annotations

import itertools
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any, BinaryIO

from jvmscope.formats.registry import Format, register
from jvmscope.formats.texts import plain, text_stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.queries import Result

__all__ = ["write_json", "write_jsonl"]

_SCHEMA = 1
"""Version of the shape of json and jsonl output."""


def write_json(result: Result, stream: BinaryIO) -> None:
    """Writes one object with the columns and the rows."""
    with text_stream(stream) as text:
        names = _keys(result)
        columns = _columns(result, names)
        text.write(f'{{\n  "schema": {_SCHEMA},\n  "columns": {columns},\n  "rows": [')
        separator = "\n    "
        for row in _rows(result, names):
            text.write(separator + row)
            separator = ",\n    "
        text.write(f'\n  ],\n  "truncated": {json.dumps(result.is_truncated)}\n}}\n')


def write_jsonl(result: Result, stream: BinaryIO) -> None:
    """Writes a line with the columns, one for each row, and one if there are more."""
    with text_stream(stream) as text:
        names = _keys(result)
        text.write(f'{{"schema": {_SCHEMA}, "columns": {_columns(result, names)}}}\n')
        for row in _rows(result, names):
            text.write(row + "\n")
        if result.is_truncated:
            text.write('{"truncated": true}\n')


def _keys(result: Result) -> list[str]:
    """Returns a key for each column: its name, with a number where another has it already."""
    keys: list[str] = []
    for column in result.columns:
        others = (f"{column.name}_{number}" for number in itertools.count(1))
        names = itertools.chain([column.name], others)
        keys.append(next(name for name in names if name not in keys))
    return keys


def _columns(result: Result, keys: Sequence[str]) -> str:
    columns = [
        {"name": key, "type": column.type, "unit": column.unit}
        for key, column in zip(keys, result.columns, strict=True)
    ]
    return json.dumps(columns, ensure_ascii=False)


def _rows(result: Result, names: Sequence[str]) -> Iterator[str]:
    """Yields the rows as objects: of plain rows one by one, else a batch at a time."""
    if result.comes_in_rows or not names:
        for row in result.rows():
            cells = zip(names, row, strict=True)
            yield f"{{{', '.join(f'{_text(name)}: {_cell(value)}' for name, value in cells)}}}"
        return
    from jvmscope.output.cells import joined_rows
    from jvmscope.queries import json_values

    keys = [f"{_text(name)}: " for name in names]
    between = [f"{{{keys[0]}", *(f", {key}" for key in keys[1:]), "}"]
    for batch in result.batches():
        yield from joined_rows(batch, _cell, between, json_values)


def _cell(value: Any) -> str:
    """Returns a value, which may be a list or an object, as JSON.

    >>> _cell([Decimal("12345678901234567890.125"), {"a": None, "b": True, "c": "x"}])
    '[12345678901234567890.125, {"a": null, "b": true, "c": "x"}]'
    """
    if isinstance(value, dict):
        cells = (f"{_text(str(name))}: {_cell(each)}" for name, each in value.items())
        return f"{{{', '.join(cells)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_cell, value))}]"
    found = plain(value)
    return f"{found:f}" if isinstance(found, Decimal) else _text(found)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


register(Format("json", write_json, rank=2))
register(Format("jsonl", write_jsonl, rank=3))

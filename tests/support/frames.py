"""Writes frames as the dump does, from Arrow tables; ``schema/dump-frames.md`` defines them."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.schema.definitions import ALWAYS, tables

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FrameStream", "whole_stream"]

TABLE, BATCH, END_TABLE, PROGRESS, CLASS_FILE, RESULT, ERROR = range(1, 8)

RESULT_OF_NOTHING = {
    "contexts": 0,
    "threads": 0,
    "main_context": -1,
    "main_class": None,
    "exclusions": 0,
    "dropped": 0,
    "unlogged": {},
    "without_room": 0,
}


class FrameStream:
    """Collects the bytes of a stream."""

    def __init__(self, *, magic: bytes = b"JVSCFRM1", version: int = 1) -> None:
        self.data = bytearray(struct.pack("<8sII", magic, version, 0))
        self._n_tables = 0

    def frame(self, kind: int, table: int, payload: bytes) -> None:
        padded = _padded(payload)
        self.data += struct.pack("<IIQ", kind, table, len(padded)) + padded

    def json(self, kind: int, value: Any, table: int = 0) -> None:
        text = json.dumps(value).encode()
        self.frame(kind, table, text + b" " * (-len(text) % 8))

    def class_file(self, path: str, file: bytes) -> None:
        name = path.encode()
        self.frame(CLASS_FILE, 0, struct.pack("<II", len(name), len(file)) + name + file)

    def table(self, name: str, rows: pa.Table, *, n_rows: int | None = None) -> None:
        """Writes a table whole; ``n_rows`` is what its end says, by default the truth."""
        number = self._n_tables
        self._n_tables += 1
        words = {f.name: _words(rows.column(f.name)) for f in rows.schema if _is_coded(f.type)}
        columns = [_described(field, words) for field in rows.schema]
        self.json(TABLE, {"name": name, "columns": columns}, number)
        for batch in rows.to_batches():
            payload = struct.pack(f"<{1 + len(columns)}I", len(batch), *_nulls(batch))
            payload = _padded(payload)
            for column, field in zip(batch.columns, batch.schema, strict=True):
                payload += _encoded(column, words.get(field.name))
            self.frame(BATCH, number, payload)
        self.frame(END_TABLE, number, struct.pack("<Q", len(rows) if n_rows is None else n_rows))


def whole_stream(rows: Mapping[str, pa.Table] | None = None) -> FrameStream:
    """Returns a stream with every table that each run has, empty if no rows are given for it."""
    stream = FrameStream()
    for name, table in tables().items():
        if table.recorded == ALWAYS:
            stream.table(name, (rows or {}).get(name, table.arrow_schema.empty_table()))
    stream.json(RESULT, RESULT_OF_NOTHING)
    return stream


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def _is_coded(kind: pa.DataType) -> bool:
    return pa.types.is_dictionary(kind)


def _words(column: pa.ChunkedArray) -> list[str]:
    return sorted({value for value in column.to_pylist() if value is not None})


def _described(field: pa.Field, words: dict[str, list[str]]) -> dict[str, Any]:
    types = {"int32": "int32", "int64": "int64", "bool": "bool", "string": "text"}
    if field.name in words:
        return {"name": field.name, "type": "code", "words": words[field.name]}
    return {"name": field.name, "type": types.get(str(field.type), "int32[]")}


def _nulls(batch: pa.RecordBatch) -> list[int]:
    return [column.null_count for column in batch.columns]


def _encoded(column: pa.Array, words: list[str] | None) -> bytes:
    values = column.to_pylist()
    bits = _padded(_bits([value is not None for value in values])) if column.null_count else b""
    if words is not None:
        return bits + _padded(bytes(words.index(v) if v is not None else 0 for v in values))
    if pa.types.is_boolean(column.type):
        return bits + _padded(_bits([bool(value) for value in values]))
    if pa.types.is_integer(column.type):
        letter = "i" if column.type.bit_width == 32 else "q"
        return bits + _padded(struct.pack(f"<{len(values)}{letter}", *(v or 0 for v in values)))
    if pa.types.is_string(column.type):
        parts = [(value or "").encode() for value in values]
        members = b"".join(parts)
        unit = 1
    else:
        parts = [struct.pack(f"<{len(v or [])}i", *(v or [])) for v in values]
        members = b"".join(parts)
        unit = 4
    ends = [0]
    for part in parts:
        ends.append(ends[-1] + len(part) // unit)
    return bits + _padded(struct.pack(f"<{len(ends)}i", *ends)) + _padded(members)


def _bits(values: list[bool]) -> bytes:
    number = sum(1 << i for i, value in enumerate(values) if value)
    return number.to_bytes((len(values) + 7) // 8, "little")

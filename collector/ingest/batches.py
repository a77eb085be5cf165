"""From the payloads of frames to Arrow arrays, without copying."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import RunError

if TYPE_CHECKING:
    from jvmscope.collector.ingest.frames import Frame

__all__ = ["BatchDecoder"]

_TYPES: dict[str, pa.DataType] = {
    "int32": pa.int32(),
    "int64": pa.int64(),
    "bool": pa.bool_(),
    "code": pa.uint8(),
    "text": pa.string(),
    "int32[]": pa.list_(pa.int32()),
}


class BatchDecoder:
    """Decodes the batches of one table, which a TABLE frame describes.

    Attributes:
        name: the table's name.
    """

    def __init__(self, frame: Frame) -> None:
        description: dict[str, Any] = frame.json()
        self.name: str = description["name"]
        self._columns: list[dict[str, Any]] = description["columns"]
        self._names = [column["name"] for column in self._columns]
        self._words = [
            pa.array(column["words"], pa.string()) if "words" in column else None
            for column in self._columns
        ]

    def decode(self, frame: Frame) -> pa.RecordBatch:
        """Returns the rows of a BATCH frame; they share its memory."""
        head = struct.Struct(f"<{1 + len(self._columns)}I")
        n_rows, *nulls = head.unpack_from(frame.payload)
        cursor = _Cursor(frame.payload, head.size)
        arrays = []
        for column, words, n_nulls in zip(self._columns, self._words, nulls, strict=True):
            array = _decode(_TYPES[column["type"]], n_rows, n_nulls, cursor)
            arrays.append(array if words is None else _with_words(array, words))
        if cursor.at != frame.payload.size:
            raise RunError(f"dump: a batch of table {self.name} has bytes left over")
        return pa.RecordBatch.from_arrays(arrays, names=self._names)


class _Cursor:
    """Takes one buffer after the other from a payload; each is padded to 8 bytes."""

    def __init__(self, payload: pa.Buffer, start: int) -> None:
        self.payload = payload
        self.at = start + 7 & ~7

    def take(self, size: int) -> pa.Buffer:
        end = self.at + size
        if end > self.payload.size:
            raise RunError("dump: a batch is shorter than its rows")
        buffer = self.payload.slice(self.at, size)
        self.at = end + 7 & ~7
        return buffer


def _decode(kind: pa.DataType, n_rows: int, n_nulls: int, cursor: _Cursor) -> pa.Array[Any]:
    validity = cursor.take(n_rows + 7 >> 3) if n_nulls else None
    if pa.types.is_string(kind) or pa.types.is_list(kind):
        offsets = cursor.take(4 * (n_rows + 1))
        (length,) = struct.unpack_from("<i", offsets, 4 * n_rows)
        if pa.types.is_string(kind):
            return pa.Array.from_buffers(
                kind, n_rows, [validity, offsets, cursor.take(length)], n_nulls
            )
        members = pa.Array.from_buffers(pa.int32(), length, [None, cursor.take(4 * length)])
        return pa.Array.from_buffers(kind, n_rows, [validity, offsets], n_nulls, 0, [members])
    values = cursor.take((n_rows * kind.bit_width + 7) >> 3)
    return pa.Array.from_buffers(kind, n_rows, [validity, values], n_nulls)


def _with_words(codes: pa.Array[Any], words: pa.Array[Any]) -> pa.Array[Any]:
    return pa.DictionaryArray.from_arrays(codes, words)

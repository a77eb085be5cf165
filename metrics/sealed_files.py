"""Parquet files that hold the digest of their own bytes, so that a changed one is noticed.

Without it, Parquet reads many a changed byte as another number, or as another name. The digest is
an entry of the file's footer. It is the one of the file with zeros in its place.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.schema.local_paths import local

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import BinaryIO

__all__ = ["is_whole", "read_table", "write_tables"]

_KEY = "jvmscope.sha256"
_DIGITS = 64
_BLANK = b"0" * _DIGITS
_MARK = _KEY.encode() + bytes([0x18, _DIGITS])
"""What stands before the digest: its key, and as Thrift has it, a string's type and length."""

_END_BYTES = 8
"""The length of the footer and ``PAR1``."""

_PIECE_BYTES = 1 << 20


def write_tables(path: Path, schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
    """Writes tables of one schema to a file, one after the other.

    Raises:
        OSError: it cannot be written.
    """
    with pq.ParquetWriter(local(path), schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)
        writer.add_key_value_metadata({_KEY: _BLANK.decode()})
    with path.open("r+b") as file:
        place = _place(file)
        assert place is not None  # noqa: S101 - it has just been written
        digest = _digest(file, place)
        file.seek(place)
        file.write(digest)


def is_whole(path: Path) -> bool:
    """Tells whether a file has the bytes that were written.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        place = _place(file)
        if place is None:
            return False
        file.seek(place)
        return file.read(_DIGITS) == _digest(file, place)


def read_table(path: Path) -> pa.Table:
    """Returns the rows, without the digest.

    Raises:
        OSError: the file cannot be read.
        ArrowException: it is damaged.
    """
    return pq.read_table(local(path)).replace_schema_metadata()


def _place(file: BinaryIO) -> int | None:
    """Returns where the digest is; None if there is no footer with one."""
    size = file.seek(0, 2)
    if size < _END_BYTES:
        return None
    file.seek(size - _END_BYTES)
    footer_bytes = int.from_bytes(file.read(4), "little")
    begin = size - _END_BYTES - footer_bytes
    if begin < 0:
        return None
    file.seek(begin)
    found = file.read(footer_bytes).rfind(_MARK)
    return None if found < 0 else begin + found + len(_MARK)


def _digest(file: BinaryIO, place: int) -> bytes:
    """Returns the digest of a file's bytes, with zeros at the place of the digest."""
    digest = hashlib.sha256()
    file.seek(0)
    rest = place
    while rest:
        piece = file.read(min(rest, _PIECE_BYTES))
        digest.update(piece)
        rest -= len(piece)
    digest.update(_BLANK)
    file.seek(place + _DIGITS)
    while piece := file.read(_PIECE_BYTES):
        digest.update(piece)
    return digest.hexdigest().encode()

"""What the manifest has about a table's file: rows, bytes and hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PartFacts", "TableFacts", "file_sha256"]

_HASH_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class PartFacts:
    """What the manifest says of one file of a table that has several; its path is in ``tables``."""

    file: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class TableFacts:
    """What the manifest says of one table.

    While a watch run grows, its tables have several files, ``parts``, and no hash of their own.
    Any other table has one, ``NAME.parquet``, and no parts.
    """

    rows: int
    bytes: int
    sha256: str
    columns: tuple[str, ...]
    parts: tuple[PartFacts, ...] = ()

    def files(self, table: str) -> tuple[PartFacts, ...]:
        """Returns the files of the table that has the name."""
        return self.parts or (PartFacts(f"{table}.parquet", self.rows, self.bytes, self.sha256),)


def file_sha256(path: Path) -> str:
    """Returns the SHA-256 of a file's bytes, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_HASH_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()

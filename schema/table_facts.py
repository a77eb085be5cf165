"""What the manifest has about a table's file: rows, bytes and hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TableFacts", "file_sha256"]

_HASH_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class TableFacts:
    """What the manifest says of one table file."""

    rows: int
    bytes: int
    sha256: str
    columns: tuple[str, ...]


def file_sha256(path: Path) -> str:
    """Returns the SHA-256 of a file's bytes, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_HASH_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()

"""Copies of files that are mostly holes, as arenas are."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["copy_sparsely"]

_CHUNK_BYTES = 1 << 22


def copy_sparsely(source: Path, target: Path) -> None:
    """Copies a file with its holes.

    Raises:
        OSError: there is no room for what is between the holes.
    """
    with source.open("rb") as reader, target.open("wb") as writer:
        size = os.fstat(reader.fileno()).st_size
        position = 0
        while position < size:
            try:
                start = os.lseek(reader.fileno(), position, os.SEEK_DATA)
            except OSError:
                break  # only a hole is left
            end = os.lseek(reader.fileno(), start, os.SEEK_HOLE)
            reader.seek(start)
            writer.seek(start)
            while start < end:
                chunk = reader.read(min(_CHUNK_BYTES, end - start))
                writer.write(chunk)
                start += len(chunk)
            position = end
        writer.truncate(size)
    shutil.copymode(source, target)

"""The header of the file in which the library counts native code; it says how the JVM ended."""

from __future__ import annotations

import struct
import sys
from typing import TYPE_CHECKING

from jvmscope.collector.arena import ArenaHeader

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["NATIVE_FILE", "has_lost_counts", "read_native_header"]

NATIVE_FILE = "native"
"""The file's name in the raw directory."""

# struct header of collector/native/src/store.h
_MAGIC = 0x3254414E534D564A
_HEADER = struct.Struct(f"{'<' if sys.byteorder == 'little' else '>'}10QQq")
_USED, _LOST, _STATE, _STATUS = 1, 8, 10, 11


def read_native_header(path: Path) -> ArenaHeader | None:
    """Returns what an arena's header would say; None if the library had not begun to write."""
    values = _read(path)
    if values is None:
        return None
    return ArenaHeader(
        state=values[_STATE],
        status=values[_STATUS],
        flags=0,
        used_bytes=values[_USED],
        java_major=0,
        pid=0,
    )


def has_lost_counts(path: Path) -> bool:
    """Tells whether the library found no room for something; False if there is no such file."""
    values = _read(path)
    return values is not None and values[_LOST] != 0


def _read(path: Path) -> tuple[int, ...] | None:
    try:
        with path.open("rb") as file:
            data = file.read(_HEADER.size)
    except OSError:
        return None
    values = _HEADER.unpack(data) if len(data) == _HEADER.size else (0,)
    return values if values[0] == _MAGIC else None

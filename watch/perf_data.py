"""The performance counters that a HotSpot VM keeps in a file: its version, command and abilities.

The file is a header and one entry a counter, in the byte order of the machine. A VM with
``-XX:-UsePerfData`` has none.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_perf_data"]

_HEADER = struct.Struct("<IBBBBiiqii")
_ENTRY = struct.Struct("<iiibBBBi")
_MAGIC = 0xC0C0FECA
_LITTLE_ENDIAN = 1
_BYTES = ord("B")


def read_perf_data(path: Path) -> dict[str, str]:
    """Returns the texts among a VM's counters by name; none if the file is not one of counters.

    Args:
        path: the file, ``hsperfdata_USER/PID`` in the VM's directory for temporary files.
    """
    try:
        content = path.read_bytes()
        return _texts(content)
    except (OSError, struct.error, ValueError):  # it ended, or is just writing the file
        return {}


def _texts(content: bytes) -> dict[str, str]:
    magic, order, _major, _minor, _ready, _used, _lost, _changed, at, n_entries = (
        _HEADER.unpack_from(content)
    )
    found: dict[str, str] = {}
    if magic != _MAGIC or order != _LITTLE_ENDIAN:
        return found
    for _ in range(n_entries):
        length, name, n_values, kind, _flags, _unit, _change, values = _ENTRY.unpack_from(
            content, at
        )
        if kind == _BYTES and n_values:
            found[_text(content, at + name, at + values)] = _text(
                content, at + values, at + values + n_values
            )
        at += length
    return found


def _text(content: bytes, start: int, end: int) -> str:
    """Returns the text up to the first null byte.

    >>> _text(b"java" + bytes(4), 0, 8)
    'java'
    """
    return content[start:end].partition(b"\0")[0].decode(errors="replace")

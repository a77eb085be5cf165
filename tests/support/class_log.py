"""The log of loaded classes, with records taken out, as if a VM had been killed before them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["forget_numbers"]

_LENGTH = struct.Struct(">i")
_NUMBER = struct.Struct(">ci")
_KINDS = (b"R", b"H")  # io.jvmscope.classfile.ClassLogLayout


def forget_numbers(log: Path, is_known: Callable[[int], bool]) -> int:
    """Takes out which class a number stands for, unless it is known; returns how many it took."""
    data, kept, forgotten = log.read_bytes(), bytearray(), 0
    at = 0
    while at < len(data):
        behind = at + 4 + _LENGTH.unpack_from(data, at)[0]
        kind, number = _NUMBER.unpack_from(data, at + 4)
        if kind in _KINDS and not is_known(number):
            forgotten += 1
        else:
            kept += data[at:behind]
        at = behind
    log.write_bytes(kept)
    return forgotten

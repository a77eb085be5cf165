"""The values of a chunk: integers of variable length, numbers and strings.

A reader is a function of the bytes and a position; it returns the value and where the next begins.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["PRIMITIVES", "Reader", "Reference", "read_signed", "read_text", "read_unsigned"]

Reader = Callable[[bytes, int], "tuple[Any, int]"]

_FLOAT = struct.Struct(">f")
_DOUBLE = struct.Struct(">d")
_MOST_BYTES = 9  # the ninth has eight bits


class Reference(NamedTuple):
    """A constant that is kept in a pool: its type's number, and its key there."""

    type_id: int
    key: int


def read_unsigned(data: bytes, at: int) -> tuple[int, int]:
    r"""Returns an integer whose bytes have seven bits each, the lowest first.

    >>> read_unsigned(b"\xac\x02", 0)
    (300, 2)
    >>> read_unsigned(bytes([0xFF] * 9), 0) == (2**64 - 1, 9)
    True
    """
    value = data[at]
    at += 1
    if value < 0x80:
        return value, at
    value &= 0x7F
    shift = 7
    while shift < 7 * (_MOST_BYTES - 1):
        byte = data[at]
        at += 1
        if byte < 0x80:
            return value | byte << shift, at
        value |= (byte & 0x7F) << shift
        shift += 7
    return value | data[at] << shift, at + 1


def read_signed(data: bytes, at: int) -> tuple[int, int]:
    """Returns a 64-bit integer with its sign.

    >>> read_signed(bytes([0xFF] * 9), 0)
    (-1, 9)
    """
    value, at = read_unsigned(data, at)
    return (value - (1 << 64) if value >> 63 else value), at


def _read_int(data: bytes, at: int) -> tuple[int, int]:
    """Returns a 32-bit integer with its sign."""
    value, at = read_unsigned(data, at)
    value &= 0xFFFF_FFFF
    return (value - (1 << 32) if value >> 31 else value), at


def _read_short(data: bytes, at: int) -> tuple[int, int]:
    value, at = read_unsigned(data, at)
    value &= 0xFFFF
    return (value - (1 << 16) if value >> 15 else value), at


def _read_byte(data: bytes, at: int) -> tuple[int, int]:
    return data[at], at + 1


def _read_boolean(data: bytes, at: int) -> tuple[bool, int]:
    return data[at] != 0, at + 1


def _read_float(data: bytes, at: int) -> tuple[float, int]:
    return _FLOAT.unpack_from(data, at)[0], at + 4


def _read_double(data: bytes, at: int) -> tuple[float, int]:
    return _DOUBLE.unpack_from(data, at)[0], at + 8


def read_text(data: bytes, at: int) -> tuple[str | int | None, int]:
    r"""Returns a string in one of its encodings; an integer is its key in the pool of strings.

    >>> read_text(b"\x03\x04text", 0), read_text(b"\x00", 0), read_text(b"\x01", 0)
    (('text', 6), (None, 1), ('', 1))
    """
    encoding = data[at]
    at += 1
    if encoding == 0:
        return None, at
    if encoding == 1:
        return "", at
    length, at = read_unsigned(data, at)
    if encoding == 2:
        return length, at
    if encoding == 3:
        return data[at : at + length].decode(errors="replace"), at + length
    if encoding == 5:
        return data[at : at + length].decode("latin-1"), at + length
    if encoding != 4:
        raise ValueError(f"no encoding of strings has the number {encoding}")
    units = bytearray()
    for _ in range(length):
        unit, at = read_unsigned(data, at)
        units += unit.to_bytes(2, "little")
    return units.decode("utf-16-le", errors="replace"), at


PRIMITIVES: dict[str, Reader] = {
    "boolean": _read_boolean,
    "byte": _read_byte,
    "short": _read_short,
    "char": read_unsigned,
    "int": _read_int,
    "long": read_signed,
    "float": _read_float,
    "double": _read_double,
}
"""The readers of Java's primitive types."""

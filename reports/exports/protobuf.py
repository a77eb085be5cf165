"""The wire format of protocol buffers, as far as pprof's messages need it.

A message is the concatenation of its fields; a field is a tag and a number, or a tag, a length and
bytes. https://protobuf.dev/programming-guides/encoding
"""

from __future__ import annotations

__all__ = ["bytes_field", "number_field", "varint"]

_NUMBER, _BYTES = 0, 2


def varint(number: int) -> bytes:
    """Returns a whole number from 0 to 2^64 - 1 in groups of seven bits, the low ones first.

    >>> varint(1), varint(150)
    (b'\\x01', b'\\x96\\x01')
    """
    if number < 0x80:
        return bytes((number,))
    groups = bytearray()
    while number >= 0x80:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def number_field(field: int, number: int) -> bytes:
    """Returns a field with a number that is not negative; none where it is 0, the default."""
    return varint(field << 3 | _NUMBER) + varint(number) if number else b""


def bytes_field(field: int, content: bytes) -> bytes:
    """Returns a field with a string, a message or packed numbers."""
    return varint(field << 3 | _BYTES) + varint(len(content)) + content

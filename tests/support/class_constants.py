"""The constants of a compiled Java class."""

from __future__ import annotations

import struct

__all__ = ["class_constants"]

_SIZES = {7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
_NUMBERS = {3: ">i", 5: ">q"}  # CONSTANT_Integer and CONSTANT_Long, JVMS 4.4


def class_constants(class_file: bytes) -> dict[str, int]:
    """Returns the values of the fields that are int or long constants, private ones too."""
    pool, at = _pool(class_file)
    interfaces = _u2(class_file, at + 6)
    at += 8 + 2 * interfaces
    n_fields = _u2(class_file, at)
    at += 2
    constants = {}
    for _ in range(n_fields):
        name, n_attributes = pool[_u2(class_file, at + 2)], _u2(class_file, at + 6)
        at += 8
        for _ in range(n_attributes):
            attribute = pool[_u2(class_file, at)]
            if attribute == "ConstantValue":
                constants[str(name)] = int(pool[_u2(class_file, at + 6)])
            at += 6 + int.from_bytes(class_file[at + 2 : at + 6])
    return constants


def _pool(class_file: bytes) -> tuple[dict[int, str | int], int]:
    """Returns the texts and numbers of the constant pool, and where it ends."""
    pool: dict[int, str | int] = {}
    at, index = 10, 1
    while index < _u2(class_file, 8):
        tag = class_file[at]
        at += 1
        if tag == 1:
            length = _u2(class_file, at)
            pool[index] = class_file[at + 2 : at + 2 + length].decode()
            at += 2 + length
        elif tag in _NUMBERS:
            (pool[index],) = struct.unpack_from(_NUMBERS[tag], class_file, at)
            at += struct.calcsize(_NUMBERS[tag])
        else:
            at += _SIZES[tag]
        index += 2 if tag == 5 else 1
    return pool, at


def _u2(class_file: bytes, at: int) -> int:
    return int.from_bytes(class_file[at : at + 2])

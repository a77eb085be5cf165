"""What a class file says of the code that runs, as a hash that does not depend on its layout.

The VM gives an agent class files that it writes anew: with the same code, but with other constants,
without some attributes, and with methods in another order. So of class files these are compared:
the version, the names of the class, its superclass and interfaces, its flags, its fields with their
constants, and its methods with flags, exceptions, instructions whose operands are resolved,
handlers and source lines. Annotations, generic signatures, names of local variables, stack maps
and inner classes are left out.
"""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["code_sha256"]

_MAGIC = 0xCAFEBABE
_CLASS_FLAGS, _FIELD_FLAGS, _METHOD_FLAGS = 0x7611, 0x50DF, 0x1DFF
"""The flags of JVMS 4.1, 4.5 and 4.6, without ACC_SUPER, which means nothing."""

_TABLESWITCH, _LOOKUPSWITCH, _LDC, _IINC, _WIDE = 0xAA, 0xAB, 0x12, 0x84, 0xC4
_NAMES_CONSTANT = frozenset([0x13, 0x14, *range(0xB2, 0xBC), 0xBD, 0xC0, 0xC1, 0xC5])
"""Instructions with the number of a constant in two bytes."""

_OTHER_LENGTHS = (
    (2, (0x10, 0x12, *range(0x15, 0x1A), *range(0x36, 0x3B), 0xA9, 0xBC)),
    (3, (0x11, 0x13, 0x14, 0x84, *range(0x99, 0xA9), *range(0xB2, 0xB9), 0xBB, 0xBD, 0xC0, 0xC1)),
    (3, (0xC6, 0xC7)),
    (4, (0xC5,)),
    (5, (0xB9, 0xBA, 0xC8, 0xC9)),
)
_LENGTHS = {code: length for length, codes in _OTHER_LENGTHS for code in codes}
"""Lengths of the instructions that have more than one byte (JVMS 6.5), but for switches."""

_NUMBERS = {3: 4, 4: 4, 5: 8, 6: 8}
"""Tags of constants that are numbers, and their sizes [byte]."""

_PARTS = {7: 1, 8: 1, 9: 2, 10: 2, 11: 2, 12: 2, 16: 1, 17: 2, 18: 2, 19: 1, 20: 1}
"""Tags of constants that name other ones, and how many; of 17 and 18 one is a bootstrap."""

_UTF8, _HANDLE, _DYNAMIC = 1, 15, frozenset([17, 18])


def code_sha256(class_file: bytes) -> str:
    """Returns the hash of what a class file says of the code that runs, 64 hexadecimal digits.

    Raises:
        ValueError: it is not a class file.
    """
    try:
        parts = repr(_ClassFile(class_file).parts()).encode()
    except (struct.error, IndexError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"not a class file: {error!r}") from None
    return hashlib.sha256(parts).hexdigest()


class _Reader:
    """Reads big-endian numbers one after the other."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def u1(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def u2(self) -> int:
        self.at += 2
        number: int = struct.unpack_from(">H", self.content, self.at - 2)[0]
        return number

    def u4(self) -> int:
        self.at += 4
        number: int = struct.unpack_from(">I", self.content, self.at - 4)[0]
        return number

    def take(self, size: int) -> bytes:
        """Returns the next bytes, which have to be there."""
        self.at += size
        if self.at > len(self.content):
            raise IndexError(self.at)
        return self.content[self.at - size : self.at]


class _ClassFile:
    """A class file, as its constants resolve the rest."""

    def __init__(self, content: bytes) -> None:
        self._in = _Reader(content)
        if self._in.u4() != _MAGIC:
            raise IndexError("no magic number")
        self._version = (self._in.u2(), self._in.u2())
        self._constants = self._read_constants()
        self._resolved: dict[int, Any] = {0: None}
        self._bootstraps: list[tuple[int, ...]] = []

    def parts(self) -> tuple[Any, ...]:
        """Returns what is compared, of numbers, bytes and tuples of these."""
        read = self._in
        flags, name, above = read.u2() & _CLASS_FLAGS, read.u2(), read.u2()
        interfaces = [read.u2() for _ in range(read.u2())]
        fields = [self._member() for _ in range(read.u2())]
        methods = [self._member() for _ in range(read.u2())]
        bootstraps = self._attributes().get(b"BootstrapMethods")
        if bootstraps is not None:
            self._read_bootstraps(_Reader(bootstraps))
        return (
            self._version,
            flags,
            *(self._constant(each) for each in (name, above, *interfaces)),
            sorted(self._field(*each) for each in fields),
            sorted(self._method(*each) for each in methods),
        )

    def _read_constants(self) -> list[tuple[Any, ...]]:
        """Returns the constants: a tag with bytes, or with the numbers of other constants."""
        read = self._in
        n = read.u2()
        constants: list[tuple[Any, ...]] = [(0,)]
        while len(constants) < n:
            tag = read.u1()
            if tag == _UTF8:
                constants.append((tag, read.take(read.u2())))
            elif tag == _HANDLE:
                constants.append((tag, read.u1(), read.u2()))
            elif tag in _NUMBERS:
                constants.append((tag, read.take(_NUMBERS[tag])))
                constants.extend([(0,)] * (_NUMBERS[tag] // 8))  # a long takes two places
            else:
                constants.append((tag, *(read.u2() for _ in range(_PARTS[tag]))))
        return constants

    def _read_bootstraps(self, read: _Reader) -> None:
        for _ in range(read.u2()):
            handle = read.u2()
            self._bootstraps.append((handle, *(read.u2() for _ in range(read.u2()))))

    def _constant(self, number: int) -> Any:
        """Returns what a constant is, without any number of a constant; a call site as a hash."""
        if number not in self._resolved:
            self._resolved[number] = IndexError  # a constant that is made of itself has none
            tag, *parts = self._constants[number]
            if tag in _DYNAMIC:
                bootstrap, named = parts
                whole = [*map(self._constant, (*self._bootstraps[bootstrap], named))]
                text = hashlib.sha256(repr(whole).encode()).digest()
                self._resolved[number] = (tag, text)
            elif tag == _HANDLE:
                self._resolved[number] = (tag, parts[0], self._constant(parts[1]))
            elif tag in _PARTS:
                self._resolved[number] = (tag, *map(self._constant, parts))
            else:
                self._resolved[number] = (tag, *parts)
        if self._resolved[number] is IndexError:
            raise IndexError(number)
        return self._resolved[number]

    def _text(self, number: int) -> bytes:
        tag, text = self._constants[number]
        if tag != _UTF8:
            raise IndexError(number)
        return bytes(text)

    def _attributes(self, read: _Reader | None = None) -> dict[bytes, bytes]:
        """Returns attributes by name; tables of lines are put together."""
        read = read or self._in
        found: dict[bytes, bytes] = {}
        for _ in range(read.u2()):
            name = self._text(read.u2())
            content = read.take(read.u4())
            if name == b"LineNumberTable":
                content = found.get(name, b"") + content[2:]
            found[name] = content
        return found

    def _member(self) -> tuple[int, bytes, bytes, dict[bytes, bytes]]:
        """Returns flags, name, descriptor and attributes of a field or method."""
        read = self._in
        return read.u2(), self._text(read.u2()), self._text(read.u2()), self._attributes()

    def _field(
        self, flags: int, name: bytes, descriptor: bytes, attributes: dict[bytes, bytes]
    ) -> tuple[Any, ...]:
        value = attributes.get(b"ConstantValue")
        constant = () if value is None else self._constant(_Reader(value).u2())
        return name, descriptor, flags & _FIELD_FLAGS, constant

    def _method(
        self, flags: int, name: bytes, descriptor: bytes, attributes: dict[bytes, bytes]
    ) -> tuple[Any, ...]:
        exceptions = _Reader(attributes.get(b"Exceptions", bytes(2)))
        thrown = tuple(self._constant(exceptions.u2()) for _ in range(exceptions.u2()))
        code = attributes.get(b"Code")
        body = () if code is None else self._code(_Reader(code))
        return name, descriptor, flags & _METHOD_FLAGS, thrown, body

    def _code(self, read: _Reader) -> tuple[Any, ...]:
        sizes = read.u2(), read.u2()
        instructions = tuple(self._instructions(read.take(read.u4())))
        handlers = tuple(
            (read.u2(), read.u2(), read.u2(), self._constant(read.u2())) for _ in range(read.u2())
        )
        return sizes, instructions, handlers, self._attributes(read).get(b"LineNumberTable")

    def _instructions(self, code: bytes) -> Iterator[Any]:
        """Yields each instruction as its bytes, or its first byte, its constant and the rest."""
        at = 0
        while at < len(code):
            opcode, end = code[at], at + _length(code, at)
            if opcode == _LDC:
                yield opcode, self._constant(code[at + 1]), b""
            elif opcode in _NAMES_CONSTANT:
                (number,) = struct.unpack_from(">H", code, at + 1)
                yield opcode, self._constant(number), code[at + 3 : end]
            else:
                yield code[at:end]
            at = end


def _length(code: bytes, at: int) -> int:
    """Returns the length of an instruction [byte].

    >>> _length(bytes([0x00]), 0), _length(bytes([0xC4, 0x84, 0, 1, 0, 1]), 0)
    (1, 6)
    """
    opcode = code[at]
    if opcode == _WIDE:
        return 6 if code[at + 1] == _IINC else 4
    if opcode not in (_TABLESWITCH, _LOOKUPSWITCH):
        return _LENGTHS.get(opcode, 1)
    operands = at // 4 * 4 + 4
    if opcode == _TABLESWITCH:
        low, high = struct.unpack_from(">ii", code, operands + 4)
        return int(operands + 12 + 4 * max(0, high - low + 1) - at)
    (n,) = struct.unpack_from(">i", code, operands + 4)
    return int(operands + 8 + 8 * max(0, n) - at)

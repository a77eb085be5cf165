"""Numbers, texts and characters in conditions, with the values that they have in Java."""

from __future__ import annotations

import math
import re
import struct
from typing import TYPE_CHECKING

from jvmscope.watch.probes.tokens import probe_error

if TYPE_CHECKING:
    from jvmscope.watch.probes.tokens import Token

__all__ = ["value_of"]

_ESCAPE = re.compile(r"\\(u+[\da-fA-F]{4}|[0-3]?[0-7]{1,2}|.)", re.DOTALL)
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "s": " "}
_THEMSELVES = "\"'\\"
_INT_BITS, _LONG_BITS = 32, 64


def value_of(token: Token, text: str) -> str:
    """Returns the value of a literal as the agent reads it; a character is its number.

    Args:
        token: the literal.
        text: the text of its probe, for errors.

    Raises:
        QueryError: Java knows no such literal.
    """
    if token.kind == "integer":
        return str(_integer(token, text))
    if token.kind == "real":
        return _real(token, text)
    plain = _unescaped(token, text)
    if token.kind == "character":
        return str(ord(plain))
    try:
        return plain.encode("utf-16", "surrogatepass").decode("utf-16")  # halves make one
    except UnicodeDecodeError:
        message = "the text has half a character"
        raise probe_error(text, token.at, len(token.text), message, None) from None


def _integer(token: Token, text: str) -> int:
    digits = token.text.rstrip("lL")
    is_long = digits != token.text
    base = 16 if digits[:2] in ("0x", "0X") else 8 if digits.startswith("0") else 10
    try:
        value = int(digits[2:] if base == 16 else digits, base)
    except ValueError:
        message = "a number that begins with 0 is octal"
        raise probe_error(text, token.at, len(token.text), message, None) from None
    bits = _INT_BITS if base != 10 and not is_long and value < 1 << _INT_BITS else _LONG_BITS
    if value >> (bits if base != 10 else bits - 1):
        message = "an integer of a condition has at most 63 bits"
        raise probe_error(text, token.at, len(token.text), message, None)
    return value - (1 << bits) if value >> (bits - 1) else value  # as Java's, that have a sign


def _real(token: Token, text: str) -> str:
    """Returns the value of a number with a point; that of a float is less exact."""
    digits = token.text.rstrip("fFdD")
    value = float(digits)
    if token.text[-1] in "fF":
        value = struct.unpack("f", struct.pack("f", value))[0]
    if math.isinf(value):
        raise probe_error(text, token.at, len(token.text), "the number is too large", None)
    return repr(value)


def _unescaped(token: Token, text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] == "u" and len(code) > 1:
            return chr(int(code.lstrip("u"), 16))
        if code[0] in "01234567":
            return chr(int(code, 8))
        if code not in _ESCAPES and code not in _THEMSELVES:
            at = token.at + 1 + found.start()
            raise probe_error(text, at, 2, f"there is no escape \\{code} in Java", None)
        return _ESCAPES.get(code, code)

    return _ESCAPE.sub(plain, token.text[1:-1])

"""Numbers: their lexical forms, canonical strings, and promotion between the numeric types."""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal, InvalidOperation, Overflow, localcontext
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.types import Float

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "EXACT",
    "MAX_BITS",
    "WHITESPACE",
    "Number",
    "double_to_decimal",
    "exactly",
    "number_to_string",
    "parse_decimal",
    "parse_double",
    "parse_integer",
    "quantize",
    "shortest_decimal",
    "to_double",
    "to_integer",
]

Number = int | float | Decimal

WHITESPACE = " \t\n\r"
EXACT = Context(prec=400)
"""Enough digits for whatever a double or the product of two sensible decimals needs."""
MAX_BITS = 13_000
"""The largest integers (3,900 digits): beyond them is FOAR0002, and Python refuses to print."""

_MAX_DIGITS = int(MAX_BITS * 0.301)

_DOUBLE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\Z")
_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_SPECIAL = {"INF": math.inf, "+INF": math.inf, "-INF": -math.inf, "NaN": math.nan}


def parse_double(text: str) -> float:
    """Returns the xs:double that a text denotes; raises ValueError if it denotes none.

    >>> parse_double(" 1e3 "), parse_double("-INF")
    (1000.0, -inf)
    """
    text = text.strip(WHITESPACE)
    if text in _SPECIAL:
        return _SPECIAL[text]
    if not _DOUBLE.match(text):
        raise ValueError(text)
    return float(text)


def parse_decimal(text: str) -> Decimal:
    """Returns the xs:decimal that a text denotes; raises ValueError if it denotes none."""
    text = text.strip(WHITESPACE)
    if not _DECIMAL.match(text):
        raise ValueError(text)
    return Decimal(text)


def parse_integer(text: str) -> int:
    """Returns the xs:integer that a text denotes; raises ValueError if it denotes none."""
    text = text.strip(WHITESPACE)
    if not _INTEGER.match(text):
        raise ValueError(text)
    _check_digits(len(text))
    return int(text)


def to_integer(number: int | Decimal) -> int:
    """Returns the whole part of a number.

    Raises:
        DynamicError: FOCA0003, it has too many digits.
    """
    if isinstance(number, Decimal):
        _check_digits(number.adjusted() + 1)
    return int(number)


def _check_digits(n_digits: int) -> None:
    if n_digits > _MAX_DIGITS:
        raise DynamicError("FOCA0003", f"an integer of {n_digits} digits is too large")


def exactly(operate: Callable[..., Decimal], *operands: Any) -> Decimal:
    """Returns the result of an operation on decimals.

    Raises:
        DynamicError: FOAR0002, it has too many digits.
    """
    try:
        return operate(*operands)
    except (InvalidOperation, Overflow):
        raise DynamicError("FOAR0002", "the decimal is out of the supported range") from None


def to_double(number: Number) -> float:
    """Promotes a number to xs:double; integers beyond its range become infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def double_to_decimal(number: float) -> Decimal:
    """Returns the xs:decimal of exactly the same value.

    Raises:
        DynamicError: FOCA0002, the number is infinite or NaN.
    """
    if not math.isfinite(number):
        raise DynamicError("FOCA0002", f"{number_to_string(number)} is not a decimal number")
    return Decimal(number)


def number_to_string(number: Number) -> str:
    """Returns the canonical string of a number (F&O 3.1, section 19.1.2).

    >>> [number_to_string(n) for n in (1e6, 0.5, 100.0, Decimal("1.50"), -0.0, Float(0.1), 1e-7)]
    ['1.0E6', '0.5', '100', '1.5', '-0', '0.1', '1.0E-7']
    """
    if isinstance(number, float):
        return _double_to_string(number)
    if isinstance(number, Decimal):
        return _decimal_to_string(number)
    return str(int(number))


def _decimal_to_string(number: Decimal) -> str:
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _double_to_string(number: float) -> str:
    if not math.isfinite(number):
        return "NaN" if number != number else "INF" if number > 0 else "-INF"  # noqa: PLR0124
    if number == 0:
        return "-0" if math.copysign(1, number) < 0 else "0"
    shortest = shortest_decimal(number)
    if -6 <= shortest.adjusted() < 6:
        return _decimal_to_string(shortest)
    sign, digits, _ = shortest.as_tuple()
    mantissa = "".join(map(str, digits)).rstrip("0")
    fraction = mantissa[1:] or "0"
    return f"{'-' * sign}{mantissa[0]}.{fraction}E{shortest.adjusted()}"


def shortest_decimal(number: float) -> Decimal:
    """Returns the decimal with the fewest digits that is the same xs:double or xs:float."""
    if isinstance(number, Float):
        for precision in range(6, 10):
            text = f"{float(number):.{precision}g}"
            if Float(text) == number:
                return Decimal(text)
    return Decimal(repr(float(number)))


def quantize(number: Decimal, digits: int, rounding: str) -> Decimal:
    """Returns a decimal rounded to a number of fractional digits, which may be negative."""
    with localcontext(EXACT):
        if -number.as_tuple().exponent <= digits:  # type: ignore[operator]
            return number
        return exactly(number.quantize, Decimal(1).scaleb(-digits), rounding)

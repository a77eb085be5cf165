"""Formatting numbers by a picture (F&O 3.1, section 4.7)."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse, is_ncname
from jvmscope.queries.xquery.items.numbers import EXACT, quantize, shortest_decimal
from jvmscope.queries.xquery.items.types import Float
from jvmscope.queries.xquery.notations.number_pictures import (
    DEFAULTS,
    DecimalFormat,
    SubPicture,
    parse_picture,
)
from jvmscope.queries.xquery.syntax.expanded_names import Name

if TYPE_CHECKING:
    from jvmscope.queries.xquery.functions.context import Context

__all__ = ["format_number"]

_BRACED = re.compile(r"Q\{([^{}]*)\}(.+)\Z")


@builtin("fn:format-number($value as xs:numeric?, $picture as xs:string) as xs:string")
@builtin(
    "fn:format-number($value as xs:numeric?, $picture as xs:string,"
    " $decimal-format-name as xs:string?) as xs:string"
)
def format_number(context: Context, value: Any, picture: str, name: str | None = None) -> str:
    """Returns a number as a picture says; FODF1280 (unknown format), FODF1310 (bad picture)."""
    characters = DecimalFormat(**_properties(context, name))
    positive, negative = parse_picture(picture, characters)
    number = math.nan if value is None else value
    if number != number:  # noqa: PLR0124
        return characters.nan
    is_negative = number < 0 or (
        isinstance(number, float) and number == 0 and math.copysign(1, number) < 0
    )
    part = negative if is_negative else positive
    # A double is scaled as one; abs() would round a decimal to the digits of the default context.
    scaled = number * part.factor if isinstance(number, float) else number
    if isinstance(scaled, float) and math.isinf(scaled):
        return f"{part.prefix}{characters.infinity}{part.suffix}"
    if isinstance(scaled, float):
        exact = shortest_decimal(Float(scaled) if isinstance(number, Float) else scaled)
    else:
        exact = EXACT.multiply(Decimal(scaled), part.factor)
    return f"{part.prefix}{_digits(exact.copy_abs(), part, characters)}{part.suffix}"


def _properties(context: Context, name: str | None) -> dict[str, str]:
    """Returns the properties of a decimal format by the attribute they become."""
    formats = context.static.decimal_formats
    key = None if name is None else _format_name(context, collapse(name))
    found = formats.get(key)
    if found is None:
        if key is not None:
            raise DynamicError("FODF1280", f"there is no decimal format {name}")
        found = {}
    return {
        attribute: found.get(written, default) for attribute, (written, default) in DEFAULTS.items()
    }


def _format_name(context: Context, text: str) -> Name:
    if braced := _BRACED.match(text):
        return Name(braced[2], None, braced[1].strip())
    prefix, colon, local = text.rpartition(":")
    uri = context.static.namespaces.get(prefix) if colon else ""
    if uri is None or not is_ncname(local):
        raise DynamicError("FODF1280", f"{text!r} is not the name of a decimal format")
    return Name(local, prefix, uri)


def _digits(number: Decimal, part: SubPicture, characters: DecimalFormat) -> str:
    """Returns the digits of a number that is not negative, with separators and exponent."""
    with localcontext(EXACT):
        exponent = 0
        if part.exponent_digits and number:
            exponent = number.adjusted() + 1 - part.scale
            number = number.scaleb(-exponent)
        rounded = quantize(number, part.max_fraction, ROUND_HALF_EVEN)
    text = _fixed(rounded, part, characters)
    if not part.exponent_digits:
        return text
    digits = str(abs(exponent)).rjust(part.exponent_digits, "0")
    sign = characters.minus_sign if exponent < 0 else ""
    return f"{text}{characters.exponent_separator}{sign}{characters.localize(digits)}"


def _fixed(number: Decimal, part: SubPicture, characters: DecimalFormat) -> str:
    whole, _, fraction = format(number, "f").partition(".")
    whole = whole.lstrip("0").rjust(part.min_integer, "0")
    fraction = fraction.rstrip("0").ljust(part.min_fraction, "0")
    if not whole and not fraction:
        if part.max_fraction and not part.has_integer:
            fraction = "0"
        else:
            whole = "0"
    whole = characters.localize(whole)
    fraction = characters.localize(fraction)
    whole = _grouped(whole, part.groups(len(whole)), characters.grouping_separator)
    for at in reversed(part.fraction_groups):
        if at < len(fraction):
            fraction = fraction[:at] + characters.grouping_separator + fraction[at:]
    return f"{whole}{characters.decimal_separator}{fraction}" if fraction else whole


def _grouped(digits: str, positions: list[int], separator: str) -> str:
    """Returns digits with separators before so many digits, counted from the right."""
    for at in sorted(positions):
        cut = len(digits) - at - positions.index(at)
        if cut > 0:
            digits = digits[:cut] + separator + digits[cut:]
    return digits

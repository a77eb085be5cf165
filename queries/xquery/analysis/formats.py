"""Decimal formats (XQuery 3.1, section 4.10)."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.static_errors import error_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.xquery.syntax.ast import DecimalFormat
    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["decimal_format"]

_DEFAULTS = {
    "decimal-separator": ".",
    "grouping-separator": ",",
    "percent": "%",
    "per-mille": "\u2030",
    "zero-digit": "0",
    "digit": "#",
    "pattern-separator": ";",
    "exponent-separator": "e",
    "minus-sign": "-",
    "infinity": "Infinity",
    "NaN": "NaN",
}
_TEXTS = {"infinity", "NaN"}
_NOT_IN_PICTURES = _TEXTS | {"minus-sign"}


def decimal_format(declaration: DecimalFormat, source: Source) -> Mapping[str, str]:
    """Returns the properties that a declaration gives.

    Raises:
        QueryError: XQST0114 (a property twice), XQST0097 (an invalid value), XQST0098 (a
            character with two meanings).
    """
    found: dict[str, str] = {}
    for name, value in declaration.properties:
        if name in found:
            raise error_at(source, "XQST0114", f"{name} is given twice", declaration)
        if not _is_value(name, value):
            wanted = "a digit zero" if name == "zero-digit" else "one character"
            raise error_at(source, "XQST0097", f"{name} must be {wanted}", declaration)
        found[name] = value
    _check_distinct({**_DEFAULTS, **found}, declaration, source)
    return found


def _is_value(name: str, value: str) -> bool:
    if name in _TEXTS:
        return True
    if len(value) != 1:
        return False
    return name != "zero-digit" or unicodedata.digit(value, None) == 0


def _check_distinct(
    properties: Mapping[str, str], declaration: DecimalFormat, source: Source
) -> None:
    meanings: dict[str, str] = {}
    zero = ord(properties["zero-digit"])
    for name, value in properties.items():
        if name in _NOT_IN_PICTURES:
            continue
        characters = map(chr, range(zero, zero + 10)) if name == "zero-digit" else (value,)
        for character in characters:
            if character in meanings:
                message = f'"{character}" is both {meanings[character]} and {name}'
                raise error_at(source, "XQST0098", message, declaration)
            meanings[character] = name

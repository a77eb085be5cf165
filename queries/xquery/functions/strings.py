"""Strings (F&O 3.1, sections 5.2 to 5.4)."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.context import collation_of, context_item
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.atomize import string_value
from jvmscope.queries.xquery.items.casts import atomic_to_string, cast_to
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse, is_xml_character

if TYPE_CHECKING:
    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.types import Atomic

__all__ = [
    "codepoint_equal",
    "codepoints_to_string",
    "collation_key",
    "compare",
    "concat",
    "lower_case",
    "normalize_space",
    "normalize_space_of_context",
    "normalize_unicode",
    "string_join",
    "string_length",
    "string_length_of_context",
    "string_to_codepoints",
    "substring",
    "translate",
    "upper_case",
]


@builtin("fn:codepoints-to-string($arg as xs:integer*) as xs:string")
def codepoints_to_string(arg: list[int]) -> str:
    """Returns the string of codepoints; FOCH0001 for one that XML does not allow."""
    for codepoint in arg:
        if not 0 < codepoint <= 0x10FFFF or not is_xml_character(codepoint):
            raise DynamicError("FOCH0001", f"{codepoint} is not a character of XML")
    return "".join(map(chr, arg))


@builtin("fn:string-to-codepoints($arg as xs:string?) as xs:integer*")
def string_to_codepoints(arg: str | None) -> list[int]:
    """Returns the codepoints of a string."""
    return [ord(character) for character in arg or ""]


@builtin("fn:compare($comparand1 as xs:string?, $comparand2 as xs:string?) as xs:integer?")
@builtin(
    "fn:compare($comparand1 as xs:string?, $comparand2 as xs:string?, $collation as xs:string)"
    " as xs:integer?"
)
def compare(
    context: Context, first: str | None, second: str | None, collation: str | None = None
) -> int | None:
    """Returns -1, 0 or 1."""
    used = collation_of(context, collation)
    if first is None or second is None:
        return None
    if used is not None:
        return used.compare(first, second)
    return (first > second) - (first < second)


@builtin("fn:codepoint-equal($comparand1 as xs:string?, $comparand2 as xs:string?) as xs:boolean?")
def codepoint_equal(first: str | None, second: str | None) -> bool | None:
    """Tells whether two strings have the same codepoints."""
    return None if first is None or second is None else str(first) == str(second)


@builtin("fn:collation-key($key as xs:string) as xs:base64Binary")
@builtin("fn:collation-key($key as xs:string, $collation as xs:string) as xs:base64Binary")
def collation_key(context: Context, key: str, collation: str | None = None) -> Any:
    """Returns octets that compare as the strings do under a collation."""
    used = collation_of(context, collation)
    octets = key.encode("utf-32-be") if used is None else used.collation_key(key)
    return cast_to(cast_to(octets.hex(), "hexBinary"), "base64Binary")


@builtin("fn:concat($arg1 as xs:anyAtomicType?, $arg2 as xs:anyAtomicType?, ...) as xs:string")
def concat(*arguments: Atomic | None) -> str:
    """Returns values as strings, one after the other."""
    return "".join(atomic_to_string(value) for value in arguments if value is not None)


@builtin("fn:string-join($arg1 as xs:anyAtomicType*) as xs:string")
@builtin("fn:string-join($arg1 as xs:anyAtomicType*, $arg2 as xs:string) as xs:string")
def string_join(values: list[Atomic], separator: str = "") -> str:
    """Returns values as strings with a separator between them."""
    return separator.join(map(atomic_to_string, values))


@builtin("fn:substring($sourceString as xs:string?, $start as xs:double) as xs:string")
@builtin(
    "fn:substring($sourceString as xs:string?, $start as xs:double, $length as xs:double)"
    " as xs:string"
)
def substring(source: str | None, start: float, length: float | None = None) -> str:
    """Returns the characters at positions p with round(start) <= p < round(start) + round(length).

    >>> substring("12345", 1.5, 2.6), substring("12345", 0.0, 3.0), substring("12345", -42.0)
    ('234', '12', '12345')
    """
    text = source or ""
    first = _rounded(start)
    end = math.inf if length is None else first + _rounded(length)
    if math.isnan(first) or not end > 1 or first > len(text):
        return ""
    begin = 0 if first < 1 else int(first) - 1
    return text[begin : None if end > len(text) else int(end) - 1]


def _rounded(number: float) -> float:
    return number if not math.isfinite(number) else float(math.floor(number + 0.5))


@builtin("fn:string-length() as xs:integer")
def string_length_of_context(context: Context) -> int:
    """Returns the length of the context item's string value."""
    return len(string_value(context_item(context)))


@builtin("fn:string-length($arg as xs:string?) as xs:integer")
def string_length(arg: str | None) -> int:
    """Returns the number of characters."""
    return len(arg or "")


@builtin("fn:normalize-space() as xs:string")
def normalize_space_of_context(context: Context) -> str:
    """Returns the context item's string value with white space collapsed."""
    return collapse(string_value(context_item(context)))


@builtin("fn:normalize-space($arg as xs:string?) as xs:string")
def normalize_space(arg: str | None) -> str:
    """Returns a string with white space collapsed."""
    return collapse(arg or "")


@builtin("fn:normalize-unicode($arg as xs:string?) as xs:string")
@builtin("fn:normalize-unicode($arg as xs:string?, $normalizationForm as xs:string) as xs:string")
def normalize_unicode(arg: str | None, form: str = "NFC") -> str:
    """Returns a string in a normalization form; FOCH0003 if it is not NFC, NFD, NFKC or NFKD."""
    name = form.strip().upper()
    match name:
        case "":
            return str(arg or "")
        case "NFC" | "NFD" | "NFKC" | "NFKD":
            return unicodedata.normalize(name, arg or "")
        case _:
            raise DynamicError("FOCH0003", f"the normalization form {form!r} is not supported")


@builtin("fn:upper-case($arg as xs:string?) as xs:string")
def upper_case(arg: str | None) -> str:
    """Returns a string in upper case."""
    return (arg or "").upper()


@builtin("fn:lower-case($arg as xs:string?) as xs:string")
def lower_case(arg: str | None) -> str:
    """Returns a string in lower case."""
    return (arg or "").lower()


@builtin(
    "fn:translate($arg as xs:string?, $mapString as xs:string, $transString as xs:string)"
    " as xs:string"
)
def translate(arg: str | None, original: str, replacement: str) -> str:
    """Returns a string with characters replaced by those at the same place, or removed."""
    table: dict[int, str | None] = {}
    for at, character in enumerate(original):
        table.setdefault(ord(character), replacement[at : at + 1] or None)
    return (arg or "").translate(table)

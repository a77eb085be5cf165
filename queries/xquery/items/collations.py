"""Collations: the codepoint, the HTML and the Unicode collation (F&O 3.1, section 5.3).

There is no table of the Unicode Collation Algorithm in Python; what ``lang`` asks for is therefore
approximated by decomposition: base letters, accents, case. That is the fallback which the
specification allows; with ``fallback=no`` such a collation is refused.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urljoin

from jvmscope.queries.xquery.items.errors import DynamicError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CASE_BLIND", "CODEPOINT", "HTML_ASCII", "UCA", "Collation", "collation"]

CODEPOINT = "http://www.w3.org/2005/xpath-functions/collation/codepoint"
HTML_ASCII = "http://www.w3.org/2005/xpath-functions/collation/html-ascii-case-insensitive"
UCA = "http://www.w3.org/2013/collation/UCA"
CASE_BLIND = "http://www.w3.org/2010/09/qt-fots-catalog/collation/caseblind"

_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


class Collation:
    """A collation that compares texts as sequences of units, one for each character.

    Args:
        uri: its name.
        fold: returns a text that stands for a text; one text of each class of equal texts.
        order: returns a key by which texts are sorted, if that is not the folded text.
    """

    def __init__(
        self, uri: str, fold: Callable[[str], str], order: Callable[[str], Any] | None = None
    ) -> None:
        self.uri = uri
        self._fold = fold
        self.key: Callable[[str], Any] = order or fold

    def equal(self, left: str, right: str) -> bool:
        """Tells whether two texts are equal."""
        return bool(self.key(left) == self.key(right))

    def compare(self, left: str, right: str) -> int:
        """Returns -1, 0 or 1."""
        one, other = self.key(left), self.key(right)
        return int(one > other) - int(one < other)

    def starts(self, text: str, part: str) -> bool:
        """Tells whether a text begins with another."""
        return self._fold(text).startswith(self._fold(part))

    def ends(self, text: str, part: str) -> bool:
        """Tells whether a text ends with another."""
        return self._fold(text).endswith(self._fold(part))

    def find(self, text: str, part: str) -> tuple[int, int] | None:
        """Returns where the first match of a text begins and ends within another, or None."""
        wanted = self._fold(part)
        if not wanted:
            return 0, 0
        units = [self._fold(character) for character in text]
        at = "".join(units).find(wanted)
        if at < 0:
            return None
        return _character(units, at), _character(units, at + len(wanted) - 1) + 1

    def collation_key(self, text: str) -> bytes:
        """Returns octets that compare as the texts do."""
        key = self.key(text)
        parts = key if isinstance(key, tuple) else (key,)
        return b"\0\0\0".join(_octets(part) for part in parts)


def _octets(part: str) -> bytes:
    return part.encode("utf-32-be", "surrogatepass")


def _character(units: list[str], offset: int) -> int:
    """Returns the number of the character whose unit covers an offset of the joined units."""
    for number, unit in enumerate(units):
        offset -= len(unit)
        if offset < 0:
            return number
    return len(units)


_FIXED = {
    CODEPOINT: Collation(CODEPOINT, str),
    HTML_ASCII: Collation(HTML_ASCII, lambda text: text.translate(_ASCII_LOWER)),
    CASE_BLIND: Collation(CASE_BLIND, str.casefold),
}


def collation(uri: str | None, base_uri: str | None = None) -> Collation | None:
    """Returns the collation of a URI, None for the codepoint collation.

    Args:
        uri: the URI, relative to `base_uri`; None for the codepoint collation.
        base_uri: the static base URI.

    Raises:
        DynamicError: FOCH0002, there is no such collation.

    >>> collation(UCA + "?strength=primary").equal("Resume", "r\\u00e9sum\\u00e9")
    True
    """
    if uri is None or uri == CODEPOINT:
        return None
    absolute = urljoin(base_uri, uri) if base_uri and ":" not in uri else uri
    if absolute == CODEPOINT:
        return None
    if absolute in _FIXED:
        return _FIXED[absolute]
    if absolute.split("?", maxsplit=1)[0] == UCA:
        return _unicode_collation(absolute)
    raise DynamicError("FOCH0002", f"there is no collation {uri}")


_STRENGTHS = {
    "primary": 1,
    "secondary": 2,
    "tertiary": 3,
    "quaternary": 4,
    "identical": 5,
} | {str(level): level for level in range(1, 6)}
_KEYWORDS = {
    "fallback": {"yes", "no"},
    "lang": None,
    "version": None,
    "strength": set(_STRENGTHS),
    "maxVariable": {"space", "punct", "symbol", "currency"},
    "alternate": {"non-ignorable", "shifted", "blanked"},
    "backwards": {"yes", "no"},
    "normalization": {"yes", "no"},
    "caseLevel": {"yes", "no"},
    "caseFirst": {"upper", "lower"},
    "numeric": {"yes", "no"},
    "reorder": None,
}


@cache
def _unicode_collation(uri: str) -> Collation:
    query = uri.partition("?")[2].replace("&", ";")
    options = dict(parse_qsl(query, separator=";"))
    if options.get("fallback", "yes") == "no":
        for name, value in options.items():
            allowed = _KEYWORDS.get(name, set())
            if name in {"lang", "version", "reorder"} or (allowed and value not in allowed):
                message = f"{name}={value} is not supported, and fallback=no"
                raise DynamicError("FOCH0002", message)
            if name not in _KEYWORDS:
                raise DynamicError("FOCH0002", f"the parameter {name} of {uri} is not known")
    strength = _STRENGTHS.get(options.get("strength", "tertiary"), 3)
    return _Unicode(uri, strength, options)


class _Unicode(Collation):
    """The approximation of the Unicode collation at one strength."""

    def __init__(self, uri: str, strength: int, options: dict[str, str]) -> None:
        self._strength = strength
        self._is_blanked = options.get("alternate") in {"blanked", "shifted"}
        self._is_case_level = options.get("caseLevel") == "yes"
        self._is_upper_first = options.get("caseFirst") == "upper"
        self._is_numeric = options.get("numeric") == "yes"
        self._is_backwards = options.get("backwards") == "yes"
        super().__init__(uri, self._folded, self._key)

    def _folded(self, text: str) -> str:
        if self._strength >= 5:
            return text
        decomposed = unicodedata.normalize("NFD", text)
        if self._is_blanked and self._strength < 4:
            decomposed = "".join(char for char in decomposed if not _is_variable(char))
        if self._strength >= 3:
            return decomposed
        if self._strength == 1:
            decomposed = "".join(char for char in decomposed if not unicodedata.combining(char))
        return decomposed if self._is_case_level else decomposed.casefold()

    def _key(self, text: str) -> tuple[str, ...]:
        folded = self._folded(text)
        letters = [char for char in folded if not unicodedata.combining(char)]
        primary = "".join(letters).casefold()
        if self._is_numeric:
            primary = _pad_numbers(primary)
        accents = "".join(char if unicodedata.combining(char) else " " for char in folded)
        if self._is_backwards:
            accents = accents[::-1]
        case = "".join(letters)
        swapped = case if self._is_upper_first else case.swapcase()
        keys = (_by_class(primary), accents, swapped, folded, folded)
        if self._strength == 1 and self._is_case_level:
            return keys[0], swapped
        return keys[: self._strength]


def _is_variable(character: str) -> bool:
    return unicodedata.category(character)[0] in "ZPC"


def _by_class(text: str) -> str:
    """Returns a text that sorts as space, punctuation, symbols, digits, letters."""
    ranks = {"Z": "\1", "C": "\1", "P": "\2", "S": "\3", "N": "\4"}
    return "".join(ranks.get(unicodedata.category(char)[0], "\5") + char for char in text)


def _pad_numbers(text: str) -> str:
    """Returns a text whose numbers are padded with zeros, so that they sort by value."""
    parts: list[str] = []
    digits = ""
    for character in f"{text}\0":
        if character.isdecimal():
            digits += character
            continue
        if digits:
            parts.append(digits.lstrip("0").rjust(24, "0"))
            digits = ""
        parts.append(character)
    return "".join(parts)[:-1]

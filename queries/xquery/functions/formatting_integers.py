"""Formatting integers by a picture (F&O 3.1, section 4.6), in English."""

from __future__ import annotations

import itertools
import re
import unicodedata

from elementpath.xpath30.xpath30_helpers import int_to_roman, int_to_words, ordinal_suffix

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.notations.number_pictures import is_regular

__all__ = [
    "alphabetic",
    "by_token",
    "digits_by_picture",
    "format_integer",
    "in_words",
    "is_digit_picture",
]

_MODIFIER = re.compile(r"([co](?:\(.+\))?)?[at]?\Z", re.DOTALL)
_MAX_ROMAN = 1_000_000
_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "αβγδεζηθικλμνξοπρστυφχψω",
    "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ",
    "абвгдежзийклмнопрстуфхцчшщъыьэюя",
)
_HAN_DIGITS = "〇一二三四五六七八九"
_RUNS = {"①": 20, "⑴": 20, "⒈": 20, "⓵": 10, "❶": 10, "➀": 10, "➊": 10, "㈠": 10, "㊀": 10}
"""Characters for one, the first of so many numbered in a row."""


@builtin("fn:format-integer($value as xs:integer?, $picture as xs:string) as xs:string")
@builtin(
    "fn:format-integer($value as xs:integer?, $picture as xs:string, $lang as xs:string?)"
    " as xs:string"
)
def format_integer(value: int | None, picture: str, lang: str | None = None) -> str:  # noqa: ARG001
    """Returns an integer as a picture says; FODF1310 if the picture is wrong.

    >>> format_integer(1234567, "#,##0"), format_integer(7, "w;o"), format_integer(28, "Aa")
    ('1,234,567', 'seventh', '28')
    """
    form, _, modifier = picture.rpartition(";") if ";" in picture else (picture, "", "")
    if not form or not _MODIFIER.match(modifier):
        raise DynamicError("FODF1310", f"{picture!r} is not a valid picture of an integer")
    if is_digit_picture(form):
        _check_digits(form, picture)
    if value is None:
        return ""
    sign = "-" if value < 0 else ""
    return sign + by_token(abs(int(value)), form, is_ordinal=modifier.startswith("o"))


def by_token(number: int, form: str, *, is_ordinal: bool = False) -> str:
    """Returns a number that is not negative by the primary format token."""
    if is_digit_picture(form):
        return digits_by_picture(number, form) + (ordinal_suffix(number) if is_ordinal else "")
    match form:
        case "w" | "W" | "Ww":
            return in_words(number, form, is_ordinal=is_ordinal)
        case "i" | "I" if 0 < number < _MAX_ROMAN:
            roman = int_to_roman(number)
            return roman.lower() if form == "i" else roman
        case _:
            pass
    for alphabet in _ALPHABETS:
        if form == alphabet[0] and number:
            return alphabetic(number, alphabet)
    if form == _HAN_DIGITS[1] and 0 < number < 10_000:
        return _in_han(number)
    if form in _RUNS and 0 < number <= _RUNS[form]:
        return chr(ord(form) + number - 1)
    return str(number) + (ordinal_suffix(number) if is_ordinal else "")


def _in_han(number: int) -> str:
    """Returns a number below 10,000 in Chinese characters; one is not written before a unit.

    >>> _in_han(2025), _in_han(151)
    ('二千二十五', '百五十一')
    """
    parts = []
    for unit, size in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit, number = divmod(number, size)
        if digit:
            parts.append(unit if digit == 1 and unit else f"{_HAN_DIGITS[digit]}{unit}")
    return "".join(parts)


def in_words(number: int, form: str, *, is_ordinal: bool = False) -> str:
    """Returns a number in English words; `form` is ``w``, ``W`` or ``Ww``."""
    words: str = int_to_words(number, "en", "o" if is_ordinal else "")
    if form == "W":
        return words.upper()
    if form == "w":
        return words
    return re.sub(r"[a-z]+", lambda word: _capitalized(word.group()), words)


def _capitalized(word: str) -> str:
    return word if word == "and" else word.capitalize()


def alphabetic(number: int, alphabet: str) -> str:
    """Returns a positive number as in a, b, …, z, aa, ab, ….

    >>> alphabetic(27, "abcdefghijklmnopqrstuvwxyz")
    'aa'
    """
    letters = []
    while number:
        number, at = divmod(number - 1, len(alphabet))
        letters.append(alphabet[at])
    return "".join(reversed(letters))


def is_digit_picture(form: str) -> bool:
    """Tells whether a format token has a decimal digit, of whatever script."""
    return any(unicodedata.category(character) == "Nd" for character in form)


def _check_digits(form: str, picture: str) -> None:
    """Refuses digits of two scripts, ``#`` after a digit, misplaced separators, letters."""
    zeros = {ord(char) - unicodedata.decimal(char) for char in form if char.isdecimal()}
    separators = [char for char in form if not char.isdecimal() and char != "#"]
    first = next(at for at, char in enumerate(form) if char.isdecimal())
    pairs = itertools.pairwise(form)
    if (
        len(zeros) > 1
        or "#" in form[first:]
        or any(unicodedata.category(char)[0] in "NL" for char in separators)
        or form[0] in separators
        or form[-1] in separators
        or any(one in separators and other in separators for one, other in pairs)
    ):
        raise DynamicError("FODF1310", f"{picture!r} is not a valid picture of an integer")


def digits_by_picture(number: int, form: str) -> str:
    """Returns a number in the digits of a picture, grouped as there.

    >>> digits_by_picture(1234, "#'##0"), digits_by_picture(12, "000")
    ("1'234", '012')
    """
    zero = next(ord(char) - unicodedata.decimal(char) for char in form if char.isdecimal())
    least = sum(char.isdecimal() for char in form)
    digits = str(number).rjust(least, "0")
    separators = _separators(form)
    n_placed = len(digits)
    grouped = []
    for at, digit in enumerate(digits):
        right = n_placed - at
        if at and right in separators:
            grouped.append(separators[right])
        elif at and (regular := _regular(separators, form)) and right % regular[0] == 0:
            grouped.append(regular[1])
        grouped.append(chr(zero + int(digit)))
    return "".join(grouped)


def _separators(form: str) -> dict[int, str]:
    """Returns the grouping separators by the number of digits to their right."""
    found = {}
    n_digits = 0
    for character in reversed(form):
        if character.isdecimal() or character == "#":
            n_digits += 1
        else:
            found[n_digits] = character
    return found


def _regular(separators: dict[int, str], form: str) -> tuple[int, str] | None:
    """Returns the interval and character of separators that go on to the left, or None."""
    if not separators or len(set(separators.values())) > 1:
        return None
    n_digits = sum(char.isdecimal() or char == "#" for char in form)
    if not is_regular(tuple(sorted(separators)), n_digits):
        return None
    return min(separators), next(iter(separators.values()))

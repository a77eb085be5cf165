"""The pictures of fn:format-number (F&O 3.1, sections 4.7.3 and 4.7.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jvmscope.queries.xquery.items.errors import DynamicError

__all__ = ["DEFAULTS", "DecimalFormat", "SubPicture", "is_regular", "parse_picture"]

DEFAULTS = {
    "decimal_separator": ("decimal-separator", "."),
    "grouping_separator": ("grouping-separator", ","),
    "exponent_separator": ("exponent-separator", "e"),
    "infinity": ("infinity", "Infinity"),
    "minus_sign": ("minus-sign", "-"),
    "nan": ("NaN", "NaN"),
    "percent": ("percent", "%"),
    "per_mille": ("per-mille", "\u2030"),
    "zero_digit": ("zero-digit", "0"),
    "digit": ("digit", "#"),
    "pattern_separator": ("pattern-separator", ";"),
}
"""The attributes of DecimalFormat: the name of the property and its default."""


@dataclass(frozen=True, slots=True)
class DecimalFormat:
    """The characters that pictures and results use, under the names of the specification."""

    decimal_separator: str
    grouping_separator: str
    exponent_separator: str
    infinity: str
    minus_sign: str
    nan: str
    percent: str
    per_mille: str
    zero_digit: str
    digit: str
    pattern_separator: str

    @property
    def digits(self) -> str:
        """The ten digits."""
        return "".join(chr(ord(self.zero_digit) + n) for n in range(10))

    @property
    def active(self) -> str:
        """The characters that are not part of a prefix or suffix."""
        return self.digits + self.decimal_separator + self.grouping_separator + self.digit

    def localize(self, text: str) -> str:
        """Returns ASCII digits as those of the format."""
        return text.translate(str.maketrans("0123456789", self.digits))


@dataclass(frozen=True, slots=True)
class SubPicture:
    """What one half of a picture says.

    Attributes:
        factor: 100 with a percent sign, 1000 with a per-mille sign.
        min_integer: how many digits there are at least before the decimal separator.
        scale: the same before it is corrected, which scales numbers with an exponent.
        has_integer: whether the picture has digits there at all.
        has_regular_groups: whether the separators before the decimal one go on to the left.
        integer_groups: after how many digits, from the right, separators stand.
        fraction_groups: likewise from the left, after the decimal separator.
        exponent_digits: 0 without an exponent.
    """

    prefix: str
    suffix: str
    factor: int
    min_integer: int
    scale: int
    has_integer: bool
    min_fraction: int
    max_fraction: int
    has_regular_groups: bool
    integer_groups: tuple[int, ...]
    fraction_groups: tuple[int, ...]
    exponent_digits: int

    def groups(self, n_digits: int) -> list[int]:
        """Returns the positions of separators; regular ones go on to the left."""
        positions = self.integer_groups
        if self.has_regular_groups:
            return list(range(positions[0], n_digits, positions[0]))
        return [position for position in positions if position < n_digits]


def _bad(picture: str, message: str) -> DynamicError:
    return DynamicError("FODF1310", f"{message} in the picture {picture!r}")


def parse_picture(picture: str, characters: DecimalFormat) -> tuple[SubPicture, SubPicture]:
    """Returns the sub-pictures for positive and for negative numbers."""
    parts = picture.split(characters.pattern_separator)
    if len(parts) > 2:
        raise _bad(picture, "there are more than two sub-pictures")
    positive = _sub_picture(parts[0], characters)
    if len(parts) == 2:
        return positive, _sub_picture(parts[1], characters)
    return positive, replace(positive, prefix=characters.minus_sign + positive.prefix)


def _sub_picture(text: str, characters: DecimalFormat) -> SubPicture:
    at_exponent = _exponent_at(text, characters)
    is_active = [
        character in characters.active or at == at_exponent for at, character in enumerate(text)
    ]
    if True not in is_active:
        raise _bad(text, "there is no digit")
    start = is_active.index(True)
    end = len(text) - is_active[::-1].index(True)
    if False in is_active[start:end]:
        raise _bad(text, "there is a passive character between active ones")
    n_signs = text.count(characters.percent) + text.count(characters.per_mille)
    if n_signs > 1 or (n_signs and at_exponent >= 0):
        raise _bad(text, "percent, per-mille and exponent exclude each other")
    mantissa, exponent = text[start:end], ""
    if at_exponent >= 0:
        mantissa, exponent = text[start:at_exponent], text[at_exponent + 1 : end]
    factor = 100 if characters.percent in text else 1000 if characters.per_mille in text else 1
    parsed = _mantissa(text, mantissa, characters)
    if any(character not in characters.digits for character in exponent):
        raise _bad(text, "the exponent has other characters than digits")
    return _corrected(
        replace(
            parsed,
            prefix=text[:start],
            suffix=text[end:],
            factor=factor,
            exponent_digits=len(exponent),
        )
    )


def _exponent_at(text: str, characters: DecimalFormat) -> int:
    """Returns the offset of the exponent separator, -1 without one: it stands between digits."""
    found = -1
    for at, character in enumerate(text):
        if (
            character == characters.exponent_separator
            and 0 < at < len(text) - 1
            and text[at - 1] in characters.active
            and text[at + 1] in characters.active
        ):
            if found >= 0:
                raise _bad(text, "there are two exponents")
            found = at
    return found


def _mantissa(text: str, mantissa: str, characters: DecimalFormat) -> SubPicture:
    separator, group = characters.decimal_separator, characters.grouping_separator
    whole, point, fraction = mantissa.partition(separator)
    if separator in fraction:
        raise _bad(text, "there are two decimal separators")
    if whole.endswith(group) or fraction.startswith(group) or group * 2 in mantissa:
        raise _bad(text, "a grouping separator is beside another separator")
    if not point and mantissa.endswith(group):
        raise _bad(text, "a grouping separator is at the end")
    digits, any_digits = characters.digits, characters.digits + characters.digit
    if not any(character in any_digits for character in mantissa):
        raise _bad(text, "there is no digit")
    bare_whole = whole.replace(group, "")
    bare_fraction = fraction.replace(group, "")
    _check_order(text, bare_whole, characters.digit, digits)
    _check_order(text, bare_fraction[::-1], characters.digit, digits)
    n_whole = sum(character in digits for character in bare_whole)
    n_fraction = sum(character in digits for character in bare_fraction)
    return SubPicture(
        prefix="",
        suffix="",
        factor=1,
        min_integer=n_whole,
        scale=n_whole,
        has_integer=bool(bare_whole),
        min_fraction=n_fraction,
        max_fraction=len(bare_fraction),
        has_regular_groups=is_regular(_positions(whole[::-1], group), len(bare_whole)),
        integer_groups=_positions(whole[::-1], group),
        fraction_groups=_positions(fraction, group),
        exponent_digits=0,
    )


def _check_order(text: str, digits: str, optional: str, mandatory: str) -> None:
    """Refuses an optional digit after a mandatory one."""
    seen = False
    for character in digits:
        if character == optional and seen:
            raise _bad(text, "an optional digit is among mandatory ones")
        seen = seen or character in mandatory


def is_regular(positions: tuple[int, ...], n_digits: int) -> bool:
    """Tells whether separators stand at every multiple of an interval within a picture's digits.

    >>> is_regular((3,), 4), is_regular((2, 4), 5), is_regular((2, 4), 7)
    (True, True, False)
    """
    if not positions:
        return False
    interval = positions[0]
    return positions == tuple(range(interval, n_digits, interval)) or (
        positions == (interval,) and n_digits == interval
    )


def _positions(part: str, group: str) -> tuple[int, ...]:
    """Returns before how many digits each separator stands."""
    positions = []
    n_digits = 0
    for character in part:
        if character == group:
            positions.append(n_digits)
        else:
            n_digits += 1
    return tuple(positions)


def _corrected(part: SubPicture) -> SubPicture:
    """Returns a sub-picture with the least sizes that section 4.7.4 demands."""
    min_integer, min_fraction, max_fraction = part.min_integer, part.min_fraction, part.max_fraction
    if not min_integer and not max_fraction:
        if part.exponent_digits:
            min_fraction = max_fraction = 1
        else:
            min_integer = 1
    if part.exponent_digits and not min_integer and part.has_integer:
        min_integer = 1
    if not min_integer and not min_fraction:
        min_fraction = 1
    return replace(
        part,
        min_integer=min_integer,
        min_fraction=min_fraction,
        max_fraction=max(max_fraction, min_fraction),
    )

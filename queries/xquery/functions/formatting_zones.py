"""Timezones in formatted dates and times (F&O 3.1, section 9.8.4.6)."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmscope.queries.xquery.notations.date_pictures import Marker

__all__ = ["format_zone"]

_MILITARY = "YXWVUTSRQPONZABCDEFGHIKLM"
"""The letters of the timezones from 12 hours west of Greenwich to 12 hours east."""

_USUAL_NAMES = {
    -600: "HST",
    -480: "PST",
    -420: "MST",
    -360: "CST",
    -300: "EST",
    0: "GMT",
    60: "CET",
    120: "EET",
    330: "IST",
}
"""Names of offsets where no place is known, those of the specification's example among them."""


def format_zone(minutes: int | None, marker: Marker, name: str | None = None) -> str:
    """Returns a timezone as a marker ``[Z…]`` or ``[z…]`` says; "" for none.

    Args:
        minutes: east of Greenwich, or None.
        marker: what the picture says.
        name: the timezone's own name at that time, where it is known.
    """
    if marker.form == "Z":
        if minutes is None:
            return "J"
        if minutes % 60 == 0 and abs(minutes) <= 12 * 60:
            return _MILITARY[minutes // 60 + 12]
    if minutes is None:
        return ""
    if marker.form == "N" and (known := name or _USUAL_NAMES.get(minutes)):
        return known
    if marker.modifiers == "t" and minutes == 0:
        return "Z"
    prefix = "GMT" if marker.component == "z" else ""
    form = marker.form if marker.is_digits else "01:01"
    return prefix + _offset(minutes, form)


def _offset(minutes: int, form: str) -> str:
    """Returns an offset in the digits, with the separator, of a form.

    >>> _offset(-300, "0"), _offset(330, "00"), _offset(330, "0000"), _offset(-300, "0:00")
    ('-5', '+05:30', '+0530', '-5:00')
    """
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    digits = [char for char in form if char.isdecimal()]
    separator = next((char for char in form if not char.isdecimal() and char != "#"), "")
    n_hours = len(digits) if len(digits) <= 2 and not separator else len(digits) - 2
    text = str(hours).rjust(n_hours, "0")
    if len(digits) > 2 or separator:
        text += f"{separator}{rest:02}"
    elif rest:
        text += f":{rest:02}"
    offset = ord(digits[0]) - unicodedata.decimal(digits[0]) - ord("0")
    shown = "".join(chr(ord(char) + offset) if char.isdigit() else char for char in text)
    return sign + shown

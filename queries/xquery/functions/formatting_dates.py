"""Formatting dates and times by a picture (F&O 3.1, section 9.8), in English."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from jvmscope.queries.xquery.functions.formatting_integers import by_token, digits_by_picture
from jvmscope.queries.xquery.functions.formatting_zones import format_zone
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.calendar import Fields, adjust_timezone, fields
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse, is_ncname
from jvmscope.queries.xquery.notations.date_pictures import Marker, parse_date_picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.functions.context import Context

__all__: list[str] = []

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MISSING = {"dateTime": "", "date": "HhPmsf", "time": "YMDdFWwCE"}
_CALENDARS = (
    " AD AH AME AM AP AS BE CB CE CL CS EE FE ISO JE KE KY ME MS NS OS RS SE SH SS TE VE VS "
)


def _formatter(kind: str) -> Callable[..., str | None]:
    def format_value(  # noqa: PLR0917
        context: Context,
        value: Any,
        picture: str,
        language: str | None = None,
        calendar: str | None = None,
        place: str | None = None,
    ) -> str | None:
        parts = parse_date_picture(picture)
        if value is None:
            return None
        prefix = _language_note(language) + _calendar_note(context, calendar)
        moved, zone_name = _in_place(value, place)
        shown = fields(moved)
        text = "".join(
            part if isinstance(part, str) else _component(shown, part, kind, zone_name)
            for part in parts
        )
        return prefix + text

    return format_value


for _kind in _MISSING:
    _text = f"fn:format-{_kind}($value as xs:{_kind}?, $picture as xs:string"
    builtin(f"{_text}) as xs:string?")(_formatter(_kind))
    builtin(
        f"{_text}, $language as xs:string?, $calendar as xs:string?, $place as xs:string?)"
        " as xs:string?"
    )(_formatter(_kind))


def _language_note(language: str | None) -> str:
    """Returns what tells that another language than English was asked for."""
    is_english = language is None or language.split("-", maxsplit=1)[0].lower() in {"en", ""}
    return "" if is_english else "[Language: en]"


def _calendar_note(context: Context, calendar: str | None) -> str:
    """Returns what tells that another calendar was asked for; FOFD1340 for none that is known."""
    if calendar is None:
        return ""
    name = collapse(calendar)
    braced = re.match(r"Q\{([^{}]*)\}(.*)", name)
    prefix, colon, local = name.rpartition(":")
    uri = braced[1] if braced else context.static.namespaces.get(prefix, "") if colon else ""
    local = braced[2] if braced else local
    if not is_ncname(local) or (colon and not braced and not uri):
        raise DynamicError("FOFD1340", f"{calendar!r} is not a calendar")
    if not uri and f" {local} " not in _CALENDARS:
        raise DynamicError("FOFD1340", f"the calendar {calendar} is not known")
    return "" if not uri and local in {"AD", "ISO", "CE"} else "[Calendar: AD]"


def _in_place(value: Any, place: str | None) -> tuple[Any, str | None]:
    """Returns a value in the timezone of a place, and the timezone's name, if it is known.

    Args:
        value: a date or time; without a timezone it stays as it is.
        place: ``Area/City`` of the timezone database, or something else, which is ignored.
    """
    if place is None or "/" not in place or value.tzinfo is None:
        return value, None
    try:
        zone = ZoneInfo(place)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return value, None
    parts = fields(value)
    if not 2 <= parts.year <= 9998:
        return value, None
    moment = dt.datetime(
        parts.year, parts.month, parts.day, parts.hour, parts.minute, tzinfo=value.tzinfo
    ).astimezone(zone)
    offset = moment.utcoffset() or dt.timedelta(0)
    return adjust_timezone(value, int(offset.total_seconds() // 60)), moment.tzname()


def _component(parts: Fields, marker: Marker, kind: str, zone_name: str | None) -> str:
    component = marker.component
    if component in _MISSING[kind]:
        raise DynamicError("FOFD1350", f"an xs:{kind} has no component [{component}]")
    if component in "Zz":
        return format_zone(parts.zone, marker, zone_name)
    if component == "f":
        return _fraction(parts.microsecond, marker)
    if component in "PCE":
        return _in_case(_name(parts, marker), marker)
    if component in "MF" and marker.form in {"N", "n", "Nn"}:
        names = _MONTHS if component == "M" else _DAYS
        return _in_case(_cut(names[_number(parts, component) - 1], marker), marker)
    return _numeric(_number(parts, component), marker)


def _name(parts: Fields, marker: Marker) -> str:
    match marker.component:
        case "P":
            return "Am" if parts.hour < 12 else "Pm"
        case "C":
            return _cut("Gregorian", marker)
        case _:
            return "Ad" if parts.year > 0 else "Bc"


def _in_case(text: str, marker: Marker) -> str:
    if marker.form == "N" or marker.component == "E":
        text = text.upper()
    elif marker.form == "n":
        text = text.lower()
    return text.ljust(marker.least)


def _cut(name: str, marker: Marker) -> str:
    """Returns a name, or its first letters if it is too wide: three, as usual, if they may be."""
    if marker.most is None or len(name) <= marker.most:
        return name
    return name[:3] if marker.least <= 3 <= marker.most else name[: marker.most]


def _number(parts: Fields, component: str) -> int:
    match component:
        case "Y":
            return abs(parts.year)
        case "M":
            return parts.month
        case "D":
            return parts.day
        case "d":
            return parts.days() - Fields(parts.year, 1, 1).days() + 1
        case "F":
            return (parts.days() + 3) % 7 + 1
        case "W":
            return _week(parts.days(), parts.year)
        case "w":
            return _week_of_month(parts)
        case "H":
            return parts.hour
        case "h":
            return (parts.hour + 11) % 12 + 1
        case "m":
            return parts.minute
        case _:
            return parts.second


def _monday(days: int) -> int:
    """Returns the Monday on or before a day, both counted from 1970-01-01, a Thursday."""
    return days - (days + 3) % 7


def _week(days: int, year: int) -> int:
    """Returns the week of ISO 8601: the first is that of January 4."""
    for candidate in (year + 1, year, year - 1):
        first = _monday(Fields(candidate, 1, 4).days())
        if days >= first:
            return (days - first) // 7 + 1
    raise AssertionError(days)


def _week_of_month(parts: Fields) -> int:
    """Returns the week of the month, counted likewise: the first is that of the fourth day."""
    first = _monday(Fields(parts.year, parts.month, 4).days())
    if parts.days() >= first:
        return (parts.days() - first) // 7 + 1
    before = (parts.year - 1, 12) if parts.month == 1 else (parts.year, parts.month - 1)
    return (parts.days() - _monday(Fields(*before, 4).days())) // 7 + 1


def _numeric(number: int, marker: Marker) -> str:
    """Returns a number by the form of its marker, padded to the minimal width."""
    form, is_ordinal = marker.form, marker.modifiers == "o"
    n_digits = sum(char.isdecimal() or char == "#" for char in form)
    if marker.component == "Y":
        most = marker.most
        if most is None and not marker.least and n_digits > 1:
            most = n_digits
        if most is not None:
            number %= 10**most
    if not marker.is_digits:
        form = "1" if form in {"N", "n", "Nn"} else form
        return by_token(number, form, is_ordinal=is_ordinal).ljust(marker.least)
    zero = next(char for char in form if char.isdecimal())
    missing = marker.least - sum(char.isdecimal() for char in form)
    padded = (zero * missing + form) if missing > 0 and "#" not in form else form
    shown = digits_by_picture(number, padded)
    return by_token(number, shown, is_ordinal=True) if is_ordinal else shown


def _fraction(microsecond: int, marker: Marker) -> str:
    """Returns the fraction of a second: digits from the left, those at the end left out if zero."""
    n_least = sum(char.isdecimal() for char in marker.form)
    n_all = n_least + marker.form.count("#")
    least, most = marker.least, marker.most
    if not least and most is None:
        least, most = n_least, None if n_all == 1 else n_all
    elif n_all > 1:  # a width makes room, and takes none away
        least, most = max(least, n_least), None if most is None else max(most, n_all)
    digits = f"{microsecond:06}"[:most].rstrip("0").ljust(max(least, 1), "0")
    zero = next((char for char in marker.form if char.isdecimal()), "0")
    offset = ord(zero) - unicodedata.decimal(zero) - ord("0")
    separators = _fraction_separators(marker.form)
    return "".join(
        separators.get(at, "") + chr(ord(digit) + offset) for at, digit in enumerate(digits)
    )


def _fraction_separators(form: str) -> dict[int, str]:
    """Returns the separators in a picture by the number of digits to their left."""
    found = {}
    n_digits = 0
    for character in form:
        if character.isdecimal() or character == "#":
            n_digits += 1
        else:
            found[n_digits] = character
    return found

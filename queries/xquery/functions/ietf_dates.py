"""Dates in the formats of the Internet (F&O 3.1, section 9.9)."""

from __future__ import annotations

import re
from typing import Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.calendar import DAY as DAY_LENGTH
from jvmscope.queries.xquery.items.calendar import Fields, add_days_and_time, from_fields
from jvmscope.queries.xquery.items.errors import DynamicError

__all__ = ["parse_ietf_date"]

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_ZONES = {
    "ut": 0,
    "utc": 0,
    "gmt": 0,
    "est": -300,
    "edt": -240,
    "cst": -360,
    "cdt": -300,
    "mst": -420,
    "mdt": -360,
    "pst": -480,
    "pdt": -420,
}
_S = r"[ \t\n\r]"
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_HYPHEN = rf"(?:{_S}*-{_S}*|{_S}+)"
_ZONE = (
    rf"(?:{_S}*(?P<zone>{'|'.join(_ZONES)}|(?P<sign>[+-])(?P<zh>\d\d?)(?::?(?P<zm>\d\d)?)"
    rf"(?:{_S}*\({_S}*(?:{'|'.join(_ZONES)}){_S}*\))?))?"
)
_TIME = rf"(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d)(?P<fraction>\.\d+)?)?{_ZONE}"
_YEAR = r"(?P<year>\d\d(?:\d\d)?)"
_DATE = rf"(?P<day>\d\d?){_HYPHEN}{_MONTH}{_HYPHEN}{_YEAR}{_S}+{_TIME}"
_ASCTIME = rf"{_MONTH}{_HYPHEN}(?P<day>\d\d?){_S}+{_TIME}{_S}+{_YEAR}"
_FORMATS = [
    re.compile(rf"{_S}*(?:{_DAY},?{_S}+)?{body}{_S}*\Z", re.IGNORECASE | re.ASCII)
    for body in (_DATE, _ASCTIME)
]


@builtin("fn:parse-ietf-date($value as xs:string?) as xs:dateTime?")
def parse_ietf_date(value: str | None) -> Any:
    """Returns the dateTime that a text denotes; FORG0010 if it denotes none.

    >>> str(parse_ietf_date("Wed, 06 Jun 1994 07:29:35 GMT"))
    '1994-06-06T07:29:35Z'
    """
    if value is None:
        return None
    found = next((match for form in _FORMATS if (match := form.match(value))), None)
    if found is None:
        raise DynamicError("FORG0010", f"{value!r} is not a date in an Internet format")
    try:
        return _date(found.groupdict())
    except ValueError as error:
        raise DynamicError("FORG0010", f"{value!r} is not a date: {error}") from error


def _date(parts: dict[str, str | None]) -> Any:
    year = str(parts["year"])
    hour = int(parts["hour"] or 0)
    fields = Fields(
        year=int(year) + (1900 if len(year) == 2 else 0),
        month=_MONTHS.index(str(parts["month"]).lower()) + 1,
        day=int(parts["day"] or 0),
        hour=hour % 24,
        minute=int(parts["minute"] or 0),
        second=int(parts["second"] or 0),
        microsecond=int((parts["fraction"] or ".0")[1:7].ljust(6, "0")),
        zone=_zone(parts),
    )
    if hour > 24 or (hour == 24 and (fields.minute or fields.second or fields.microsecond)):
        raise ValueError(f"there is no hour {hour}")
    date = from_fields(ep.DateTime, fields)
    return add_days_and_time(date, DAY_LENGTH) if hour == 24 else date


def _zone(parts: dict[str, str | None]) -> int:
    """Returns the minutes east of Greenwich; without a timezone it is that of Greenwich."""
    name = parts["zone"]
    if name is None:
        return 0
    if parts["sign"] is None:
        return _ZONES[name.lower()]
    minutes = int(parts["zm"] or 0)
    if minutes > 59:
        raise ValueError(f"there are no {minutes} minutes in an hour")
    size = int(parts["zh"] or 0) * 60 + minutes
    if size > 14 * 60:
        raise ValueError(f"{name} is not a timezone")
    return -size if parts["sign"] == "-" else size

"""Dates, times and durations: lexical forms, the time line, timezones.

Values are elementpath's classes, used as containers of fields. All arithmetic is done here, on the
proleptic Gregorian calendar with microseconds as integers, since elementpath's is wrong for years
outside 1 to 9999 and across timezones (docs/elementpath.md). Years are those of XML Schema 1.1 and
ISO 8601: the year 0 exists.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.numbers import WHITESPACE

__all__ = [
    "DAY",
    "Fields",
    "add_days_and_time",
    "add_months",
    "adjust_timezone",
    "day_time",
    "fields",
    "from_fields",
    "has_timezone",
    "instant",
    "parse_calendar",
    "parse_duration",
    "timezone_minutes",
    "year_month",
]

DAY = 86_400_000_000
_ERA_DAYS = 146_097
_MAX_YEAR = 2**31


@dataclass(frozen=True, slots=True)
class Fields:
    """The components of a dateTime, or of what a shorter type holds of one.

    Attributes:
        year: of ISO 8601: 0 is 1 BCE.
        microsecond: of the second.
        zone: minutes east of Greenwich, or None without a timezone.
    """

    year: int = 1972
    month: int = 12
    day: int = 31
    hour: int = 0
    minute: int = 0
    second: int = 0
    microsecond: int = 0
    zone: int | None = None

    def days(self) -> int:
        """Returns the days from 1970-01-01 to the date."""
        return _days(self.year, self.month, self.day)

    def time(self) -> int:
        """Returns the microseconds since midnight."""
        seconds = self.hour * 3600 + self.minute * 60 + self.second
        return seconds * 1_000_000 + self.microsecond


def _days(year: int, month: int, day: int) -> int:
    """Returns the days from 1970-01-01, counted in years that begin with March.

    >>> _days(1970, 1, 1), _days(2000, 3, 1), _days(-1, 12, 31)
    (0, 11017, -719529)
    """
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * _ERA_DAYS + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def _date(days: int) -> tuple[int, int, int]:
    """Returns the year, month and day, `days` after 1970-01-01.

    >>> _date(11017), _date(-719529)
    ((2000, 3, 1), (-1, 12, 31))
    """
    era, of_era = divmod(days + 719_468, _ERA_DAYS)
    year = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year + era * 400 + (month <= 2), month, day


def _days_in_month(year: int, month: int) -> int:
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    return _days(*following, 1) - _days(year, month, 1)


_PARTS: dict[type[Any], tuple[str, ...]] = {
    ep.DateTime: ("year", "month", "day", "hour", "minute", "second", "microsecond"),
    ep.DateTimeStamp: ("year", "month", "day", "hour", "minute", "second", "microsecond"),
    ep.Date: ("year", "month", "day"),
    ep.Time: ("hour", "minute", "second", "microsecond"),
    ep.GregorianYearMonth: ("year", "month"),
    ep.GregorianYear: ("year",),
    ep.GregorianMonthDay: ("month", "day"),
    ep.GregorianMonth: ("month",),
    ep.GregorianDay: ("day",),
}


def has_timezone(value: ep.AbstractDateTime) -> bool:
    """Tells whether a date or time carries a timezone."""
    return value.tzinfo is not None


def timezone_minutes(value: ep.AbstractDateTime) -> int | None:
    """Returns the timezone in minutes east of Greenwich, or None."""
    zone = value.tzinfo
    if zone is None:
        return None
    offset = zone.utcoffset(None)
    return 0 if offset is None else round(offset.total_seconds() / 60)


def fields(value: ep.AbstractDateTime) -> Fields:
    """Returns the components of a value; those that its type lacks are of 1972-12-31T00:00:00."""
    parts = {name: getattr(value, name) for name in _PARTS[type(value)]}
    if parts.get("year", 1) < 0:
        parts["year"] += 1
    if "day" not in parts and "month" in parts:
        parts["day"] = 1
    return Fields(**parts, zone=timezone_minutes(value))


@cache
def _zone(minutes: int | None) -> ep.Timezone | None:
    return None if minutes is None else ep.Timezone(dt.timedelta(minutes=minutes))


def from_fields(kind: type[Any], parts: Fields) -> Any:
    """Returns a value of a class from its components.

    Raises:
        DynamicError: FODT0001, the year is out of the supported range.
    """
    if abs(parts.year) > _MAX_YEAR:
        raise DynamicError("FODT0001", f"the year {parts.year} is out of the supported range")
    values = {name: getattr(parts, name) for name in _PARTS[kind]}
    if values.get("year", 1) <= 0:
        values["year"] -= 1
    return kind(**values, tzinfo=_zone(parts.zone))


def instant(value: ep.AbstractDateTime, implicit_zone: int) -> int:
    """Returns the microseconds from 1970-01-01T00:00:00Z to the start of a value.

    Args:
        value: a date or time; what its type lacks is of 1972-12-31.
        implicit_zone: minutes east of Greenwich for a value without a timezone.
    """
    parts = fields(value)
    zone = implicit_zone if parts.zone is None else parts.zone
    return parts.days() * DAY + parts.time() - zone * 60_000_000


def _at(parts: Fields, microseconds: int) -> Fields:
    """Returns the date and time at a count of microseconds from 1970, in the same timezone."""
    days, time = divmod(microseconds, DAY)
    year, month, day = _date(days)
    seconds, microsecond = divmod(time, 1_000_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return Fields(year, month, day, hour, minute, second, microsecond, parts.zone)


def add_days_and_time(value: Any, microseconds: int) -> Any:
    """Returns a dateTime, date or time plus a duration; a time wraps around at midnight."""
    parts = fields(value)
    later = _at(parts, parts.days() * DAY + parts.time() + microseconds)
    return from_fields(type(value), later)


def add_months(value: Any, months: int) -> Any:
    """Returns a dateTime or date plus months; the day is that of the month's end at most."""
    parts = fields(value)
    years, month = divmod(parts.month - 1 + months, 12)
    year = parts.year + years
    day = min(parts.day, _days_in_month(year, month + 1))
    return from_fields(type(value), replace(parts, year=year, month=month + 1, day=day))


def adjust_timezone(value: Any, zone: int | None) -> Any:
    """Returns the same instant in another timezone, or without one if `zone` is None.

    A value without a timezone takes it as its own (F&O 3.1, section 9.6).
    """
    parts = fields(value)
    if zone is None or parts.zone is None:
        return from_fields(type(value), replace(parts, zone=zone))
    moved = parts.days() * DAY + parts.time() + (zone - parts.zone) * 60_000_000
    return from_fields(type(value), replace(_at(parts, moved), zone=zone))


def parse_calendar(kind: type[Any], text: str) -> Any:
    """Returns the date or time that a text denotes; raises ValueError if it denotes none.

    >>> str(parse_calendar(ep.DateTime, "-0001-12-31T24:00:00Z"))
    '0000-01-01T00:00:00Z'
    """
    text = text.strip(WHITESPACE)
    try:
        if "T24:00:00" in text and text[-1:] != "\n":
            midnight = kind.fromstring(text.replace("T24:00:00", "T00:00:00", 1))
            if midnight.microsecond:
                raise ValueError(text)
            return add_days_and_time(midnight, DAY)
        return kind.fromstring(text)
    except OverflowError as error:
        raise DynamicError("FODT0001", f"{text} is out of the supported range") from error


def parse_duration(kind: type[ep.Duration], text: str) -> Any:
    """Returns the duration that a text denotes; raises ValueError if it denotes none."""
    text = text.strip(WHITESPACE)
    missing = "YM" if kind is ep.DayTimeDuration else "DT" if kind is ep.YearMonthDuration else ""
    date_part = text.split("T", maxsplit=1)[0]
    if any(letter in (date_part if letter in "YMD" else text) for letter in missing):
        raise ValueError(text)
    try:
        return kind.fromstring(text)
    except OverflowError as error:
        raise DynamicError("FODT0002", f"{text} is out of the supported range") from error


def day_time(microseconds: int) -> ep.DayTimeDuration:
    """Returns a dayTimeDuration of so many microseconds."""
    try:
        return ep.DayTimeDuration(Decimal(microseconds).scaleb(-6))
    except OverflowError as error:
        raise DynamicError("FODT0002", "the duration is out of the supported range") from error


def year_month(months: int) -> ep.YearMonthDuration:
    """Returns a yearMonthDuration of so many months."""
    try:
        return ep.YearMonthDuration(months)
    except OverflowError as error:
        raise DynamicError("FODT0002", "the duration is out of the supported range") from error

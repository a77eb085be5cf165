"""Dates and times: their components, timezones and combination (F&O 3.1, sections 9.5 to 9.7)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items import calendar
from jvmscope.queries.xquery.items.arithmetic import microseconds
from jvmscope.queries.xquery.items.errors import DynamicError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.functions.context import Context

__all__ = ["combine"]

_PARTS = {
    "dateTime": ("year", "month", "day", "hours", "minutes", "seconds", "timezone"),
    "date": ("year", "month", "day", "timezone"),
    "time": ("hours", "minutes", "seconds", "timezone"),
}


def _seconds(parts: calendar.Fields) -> Decimal:
    return Decimal(parts.second * 1_000_000 + parts.microsecond).scaleb(-6)


def _timezone(parts: calendar.Fields) -> Any:
    return None if parts.zone is None else calendar.day_time(parts.zone * 60_000_000)


_COMPONENTS: dict[str, tuple[str, Callable[[calendar.Fields], Any]]] = {
    "year": ("integer", lambda parts: parts.year),
    "month": ("integer", lambda parts: parts.month),
    "day": ("integer", lambda parts: parts.day),
    "hours": ("integer", lambda parts: parts.hour),
    "minutes": ("integer", lambda parts: parts.minute),
    "seconds": ("decimal", _seconds),
    "timezone": ("dayTimeDuration", _timezone),
}


def _component(turn: Callable[[calendar.Fields], Any]) -> Callable[[Any], Any]:
    return lambda arg: None if arg is None else turn(calendar.fields(arg))


for _kind, _names in _PARTS.items():
    for _name in _names:
        _type, _turn = _COMPONENTS[_name]
        builtin(f"fn:{_name}-from-{_kind}($arg as xs:{_kind}?) as xs:{_type}?")(_component(_turn))


def _adjust(value: Any, timezone: Any, implicit: int) -> Any:
    """Returns a value in a timezone, in the implicit one if `timezone` is the ellipsis."""
    if value is None:
        return None
    if timezone is ...:
        return calendar.adjust_timezone(value, implicit)
    if timezone is None:
        return calendar.adjust_timezone(value, None)
    length = microseconds(timezone)
    minutes, rest = divmod(length, 60_000_000)
    if rest or abs(minutes) > 14 * 60:
        raise DynamicError("FODT0003", f"{timezone} is not a timezone")
    return calendar.adjust_timezone(value, minutes)


def _adjuster(context: Context, arg: Any, timezone: Any = ...) -> Any:
    return _adjust(arg, timezone, context.timezone)


for _kind in _PARTS:
    _text = f"fn:adjust-{_kind}-to-timezone($arg as xs:{_kind}?"
    builtin(f"{_text}) as xs:{_kind}?")(_adjuster)
    builtin(f"{_text}, $timezone as xs:dayTimeDuration?) as xs:{_kind}?")(_adjuster)


@builtin("fn:dateTime($arg1 as xs:date?, $arg2 as xs:time?) as xs:dateTime?")
def combine(date: ep.Date | None, time: ep.Time | None) -> Any:
    """Returns a dateTime of a date and a time; FORG0008 if their timezones differ."""
    if date is None or time is None:
        return None
    day, clock = calendar.fields(date), calendar.fields(time)
    if day.zone is not None and clock.zone is not None and day.zone != clock.zone:
        raise DynamicError("FORG0008", f"{date} and {time} are in different timezones")
    zone = clock.zone if day.zone is None else day.zone
    both = replace(clock, year=day.year, month=day.month, day=day.day, zone=zone)
    return calendar.from_fields(ep.DateTime, both)

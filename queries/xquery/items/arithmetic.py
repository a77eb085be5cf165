"""Arithmetic on numbers, dates and durations (XPath 3.1, section 3.5 and appendix B.2)."""

from __future__ import annotations

import math
import operator
from decimal import Context, Decimal
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items import calendar
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.casts import cast_to
from jvmscope.queries.xquery.items.comparison import promote
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.numbers import EXACT, MAX_BITS, exactly
from jvmscope.queries.xquery.items.types import Float

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.items.types import Atomic

__all__ = ["add", "arithmetic", "divide", "microseconds", "negate", "scale_duration"]

_DIVISION_DIGITS = 28


def arithmetic(name: str, left: Atomic, right: Atomic, zone: int = 0) -> Atomic:
    """Returns the result of an arithmetic operator.

    Args:
        name: ``+``, ``-``, ``*``, ``div``, ``idiv`` or ``mod``.
        left: an atomic value; an untyped one is cast to xs:double.
        right: likewise.
        zone: the implicit timezone in minutes.

    Raises:
        DynamicError: XPTY0004 (not for such types), FOAR0001 (division by zero), FOAR0002
            (overflow), FODT0001, FODT0002, FOCA0005.

    >>> arithmetic("idiv", -7, 2), arithmetic("mod", -7, 2), arithmetic("div", 1, 4)
    (-3, -1, Decimal('0.25'))
    """
    if type(left) is int and type(right) is int and name in "+-":
        return left + right if name == "+" else left - right
    if isinstance(left, ep.UntypedAtomic):
        left = cast_to(left, "double")
    if isinstance(right, ep.UntypedAtomic):
        right = cast_to(right, "double")
    if _is_number(left) and _is_number(right):
        return _NUMERIC[name](*promote(left, right))
    result = _temporal(name, left, right, zone)
    if result is None:
        raise _refused(name, left, right)
    return result


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _refused(name: str, left: Atomic, right: Atomic) -> DynamicError:
    message = f"{name} is not defined for {describe(left)} and {describe(right)}"
    return DynamicError("XPTY0004", message)


def negate(value: Atomic) -> Atomic:
    """Returns a number with its sign changed; an untyped value is cast to xs:double."""
    if isinstance(value, ep.UntypedAtomic):
        value = cast_to(value, "double")
    if not _is_number(value):
        raise DynamicError("XPTY0004", f"{describe(value)} has no sign")
    if isinstance(value, Decimal):
        return value.copy_negate() if value else value
    return Float(-value) if isinstance(value, Float) else -value


# -- numbers, both of one type but for integers beside decimals


def _wrapped(
    exact: Callable[[Context, Any, Any], Decimal], plain: Callable[[Any, Any], Any]
) -> Callable[[Any, Any], Any]:
    """Returns an operator: `plain` for floats and integers, `exact` where a decimal takes part."""

    def operate(left: Any, right: Any) -> Any:
        if isinstance(left, Decimal) or isinstance(right, Decimal):
            return exactly(exact, EXACT, left, right)
        result = plain(left, right)
        if isinstance(left, Float):
            return Float(result)
        if isinstance(result, int) and result.bit_length() > MAX_BITS:
            raise DynamicError("FOAR0002", "the integer is out of the supported range")
        return result

    return operate


def divide(left: Any, right: Any) -> Any:
    """Returns the quotient of two promoted numbers; of integers an xs:decimal."""
    if isinstance(left, float):
        quotient = _divide_floats(left, right)
        return Float(quotient) if isinstance(left, Float) else quotient
    if not right:
        raise DynamicError("FOAR0001", "division by zero")
    one, other = Decimal(left), Decimal(right)
    digits = max(one.adjusted() - other.adjusted(), 0) + _DIVISION_DIGITS
    return exactly(Context.divide, Context(prec=digits), one, other)


def _divide_floats(left: float, right: float) -> float:
    if right:
        return float(left) / float(right)
    if not left or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1, right)


def _integer_divide(left: Any, right: Any) -> int:
    if isinstance(left, float):
        if not right:
            raise DynamicError("FOAR0001", "division by zero")
        if not math.isfinite(left) or math.isnan(right):
            raise DynamicError("FOAR0002", "idiv of a number that is infinite or NaN")
        quotient = float(left) / float(right)
        if not math.isfinite(quotient):
            raise DynamicError("FOAR0002", "the quotient is out of the supported range")
        return int(quotient)
    if not right:
        raise DynamicError("FOAR0001", "division by zero")
    if isinstance(left, int) and isinstance(right, int):
        quotient_of_sizes = abs(left) // abs(right)
        return quotient_of_sizes if (left < 0) == (right < 0) else -quotient_of_sizes
    return int(exactly(Context.divide_int, EXACT, left, right))


def _modulo(left: Any, right: Any) -> Any:
    if isinstance(left, float):
        remainder = math.nan if math.isinf(left) or not right else math.fmod(left, right)
        return Float(remainder) if isinstance(left, Float) else remainder
    if not right:
        raise DynamicError("FOAR0001", "division by zero")
    if isinstance(left, int) and isinstance(right, int):
        size = abs(left) % abs(right)
        return -size if left < 0 else size
    return exactly(Context.remainder, EXACT, left, right)


add = _wrapped(Context.add, operator.add)

_NUMERIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": add,
    "-": _wrapped(Context.subtract, operator.sub),
    "*": _wrapped(Context.multiply, operator.mul),
    "div": divide,
    "idiv": _integer_divide,
    "mod": _modulo,
}


# -- dates, times and durations


def microseconds(duration: ep.Duration) -> int:
    """Returns the days, hours, minutes and seconds of a duration in microseconds."""
    return int(duration.seconds.scaleb(6))


def _temporal(name: str, left: Any, right: Any, zone: int) -> Any:
    """Returns the result on dates and durations, or None if the operator is not defined."""
    if isinstance(left, ep.AbstractDateTime):
        return _from_date(name, left, right, zone)
    if name == "+" and isinstance(right, ep.AbstractDateTime):
        return _from_date(name, right, left, zone)
    if name == "*" and _is_number(left):
        left, right = right, left
    if type(left) not in {ep.DayTimeDuration, ep.YearMonthDuration}:
        return None
    if _is_number(right) and name in {"*", "div"}:
        return scale_duration(left, right, is_division=name == "div")
    if type(left) is not type(right):
        return None
    return _two_durations(name, left, right)


def _from_date(name: str, left: Any, right: Any, zone: int) -> Any:
    if type(left) not in {ep.DateTime, ep.DateTimeStamp, ep.Date, ep.Time}:
        return None
    if isinstance(right, ep.AbstractDateTime):
        if name != "-" or _base(left) is not _base(right):
            return None
        return calendar.day_time(calendar.instant(left, zone) - calendar.instant(right, zone))
    if name not in {"+", "-"}:
        return None
    sign = 1 if name == "+" else -1
    if isinstance(left, ep.DateTimeStamp):
        left = cast_to(left, "dateTime")
    if type(right) is ep.DayTimeDuration:
        return calendar.add_days_and_time(left, sign * microseconds(right))
    if type(right) is ep.YearMonthDuration and not isinstance(left, ep.Time):
        return calendar.add_months(left, sign * right.months)
    return None


def _base(value: Any) -> type[Any]:
    return ep.DateTime if isinstance(value, ep.DateTime) else type(value)


def _two_durations(name: str, left: Any, right: Any) -> Any:
    is_months = type(left) is ep.YearMonthDuration
    one, other = (left.months, right.months) if is_months else (left.seconds, right.seconds)
    if name == "div":
        if not other:
            raise DynamicError("FOAR0001", "division by a duration of length zero")
        return divide(one, other)
    if name not in {"+", "-"}:
        return None
    total = one + other if name == "+" else one - other
    return calendar.year_month(total) if is_months else _seconds(total)


def _seconds(seconds: Decimal) -> Any:
    return calendar.day_time(int(seconds.scaleb(6).to_integral_value()))


def scale_duration(duration: Any, factor: Any, *, is_division: bool) -> Any:
    """Returns a duration multiplied or divided by a number.

    Raises:
        DynamicError: FOCA0005 for NaN, FODT0002 if the result has no finite length.
    """
    if isinstance(factor, float):
        if math.isnan(factor):
            raise DynamicError("FOCA0005", "a duration multiplied or divided by NaN")
        if math.isinf(factor):
            if is_division:
                factor = Decimal(0)
                is_division = False
            else:
                raise DynamicError("FODT0002", "a duration multiplied by infinity")
    if is_division and not factor:
        raise DynamicError("FODT0002", "a duration divided by zero")
    number = Decimal(factor)
    context = Context(prec=60)
    is_months = type(duration) is ep.YearMonthDuration
    size = Decimal(duration.months) if is_months else duration.seconds
    scaled = context.divide(size, number) if is_division else context.multiply(size, number)
    if abs(scaled) > 2**63:
        raise DynamicError("FODT0002", "the duration is out of the supported range")
    if is_months:
        return calendar.year_month(math.floor(scaled + Decimal("0.5")))
    return _seconds(scaled)

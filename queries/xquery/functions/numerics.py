"""Numbers (F&O 3.1, sections 4.4 and 4.5)."""

from __future__ import annotations

import decimal
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.context import context_item
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.atomize import atomize_one
from jvmscope.queries.xquery.items.casts import cast_to
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.numbers import quantize
from jvmscope.queries.xquery.items.types import Atomic, Float

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.functions.context import Context

__all__ = [
    "absolute",
    "ceiling",
    "floor",
    "number",
    "number_of_context",
    "round_half_to_even",
    "round_half_up",
]


def _like(number: Any, result: Any) -> Any:
    """Returns a result as a value of the primitive type of `number`, with its sign if zero."""
    if isinstance(number, float):
        signed = math.copysign(result, number) if not result else float(result)
        return Float(signed) if isinstance(number, Float) else signed
    return result


@builtin("fn:abs($arg as xs:numeric?) as xs:numeric?")
def absolute(arg: Any) -> Any:
    """Returns the absolute value."""
    if arg is None:
        return None
    if isinstance(arg, Float):
        return Float(abs(arg))
    return arg.copy_abs() if isinstance(arg, Decimal) else abs(arg)


@builtin("fn:ceiling($arg as xs:numeric?) as xs:numeric?")
def ceiling(arg: Any) -> Any:
    """Returns the smallest whole number not below; the zero of a negative double is negative."""
    return _to_whole(arg, math.ceil)


@builtin("fn:floor($arg as xs:numeric?) as xs:numeric?")
def floor(arg: Any) -> Any:
    """Returns the largest whole number not above."""
    return _to_whole(arg, math.floor)


def _to_whole(arg: Any, turn: Callable[[Any], int]) -> Any:
    if arg is None or isinstance(arg, int) or not math.isfinite(arg):
        return arg
    whole = turn(arg)
    return Decimal(whole) if isinstance(arg, Decimal) else _like(arg, whole)


@builtin("fn:round($arg as xs:numeric?) as xs:numeric?")
@builtin("fn:round($arg as xs:numeric?, $precision as xs:integer) as xs:numeric?")
def round_half_up(arg: Any, precision: int = 0) -> Any:
    """Returns the nearest number with so many fractional digits; of two, the greater.

    >>> round_half_up(2.5), round_half_up(-2.5), round_half_up(125, -1)
    (3.0, -2.0, 130)
    """
    if arg is None:
        return None
    rounding = decimal.ROUND_HALF_UP if arg > 0 else decimal.ROUND_HALF_DOWN
    return _round(arg, precision, rounding)


@builtin("fn:round-half-to-even($arg as xs:numeric?) as xs:numeric?")
@builtin("fn:round-half-to-even($arg as xs:numeric?, $precision as xs:integer) as xs:numeric?")
def round_half_to_even(arg: Any, precision: int = 0) -> Any:
    """Returns the nearest number with so many fractional digits; of two, the even one."""
    return None if arg is None else _round(arg, precision, decimal.ROUND_HALF_EVEN)


def _round(number: Any, precision: int, rounding: str) -> Any:
    if not number or not math.isfinite(number):
        return number
    exact = Decimal(number)
    if precision < -(exact.adjusted() + 1):
        result = Decimal(0)
    else:
        result = quantize(exact, min(precision, 2000), rounding)
    return int(result) if isinstance(number, int) else _like(number, result)


@builtin("fn:number() as xs:double")
def number_of_context(context: Context) -> float:
    """Returns the context item as an xs:double, or NaN."""
    return number(atomize_one((context_item(context),)))


@builtin("fn:number($arg as xs:anyAtomicType?) as xs:double")
def number(arg: Atomic | None) -> float:
    """Returns a value cast to xs:double, or NaN where that fails."""
    if arg is None:
        return math.nan
    try:
        result: float = cast_to(arg, "double")
    except DynamicError:
        return math.nan
    return result

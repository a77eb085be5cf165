"""Trigonometric and exponential functions (F&O 3.1, section 4.8), of IEEE 754."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.numbers import to_double

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["atan2", "pi", "power"]


@builtin("math:pi() as xs:double")
def pi() -> float:
    """Returns the number pi."""
    return math.pi


def _guarded(function: Callable[[float], float]) -> Callable[[float | None], float | None]:
    """Returns a function with IEEE results where Python's raises: NaN, or infinite on overflow."""

    def call(arg: float | None) -> float | None:
        if arg is None:
            return None
        try:
            return function(arg)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return call


def _log(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda arg: function(arg) if arg else -math.inf


for _name, _function in {
    "exp": math.exp,
    "exp10": lambda arg: math.pow(10, arg),
    "log": _log(math.log),
    "log10": _log(math.log10),
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
}.items():
    builtin(f"math:{_name}($arg as xs:double?) as xs:double?")(_guarded(_function))


@builtin("math:atan2($y as xs:double, $x as xs:double) as xs:double")
def atan2(y: float, x: float) -> float:
    """Returns the angle of the point (x, y)."""
    return math.atan2(y, x)


@builtin("math:pow($x as xs:double?, $y as xs:numeric) as xs:double?")
def power(x: float | None, y: Any) -> float | None:
    """Returns x to the power of y."""
    if x is None:
        return None
    exponent = to_double(y)
    try:
        return math.pow(x, exponent)
    except OverflowError:
        return -math.inf if x < 0 and exponent % 2 == 1 else math.inf
    except ValueError:
        if x != 0:
            return math.nan
        return math.copysign(math.inf, x) if exponent % 2 == 1 else math.inf

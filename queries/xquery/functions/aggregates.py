"""Aggregates (F&O 3.1, section 14.4)."""

from __future__ import annotations

import functools
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.functions.context import collation_of
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.arithmetic import arithmetic
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.casts import cast_to
from jvmscope.queries.xquery.items.comparison import value_compare
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.numbers import to_double
from jvmscope.queries.xquery.items.types import Float, primitive

if TYPE_CHECKING:
    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.types import Atomic, Sequence

__all__ = ["average", "count", "maximum", "minimum", "total"]

_NUMBERS = {"decimal", "double", "float"}


@builtin("fn:count($arg as item()*) as xs:integer", lazy=True)
def count(arg: Sequence) -> int:
    """Returns how many items there are; none is kept."""
    if isinstance(arg, (list, tuple, range)):
        return len(arg)
    return sum(1 for _ in arg)


def _summands(values: list[Atomic], name: str) -> list[Atomic]:
    """Returns values with the untyped cast to xs:double, all numbers or durations of one type."""
    if all(type(value) is int for value in values):
        return values
    cast = [
        cast_to(value, "double") if isinstance(value, ep.UntypedAtomic) else value
        for value in values
    ]
    first = _summand_type(cast[0])
    for value in cast:
        if first is None or _summand_type(value) is not first:
            message = f"fn:{name} of {describe(cast[0])} and {describe(value)}"
            raise DynamicError("FORG0006", message)
    return cast


def _summand_type(value: Atomic) -> type[Any] | None:
    if primitive(value) in _NUMBERS:
        return float
    return type(value) if type(value) in {ep.DayTimeDuration, ep.YearMonthDuration} else None


@builtin("fn:sum($arg as xs:anyAtomicType*) as xs:anyAtomicType")
@builtin("fn:sum($arg as xs:anyAtomicType*, $zero as xs:anyAtomicType?) as xs:anyAtomicType?")
def total(arg: list[Atomic], zero: Atomic | None = 0) -> Atomic | None:
    """Returns the sum; `zero` for no values."""
    if not arg:
        return zero
    values = _summands(arg, "sum")
    if type(values[0]) is int and all(type(value) is int for value in values):
        return sum(values)
    return functools.reduce(lambda left, right: arithmetic("+", left, right), values)


@builtin("fn:avg($arg as xs:anyAtomicType*) as xs:anyAtomicType?")
def average(arg: list[Atomic]) -> Atomic | None:
    """Returns the mean, or nothing for no values."""
    if not arg:
        return None
    return arithmetic("div", total(_summands(arg, "avg")), len(arg))


@builtin("fn:max($arg as xs:anyAtomicType*) as xs:anyAtomicType?")
@builtin("fn:max($arg as xs:anyAtomicType*, $collation as xs:string) as xs:anyAtomicType?")
def maximum(context: Context, arg: list[Atomic], collation: str | None = None) -> Atomic | None:
    """Returns the greatest value."""
    return _extreme(context, arg, "gt", collation)


@builtin("fn:min($arg as xs:anyAtomicType*) as xs:anyAtomicType?")
@builtin("fn:min($arg as xs:anyAtomicType*, $collation as xs:string) as xs:anyAtomicType?")
def minimum(context: Context, arg: list[Atomic], collation: str | None = None) -> Atomic | None:
    """Returns the least value."""
    return _extreme(context, arg, "lt", collation)


def _extreme(
    context: Context, values: list[Atomic], name: str, collation: str | None
) -> Atomic | None:
    used = collation_of(context, collation)
    if not values:
        return None
    if all(type(value) is int for value in values):
        return max(values) if name == "gt" else min(values)
    if not all(isinstance(value, ep.AnyURI) for value in values):
        values = [_comparable(value) for value in values]
    values = _common_type(values)
    best = values[0]
    try:
        value_compare(name, best, best, used, context.timezone)  # also one alone needs an order
        for value in values[1:]:
            if value != value:  # noqa: PLR0124 - NaN is the result whatever else there is
                return value
            if value_compare(name, value, best, used, context.timezone):
                best = value
    except DynamicError as error:
        message = f"these values have no order: {error.message}"
        raise DynamicError("FORG0006", message) from error
    return best


def _comparable(value: Atomic) -> Atomic:
    if isinstance(value, ep.UntypedAtomic):
        return cast_to(value, "double")
    return value.value if isinstance(value, ep.AnyURI) else value


def _common_type(values: list[Atomic]) -> list[Atomic]:
    """Returns numbers promoted to their least common type; other values as they are."""
    kinds = {primitive(value) for value in values}
    if not kinds <= _NUMBERS:
        return values
    if "double" in kinds:
        return [to_double(value) for value in values]
    if "float" in kinds:
        return [Float(to_double(value)) for value in values]
    if any(isinstance(value, Decimal) for value in values):
        return [Decimal(value) for value in values]
    return values

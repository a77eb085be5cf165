"""Exact quotients of whole numbers: sorted and rounded by integer arithmetic.

``div`` of integers is an xs:decimal, here of 28 digits. Numbers below 10^12 have no two quotients
that differ behind those digits only, so what is exact here is what is rounded there; with larger
ones the SQL fails, and trees give the answer.
"""

from __future__ import annotations

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.values import cast, literal

__all__ = ["quotient_in_parts", "rounded"]

_LIMIT = 10**12
_SCALE = 10**25  # times a remainder below the limit, it is below 2^127


def quotient_in_parts(numerator: exp.Expr, divisor: exp.Expr) -> list[exp.Expr]:
    """Returns what is before the point of a quotient, and what is behind it, both signed."""
    n, d = _limited(numerator), _limited(divisor)
    rest = exp.Paren(this=exp.Mod(this=n.copy(), expression=d.copy()))
    scale = cast(exp.Literal.number(_SCALE), "HUGEINT")
    behind = exp.Paren(this=exp.Mul(this=rest, expression=scale))
    return [
        exp.IntDiv(this=n, expression=d),
        exp.IntDiv(this=behind, expression=d.copy()),
    ]


def rounded(name: str, numerator: exp.Expr, divisor: exp.Expr) -> exp.Expr:
    """Returns ``ceiling``, ``floor`` or ``round`` (half up) of a quotient, a whole number."""
    n, d = numerator.copy(), divisor.copy()
    is_known = isinstance(divisor, exp.Literal)  # as those of decimals are, and above 0
    if not is_known:
        n, d = _limited(n), _limited(d)
    n, d = exp.Paren(this=n), exp.Paren(this=d)
    if name == "round":  # floor((2n + d) / 2d)
        twice = exp.Mul(this=n, expression=literal(2))
        n = exp.Paren(this=exp.Add(this=twice, expression=d))
        d = exp.Paren(this=exp.Mul(this=d.copy(), expression=literal(2)))
    quotient = exp.IntDiv(this=n, expression=d)
    rest = exp.Paren(this=exp.Mod(this=n.copy(), expression=d.copy()))
    # DuckDB drops what is behind the point: of a quotient above 0 that is the floor.
    is_above: exp.Expr = exp.GT(this=rest, expression=literal(0))
    is_below: exp.Expr = exp.LT(this=rest.copy(), expression=literal(0))
    if not is_known:
        is_opposite = exp.Paren(this=exp.LT(this=d.copy(), expression=literal(0)))
        has_rest = exp.NEQ(this=rest.copy(), expression=literal(0))
        is_above, is_below = (
            exp.and_(has_rest, exp.NEQ(this=exp.Paren(this=one), expression=is_opposite.copy()))
            for one in (is_above, is_below)
        )
    is_up = name == "ceiling"
    step = exp.If(this=is_above if is_up else is_below, true=literal(1 if is_up else -1))
    more = exp.Case(ifs=[step], default=literal(0))
    return exp.Paren(this=exp.Add(this=quotient, expression=more))


def _limited(number: exp.Expr) -> exp.Expr:
    """Returns a number, or an error if it is too large for what is done with it."""
    if isinstance(number, exp.Literal):
        return cast(number.copy(), "HUGEINT")
    is_small = exp.LT(
        this=exp.Abs(this=cast(number.copy(), "HUGEINT")), expression=exp.Literal.number(_LIMIT)
    )
    is_absent = exp.Is(this=number.copy(), expression=exp.null())
    return exp.Case(
        ifs=[exp.If(this=exp.or_(is_small, is_absent), true=cast(number.copy(), "HUGEINT"))],
        default=exp.func("error", literal("out of range")),
    )

"""Simplifies conditions for a WHERE clause, where null and false have the same effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.sql import exp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["filtering"]

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def filtering(conditions: Iterable[exp.Expr]) -> list[exp.Expr]:
    """Returns conditions that all hold for the same rows as those given, without detours.

    That a value is there is not asked where it is compared, and ``COALESCE(…, FALSE)`` is not
    needed; DuckDB sees joins and sets of constants only without them.

    >>> x, y = exp.column("x"), exp.column("y")
    >>> is_there = exp.Not(this=exp.Is(this=x.copy(), expression=exp.null()))
    >>> is_one = exp.EQ(this=x, expression=exp.Literal.number(1))
    >>> known = exp.Coalesce(this=exp.and_(is_there, is_one), expressions=[exp.false()])
    >>> filtering([exp.and_(known, y)])
    ["x" = 1, "y"]
    """
    found = list(dict.fromkeys(part for given in conditions for part in _parts(given)))
    compared = {
        side for part in found if isinstance(part, _COMPARISONS) for side in (part.left, part.right)
    }
    return [part.copy() for part in found if _present(part) not in compared]


def _parts(condition: exp.Expr) -> Iterator[exp.Expr]:
    """Returns the operands of a conjunction, null or false as its rows are left out."""
    if isinstance(condition, exp.Paren):
        yield from _parts(condition.this)
    elif isinstance(condition, exp.And):
        for operand in condition.expressions:
            yield from _parts(operand)
    elif isinstance(condition, exp.Coalesce) and condition.expressions == [exp.false()]:
        yield from _parts(condition.this)
    elif isinstance(condition, exp.Or):
        sides = [filtering([side]) for side in condition.expressions]
        if all(sides):  # a side without conditions holds always
            yield exp.Paren(this=exp.or_(*(exp.and_(*side) for side in sides)))
    elif condition != exp.true():
        yield condition


def _present(condition: exp.Expr) -> exp.Expr | None:
    """Returns ``x`` of ``NOT x IS NULL``."""
    inner = condition.this if isinstance(condition, exp.Not) else None
    is_test = isinstance(inner, exp.Is) and inner.expression == exp.null()
    return inner.this if is_test else None  # type: ignore[union-attr]

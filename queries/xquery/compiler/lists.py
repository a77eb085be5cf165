"""Sequences of constants, which are tables: ``1 to 10``, ``("virtual", "interface")``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.sources import Listed
from jvmscope.queries.xquery.compiler.values import NotCompiled, Rows, Scalar, literal
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment

__all__ = ["ROWS"]

_MOST_VALUES = 100_000
_MOST = 1 << 31


def _sequence(compiler: Compiler, expression: Any, _environment: Environment) -> Rows:
    values: list[Any] = [item.value for item in expression.items if isinstance(item, ast.Literal)]
    kinds = {type(value) for value in values}
    is_plain = len(values) == len(expression.items) and kinds in ({int}, {str})
    if not is_plain or len(values) > _MOST_VALUES:
        raise NotCompiled("a sequence of items that are not constants of one type", expression.at)
    if kinds == {int} and any(abs(value) >= _MOST for value in values):
        raise NotCompiled("an integer of more than 32 bits", expression.at)
    entries = exp.Array(expressions=[literal(value) for value in values])
    kind = ("string", "text") if kinds == {str} else ("integer", "int")
    return _rows(compiler, entries, *kind)


def _range(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    low, high = (
        _number(compiler.scalar(bound, environment))
        for bound in (expression.first, expression.last)
    )
    if low is None or high is None or max(abs(low), abs(high)) >= _MOST:
        raise NotCompiled("a range whose bounds are not constants", expression.at)
    if high - low >= _MOST_VALUES:
        raise NotCompiled("a range of many numbers", expression.at)
    return _rows(compiler, exp.func("range", literal(low), literal(high + 1)), "integer", "big")


def _number(bound: Scalar) -> int | None:
    """Returns a constant integer, None if it is not one."""
    is_negative = isinstance(bound.sql, exp.Neg)
    digits = bound.sql.this if is_negative else bound.sql
    while isinstance(digits, (exp.Paren, exp.Cast)):
        digits = digits.this
    if bound.type != "integer" or not isinstance(digits, exp.Literal) or digits.is_string:
        return None
    return -int(digits.name) if is_negative else int(digits.name)


def _rows(compiler: Compiler, values: exp.Expr, kind: str, storage: str) -> Rows:
    listed = Listed(compiler.emitter.name("listed"), values)
    compiler.emitter.add(listed)
    item = Scalar(listed.column("value"), kind, storage)
    return Rows(item, (listed,), order=(listed.column("place"),))


ROWS = {ast.Range: _range, ast.Sequence: _sequence}

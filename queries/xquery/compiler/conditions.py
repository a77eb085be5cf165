"""Comparisons, logic and quantifiers: conditions that are true or false, never null."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler import rewrites
from jvmscope.queries.xquery.compiler.environment import Bound
from jvmscope.queries.xquery.compiler.operators import as_double, text
from jvmscope.queries.xquery.compiler.values import NotCompiled, Rows, Scalar, atom, literal
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment

__all__ = [
    "CONDITIONS",
    "compare",
    "effective_boolean_value",
    "is_value_comparison",
    "value_comparison",
]

_CLASSES = {
    "eq": exp.EQ,
    "ne": exp.NEQ,
    "lt": exp.LT,
    "le": exp.LTE,
    "gt": exp.GT,
    "ge": exp.GTE,
}
_GENERAL = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_MOST_OPERANDS = 1000  # DuckDB takes a second for so many, and four times as long for twice that
_MOST_BINDINGS = 100
_MOST_PAIRS = 10_000
_WHOLE = frozenset({"int", "big", "huge"})
_EXACT_IN_DOUBLES = frozenset({"int"})  # 32 bits: comparing the integers is comparing the doubles


def effective_boolean_value(value: Scalar, at: int) -> exp.Expr:
    """Returns the effective boolean value of an atomic value or none."""
    sql = value.sql.copy()
    if value.type == "boolean":
        is_true = sql
    elif value.storage == "text":
        is_true = exp.NEQ(this=sql, expression=literal(""))
    elif value.is_numeric and value.storage in _WHOLE:
        is_true = exp.NEQ(this=sql, expression=literal(0))
    elif value.type in {"untyped", "string"}:
        is_true = exp.Not(this=exp.Is(this=sql, expression=exp.null()))
    else:
        raise NotCompiled("the effective boolean value of a double", at)
    return _never_null(is_true) if value.is_optional else is_true


def _never_null(condition: exp.Expr) -> exp.Expr:
    return exp.Coalesce(this=condition, expressions=[exp.false()])


def _logical(compiler: Compiler, expression: Any, environment: Environment) -> exp.Expr:
    if len(expression.operands) > _MOST_OPERANDS:
        reason = f"more than {_MOST_OPERANDS:,} operands of {expression.operator}"
        raise NotCompiled(reason, expression.at)
    sides = [compiler.condition(operand, environment) for operand in expression.operands]
    return exp.Paren(this=(exp.and_ if expression.operator == "and" else exp.or_)(*sides))


def _comparison(compiler: Compiler, expression: Any, environment: Environment) -> exp.Expr:
    operator = expression.operator
    if operator in {"is", "<<", ">>"}:
        raise NotCompiled("a comparison of nodes", expression.at)
    if operator in _CLASSES:
        value = value_comparison(compiler, expression, environment)
        return _never_null(value.sql) if value.is_optional else value.sql
    if rewritten := rewrites.same_above(compiler, expression, environment):
        return rewritten
    return _general(compiler, expression, environment)


def value_comparison(
    compiler: Compiler, expression: ast.Comparison, environment: Environment
) -> Scalar:
    """Returns ``left eq right``, which is absent where one side is."""
    left = compiler.scalar(expression.left, environment)
    right = compiler.scalar(expression.right, environment)
    is_optional = left.is_optional or right.is_optional
    if is_optional and "double" in {left.storage, right.storage}:
        raise NotCompiled("a comparison of doubles that may be absent", expression.at)
    sql = compare(compiler, expression.operator, left, right, is_general=False, at=expression.at)
    return Scalar(sql, "boolean", "boolean", is_optional)


def is_value_comparison(expression: ast.Expression) -> bool:
    """Tells ``eq`` and its like, whose result may be absent."""
    return isinstance(expression, ast.Comparison) and expression.operator in _CLASSES


def _general(compiler: Compiler, expression: Any, environment: Environment) -> exp.Expr:
    """Returns whether any item of the left compares with any of the right."""
    sides = [
        _alternatives(compiler, side, environment) for side in (expression.left, expression.right)
    ]
    if len(sides[0]) * len(sides[1]) > _MOST_PAIRS:
        raise NotCompiled(f"more than {_MOST_PAIRS:,} comparisons", expression.at)
    operator = _GENERAL[expression.operator]
    found = [
        _pair(compiler, operator, left, right, expression.at)
        for left in sides[0]
        for right in sides[1]
    ]
    return exp.Paren(this=exp.or_(*found)) if len(found) > 1 else found[0]


def _alternatives(
    compiler: Compiler, expression: ast.Expression, environment: Environment
) -> list[Rows]:
    """Returns a sequence as the rows of each of its operands: ``("a", "b")`` is two."""
    while isinstance(expression, ast.Parenthesized) and expression.inner is not None:
        expression = expression.inner
    if isinstance(expression, ast.Sequence):
        return [compiler.rows(item, environment) for item in expression.items]
    return [compiler.rows(expression, environment)]


def _pair(compiler: Compiler, operator: str, left: Rows, right: Rows, at: int) -> exp.Expr:
    values = atom(left.item).filled, atom(right.item).filled
    condition = compare(compiler, operator, *values, is_general=True, at=at)
    joined = Rows(
        left.item,
        (*left.sources, *right.sources),
        (*left.conditions, *right.conditions, condition),
    )
    if not joined.is_single:
        return compiler.exists(joined)
    holds = exp.and_(*joined.conditions)
    is_optional = any(value.is_optional for value in values)
    return _never_null(holds) if is_optional else exp.Paren(this=holds)


def compare(
    compiler: Compiler, operator: str, left: Scalar, right: Scalar, *, is_general: bool, at: int
) -> exp.Expr:
    """Returns a comparison of two values, null where one is absent.

    Untyped values are compared as the other side's type in a general comparison (numbers as
    xs:double), and as strings in a value comparison.
    """
    kinds = {left.type, right.type}
    if is_general and "untyped" in kinds and kinds & {"integer", "decimal", "double"}:
        return _numbers(operator, left, right, as_doubles=True, at=at)
    kinds = {"string" if kind == "untyped" else kind for kind in kinds}
    if kinds == {"string"}:
        return _strings(compiler, operator, left, right)
    if kinds <= {"integer", "decimal", "double"}:
        return _numbers(operator, left, right, as_doubles="double" in kinds, at=at)
    if kinds == {"boolean"}:
        return _CLASSES[operator](this=left.sql.copy(), expression=right.sql.copy())
    raise NotCompiled(f"a comparison of {left.type} with {right.type}", at)


def _numbers(operator: str, left: Scalar, right: Scalar, *, as_doubles: bool, at: int) -> exp.Expr:
    if left.divisor is not None or right.divisor is not None:
        if not as_doubles:
            raise NotCompiled("a comparison with a quotient", at)
    elif {left.storage, right.storage} <= (_EXACT_IN_DOUBLES if as_doubles else _WHOLE):
        return _CLASSES[operator](this=left.sql.copy(), expression=right.sql.copy())
    first, second = as_double(left), as_double(right)
    condition = _CLASSES[operator](this=first, expression=second)
    # NaN equals nothing in XQuery, and itself in DuckDB, where it is above all numbers.
    nans = [
        exp.func("isnan", value.copy())
        for value, side in ((first, left), (second, right))
        if side.storage == "double" and not isinstance(side.sql, exp.Cast)
    ]
    if not nans:
        return condition
    if operator == "ne":
        return exp.Paren(this=exp.or_(condition, *nans))
    return exp.Paren(this=exp.and_(condition, *[exp.Not(this=nan) for nan in nans]))


def _strings(compiler: Compiler, operator: str, left: Scalar, right: Scalar) -> exp.Expr:
    kind = _CLASSES[operator]
    if operator in {"eq", "ne"}:
        if {left.storage, right.storage} <= _WHOLE:  # whole numbers have one spelling each
            return kind(this=left.sql.copy(), expression=right.sql.copy())
        for value, other in ((left, right), (right, left)):
            number = _spelt_number(other)
            if value.storage in _WHOLE and number is not None:
                return kind(this=value.sql.copy(), expression=number)
        if _is_plain(left) or _is_plain(right):
            return kind(this=_stored(compiler, left), expression=_stored(compiler, right))
    return kind(this=text(compiler, left), expression=text(compiler, right))


def _is_plain(value: Scalar) -> bool:
    """Tells a constant text that no escape could be part of."""
    return isinstance(value.sql, exp.Literal) and "\\" not in value.sql.name


def _stored(compiler: Compiler, value: Scalar) -> exp.Expr:
    """Returns a text without a note on escapes: an escaped one equals no plain constant."""
    return value.sql.copy() if value.storage == "text" else text(compiler, value)


def _spelt_number(value: Scalar) -> exp.Expr | None:
    if value.storage != "text" or not isinstance(value.sql, exp.Literal):
        return None
    spelling = value.sql.name
    if (
        spelling.isascii()
        and spelling.isdigit()
        and len(spelling) < 19
        and str(int(spelling)) == spelling
    ):
        return literal(int(spelling))
    return None


def _quantified(compiler: Compiler, expression: Any, environment: Environment) -> exp.Expr:
    sources: list[Any] = []
    conditions: list[exp.Expr] = []
    if len(expression.bindings) > _MOST_BINDINGS:
        raise NotCompiled(f"more than {_MOST_BINDINGS} bindings", expression.at)
    for binding in expression.bindings:
        if binding.type is not None:
            raise NotCompiled("a declared type", binding.at)
        rows = compiler.rows(binding.expression, environment)
        sources += rows.sources
        conditions += rows.conditions
        environment = environment.bind(binding.variable, Bound(rows.item))
    holds = compiler.condition(expression.condition, environment)
    is_every = expression.quantifier == "every"
    holds = exp.Not(this=exp.Paren(this=holds)) if is_every else holds
    rows = Rows(Scalar(literal(1), "integer", "int"), tuple(sources), (*conditions, holds))
    found = compiler.exists(rows)
    return exp.Not(this=exp.Paren(this=found)) if is_every else found


CONDITIONS = {
    ast.Logical: _logical,
    ast.Comparison: _comparison,
    ast.Quantified: _quantified,
}

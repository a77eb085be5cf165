"""Operators with one value: arithmetic, concatenation, if, casts, literals."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.values import NotCompiled, Scalar, cast, columns_in, literal
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import XS

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment

__all__ = ["SCALARS", "as_double", "as_type", "joined", "text"]

_INTEGERS = frozenset({"integer", "long", "int"})
_WHOLE = frozenset({"int", "big", "huge"})
_OPERATIONS = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul}


def text(compiler: Compiler, value: Scalar) -> exp.Expr:
    """Returns a value as xs:string; columns of text are noted, since they may need escapes."""
    sql = value.sql.copy()
    if value.storage == "text":
        compiler.text_columns |= {(column.table, column.name) for column in columns_in(sql)}
        return sql
    if value.storage == "flag":
        return exp.Case(ifs=[exp.If(this=sql, true=literal("true"))])
    if value.storage == "boolean":
        return exp.Case(
            ifs=[
                exp.If(this=sql, true=literal("true")),
                exp.If(this=exp.Not(this=sql.copy()), true=literal("false")),
            ]
        )
    if value.storage in _WHOLE and value.divisor is None and value.type != "double":
        return cast(sql, "VARCHAR")
    raise NotCompiled("a decimal or double as text")


def as_double(value: Scalar) -> exp.Expr:
    """Returns a value as xs:double, as arithmetic does with untyped ones."""
    if value.divisor is not None:
        numerator, divisor = cast(value.sql.copy(), "DOUBLE"), cast(value.divisor.copy(), "DOUBLE")
        return exp.Paren(this=exp.Div(this=numerator, expression=divisor))
    if value.storage == "double":
        return value.sql.copy()
    if value.storage in _WHOLE:
        return cast(value.sql.copy(), "DOUBLE")
    raise NotCompiled("text as a number")


def as_type(compiler: Compiler, value: Scalar, name: str, at: int) -> Scalar:
    """Returns a value cast to an atomic type of XML Schema, by its local name."""
    if name in _INTEGERS:
        if (
            value.storage in _WHOLE
            and value.type in {"integer", "untyped", "string", "decimal"}
            and value.divisor is None
        ):
            if name == "int" and value.storage != "int":
                raise NotCompiled("a cast to xs:int that may fail", at)
            subtype = None if name == "integer" else name
            if name == "long" and value.storage == "huge":
                value = replace(value, sql=cast(value.sql.copy(), "BIGINT"), storage="big")
            return replace(value, type="integer", subtype=subtype)
    elif name == "decimal":
        if value.storage in _WHOLE:
            return replace(value, type="decimal")
    elif name == "double":
        return Scalar(as_double(value), "double", "double", value.is_optional)
    elif name in {"string", "untypedAtomic"}:
        kind = "string" if name == "string" else "untyped"
        return (
            replace(value, type=kind) if _has_plain_text(value) else _texted(compiler, value, kind)
        )
    elif name == "boolean" and value.type == "boolean":
        return value
    raise NotCompiled(f"a cast of {value.type} to xs:{name}", at)


def _has_plain_text(value: Scalar) -> bool:
    """Tells whether a value is kept as it is stored and its text is made when it is read."""
    return value.divisor is None and value.type != "double" and value.storage in {*_WHOLE, "text"}


def _texted(compiler: Compiler, value: Scalar, kind: str) -> Scalar:
    return Scalar(text(compiler, value), kind, "text", value.is_optional)


def _literal(_compiler: Compiler, expression: Any, _environment: Environment) -> Scalar:
    value = expression.value
    if isinstance(value, str):
        return Scalar(literal(value), "string", "text")
    if isinstance(value, int):
        if abs(value) >= 1 << 63:
            raise NotCompiled("an integer of more than 64 bits", expression.at)
        return Scalar(literal(value), "integer", "int" if abs(value) < 1 << 31 else "big")
    if isinstance(value, Decimal):
        numerator, divisor = value.as_integer_ratio()
        if max(abs(numerator), divisor) >= 1 << 63:
            raise NotCompiled("a decimal of many digits", expression.at)
        return Scalar(literal(numerator), "decimal", "big", divisor=literal(divisor))
    return Scalar(cast(exp.Literal.string(repr(value)), "DOUBLE"), "double", "double")


def _arithmetic(compiler: Compiler, expression: Any, environment: Environment) -> Scalar:
    left = compiler.exact(expression.left, environment)
    right = compiler.exact(expression.right, environment)
    operator = expression.operator
    if left.zero_type is None and right.zero_type is None:
        return _of_numbers(operator, left, right, expression.at)
    return _of_sums(operator, left, right, expression.at)


def _of_sums(operator: str, left: Scalar, right: Scalar, at: int) -> Scalar:
    """Returns arithmetic with xs:doubles of which a null is a 0 of another type.

    If no side is an xs:double, the result is a 0 of another type, too, or the SQL fails.
    """
    result = _of_numbers(operator, left.filled, right.filled, at)
    others = [side for side in (left, right) if side.zero_type is None]
    if any(side.type in {"double", "untyped"} for side in others):
        return result
    nulls = [_is_null(side.sql) for side in (left, right) if side.zero_type is not None]
    is_zero = not any(side.is_optional for side in others) and (
        operator == "*"
        or (operator in {"+", "-"} and not others)
        or (operator == "div" and right in others)
    )
    exact: exp.Expr = exp.func("error", literal("the type of a sum: out of range"))
    if is_zero:
        exact = exp.null()
        if operator == "div":
            exact = _null_unless_zero(right)
        types = {left.zero_type or left.type, right.zero_type or right.type}
        zero_type = "decimal" if operator == "div" or "decimal" in types else "integer"
        result = replace(result, zero_type=zero_type)
    branch = exp.If(this=exp.and_(*nulls), true=exact)
    return replace(result, sql=exp.Case(ifs=[branch], default=result.sql))


def _is_null(sql: exp.Expr) -> exp.Expr:
    return exp.Is(this=sql.copy(), expression=exp.null())


def _null_unless_zero(divisor: Scalar) -> exp.Expr:
    """Returns null, or the failure of a division by 0."""
    checked = _not_zero(divisor.sql)
    if not isinstance(checked, exp.Case):
        return exp.null()
    return exp.Case(ifs=checked.args["ifs"], default=exp.null())


def _of_numbers(operator: str, left: Scalar, right: Scalar, at: int) -> Scalar:
    is_optional = left.is_optional or right.is_optional
    types = {left.type, right.type}
    if not types <= {"integer", "decimal", "double", "untyped"}:
        raise NotCompiled("arithmetic with a value that is not a number", at)
    if types & {"double", "untyped"}:
        return Scalar(_double(operator, left, right, at), "double", "double", is_optional)
    if left.divisor is not None or right.divisor is not None:
        return _rational(operator, left, right, at)
    whole = [
        cast(side.sql.copy(), "BIGINT") if side.storage == "int" else side.sql.copy()
        for side in (left, right)
    ]
    storage = "huge" if "huge" in {left.storage, right.storage} else "big"
    kind = "decimal" if "decimal" in types else "integer"
    is_vague = kind == "decimal" and "?" in {left.subtype, right.subtype}
    subtype = "?" if is_vague else None
    if operator in _OPERATIONS:
        sql = _paren(_OPERATIONS[operator], *whole)
        return Scalar(sql, kind, storage, is_optional, subtype=subtype)
    if operator == "div":
        return Scalar(whole[0], "decimal", storage, is_optional, divisor=_not_zero(whole[1]))
    divisor = _not_zero(whole[1])
    if operator == "idiv":
        return Scalar(_paren(exp.IntDiv, whole[0], divisor), "integer", storage, is_optional)
    sql = _paren(exp.Mod, whole[0], divisor)
    return Scalar(sql, kind, storage, is_optional, subtype=subtype)


def _double(operator: str, left: Scalar, right: Scalar, at: int) -> exp.Expr:
    first, second = as_double(left), as_double(right)
    if operator in _OPERATIONS:
        return _paren(_OPERATIONS[operator], first, second)
    if operator == "div":
        return exp.Paren(this=exp.Div(this=first, expression=second))
    raise NotCompiled(f"{operator} of doubles", at)


def _rational(operator: str, left: Scalar, right: Scalar, at: int) -> Scalar:
    """Returns a sum or product with exact decimals; quotients are rounded, so they end here."""
    for side in (left, right):
        if side.divisor is not None and not isinstance(side.divisor, exp.Literal):
            raise NotCompiled("arithmetic with a quotient of decimals", at)
    numerators = [cast(side.sql.copy(), "HUGEINT") for side in (left, right)]
    divisors = [side.divisor or literal(1) for side in (left, right)]
    product = literal(int(divisors[0].name) * int(divisors[1].name))
    if operator == "*":
        sql = _paren(exp.Mul, *numerators)
    elif operator in {"+", "-"}:
        crossed = [
            _paren(exp.Mul, n, d) for n, d in zip(numerators, reversed(divisors), strict=True)
        ]
        sql = _paren(_OPERATIONS[operator], *crossed)
    else:
        raise NotCompiled(f"{operator} with decimals", at)
    is_optional = left.is_optional or right.is_optional
    return Scalar(sql, "decimal", "huge", is_optional, divisor=product)


def _not_zero(divisor: exp.Expr) -> exp.Expr:
    if isinstance(divisor, exp.Literal) and divisor.name not in {"0", "-0"}:
        return divisor
    error = exp.func("error", literal("FOAR0001"))
    is_zero = exp.EQ(this=divisor.copy(), expression=literal(0))
    return exp.Case(ifs=[exp.If(this=is_zero, true=error)], default=divisor.copy())


def _paren(kind: type[exp.Binary], left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.Paren(this=kind(this=left.copy(), expression=right.copy()))


def _unary(compiler: Compiler, expression: Any, environment: Environment) -> Scalar:
    value = compiler.exact(expression.operand, environment)
    if value.type == "untyped":
        value = Scalar(as_double(value), "double", "double", value.is_optional)
    if not value.is_numeric:
        raise NotCompiled("a sign before a value that is not a number", expression.at)
    subtype = value.subtype if value.type == "decimal" else None
    if not expression.is_negative:
        return replace(value, subtype=subtype)
    sql = value.sql.copy()
    if value.storage == "int":
        sql, value = cast(sql, "BIGINT"), replace(value, storage="big")
    return replace(value, sql=exp.Neg(this=exp.Paren(this=sql)), subtype=subtype)


def _concatenation(compiler: Compiler, expression: Any, environment: Environment) -> Scalar:
    values = [compiler.scalar(operand, environment) for operand in expression.operands]
    return joined(compiler, values)


def joined(compiler: Compiler, values: list[Scalar]) -> Scalar:
    """Returns the texts of values one after the other; an absent one is empty."""
    texts = [
        exp.Coalesce(this=text(compiler, value), expressions=[literal("")])
        if value.is_optional or value.storage == "flag"
        else text(compiler, value)
        for value in values
    ]
    return Scalar(exp.func("concat", *texts), "string", "text")


def _if(compiler: Compiler, expression: Any, environment: Environment) -> Scalar:
    """Returns one CASE for a chain of ``if … else if …``."""
    branches: list[exp.Expr] = []
    values: list[Scalar] = []
    last: ast.Expression = expression
    while isinstance(last, ast.If):
        condition = compiler.condition(last.condition, environment)
        values.append(compiler.exact(last.then, environment))
        branches.append(exp.If(this=condition, true=values[-1].sql.copy()))
        last = compiler.plain(last.otherwise, environment)
    found = default = compiler.exact(last, environment)
    for value in reversed(values):
        found = _either(value, found, expression.at)
    return replace(found, sql=exp.Case(ifs=branches, default=default.sql.copy()), or_zero=None)


def _either(then: Scalar, otherwise: Scalar, at: int) -> Scalar:
    """Returns what a value is that is one of two."""
    if (then.type, then.storage == "text") != (otherwise.type, otherwise.storage == "text"):
        raise NotCompiled("branches of different types", at)
    if (then.storage == "flag") != (otherwise.storage == "flag"):
        raise NotCompiled("branches of different kinds", at)
    if then.divisor is not None or otherwise.divisor is not None:
        raise NotCompiled("a branch that is a quotient", at)
    zero_types = {side.zero_type for side in (then, otherwise)} - {None}
    if len(zero_types) > 1 or (zero_types and (then.is_optional or otherwise.is_optional)):
        raise NotCompiled("branches of which one is a sum that may be of no values", at)
    widest = max(
        then.storage,
        otherwise.storage,
        key=["text", "flag", "boolean", "int", "big", "huge", "double"].index,
    )
    subtype = then.subtype if then.subtype == otherwise.subtype else "?"
    is_optional = then.is_optional or otherwise.is_optional
    zero_type = next(iter(zero_types), None)
    return Scalar(then.sql, then.type, widest, is_optional, subtype=subtype, zero_type=zero_type)


def _cast(compiler: Compiler, expression: Any, environment: Environment) -> Scalar:
    value = compiler.scalar(expression.operand, environment)
    if expression.type.name.uri != XS or (value.is_optional and not expression.type.is_optional):
        raise NotCompiled("a cast of a value that may be absent", expression.at)
    return as_type(compiler, value, expression.type.name.local, expression.at)


SCALARS = {
    ast.Literal: _literal,
    ast.Arithmetic: _arithmetic,
    ast.Unary: _unary,
    ast.StringConcatenation: _concatenation,
    ast.If: _if,
    ast.Cast: _cast,
}

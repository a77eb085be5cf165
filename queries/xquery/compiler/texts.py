"""String functions, such as ``concat``, ``substring`` and ``contains``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.operators import as_type, joined, text
from jvmscope.queries.xquery.compiler.values import NotCompiled, Scalar, literal
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment

__all__ = ["CONDITIONS", "SCALARS", "argument_of"]


def argument_of(call: ast.FunctionCall) -> ast.Expression:
    """Returns the only argument, or the context item."""
    if call.arguments:
        return call.arguments[0]
    return ast.ContextItem(at=call.at, end=call.end)


def _string(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
    value = compiler.scalar(argument_of(call), environment)
    found = as_type(compiler, value, "string", call.at)
    if not found.is_optional:
        return found
    sql = exp.Coalesce(this=text(compiler, found), expressions=[literal("")])
    return Scalar(sql, "string", "text")


def _concat(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
    return joined(compiler, [compiler.scalar(a, environment) for a in call.arguments])


def _string_length(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
    argument = compiler.scalar(argument_of(call), environment)
    if argument.type not in {"string", "untyped"}:
        raise NotCompiled(f"{argument.type} as text", call.at)
    sql = exp.func("length", text(compiler, _string(compiler, call, environment)))
    return Scalar(sql, "integer", "big")


def _before_or_after(*, is_after: bool) -> Callable[..., Scalar]:
    """Returns what compiles what is before or after the first place of a text in another."""

    def compiled(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
        whole, part = _two_texts(compiler, call, environment)
        place = exp.Anonymous(this="instr", expressions=[whole, part])
        if is_after:
            first = exp.Add(
                this=place.copy(),
                expression=exp.Anonymous(this="length", expressions=[part.copy()]),
            )
            found = exp.Anonymous(this="substr", expressions=[whole.copy(), first])
        else:
            n = exp.Sub(this=place.copy(), expression=literal(1))
            found = exp.Anonymous(this="substr", expressions=[whole.copy(), literal(1), n])
        is_in = exp.GT(this=place, expression=literal(0))
        sql = exp.Case(ifs=[exp.If(this=is_in, true=found)], default=literal(""))
        return Scalar(sql, "string", "text")

    return compiled


def _translate(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
    old, new = map(_constant_text, call.arguments[1:])
    if old is None or new is None or len(set(old)) < len(old):
        raise NotCompiled("fn:translate with texts that are not constants", call.at)
    value = compiler.scalar(call.arguments[0], environment)
    if value.type not in {"string", "untyped"}:
        raise NotCompiled(f"{value.type} as text", call.at)
    texts = [_filled(compiler, value), literal(old), literal(new)]
    return Scalar(exp.Anonymous(this="translate", expressions=texts), "string", "text")


def _substring(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
    bounds = [a.value for a in call.arguments[1:] if isinstance(a, ast.Literal)]
    if len(bounds) < len(call.arguments) - 1 or any(type(n) is not int or n < 1 for n in bounds):
        raise NotCompiled("fn:substring with positions that are not constants", call.at)
    value = compiler.scalar(call.arguments[0], environment)
    if value.type not in {"string", "untyped"}:
        raise NotCompiled(f"{value.type} as text", call.at)
    numbers = [literal(min(n, 1 << 31)) for n in bounds if isinstance(n, int)]
    sql = exp.Anonymous(this="substr", expressions=[_filled(compiler, value), *numbers])
    return Scalar(sql, "string", "text")


def _constant_text(expression: ast.Expression) -> str | None:
    value = expression.value if isinstance(expression, ast.Literal) else None
    return value if isinstance(value, str) else None


def _two_texts(
    compiler: Compiler, call: ast.FunctionCall, environment: Environment
) -> list[exp.Expr]:
    """Returns both arguments as texts, empty where they are absent."""
    if len(call.arguments) != 2:
        raise NotCompiled("a collation", call.at)
    values = [compiler.scalar(argument, environment) for argument in call.arguments]
    for value in values:
        if value.type not in {"string", "untyped"}:
            raise NotCompiled(f"{value.type} as text", call.at)
    return [_filled(compiler, value) for value in values]


def _filled(compiler: Compiler, value: Scalar) -> exp.Expr:
    return exp.Coalesce(this=text(compiler, value), expressions=[literal("")])


def _test_of_text(function: str) -> Callable[..., exp.Expr]:
    def compiled(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> exp.Expr:
        texts = _two_texts(compiler, call, environment)
        return exp.Anonymous(this=function, expressions=texts)

    return compiled


SCALARS: dict[str, Callable[[Compiler, ast.FunctionCall, Environment], Scalar]] = {
    "string": _string,
    "concat": _concat,
    "string-length": _string_length,
    "substring": _substring,
    "substring-after": _before_or_after(is_after=True),
    "substring-before": _before_or_after(is_after=False),
    "translate": _translate,
}
CONDITIONS: dict[str, Callable[[Compiler, ast.FunctionCall, Environment], exp.Expr]] = {
    "contains": _test_of_text("contains"),
    "starts-with": _test_of_text("starts_with"),
    "ends-with": _test_of_text("ends_with"),
}

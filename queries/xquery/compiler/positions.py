"""Predicates that count: ``[1]``, ``[last()]``, ``[position() le 10]``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.values import NotCompiled, Rows, literal
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment

__all__ = ["between", "is_positional", "select"]

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_GENERAL = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "!="}
_CLASSES = {
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
    "=": exp.EQ,
    "!=": exp.NEQ,
}


def is_positional(predicate: ast.Expression) -> bool:
    """Tells whether a predicate is one of the forms that count positions."""
    if isinstance(predicate, ast.Literal):
        return isinstance(predicate.value, int)
    if isinstance(predicate, ast.Comparison):
        return _is_call(predicate.left, "position") or _is_call(predicate.right, "position")
    return _is_call(predicate, "last")


def select(
    compiler: Compiler,
    rows: Rows,
    predicate: ast.Expression,
    partition: tuple[exp.Expr, ...],
    environment: Environment,
) -> Rows:
    """Returns the rows whose position passes."""
    if isinstance(predicate, ast.Literal):
        assert isinstance(predicate.value, int)  # noqa: S101 - is_positional said so
        if predicate.value == 1 and (first := _first(compiler, rows, 1, partition)):
            return first
        rows, position = compiler.numbered(rows, partition)
        return rows.where(exp.EQ(this=position, expression=literal(predicate.value)))
    if _is_call(predicate, "last"):
        rows, position = compiler.numbered(rows, partition, is_reversed=True)
        return rows.where(exp.EQ(this=position, expression=literal(1)))
    assert isinstance(predicate, ast.Comparison)  # noqa: S101 - is_positional said so
    operator = _GENERAL.get(predicate.operator, predicate.operator)
    limit = predicate.right
    if _is_call(predicate.right, "position"):
        operator, limit = _FLIPPED.get(operator, operator), predicate.left
    if operator not in _CLASSES:
        raise NotCompiled("a comparison of nodes", predicate.at)
    if _mentions_focus(limit):
        raise NotCompiled("a position that depends on the item", predicate.at)
    value = compiler.scalar(limit, environment)
    if value.type != "integer":
        raise NotCompiled("a position that is not an xs:integer", predicate.at)
    if operator in {"<=", "<"} and isinstance(limit, ast.Literal):
        n = int(value.sql.name) - (operator == "<")
        if first := _first(compiler, rows, n, partition):
            return first
    rows, position = compiler.numbered(rows, partition)
    return rows.where(_CLASSES[operator](this=position, expression=value.sql.copy()))


def between(compiler: Compiler, rows: Rows, first: exp.Expr, length: exp.Expr | None) -> Rows:
    """Returns the rows from a position on, as many as there may be."""
    if first == literal(1) and isinstance(length, exp.Literal):
        found = _first(compiler, rows, int(length.name), ())
        if found is not None:
            return found
    rows, position = compiler.numbered(rows)
    rows = rows.where(exp.GTE(this=position, expression=first.copy()))
    if length is not None:
        end = exp.Add(this=exp.Paren(this=first.copy()), expression=exp.Paren(this=length.copy()))
        rows = rows.where(exp.LT(this=position.copy(), expression=end))
    return rows


def _first(compiler: Compiler, rows: Rows, n: int, partition: tuple[exp.Expr, ...]) -> Rows | None:
    """Returns the first n rows, None where they must be counted row by row around them."""
    if n < 0 or partition or rows.is_single or compiler.group_keys(rows):
        return None
    if compiler.emitter.free([*rows.conditions, *rows.order], rows.sources):
        return None
    derived = compiler.emitter.derive(rows, "first", limit=n)
    return replace(rows, sources=(derived,), conditions=())


def _is_call(expression: ast.Expression, name: str) -> bool:
    return (
        isinstance(expression, ast.FunctionCall)
        and expression.name.uri == FN
        and expression.name.local == name
        and not expression.arguments
    )


def _mentions_focus(expression: ast.Expression) -> bool:
    return not isinstance(expression, (ast.Literal, ast.VariableReference))

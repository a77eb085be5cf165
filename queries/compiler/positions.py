"""Predicates that count: ``[1]``, ``[last()]``, ``[position() le 10]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from jvmscope.queries.compiler.values import NotCompiled, Rows, literal
from jvmscope.queries.syntax import ast
from jvmscope.queries.syntax.names import FN

if TYPE_CHECKING:
    from jvmscope.queries.compiler.compiler import Compiler
    from jvmscope.queries.compiler.environment import Environment

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
        raise NotCompiled("a position that is no xs:integer", predicate.at)
    rows, position = compiler.numbered(rows, partition)
    return rows.where(_CLASSES[operator](this=position, expression=value.sql.copy()))


def between(compiler: Compiler, rows: Rows, first: exp.Expr, length: exp.Expr | None) -> Rows:
    """Returns the rows from a position on, as many as there may be."""
    rows, position = compiler.numbered(rows)
    rows = rows.where(exp.GTE(this=position, expression=first.copy()))
    if length is not None:
        end = exp.Add(this=exp.Paren(this=first.copy()), expression=exp.Paren(this=length.copy()))
        rows = rows.where(exp.LT(this=position.copy(), expression=end))
    return rows


def _is_call(expression: ast.Expression, name: str) -> bool:
    return (
        isinstance(expression, ast.FunctionCall)
        and expression.name.uri == FN
        and expression.name.local == name
        and not expression.arguments
    )


def _mentions_focus(expression: ast.Expression) -> bool:
    return not isinstance(expression, (ast.Literal, ast.VariableReference))

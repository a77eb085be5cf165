"""Union, intersection and difference of nodes that are rows of one table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.values import NotCompiled, RowItem, Rows, Scalar, literal
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment

__all__ = ["ROWS"]

_NOTHING = Scalar(literal(1), "integer", "int")


def _binary(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    left = compiler.rows(expression.left, environment)
    right = compiler.rows(expression.right, environment)
    one, other = left.item, right.item
    if not (isinstance(one, RowItem) and isinstance(other, RowItem)):
        raise NotCompiled(f"{expression.operator} of items that are not rows", expression.at)
    if one.relation is not other.relation:
        raise NotCompiled(f"{expression.operator} of nodes of several kinds", expression.at)
    if left.is_many or right.is_many:
        raise NotCompiled(f"{expression.operator} of the tuples of a group", expression.at)
    if expression.operator == "union":
        return _union(compiler, left, right, expression.at)
    is_in = _has(compiler, right, one)
    if expression.operator == "except":
        is_in = exp.Not(this=exp.Paren(this=is_in))
    left = left.where(is_in)
    return compiler.deduplicated(replace(left, has_duplicates=not left.is_single))


def _union(compiler: Compiler, left: Rows, right: Rows, at: int) -> Rows:
    """Returns the rows of the table that are in one sequence or the other."""
    emitter = compiler.emitter
    assert isinstance(left.item, RowItem)  # noqa: S101 - the caller has seen that it is
    for side in (left, right):
        if side.is_single or emitter.free(side.conditions, side.sources):
            raise NotCompiled("a union for each of many rows", at)
    rows, row = compiler.join(Rows(_NOTHING), left.item.relation, is_whole=_is_nested(left))
    return rows.where(exp.or_(_has(compiler, left, row), _has(compiler, right, row)))


def _is_nested(rows: Rows) -> bool:
    return isinstance(rows.item, RowItem) and rows.item.relation.is_nested


def _has(compiler: Compiler, rows: Rows, row: RowItem) -> exp.Expr:
    """Returns whether a row is one of some rows."""
    assert isinstance(rows.item, RowItem)  # noqa: S101 - the caller has seen that it is
    same = [
        exp.EQ(this=key, expression=own) for key, own in zip(rows.item.keys, row.keys, strict=True)
    ]
    return compiler.exists(rows.where(*same))


ROWS: dict[type, Callable[..., Rows]] = {ast.Binary: _binary}

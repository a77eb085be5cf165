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

_MOST_SEQUENCES = 50
_NOTHING = Scalar(literal(1), "integer", "int")


def _binary(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    operator, at = expression.operator, expression.at
    operands = _of_union(expression) if operator == "union" else _sides(expression)
    sequences = [compiler.rows(operand, environment) for operand in operands]
    items = [rows.item for rows in sequences]
    if not all(isinstance(item, RowItem) for item in items):
        raise NotCompiled(f"{operator} of items that are not rows", at)
    relations = [item.relation for item in items if isinstance(item, RowItem)]
    if any(relation is not relations[0] for relation in relations):
        raise NotCompiled(f"{operator} of nodes of several kinds", at)
    if any(rows.is_many for rows in sequences):
        raise NotCompiled(f"{operator} of the tuples of a group", at)
    if operator == "union":
        return _union(compiler, sequences, at)
    left, right = sequences
    assert isinstance(left.item, RowItem)  # noqa: S101 - all of them are
    is_in = _has(compiler, right, left.item)
    if expression.operator == "except":
        is_in = exp.Not(this=exp.Paren(this=is_in))
    left = left.where(is_in)
    return compiler.deduplicated(replace(left, has_duplicates=not left.is_single))


def _sides(expression: ast.Binary) -> list[ast.Expression]:
    return [expression.left, expression.right]


def _of_union(expression: ast.Expression) -> list[ast.Expression]:
    """Returns the operands of a union of unions, in the order of the text."""
    found, pending = [], [expression]
    while pending:
        operand = pending.pop()
        while isinstance(operand, ast.Parenthesized) and operand.inner is not None:
            operand = operand.inner
        if isinstance(operand, ast.Binary) and operand.operator == "union":
            pending += reversed(_sides(operand))
        else:
            found.append(operand)
    return found


def _union(compiler: Compiler, sequences: list[Rows], at: int) -> Rows:
    """Returns the rows of the table that are in any of some sequences."""
    emitter, first = compiler.emitter, sequences[0]
    assert isinstance(first.item, RowItem)  # noqa: S101 - the caller has seen that it is
    if len(sequences) > _MOST_SEQUENCES:
        raise NotCompiled(f"a union of more than {_MOST_SEQUENCES} operands", at)
    for rows in sequences:
        if rows.is_single or emitter.free(rows.conditions, rows.sources):
            raise NotCompiled("a union for each of many rows", at)
    rows, row = compiler.join(Rows(_NOTHING), first.item.relation, is_whole=_is_nested(first))
    return rows.where(exp.or_(*(_has(compiler, each, row) for each in sequences)))


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

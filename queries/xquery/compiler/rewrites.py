"""Faster SQL for questions about the calling context tree whose joins would be quadratic.

``$c/@method = $c/ancestor::dcg:context/@method`` asks whether a method is called below itself. As
a join of intervals it takes 15 s for a million contexts; the run has the answer in a column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.values import LeafItem, NotCompiled, RowItem, Scalar, literal
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment

__all__ = ["counted_in_tree", "same_above"]


def same_above(
    compiler: Compiler, comparison: ast.Comparison, environment: Environment
) -> exp.Expr | None:
    """Returns whether a context's method is also that of a context above it, or None.

    The comparison must be of a context's ``@method`` with that of all its ancestors.
    """
    if comparison.operator != "=":
        return None
    for one, many in (
        (comparison.left, comparison.right),
        (comparison.right, comparison.left),
    ):
        above = _base_of_ancestors(many)
        if above is None:
            continue
        try:
            base = compiler.rows(above, environment)
            value = compiler.rows(one, environment)
        except NotCompiled:
            return None
        item, own = base.item, value.item
        if (
            base.is_single
            and isinstance(item, RowItem)
            and item.relation.is_nested
            and isinstance(own, LeafItem)
            and own.row == item
            and own.leaf.name == "method"
        ):
            ancestor = item.alias.column("ancestor_id")
            return exp.Not(this=exp.Is(this=ancestor, expression=exp.null()))
    return None


def _base_of_ancestors(expression: ast.Expression) -> ast.Expression | None:
    """Returns ``e`` of ``e/ancestor::dcg:context/@method``."""
    if not isinstance(expression, ast.Path) or len(expression.steps) < 2:
        return None
    *before, above, attribute = expression.steps
    if not (_is_step(attribute, "attribute", "method") and _is_step(above, "ancestor", "context")):
        return None
    if not before:
        return ast.ContextItem(at=expression.at, end=expression.at)
    if len(before) == 1:
        return before[0]
    return ast.Path(at=expression.at, end=expression.end, steps=tuple(before))


def counted_in_tree(
    compiler: Compiler, argument: ast.Expression, environment: Environment
) -> Scalar | None:
    """Returns the number of contexts above or below one, from its depth or size, or None."""
    if not isinstance(argument, (ast.Path, ast.AxisStep)):
        return None
    steps = argument.steps if isinstance(argument, ast.Path) else (argument,)
    *before, last = steps
    if not isinstance(last, ast.AxisStep) or not _is_step(last, last.axis, "context"):
        return None
    counts = {
        "ancestor": ("depth", 0),
        "ancestor-or-self": ("depth", 1),
        "descendant": ("size", -1),
        "descendant-or-self": ("size", 0),
    }
    if last.axis not in counts:
        return None
    base: ast.Expression = ast.ContextItem(at=argument.at, end=argument.at)
    if before:
        base = before[0] if len(before) == 1 else _path(argument, tuple(before))
    rows = compiler.rows(base, environment)
    if not (rows.is_single and not rows.conditions and isinstance(rows.item, RowItem)):
        return None
    if not rows.item.relation.is_nested:
        return None
    column, more = counts[last.axis]
    sql = exp.Add(this=rows.item.alias.column(column), expression=literal(more))
    return Scalar(exp.Paren(this=sql), "integer", "int")


def _path(around: ast.Expression, steps: tuple[ast.Expression, ...]) -> ast.Path:
    return ast.Path(at=around.at, end=around.end, steps=steps)


def _is_step(step: ast.Expression, axis: str, local: str) -> bool:
    if not isinstance(step, ast.AxisStep) or step.axis != axis or step.predicates:
        return False
    name = getattr(step.test, "name", None)
    return name is not None and name.local == local

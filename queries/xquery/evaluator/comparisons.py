"""Value and node comparisons; general ones are in :mod:`.general_comparisons`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import RUNTIME, Code, Frame, atomic_operand
from jvmscope.queries.xquery.evaluator.general_comparisons import (
    GENERAL,
    PYTHON,
    general_comparison,
)
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.collations import collation
from jvmscope.queries.xquery.items.comparison import value_compare
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.trees.node import Node

if TYPE_CHECKING:
    from jvmscope.queries.xquery.items.types import Item

__all__: list[str] = []


@compiles(ast.Comparison)
def _comparison(compiler: Compiler, expression: ast.Comparison) -> Code:
    if expression.operator in PYTHON:
        return _value_comparison(compiler, expression)
    if expression.operator in GENERAL:
        return general_comparison(compiler, expression)
    return _node_comparison(compiler, expression)


def _value_comparison(compiler: Compiler, expression: ast.Comparison) -> Code:
    name = expression.operator
    left = atomic_operand(compiler.compile(expression.left))
    right = atomic_operand(compiler.compile(expression.right))
    order = collation(compiler.static.default_collation)
    fast = PYTHON[name]

    def one(frame: Frame, item: Item) -> bool | None:
        first = left(frame, item)
        second = right(frame, item)
        if type(first) is int and type(second) is int:
            return fast(first, second)
        if first is None or second is None:
            return None
        return value_compare(name, first, second, order, frame[RUNTIME].environment.timezone)

    return Code(one=compiler.placed(expression, one), kind="boolean")


def _node_comparison(compiler: Compiler, expression: ast.Comparison) -> Code:
    name = expression.operator
    left = compiler.compile(expression.left).one
    right = compiler.compile(expression.right).one

    def one(frame: Frame, item: Item) -> bool | None:
        first, second = left(frame, item), right(frame, item)
        for node in (first, second):
            if node is not None and not isinstance(node, Node):
                message = f"{name} compares nodes, found {describe(node)}"
                raise DynamicError("XPTY0004", message)
        if first is None or second is None:
            return None
        if name == "is":
            return bool(first == second)
        if name == "<<":
            return bool(first.order_key < second.order_key)
        return bool(first.order_key > second.order_key)

    return Code(one=compiler.placed(expression, one), kind="boolean")

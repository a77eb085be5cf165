"""Arithmetic, logic, ranges, concatenation, and the set operators on nodes."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import RUNTIME, Code, Frame, atomic_operand
from jvmscope.queries.xquery.items.arithmetic import arithmetic, negate
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.casts import atomic_to_string
from jvmscope.queries.xquery.items.conversion import item_converter
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.hierarchy import xs
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.types import AtomicType
from jvmscope.queries.xquery.trees.node import Node
from jvmscope.queries.xquery.trees.order import except_nodes, intersect_nodes, union_nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.items.types import Atomic, Item

__all__: list[str] = []

_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "idiv": operator.floordiv,
    "mod": operator.mod,
}
"""What Python's operators do to a natural number and a positive one as XQuery's do."""

_SETS = {"union": union_nodes, "|": union_nodes, "intersect": intersect_nodes}
_SETS["except"] = except_nodes


@compiles(ast.Arithmetic)
def _arithmetic(compiler: Compiler, expression: ast.Arithmetic) -> Code:
    name = expression.operator
    left = atomic_operand(compiler.compile(expression.left))
    right = atomic_operand(compiler.compile(expression.right))
    fast = _INTEGERS.get(name)

    def one(frame: Frame, item: Item) -> Atomic:
        first = left(frame, item)
        second = right(frame, item)
        if fast and type(first) is int and type(second) is int and second > 0 <= first:
            return fast(first, second)
        if first is None or second is None:
            return None
        return arithmetic(name, first, second, frame[RUNTIME].environment.timezone)

    return Code(one=compiler.placed(expression, one), kind="number")


@compiles(ast.Unary)
def _unary(compiler: Compiler, expression: ast.Unary) -> Code:
    operand = atomic_operand(compiler.compile(expression.operand))
    is_negative = expression.is_negative

    def one(frame: Frame, item: Item) -> Atomic:
        value = operand(frame, item)
        if value is None:
            return None
        negated = negate(value)
        return negated if is_negative else negate(negated)

    return Code(one=compiler.placed(expression, one), kind="number")


@compiles(ast.Logical)
def _logical(compiler: Compiler, expression: ast.Logical) -> Code:
    truths = [compiler.compile(operand).truth for operand in expression.operands]
    decisive = expression.operator == "or"

    def one(frame: Frame, item: Item) -> bool:
        for truth in truths:
            if truth(frame, item) is decisive:
                return decisive
        return not decisive

    placed = compiler.placed(expression, one)
    return Code(one=placed, truth=placed, kind="boolean")


@compiles(ast.StringConcatenation)
def _concatenation(compiler: Compiler, expression: ast.StringConcatenation) -> Code:
    operands = [atomic_operand(compiler.compile(operand)) for operand in expression.operands]

    def one(frame: Frame, item: Item) -> str:
        return "".join([_text(operand(frame, item)) for operand in operands])

    return Code(one=compiler.placed(expression, one), kind="string")


def _text(value: Atomic) -> str:
    if type(value) is str:
        return value
    return "" if value is None else atomic_to_string(value)


@compiles(ast.Range)
def _range(compiler: Compiler, expression: ast.Range) -> Code:
    """A range is a Python range, whatever its length."""
    first = atomic_operand(compiler.compile(expression.first))
    last = atomic_operand(compiler.compile(expression.last))
    to_integer = item_converter(AtomicType(xs("integer")))
    place = compiler.placer(expression)

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        try:
            start, end = first(frame, item), last(frame, item)
            if start is None or end is None:
                return ()
            return range(int(to_integer(start)), int(to_integer(end)) + 1)
        except DynamicError as error:
            place(error)
            raise

    return Code(items, kind="number")


@compiles(ast.Binary)
def _set_operator(compiler: Compiler, expression: ast.Binary) -> Code:
    name = expression.operator
    combine = _SETS[name]
    left = compiler.compile(expression.left).items
    right = compiler.compile(expression.right).items
    place = compiler.placer(expression)

    def nodes(items: Iterable[Item]) -> Iterable[Node]:
        for value in items:
            if not isinstance(value, Node):
                raise DynamicError("XPTY0004", f"{name} needs nodes, found {describe(value)}")
            yield value

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        try:
            return combine(nodes(left(frame, item)), nodes(right(frame, item)))
        except DynamicError as error:
            place(error)
            raise

    return Code(items, kind="node", is_ordered=True)

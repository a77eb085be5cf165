"""Arithmetic, comparisons, logic, ranges, concatenation, and the set operators on nodes."""

from __future__ import annotations

import operator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from jvmscope.queries.evaluator.code import RUNTIME, Code, Frame, atomic_operand
from jvmscope.queries.evaluator.compiler import Compiler, compiles
from jvmscope.queries.items.arithmetic import arithmetic, negate
from jvmscope.queries.items.atomize import describe
from jvmscope.queries.items.casts import atomic_to_string
from jvmscope.queries.items.collations import collation
from jvmscope.queries.items.comparison import general_compare, value_compare
from jvmscope.queries.items.conversion import item_converter
from jvmscope.queries.items.errors import DynamicError
from jvmscope.queries.items.types import xs
from jvmscope.queries.syntax import ast
from jvmscope.queries.syntax.types import AtomicType
from jvmscope.queries.trees.node import Node
from jvmscope.queries.trees.order import except_nodes, intersect_nodes, union_nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from jvmscope.queries.items.types import Atomic, Item

__all__: list[str] = []

_VALUE = {"eq", "ne", "lt", "le", "gt", "ge"}
_GENERAL = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_FAST: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
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
    place = compiler.placer(expression)
    fast = _INTEGERS.get(name)

    def one(frame: Frame, item: Item) -> Atomic:
        first = left(frame, item)
        second = right(frame, item)
        if fast and type(first) is int and type(second) is int and second > 0 <= first:
            return fast(first, second)
        if first is None or second is None:
            return None
        try:
            return arithmetic(name, first, second, frame[RUNTIME].environment.timezone)
        except DynamicError as error:
            raise place(error)  # noqa: B904 - the same error

    return Code(one=_placed(one, place), kind="number")


def _placed(
    one: Callable[[Frame, Item], Any], place: Callable[[Any], Any]
) -> Callable[[Frame, Item], Any]:
    """Returns a closure whose errors, those of its operands included, have a place."""

    def placed(frame: Frame, item: Item) -> Any:
        try:
            return one(frame, item)
        except DynamicError as error:
            raise place(error)  # noqa: B904 - the same error

    return placed


@compiles(ast.Unary)
def _unary(compiler: Compiler, expression: ast.Unary) -> Code:
    operand = atomic_operand(compiler.compile(expression.operand))
    is_negative = expression.is_negative
    place = compiler.placer(expression)

    def one(frame: Frame, item: Item) -> Atomic:
        value = operand(frame, item)
        if value is None:
            return None
        negated = negate(value)
        return negated if is_negative else negate(negated)

    return Code(one=_placed(one, place), kind="number")


@compiles(ast.Comparison)
def _comparison(compiler: Compiler, expression: ast.Comparison) -> Code:
    if expression.operator in _VALUE:
        return _value_comparison(compiler, expression)
    if expression.operator in _GENERAL:
        return _general_comparison(compiler, expression)
    return _node_comparison(compiler, expression)


def _value_comparison(compiler: Compiler, expression: ast.Comparison) -> Code:
    name = expression.operator
    left = atomic_operand(compiler.compile(expression.left))
    right = atomic_operand(compiler.compile(expression.right))
    order = collation(compiler.static.default_collation)
    fast = _FAST[name]

    def one(frame: Frame, item: Item) -> bool | None:
        first = left(frame, item)
        second = right(frame, item)
        if type(first) is int and type(second) is int:
            return fast(first, second)
        if first is None or second is None:
            return None
        return value_compare(name, first, second, order, frame[RUNTIME].environment.timezone)

    return Code(one=_placed(one, compiler.placer(expression)), kind="boolean")


def _general_comparison(compiler: Compiler, expression: ast.Comparison) -> Code:
    name = expression.operator
    left = compiler.compile(expression.left)
    right = compiler.compile(expression.right)
    order = collation(compiler.static.default_collation)
    literal = expression.right.value if isinstance(expression.right, ast.Literal) else None
    if order is None and literal is not None and not isinstance(literal, Decimal):
        one = _compare_to_literal(_GENERAL[name], left, literal)
    else:
        one = _compare_sequences(name, left, right, order, compiler.lexical_namespaces())
    return Code(one=_placed(one, compiler.placer(expression)), kind="boolean")


def _compare_sequences(
    name: str, left: Code, right: Code, order: Any, namespaces: Mapping[str, str]
) -> Callable[[Frame, Item], bool]:
    firsts, seconds = left.items, right.items
    fast = _FAST[_GENERAL[name]]
    is_single = left.is_single and right.is_single
    first_one, second_one = left.one, right.one

    def one(frame: Frame, item: Item) -> bool:
        if is_single:
            first, second = first_one(frame, item), second_one(frame, item)
            if type(first) is int and type(second) is int:
                return fast(first, second)
            if first is None or second is None:
                return False
            pair: tuple[Any, Any] = (first,), (second,)
        else:
            pair = _ends(name, firsts(frame, item)), _ends(name, seconds(frame, item))
        zone = frame[RUNTIME].environment.timezone
        return general_compare(name, *pair, order, zone, namespaces=namespaces)

    return one


def _ends(name: str, items: Iterable[Item]) -> Iterable[Item]:
    """Returns the ends of a range, where no other of its numbers makes a difference."""
    if type(items) is range and name != "=" and len(items) > 2:
        return (items[0], items[-1])
    return items


def _compare_to_literal(name: str, left: Code, literal: Any) -> Callable[[Frame, Item], bool]:
    """Compares nodes with a literal without making an atomic value of each."""
    items = left.items
    compare = _FAST[name]
    is_text = isinstance(literal, str)
    kind = type(literal)

    def one(frame: Frame, item: Item) -> bool:
        for value in items(frame, item):
            if isinstance(value, Node):
                known: Any = value.string_value
                if not is_text:
                    if not (known.isascii() and known.isdigit() and len(known) < _EXACT_DIGITS):
                        known = None
                    elif kind is int:
                        known = int(known)
                    else:
                        known = float(known)
            else:
                known = value if type(value) is kind else None
            if known is None:
                if general_compare(symbol, (value,), (literal,)):
                    return True
            elif compare(known, literal):
                return True
        return False

    symbol = _SYMBOLS[name]
    return one


_EXACT_DIGITS = 16
"""Integers of fewer digits are the same numbers as xs:double, in which untyped ones compare."""

_SYMBOLS = {value: symbol for symbol, value in _GENERAL.items()}


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

    return Code(one=_placed(one, compiler.placer(expression)), kind="boolean")


@compiles(ast.Logical)
def _logical(compiler: Compiler, expression: ast.Logical) -> Code:
    left = compiler.compile(expression.left).truth
    right = compiler.compile(expression.right).truth
    if expression.operator == "and":

        def one(frame: Frame, item: Item) -> bool:
            return left(frame, item) and right(frame, item)
    else:

        def one(frame: Frame, item: Item) -> bool:
            return left(frame, item) or right(frame, item)

    placed = _placed(one, compiler.placer(expression))
    return Code(one=placed, truth=placed, kind="boolean")


@compiles(ast.StringConcatenation)
def _concatenation(compiler: Compiler, expression: ast.StringConcatenation) -> Code:
    left = atomic_operand(compiler.compile(expression.left))
    right = atomic_operand(compiler.compile(expression.right))

    def one(frame: Frame, item: Item) -> str:
        first, second = left(frame, item), right(frame, item)
        return _text(first) + _text(second)

    return Code(one=_placed(one, compiler.placer(expression)), kind="string")


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
            raise place(error)  # noqa: B904 - the same error

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
                raise DynamicError("XPTY0004", f"{name} is of nodes, found {describe(value)}")
            yield value

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        try:
            return combine(nodes(left(frame, item)), nodes(right(frame, item)))
        except DynamicError as error:
            raise place(error)  # noqa: B904 - the same error

    return Code(items, kind="node", is_ordered=True)

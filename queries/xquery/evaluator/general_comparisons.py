"""General comparisons (XPath 3.1, section 3.7.2), and what makes them fast.

The definition compares every pair. Here nodes are compared with literals without an atomic value
for each, ranges by their ends, and a sequence of texts that is asked for again and again, as in
``//a[@ref = $ids]``, by a set of them.
"""

from __future__ import annotations

import operator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from elementpath.datatypes import UntypedAtomic

from jvmscope.queries.xquery.evaluator.code import RUNTIME, Code, Frame
from jvmscope.queries.xquery.items.collations import collation
from jvmscope.queries.xquery.items.comparison import general_compare
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.trees.node import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from jvmscope.queries.xquery.evaluator.closures import Compiler
    from jvmscope.queries.xquery.evaluator.context import Runtime
    from jvmscope.queries.xquery.items.types import Item

__all__ = ["GENERAL", "PYTHON", "general_comparison"]

GENERAL = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
"""The operators, and the value comparisons that they make of pairs."""

PYTHON: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
"""The value comparisons as Python's, right for two integers and for two strings."""

_EXACT_DIGITS = 16
"""Integers of fewer digits are the same numbers as xs:double, in which untyped ones compare."""

_WORTH_A_SET = 8


def general_comparison(compiler: Compiler, expression: ast.Comparison) -> Code:
    """Returns the code of a general comparison."""
    name = expression.operator
    left = compiler.compile(expression.left)
    right = compiler.compile(expression.right)
    order = collation(compiler.static.default_collation)
    literal = _literal(expression.right)
    if order is None and literal is not None and not isinstance(literal, Decimal):
        one = _with_literal(name, left, literal)
    elif left.is_single and right.is_single:
        one = _of_single(name, left, right, order, compiler.lexical_namespaces())
    else:
        one = _of_sequences(name, left, right, order, compiler.lexical_namespaces())
    return Code(one=compiler.placed(expression, one), kind="boolean")


def _literal(operand: ast.Expression) -> Any:
    """Returns the value of a literal, with a sign perhaps; None for any other expression."""
    if isinstance(operand, ast.Literal):
        return operand.value
    if isinstance(operand, ast.Unary) and isinstance(operand.operand, ast.Literal):
        value = operand.operand.value
        if not isinstance(value, str):
            return -value if operand.is_negative else value
    return None


def _of_single(
    name: str, left: Code, right: Code, order: Any, namespaces: Mapping[str, str]
) -> Callable[[Frame, Item], bool]:
    first_of, second_of = left.one, right.one
    fast = PYTHON[GENERAL[name]]

    def one(frame: Frame, item: Item) -> bool:
        first, second = first_of(frame, item), second_of(frame, item)
        if type(first) is int and type(second) is int:
            return fast(first, second)
        if first is None or second is None:
            return False
        zone = frame[RUNTIME].environment.timezone
        return general_compare(name, (first,), (second,), order, zone, namespaces=namespaces)

    return one


def _of_sequences(
    name: str, left: Code, right: Code, order: Any, namespaces: Mapping[str, str]
) -> Callable[[Frame, Item], bool]:
    firsts, seconds = left.items, right.items
    may_have_set = name == "=" and order is None
    keys = object(), object()

    def one(frame: Frame, item: Item) -> bool:
        runtime = frame[RUNTIME]
        zone = runtime.environment.timezone
        few, many = _ends(name, firsts(frame, item)), _ends(name, seconds(frame, item))
        texts = _texts(runtime, keys[1], many) if may_have_set else None
        if may_have_set and texts is None:
            texts = _texts(runtime, keys[0], few)
            if texts is not None:
                few, many = many, few
        if texts is None:
            return general_compare(name, few, many, order, zone, namespaces=namespaces)
        return any(
            _text(value) in texts
            if _is_text(value)
            else general_compare(name, (value,), many, order, zone, namespaces=namespaces)
            for value in few
        )

    return one


def _texts(runtime: Runtime, key: Any, items: Iterable[Item]) -> frozenset[str] | None:
    """Returns the texts of a sequence that was asked for the last time, too; else None.

    A sequence is known by identity, and kept so that no other takes its place.
    """
    if not isinstance(items, (list, tuple)) or len(items) < _WORTH_A_SET:
        return None
    before, texts = runtime.remembered.get(key, (None, None))
    if before is not items:
        runtime.remembered[key] = (items, None)
        return None
    if texts is None:
        is_text = all(map(_is_text, items))
        texts = frozenset(map(_text, items)) if is_text else frozenset()
        runtime.remembered[key] = (items, texts)
    return texts or None


def _is_text(value: Item) -> bool:
    return isinstance(value, (Node, str, UntypedAtomic))


def _text(value: Item) -> str:
    return value.string_value if isinstance(value, Node) else str(value)


def _ends(name: str, items: Iterable[Item]) -> Iterable[Item]:
    """Returns the ends of a range, where no other of its numbers makes a difference."""
    if type(items) is range and name != "=" and len(items) > 2:
        return (items[0], items[-1])
    return items


def _with_literal(name: str, left: Code, literal: Any) -> Callable[[Frame, Item], bool]:
    """Compares nodes with a literal without making an atomic value of each."""
    items = left.items
    compare = PYTHON[GENERAL[name]]
    kind = type(literal)

    def one(frame: Frame, item: Item) -> bool:
        for value in items(frame, item):
            known = _like(value, kind)
            if known is None:
                if general_compare(name, (value,), (literal,)):
                    return True
            elif compare(known, literal):
                return True
        return False

    return one


def _like(value: Item, kind: type[Any]) -> Any:
    """Returns what may be compared with a literal of a class in Python, or None."""
    if not isinstance(value, Node):
        return value if type(value) is kind else None
    text = value.string_value
    if kind is str:
        return text
    is_plain = text.isascii() and text.isdigit() and len(text) < _EXACT_DIGITS
    return kind(text) if is_plain else None

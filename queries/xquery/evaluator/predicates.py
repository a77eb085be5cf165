"""Predicates: which items of a sequence are kept."""

from __future__ import annotations

import sys
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import POSITION, RUNTIME, SIZE, Code, Frame
from jvmscope.queries.xquery.evaluator.sequences import LazySequence
from jvmscope.queries.xquery.items.atomize import effective_boolean_value
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN
from jvmscope.queries.xquery.syntax.walk import children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.items.types import Item

__all__ = ["Keep", "is_positional", "keeper"]

Keep: TypeAlias = "Callable[[Frame, Iterable[Item]], Iterable[Item]]"

_BOOLEAN = {"boolean", "node"}
_NUMERIC = (int, float, Decimal)


def keeper(compiler: Compiler, predicate: ast.Expression) -> Keep:
    """Returns the function from a frame and items to those items that a predicate keeps."""
    position = _constant_position(predicate)
    if position is not None:
        return lambda _frame, items: _at(items, position)
    if _is_last(predicate):
        return lambda _frame, items: _last(items)
    with compiler.focus() as use:
        code = compiler.compile(predicate)
    if _is_independent(predicate):
        return _at_once(code)
    is_boolean = code.kind in _BOOLEAN
    if not use.position and not use.size and (is_boolean or code.kind == "string"):
        return _by_truth(code)
    return _by_focus(code.truth if is_boolean else _truth_or_position(code), needs_size=use.size)


def _is_independent(predicate: ast.Expression) -> bool:
    """Tells whether a predicate has the same value for each item: it asks variables alone."""
    match predicate:
        case ast.VariableReference() | ast.Literal():
            return True
        case ast.Arithmetic(left=left, right=right):
            return _is_independent(left) and _is_independent(right)
        case ast.Parenthesized(inner=inner) if inner is not None:
            return _is_independent(inner)
        case _:
            return False


def is_positional(predicate: ast.Expression) -> bool:  # noqa: PLR0911 - one a form
    """Tells whether a predicate may depend on positions, judged by its form alone."""
    match predicate:
        case ast.Logical(operands=operands):
            return any(map(is_positional, operands))
        case ast.Comparison(left=left, right=right):
            return _mentions_focus(left) or _mentions_focus(right)
        case ast.Path(steps=steps):
            return not isinstance(steps[-1], ast.AxisStep)
        case ast.AxisStep():
            return False
        case ast.Parenthesized(inner=inner) if inner is not None:
            return is_positional(inner)
        case ast.FunctionCall(name=name, arguments=arguments) if name.uri == FN:
            is_boolean = name.local in _BOOLEAN_FUNCTIONS
            return not is_boolean or any(_mentions_focus(argument) for argument in arguments)
        case ast.Quantified():
            return _calls_focus(predicate)
        case _:
            return True


_BOOLEAN_FUNCTIONS = {
    "boolean", "contains", "contains-token", "deep-equal", "empty", "ends-with", "exists", "false",
    "matches", "not", "starts-with", "true",
}  # fmt: skip
_FOCUS_FUNCTIONS = {"position", "last", "function-lookup"}


def _calls_focus(expression: ast.Expression) -> bool:
    """Tells whether anything in an expression may ask for a position, in whatever focus."""
    pending: list[Any] = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionCall, ast.FunctionReference)):
            if node.name.local in _FOCUS_FUNCTIONS:
                return True
        elif isinstance(node, ast.ArrowCall):
            return True
        pending += children(node)
    return False


def _mentions_focus(operand: ast.Expression) -> bool:  # noqa: PLR0911 - one a form
    """Tells whether an operand may call ``position()`` or ``last()`` in the predicate's focus."""
    match operand:
        case ast.Literal() | ast.AxisStep() | ast.VariableReference() | ast.ContextItem():
            return False
        case ast.Path(steps=steps):
            return _mentions_focus(steps[0])
        case ast.FunctionCall(name=name, arguments=arguments) if name.uri == FN:
            if name.local in _FOCUS_FUNCTIONS:
                return True
            return any(_mentions_focus(argument) for argument in arguments)
        case ast.Parenthesized(inner=inner):
            return inner is not None and _mentions_focus(inner)
        case ast.Comparison(left=left, right=right) | ast.Arithmetic(left=left, right=right):
            return _mentions_focus(left) or _mentions_focus(right)
        case _:
            return True


def _constant_position(predicate: ast.Expression) -> float | int | Decimal | None:
    if isinstance(predicate, ast.Literal) and not isinstance(predicate.value, str):
        return predicate.value
    return None


def _is_last(predicate: ast.Expression) -> bool:
    return (
        isinstance(predicate, ast.FunctionCall)
        and predicate.name.uri == FN
        and predicate.name.local == "last"
        and not predicate.arguments
    )


def _at(items: Iterable[Item], position: float | Decimal) -> Iterable[Item]:
    if position != position or position < 1 or position != int(position):  # noqa: PLR0124 - NaN
        return ()
    at = min(int(position), sys.maxsize)
    if isinstance(items, (list, tuple, range)):
        return items[at - 1 : at]
    if isinstance(items, LazySequence):
        try:
            return (items[at - 1],)
        except IndexError:
            return ()
    return tuple(islice(items, at - 1, at))


def _last(items: Iterable[Item]) -> Iterable[Item]:
    if isinstance(items, (list, tuple, range)):
        return items[-1:]
    last: Any = None
    is_empty = True
    for last in items:  # noqa: B007 - the last one is what is asked for
        is_empty = False
    return () if is_empty else (last,)


def _at_once(code: Code) -> Keep:
    """A predicate of one value: a position to be fetched, or all or nothing."""
    values = code.items

    def keep(frame: Frame, items: Iterable[Item]) -> Iterable[Item]:
        found = list(islice(values(frame, None), 2))
        if len(found) == 1 and isinstance(found[0], _NUMERIC) and not isinstance(found[0], bool):
            return _at(items, found[0])
        return _all_or_none(found, items)

    return keep


def _all_or_none(found: list[Item], items: Iterable[Item]) -> Iterable[Item]:
    """Asks for the truth only where there is an item for which it matters."""
    for at, item in enumerate(items):
        if not at and not effective_boolean_value(found):
            return
        yield item


def _by_truth(code: Code) -> Keep:
    truth = code.truth

    def keep(frame: Frame, items: Iterable[Item]) -> Iterable[Item]:
        runtime = frame[RUNTIME]
        for item in items:
            if runtime.is_expired:
                runtime.stop()
            if truth(frame, item):
                yield item

    return keep


def _by_focus(truth: Callable[[Frame, Item], bool], *, needs_size: bool) -> Keep:
    def keep(frame: Frame, items: Iterable[Item]) -> Iterable[Item]:
        runtime = frame[RUNTIME]
        size = None
        if needs_size:
            if not isinstance(items, (list, tuple, range)):
                items = list(items)
            size = len(items)
        for position, item in enumerate(items, 1):
            if runtime.is_expired:
                runtime.stop()
            inner = frame.copy()
            inner[POSITION] = position
            inner[SIZE] = size
            if truth(inner, item):
                yield item

    return keep


def _truth_or_position(code: Code) -> Callable[[Frame, Item], bool]:
    """Returns the truth of a predicate whose value may be a number: then, a position."""
    items = code.items

    def truth(frame: Frame, item: Item) -> bool:
        value = items(frame, item)
        found = list(islice(value, 2))
        if len(found) == 1:
            only = found[0]
            if isinstance(only, _NUMERIC) and not isinstance(only, bool):
                return bool(only == frame[POSITION])
            return effective_boolean_value(found)
        return bool(found) and effective_boolean_value(found)

    return truth


@compiles(ast.Predicate)
def _predicate(compiler: Compiler, expression: ast.Predicate) -> Code:
    base = compiler.compile(expression.base)
    keep = keeper(compiler, expression.predicate)
    items = base.items
    place = compiler.placer(expression.predicate)

    def kept(frame: Frame, item: Item) -> Iterable[Item]:
        try:
            yield from keep(frame, items(frame, item))
        except DynamicError as error:
            place(error)
            raise

    return Code(kept, kind=base.kind, is_ordered=base.is_ordered, is_flat=base.is_flat)

"""Inline functions, dynamic calls, the arrow, and partial application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import POSITION, RUNTIME, SIZE, Code, Frame
from jvmscope.queries.xquery.evaluator.sequences import held
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.conversion import converter
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import CallableItem, FunctionItem, MapItem
from jvmscope.queries.xquery.items.hierarchy import xs
from jvmscope.queries.xquery.items.types import ANY_ITEMS
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.types import AtomicType, ItemSequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.items.types import Item, Sequence
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["partial_application"]


@compiles(ast.InlineFunction)
def _inline(compiler: Compiler, expression: ast.InlineFunction) -> Code:
    """A function that sees the variables around it, and no focus."""
    slots = [compiler.bind(parameter.variable) for parameter in expression.parameters]
    with compiler.focus():
        body = compiler.compile(expression.body).items
    types = tuple(parameter.type for parameter in expression.parameters)

    def one(frame: Frame, _item: Item) -> FunctionItem:
        runtime = frame[RUNTIME]

        def run(*sequences: Sequence) -> Sequence:
            inner = frame.copy()
            inner[POSITION] = inner[SIZE] = None
            for slot, sequence in zip(slots, sequences, strict=True):
                inner[slot] = held(sequence)
            runtime.enter()
            try:
                return held(body(inner, None))
            finally:
                runtime.depth -= 1

        return FunctionItem(None, types, expression.result, run, expression.annotations)

    return Code(one=one)


@compiles(ast.DynamicCall)
def _dynamic_call(compiler: Compiler, expression: ast.DynamicCall) -> Code:
    function = compiler.compile(expression.function).one
    return _call(compiler, expression, function, expression.arguments)


@compiles(ast.ArrowCall)
def _arrow(compiler: Compiler, expression: ast.ArrowCall) -> Code:
    arguments = (expression.first, *expression.arguments)
    if isinstance(expression.function, Name):
        from jvmscope.queries.xquery.evaluator.calls import call_code

        return call_code(compiler, expression, expression.function, arguments)
    function = compiler.compile(expression.function).one
    return _call(compiler, expression, function, arguments)


def _call(
    compiler: Compiler,
    expression: ast.Expression,
    function: Callable[[Frame, Item], Item],
    arguments: tuple[ast.Expression, ...],
) -> Code:
    if any(isinstance(part, ast.Placeholder) for part in arguments):
        return partial_application(compiler, expression, function, arguments)
    values = [compiler.compile(part).items for part in arguments]
    place = compiler.placer(expression)

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        try:
            target = _callable(function(frame, item))
            result: Iterable[Item] = target(*[held(value(frame, item)) for value in values])
            return result
        except DynamicError as error:
            place(error)
            raise

    return Code(items)


def _callable(item: Item) -> CallableItem:
    if isinstance(item, CallableItem):
        return item
    found = "the empty sequence" if item is None else describe(item)
    raise DynamicError("XPTY0004", f"a function expected, found {found}")


def partial_application(
    compiler: Compiler,
    expression: ast.Expression,
    function: Callable[[Frame, Item], Item],
    arguments: tuple[ast.Expression, ...],
) -> Code:
    """Returns the code of a call some of whose arguments are ``?``: a function of those.

    The other arguments are evaluated and converted when the function is made.
    """
    parts = [
        None if isinstance(part, ast.Placeholder) else compiler.compile(part).items
        for part in arguments
    ]
    place = compiler.placer(expression)

    def one(frame: Frame, item: Item) -> FunctionItem:
        try:
            target = _callable(function(frame, item))
            if target.arity != len(parts):
                message = f"a function of {target.arity} is applied to {len(parts)} arguments"
                raise DynamicError("XPTY0004", message)
            types, result = _signature(target)
            fixed = [
                None if part is None else held(converter(kind)(held(part(frame, item))))
                for part, kind in zip(parts, types, strict=True)
            ]
        except DynamicError as error:
            place(error)
            raise
        free = tuple(kind for part, kind in zip(parts, types, strict=True) if part is None)

        def run(*sequences: Sequence) -> Sequence:
            given = iter(sequences)
            return target(*[next(given) if value is None else value for value in fixed])

        return FunctionItem(None, free, result, run)

    return Code(one=one)


def _signature(target: CallableItem) -> tuple[tuple[SequenceType | None, ...], SequenceType | None]:
    if isinstance(target, FunctionItem):
        return target.parameters, target.result
    key = "anyAtomicType" if isinstance(target, MapItem) else "integer"
    return (ItemSequence(AtomicType(xs(key))),), ANY_ITEMS

"""Literals, variables, the context item, sequences, and the other simplest expressions."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.closures import EMPTY, Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import POSITION, RUNTIME, SIZE, Code, Frame
from jvmscope.queries.xquery.items.atomize import atomize
from jvmscope.queries.xquery.items.casts import atomic_to_string
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.trees.content import ContentBuilder

__all__ = ["last_code", "position_code", "space_separated"]


@compiles(ast.Literal)
def _literal(_compiler: Compiler, expression: ast.Literal) -> Code:
    value = expression.value
    kind = "string" if isinstance(value, str) else "number"
    held = (value,)
    truth = bool(value) and value == value  # noqa: PLR0124 - NaN is false
    return Code(
        lambda _frame, _item: held,
        one=lambda _frame, _item: value,
        truth=lambda _frame, _item: truth,
        kind=kind,
    )


@compiles(ast.VariableReference)
def _variable(compiler: Compiler, expression: ast.VariableReference) -> Code:
    variable = expression.variable
    assert variable is not None
    found = compiler.slot(variable)
    if found is None:
        return _global(compiler, expression)
    slot, is_single = found
    if is_single:
        return Code(one=lambda frame, _item: frame[slot])
    return Code(lambda frame, _item: frame[slot])


def _global(compiler: Compiler, expression: ast.VariableReference) -> Code:
    value = compiler.linkage.variable(expression.variable)
    place = compiler.placer(expression)

    def items(frame: Frame, _item: Item) -> Iterable[Item]:
        try:
            held: Iterable[Item] = value(frame[RUNTIME])
            return held
        except DynamicError as error:
            place(error)
            raise

    return Code(items)


@compiles(ast.ContextItem)
def _context_item(compiler: Compiler, expression: ast.ContextItem) -> Code:
    place = compiler.placer(expression)

    def one(_frame: Frame, item: Item) -> Item:
        if item is None:
            raise place(DynamicError("XPDY0002", "there is no context item"))
        return item

    return Code(one=one)


def position_code(compiler: Compiler, expression: ast.Expression) -> Code:
    """Returns the code of ``position()``."""
    compiler.use_position()
    return _focus_code(compiler, expression, POSITION)


def last_code(compiler: Compiler, expression: ast.Expression) -> Code:
    """Returns the code of ``last()``."""
    compiler.use_size()
    return _focus_code(compiler, expression, SIZE)


def _focus_code(compiler: Compiler, expression: ast.Expression, slot: int) -> Code:
    place = compiler.placer(expression)

    def one(frame: Frame, _item: Item) -> Item:
        value = frame[slot]
        if value is None:
            raise place(DynamicError("XPDY0002", "there is no context item"))
        return value

    return Code(one=one, kind="number")


@compiles(ast.Parenthesized)
def _parenthesized(compiler: Compiler, expression: ast.Parenthesized) -> Code:
    return compiler.compile(expression.inner)


@compiles(ast.Ordered)
def _ordered(compiler: Compiler, expression: ast.Ordered) -> Code:
    return compiler.compile(expression.body)


@compiles(ast.Extension)
def _extension(compiler: Compiler, expression: ast.Extension) -> Code:
    """No pragma is known here; without a body that is an error (XQST0079)."""
    if expression.body is None:
        place = compiler.placer(expression)
        raise place(DynamicError("XQST0079", "no known pragma, and there is no expression"))
    return compiler.compile(expression.body)


@compiles(ast.Sequence)
def _sequence(compiler: Compiler, expression: ast.Sequence) -> Code:
    parts = [compiler.compile(part) for part in expression.items]
    if not parts:
        return EMPTY
    values = [part.items for part in parts]
    emits = [part.emit for part in parts]

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        for part in emits:
            part(frame, item, content)

    kinds = {part.kind for part in parts}
    kind = kinds.pop() if len(kinds) == 1 else ""
    if all(part.is_single for part in parts):
        return Code(_few(parts), emit=emit, kind=kind)

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        return chain.from_iterable(value(frame, item) for value in values)

    return Code(items, emit=emit, kind=kind)


def _few(parts: list[Code]) -> Callable[[Frame, Item], Iterable[Item]]:
    ones = [part.one for part in parts]

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        for one in ones:
            value = one(frame, item)
            if value is not None:
                yield value

    return items


def space_separated(items: Iterable[Item]) -> str:
    """Returns atomized items as strings with a space between them."""
    return " ".join([atomic_to_string(value) for value in atomize(items)])


@compiles(ast.StringConstructor)
def _string_constructor(compiler: Compiler, expression: ast.StringConstructor) -> Code:
    parts = [
        part if isinstance(part, str) else compiler.compile(part).items for part in expression.parts
    ]

    def one(frame: Frame, item: Item) -> str:
        texts = [
            part if isinstance(part, str) else space_separated(part(frame, item)) for part in parts
        ]
        return "".join(texts)

    return Code(one=one, kind="string")

"""Map and array constructors, and lookups in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import Code, Frame, atomic_operand
from jvmscope.queries.xquery.items.atomize import atomize, describe
from jvmscope.queries.xquery.items.conversion import convert_position
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import ArrayItem, MapItem
from jvmscope.queries.xquery.items.keys import same_key
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.items.types import Atomic, Item

__all__: list[str] = []


@compiles(ast.MapConstructor)
def _map(compiler: Compiler, expression: ast.MapConstructor) -> Code:
    entries = [
        (atomic_operand(compiler.compile(key)), compiler.compile(value).items)
        for key, value in expression.entries
    ]
    place = compiler.placer(expression)

    def one(frame: Frame, item: Item) -> MapItem:
        result = {}
        try:
            for key_of, value_of in entries:
                key = key_of(frame, item)
                if key is None:
                    raise DynamicError("XPTY0004", "a key is expected, found the empty sequence")
                same = same_key(key)
                if same in result:
                    raise DynamicError("XQDY0137", f"two entries of a map have the key {key}")
                result[same] = (key, tuple(value_of(frame, item)))
        except DynamicError as error:
            place(error)
            raise
        return MapItem(result)

    return Code(one=one)


@compiles(ast.ArrayConstructor)
def _array(compiler: Compiler, expression: ast.ArrayConstructor) -> Code:
    members = [compiler.compile(member).items for member in expression.members]
    if expression.is_curly:

        def curly(frame: Frame, item: Item) -> ArrayItem:
            found = [value for member in members for value in member(frame, item)]
            return ArrayItem(tuple([(value,) for value in found]))

        return Code(one=curly)

    def square(frame: Frame, item: Item) -> ArrayItem:
        return ArrayItem(tuple([tuple(member(frame, item)) for member in members]))

    return Code(one=square)


@compiles(ast.Lookup)
def _lookup(compiler: Compiler, expression: ast.Lookup) -> Code:
    base = compiler.compile(expression.base)
    keys = _keys(compiler, expression.key)
    values = base.items
    place = compiler.placer(expression)

    def items(frame: Frame, item: Item) -> Iterator[Item]:
        try:
            for container in values(frame, item):
                yield from _looked_up(container, keys(frame, item))
        except DynamicError as error:
            place(error)
            raise

    return Code(items)


@compiles(ast.UnaryLookup)
def _unary_lookup(compiler: Compiler, expression: ast.UnaryLookup) -> Code:
    keys = _keys(compiler, expression.key)
    place = compiler.placer(expression)

    def items(frame: Frame, item: Item) -> Iterator[Item]:
        try:
            if item is None:
                raise DynamicError("XPDY0002", "there is no context item to look up in")
            yield from _looked_up(item, keys(frame, item))
        except DynamicError as error:
            place(error)
            raise

    return Code(items)


def _keys(
    compiler: Compiler, key: str | int | ast.Expression | None
) -> Callable[[Frame, Item], Iterable[Atomic] | None]:
    """Returns the closure for the keys of a lookup, None for all."""
    if key is None:
        return lambda _frame, _item: None
    if isinstance(key, (str, int)):
        known = (key,)
        return lambda _frame, _item: known
    items = compiler.compile(key).items
    return lambda frame, item: list(atomize(items(frame, item)))


def _looked_up(container: Item, keys: Iterable[Atomic] | None) -> Iterator[Item]:
    if isinstance(container, MapItem):
        if keys is None:
            for _, value in container.items():  # noqa: PERF102 - not a dict
                yield from value
        else:
            for key in keys:
                yield from container.get(key)
    elif isinstance(container, ArrayItem):
        if keys is None:
            for member in container.members:
                yield from member
        else:
            for key in keys:
                yield from container.get(convert_position((key,)))
    else:
        message = f"a map or an array expected, found {describe(container)}"
        raise DynamicError("XPTY0004", message)

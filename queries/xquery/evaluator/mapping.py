"""``!``, and steps of a path that are not axis steps: an expression for each item of another."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.closures import Compiler, FocusUse, compiles
from jvmscope.queries.xquery.evaluator.code import POSITION, RUNTIME, SIZE, Code, Frame
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.trees.node import Node
from jvmscope.queries.xquery.trees.order import sort_distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.items.types import Item

__all__ = ["no_node", "path_through"]


def no_node(item: Item, code: str) -> DynamicError:
    """Returns the error of a path at an item that is not a node, or at an absent context item."""
    if item is None:
        return DynamicError("XPDY0002", "there is no context item for the path")
    return DynamicError(code, f"a path starts from nodes, found {describe(item)}")


def _focused(left: Code, use: FocusUse) -> Callable[[Frame, Item], Iterator[tuple[Frame, Item]]]:
    """Returns the closure that makes each item of a sequence the context item in turn.

    The frame has position and size where the other expression uses them; else it is the same.
    """
    items = left.items
    needs_size, needs_focus = use.size, use.size or use.position

    def focuses(frame: Frame, item: Item) -> Iterator[tuple[Frame, Item]]:
        runtime = frame[RUNTIME]
        values = items(frame, item)
        size = None
        if needs_size:
            values = list(values)
            size = len(values)
        for position, value in enumerate(values, 1):
            if runtime.is_expired:
                runtime.stop()
            inner = frame
            if needs_focus:
                inner = frame.copy()
                inner[POSITION] = position
                inner[SIZE] = size
            yield inner, value

    return focuses


def path_through(
    compiler: Compiler, left: Code, expression: ast.Expression, *, is_last: bool
) -> Code:
    """Returns the code of a path whose next step is no axis step.

    Args:
        compiler: the compiler.
        left: the path so far.
        expression: the step; it gives nodes, or other items if it is the last one.
        is_last: whether it is.
    """
    with compiler.focus() as use:
        right = compiler.compile(expression)
    focuses, values = _focused(left, use), right.items
    place = compiler.placer(expression)

    def parts(frame: Frame, item: Item) -> Iterator[Iterable[Item]]:
        for inner, node in focuses(frame, item):
            if not isinstance(node, Node):
                raise place(no_node(node, "XPTY0019"))
            yield values(inner, node)

    if right.kind in {"number", "string", "boolean"}:
        return Code(lambda frame, item: chain.from_iterable(parts(frame, item)), kind=right.kind)

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        found = list(chain.from_iterable(parts(frame, item)))
        n_nodes = sum(1 for value in found if isinstance(value, Node))
        if not n_nodes:
            return found
        if n_nodes < len(found):
            code = "XPTY0018" if is_last else "XPTY0019"
            raise place(DynamicError(code, "a path gives nodes and other items"))
        return sort_distinct(found)

    return Code(items, kind=right.kind, is_ordered=True)


@compiles(ast.SimpleMap)
def _simple_map(compiler: Compiler, expression: ast.SimpleMap) -> Code:
    left = compiler.compile(expression.left)
    with compiler.focus() as use:
        right = compiler.compile(expression.right)
    if left.is_single and right.is_single and not (use.position or use.size):
        return _map_one(left, right)
    focuses, values, one = _focused(left, use), right.items, right.one
    if right.is_single:

        def items_of_one(frame: Frame, item: Item) -> Iterator[Item]:
            for inner, value in focuses(frame, item):
                found = one(inner, value)
                if found is not None:
                    yield found

        return Code(items_of_one, kind=right.kind)

    def items(frame: Frame, item: Item) -> Iterator[Item]:
        for inner, value in focuses(frame, item):
            yield from values(inner, value)

    return Code(items, kind=right.kind)


def _map_one(left: Code, right: Code) -> Code:
    first, second = left.one, right.one

    def one(frame: Frame, item: Item) -> Item:
        value = first(frame, item)
        return None if value is None else second(frame, value)

    return Code(one=one, kind=right.kind)

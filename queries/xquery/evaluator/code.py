"""Compiled expressions: closures over frames.

A frame is a list: the :class:`~jvmscope.queries.xquery.evaluator.context.Runtime`, the context
position and size, and one slot for each variable of the function that runs. It is never changed
once others have seen it: whoever binds a variable works on a copy. So what is evaluated late, and
functions that outlive their surroundings, see what they should. The context item is passed apart,
since it changes with every step; None stands for an absent one.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from jvmscope.queries.xquery.items.atomize import atomize, effective_boolean_value, string_value
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import ArrayItem, CallableItem
from jvmscope.queries.xquery.items.types import untyped
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.items.types import Atomic, Item
    from jvmscope.queries.xquery.trees.content import ContentBuilder

__all__ = ["POSITION", "RUNTIME", "SIZE", "SLOTS", "Code", "Frame", "add_content", "atomic_operand"]

Frame: TypeAlias = list[Any]
RUNTIME, POSITION, SIZE, SLOTS = 0, 1, 2, 3
_PLAIN = (int, str, float, bool)


class Code:
    """A compiled expression.

    Args:
        items: returns the items of the value, perhaps lazily.
        one: returns the only item, or None for the empty sequence; given, the expression has at
            most one item. Without, it raises XPTY0004 for several.
        truth: returns the effective boolean value.
        emit: adds the value to constructed content.
        kind: what its items are known to be: "boolean", "number", "string", "node" or "".
        is_ordered: nodes in document order, none twice.
        is_flat: nodes none of which is inside another.
    """

    __slots__ = ("emit", "is_flat", "is_ordered", "is_single", "items", "kind", "one", "truth")

    def __init__(
        self,
        items: Callable[[Frame, Item], Iterable[Item]] | None = None,
        *,
        one: Callable[[Frame, Item], Item] | None = None,
        truth: Callable[[Frame, Item], bool] | None = None,
        emit: Callable[[Frame, Item, ContentBuilder], None] | None = None,
        kind: str = "",
        is_ordered: bool = False,
        is_flat: bool = False,
    ) -> None:
        assert items is not None or one is not None
        self.is_single = one is not None
        self.one: Callable[[Frame, Item], Item] = one or _one_of(items)  # type: ignore[arg-type]
        self.items: Callable[[Frame, Item], Iterable[Item]] = items or _items_of(self.one)
        self.truth = truth or _truth_of(self)
        self.emit = emit or _emit_of(self.items)
        self.kind = kind
        self.is_ordered = is_ordered or self.is_single
        self.is_flat = is_flat or self.is_single


def _items_of(one: Callable[[Frame, Item], Item]) -> Callable[[Frame, Item], Iterable[Item]]:
    def items(frame: Frame, item: Item) -> Iterable[Item]:
        value = one(frame, item)
        return () if value is None else (value,)

    return items


def _one_of(items: Callable[[Frame, Item], Iterable[Item]]) -> Callable[[Frame, Item], Item]:
    def one(frame: Frame, item: Item) -> Item:
        found = list(islice(items(frame, item), 2))
        if len(found) > 1:
            raise DynamicError("XPTY0004", "a single item expected, found a sequence of several")
        return found[0] if found else None

    return one


def _truth_of(code: Code) -> Callable[[Frame, Item], bool]:
    if code.is_single:
        one = code.one

        def truth_of_one(frame: Frame, item: Item) -> bool:
            value = one(frame, item)
            if value is True:
                return True
            if value is False or value is None:
                return False
            return effective_boolean_value((value,))

        return truth_of_one
    items = code.items
    return lambda frame, item: effective_boolean_value(items(frame, item))


def _emit_of(
    items: Callable[[Frame, Item], Iterable[Item]],
) -> Callable[[Frame, Item, ContentBuilder], None]:
    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        for value in items(frame, item):
            add_content(content, value)

    return emit


def add_content(content: ContentBuilder, value: Item) -> None:
    """Adds an item to constructed content: a copy of a node, an atomic value as text.

    Raises:
        DynamicError: XQTY0105, a function has no place in content.
        ContentError: the node has no place here.
    """
    if isinstance(value, Node):
        content.copy(value)
    elif isinstance(value, ArrayItem):
        for member in value.members:
            for inner in member:
                add_content(content, inner)
    elif isinstance(value, CallableItem):
        raise DynamicError("XQTY0105", "a function cannot be the content of a node")
    else:
        content.atomic(string_value(value))


def atomic_operand(code: Code) -> Callable[[Frame, Item], Atomic]:
    """Returns a closure for the atomized operand of an operator: one value, or None for none.

    It raises DynamicError: XPTY0004, there are several values; FOTY0013, it is a function.
    """
    if code.is_single:
        one = code.one

        def operand_of_one(frame: Frame, item: Item) -> Atomic:
            value = one(frame, item)
            if value is None or type(value) in _PLAIN:
                return value
            return _atomize_single(value)

        return operand_of_one
    items = code.items

    def operand(frame: Frame, item: Item) -> Atomic:
        found = list(islice(atomize(items(frame, item)), 2))
        if len(found) > 1:
            raise DynamicError("XPTY0004", "a single value expected, found a sequence of several")
        return found[0] if found else None

    return operand


def _atomize_single(value: Item) -> Atomic:
    if isinstance(value, Node) and value.kind <= Kind.TEXT:
        return untyped(value.string_value)
    if not isinstance(value, (Node, CallableItem)):
        return value
    found = list(islice(atomize((value,)), 2))
    if len(found) > 1:
        raise DynamicError("XPTY0004", "a single value expected, found a sequence of several")
    return found[0] if found else None

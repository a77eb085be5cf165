"""Sequence normalization (Serialization 3.1, section 2), and the events of trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.casts import atomic_to_string
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import ArrayItem, CallableItem
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["END", "normalized", "walk"]

END = "end"


def _flattened(items: Iterable[Any]) -> Iterator[Any]:
    pending = [iter(items)]
    while pending:
        item = next(pending[-1], None)
        if item is None:
            pending.pop()
        elif isinstance(item, ArrayItem):
            pending.append(content for member in item.members for content in member)
        else:
            yield item


def normalized(items: Iterable[Any], separator: str | None) -> Iterator[Node | str]:
    """Returns the children of the document that a sequence becomes; adjacent texts as one.

    Args:
        items: nodes and atomic values; arrays are flattened.
        separator: between all items; None: one space between adjacent atomic values.

    Raises:
        DynamicError: SENR0001, an attribute, a namespace node or a function is among the items.
    """
    texts: list[str] = []
    for part in _parts(items, separator):
        if isinstance(part, str):
            texts.append(part)
        elif part.kind is Kind.TEXT:
            texts.append(part.string_value)
        else:
            if any(texts):
                yield "".join(texts)
            texts.clear()
            yield part
    if any(texts):
        yield "".join(texts)


def _parts(items: Iterable[Any], separator: str | None) -> Iterator[Node | str]:
    was_atomic = False
    is_first = True
    for item in _flattened(items):
        if separator is not None and not is_first:
            yield separator
        is_first = False
        if not isinstance(item, Node):
            if isinstance(item, CallableItem):
                raise DynamicError("SENR0001", f"{describe(item)} cannot be serialized")
            if was_atomic and separator is None:
                yield " "
            yield atomic_to_string(item)
            was_atomic = True
            continue
        was_atomic = False
        if item.kind in {Kind.ATTRIBUTE, Kind.NAMESPACE}:
            raise DynamicError("SENR0001", f"{describe(item)} cannot stand alone")
        if item.kind is Kind.DOCUMENT:
            yield from item.children()
        else:
            yield item


def walk(node: Node, is_skipped: Callable[[Node, Node], bool]) -> Iterator[tuple[str, Node]]:
    """Returns the nodes of a subtree in document order; after an element's content its end.

    The events are pairs of ``start`` or ``end`` and the node, at any depth.

    Args:
        node: the top.
        is_skipped: tells of a parent and a child element whether the child is left out.
    """
    yield "start", node
    if node.kind is not Kind.ELEMENT:
        return
    pending = [(node, iter(node.children()))]
    while pending:
        parent, children = pending[-1]
        child = next(children, None)
        if child is None:
            pending.pop()
            yield END, parent
        elif child.kind is not Kind.ELEMENT:
            yield "start", child
        elif not is_skipped(parent, child):
            yield "start", child
            pending.append((child, iter(child.children())))

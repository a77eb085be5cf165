"""Elements by identifier (F&O 3.1, section 14.5); identifiers are what the tree says is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.functions.context import context_node
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.functions.context import Context

__all__ = ["by_id", "by_id_of_context", "by_idref", "by_idref_of_context"]


def _document(node: Node) -> Node:
    top = node.root
    if top.kind is not Kind.DOCUMENT:
        raise DynamicError("FODC0001", "the node is in no document")
    return top


def _attributes(document: Node) -> Iterator[tuple[Node, Node]]:
    """Returns each attribute in a document with its element, in document order."""
    for node in document.descendants():
        if node.kind is Kind.ELEMENT:
            for attribute in node.attributes():
                yield node, attribute


@builtin("fn:id($arg as xs:string*) as element()*")
@builtin("fn:element-with-id($arg as xs:string*) as element()*")
def by_id_of_context(context: Context, arg: list[str]) -> list[Node]:
    """Returns the elements of the context node's document that have one of some identifiers."""
    return by_id(arg, context_node(context))


@builtin("fn:id($arg as xs:string*, $node as node()) as element()*")
@builtin("fn:element-with-id($arg as xs:string*, $node as node()) as element()*")
def by_id(arg: list[str], node: Node) -> list[Node]:
    """Returns the elements with one of some identifiers: of several alike, the first."""
    wanted = {word for text in arg for word in text.split()}
    document = _document(node)
    found = []
    for element, attribute in _attributes(document) if wanted else ():
        if attribute.is_id and (identifier := attribute.string_value.strip()) in wanted:
            wanted.remove(identifier)
            found.append(element)
    return found


@builtin("fn:idref($arg as xs:string*) as node()*")
def by_idref_of_context(context: Context, arg: list[str]) -> list[Node]:
    """Returns the attributes of the context node's document that refer to some identifiers."""
    return by_idref(arg, context_node(context))


@builtin("fn:idref($arg as xs:string*, $node as node()) as node()*")
def by_idref(arg: list[str], node: Node) -> list[Node]:
    """Returns the attributes that refer to one of some identifiers."""
    wanted = {text.strip() for text in arg}
    return [
        attribute
        for _, attribute in _attributes(_document(node))
        if attribute.is_idref and not wanted.isdisjoint(attribute.string_value.split())
    ]

"""Accessors (F&O 3.1, section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.context import context_item, context_node
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.atomize import atomize, string_value
from jvmscope.queries.xquery.items.casts import cast_to, qname
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementpath import datatypes as ep

    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.types import Atomic, Item

__all__ = [
    "base_uri",
    "base_uri_of_context",
    "data",
    "data_of_context",
    "document_uri",
    "document_uri_of_context",
    "nilled",
    "nilled_of_context",
    "node_name",
    "node_name_of_context",
    "node_qname",
    "string",
    "string_of_context",
]


def node_qname(node: Node) -> ep.QName | None:
    """Returns a node's name as an xs:QName, or None if it has none."""
    name = node.name
    if name is None:
        return None
    text = f"{name.prefix}:{name.local}" if name.prefix else name.local
    return qname(name.uri or "", text)


@builtin("fn:node-name() as xs:QName?")
def node_name_of_context(context: Context) -> ep.QName | None:
    """Returns the name of the context node."""
    return node_name(context_node(context))


@builtin("fn:node-name($arg as node()?) as xs:QName?")
def node_name(arg: Node | None) -> ep.QName | None:
    """Returns a node's name."""
    return None if arg is None else node_qname(arg)


@builtin("fn:nilled() as xs:boolean?")
def nilled_of_context(context: Context) -> bool | None:
    """Tells whether the context node is nilled."""
    return nilled(context_node(context))


@builtin("fn:nilled($arg as node()?) as xs:boolean?")
def nilled(arg: Node | None) -> bool | None:
    """Returns false for elements, which are untyped, and nothing for other nodes."""
    return False if arg is not None and arg.kind is Kind.ELEMENT else None


@builtin("fn:string() as xs:string")
def string_of_context(context: Context) -> str:
    """Returns the string value of the context item."""
    return string_value(context_item(context))


@builtin("fn:string($arg as item()?) as xs:string")
def string(arg: Item | None) -> str:
    """Returns the string value of an item, "" for none."""
    return "" if arg is None else string_value(arg)


@builtin("fn:data() as xs:anyAtomicType*")
def data_of_context(context: Context) -> Iterator[Atomic]:
    """Returns the typed value of the context item."""
    return atomize((context_item(context),))


@builtin("fn:data($arg as item()*) as xs:anyAtomicType*", lazy=True)
def data(arg: Any) -> Iterator[Atomic]:
    """Returns the typed values of items."""
    return atomize(arg)


@builtin("fn:base-uri() as xs:anyURI?")
def base_uri_of_context(context: Context) -> Any:
    """Returns the base URI of the context node."""
    return base_uri(context_node(context))


@builtin("fn:base-uri($arg as node()?) as xs:anyURI?")
def base_uri(arg: Node | None) -> Any:
    """Returns a node's base URI."""
    if arg is None or arg.base_uri is None or arg.kind is Kind.NAMESPACE:
        return None
    return cast_to(arg.base_uri, "anyURI")


@builtin("fn:document-uri() as xs:anyURI?")
def document_uri_of_context(context: Context) -> Any:
    """Returns the URI of the context node, a document."""
    return document_uri(context_node(context))


@builtin("fn:document-uri($arg as node()?) as xs:anyURI?")
def document_uri(arg: Node | None) -> Any:
    """Returns the URI that a document was read from; nothing for other nodes."""
    if arg is None or arg.kind is not Kind.DOCUMENT or arg.document_uri is None:
        return None
    return cast_to(arg.document_uri, "anyURI")

"""Names of nodes (F&O 3.1, sections 13.1 to 13.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.context import context_node
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.casts import cast_to

if TYPE_CHECKING:
    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.trees.node import Node

__all__ = [
    "local_name",
    "local_name_of_context",
    "name",
    "name_of_context",
    "namespace_uri",
    "namespace_uri_of_context",
]


@builtin("fn:name() as xs:string")
def name_of_context(context: Context) -> str:
    """Returns the name of the context node."""
    return name(context_node(context))


@builtin("fn:name($arg as node()?) as xs:string")
def name(arg: Node | None) -> str:
    """Returns a node's name with its prefix, "" for none."""
    found = None if arg is None else arg.name
    if found is None:
        return ""
    return f"{found.prefix}:{found.local}" if found.prefix else found.local


@builtin("fn:local-name() as xs:string")
def local_name_of_context(context: Context) -> str:
    """Returns the local name of the context node."""
    return local_name(context_node(context))


@builtin("fn:local-name($arg as node()?) as xs:string")
def local_name(arg: Node | None) -> str:
    """Returns a node's local name, "" for none."""
    found = None if arg is None else arg.name
    return "" if found is None else found.local


@builtin("fn:namespace-uri() as xs:anyURI")
def namespace_uri_of_context(context: Context) -> Any:
    """Returns the namespace of the context node."""
    return namespace_uri(context_node(context))


@builtin("fn:namespace-uri($arg as node()?) as xs:anyURI")
def namespace_uri(arg: Node | None) -> Any:
    """Returns a node's namespace, "" for none."""
    found = None if arg is None else arg.name
    return cast_to((found.uri or "") if found else "", "anyURI")

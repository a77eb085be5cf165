"""What functions need of the dynamic and static context (XPath 3.1, section 2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from jvmscope.queries.xquery.items.collations import collation
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.notations.searching import Clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from elementpath import datatypes as ep

    from jvmscope.queries.xquery.items.collations import Collation
    from jvmscope.queries.xquery.items.functions import FunctionItem
    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["Context", "Documents", "StaticContext", "collation_of", "context_item", "context_node"]


class StaticContext(Protocol):
    """The static context of the module that contains the call."""

    base_uri: str | None
    default_collation: str | None
    namespaces: Mapping[str, str]
    decimal_formats: Mapping[Name | None, Mapping[str, str]]


class Documents(Protocol):
    """Where documents, collections and texts come from; each raises an OSError or a ValueError."""

    def document(self, uri: str) -> Node:
        """Returns the document of an absolute URI, the same node each time."""

    def collection(self, uri: str | None) -> Iterable[Item]:
        """Returns the items of a collection, of the default one for None."""

    def uri_collection(self, uri: str | None) -> Iterable[str]:
        """Returns the URIs of what is in a collection."""

    def text(self, uri: str, encoding: str | None) -> str:
        """Returns the text of a resource."""


class Context(Clock, Protocol):
    """The dynamic context of a call.

    Attributes:
        item: the context item, or None if it is absent; position and size alike.
        now: the current dateTime, which does not change.
        timezone: the implicit timezone in minutes east of Greenwich.
        documents: None where reading is refused.
        environment: the environment variables; None where they are refused.
    """

    item: Item | None
    position: int | None
    size: int | None
    static: StaticContext
    now: ep.DateTime
    timezone: int
    documents: Documents | None
    environment: Mapping[str, str] | None

    def trace(self, text: str) -> None:
        """Shows a text to whoever runs the query."""

    def lookup_function(self, name: Name, arity: int) -> FunctionItem | None:
        """Returns a function in the static context of the call, or None."""


def context_item(context: Context) -> Any:
    """Returns the context item.

    Raises:
        DynamicError: XPDY0002, it is absent.
    """
    if context.item is None:
        raise DynamicError("XPDY0002", "there is no context item")
    return context.item


def context_node(context: Context) -> Any:
    """Returns the context item, which must be a node.

    Raises:
        DynamicError: XPDY0002 (absent), XPTY0004 (no node).
    """
    from jvmscope.queries.xquery.items.atomize import describe
    from jvmscope.queries.xquery.trees.node import Node

    item = context_item(context)
    if not isinstance(item, Node):
        raise DynamicError("XPTY0004", f"the context item is {describe(item)}, not a node")
    return item


def collation_of(context: Context, uri: str | None) -> Collation | None:
    """Returns a collation by its URI, the default one for None; None is that of codepoints."""
    static = context.static
    return collation(static.default_collation if uri is None else uri, static.base_uri)

"""Functions on nodes (F&O 3.1, sections 13.5 to 13.9 and 14.5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.functions.context import context_node
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.syntax.expanded_names import FN
from jvmscope.queries.xquery.trees.node import Kind, Node
from jvmscope.queries.xquery.trees.order import sort_distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.queries.xquery.functions.context import Context

__all__ = [
    "distinct_nodes",
    "generate_id",
    "generate_id_of_context",
    "has_children",
    "has_children_of_context",
    "innermost",
    "lang",
    "lang_of_context",
    "outermost",
    "path",
    "path_of_context",
    "root",
    "root_of_context",
]

_XML_LANG = "Q{http://www.w3.org/XML/1998/namespace}lang"


@builtin("fn:lang($testlang as xs:string?) as xs:boolean")
def lang_of_context(context: Context, testlang: str | None) -> bool:
    """Tells whether the context node is in a language."""
    return lang(testlang, context_node(context))


@builtin("fn:lang($testlang as xs:string?, $node as node()) as xs:boolean")
def lang(testlang: str | None, node: Node) -> bool:
    """Tells whether the nearest xml:lang is a language or a variety of it."""
    wanted = (testlang or "").lower()
    for element in (node, *node.ancestors()):
        for attribute in element.attributes():
            if attribute.name is not None and attribute.name.expanded == _XML_LANG:
                found = attribute.string_value.lower()
                return found == wanted or found.startswith(f"{wanted}-")
    return False


@builtin("fn:root() as node()")
def root_of_context(context: Context) -> Node:
    """Returns the topmost ancestor of the context node."""
    return context_node(context).root  # type: ignore[no-any-return]


@builtin("fn:root($arg as node()?) as node()?")
def root(arg: Node | None) -> Node | None:
    """Returns the topmost ancestor, or the node itself."""
    return None if arg is None else arg.root


@builtin("fn:has-children() as xs:boolean")
def has_children_of_context(context: Context) -> bool:
    """Tells whether the context node has children."""
    return has_children(context_node(context))


@builtin("fn:has-children($node as node()?) as xs:boolean")
def has_children(node: Node | None) -> bool:
    """Tells whether a node has children."""
    return node is not None and next(iter(node.children()), None) is not None


@builtin("fn:innermost($nodes as node()*) as node()*")
def innermost(nodes: list[Node]) -> list[Node]:
    """Returns the nodes that are not ancestors of another, in document order."""
    above = set()
    for node in nodes:
        for ancestor in node.ancestors():
            if ancestor in above:
                break
            above.add(ancestor)
    return [node for node in sort_distinct(nodes) if node not in above]


@builtin("fn:outermost($nodes as node()*) as node()*")
def outermost(nodes: list[Node]) -> list[Node]:
    """Returns the nodes that have no other as an ancestor, in document order."""
    given = set(nodes)
    inside: dict[Node, bool] = {}
    return [node for node in sort_distinct(nodes) if not _is_inside(node, given, inside)]


def _is_inside(node: Node, given: set[Node], known: dict[Node, bool]) -> bool:
    """Tells whether an ancestor is among the given nodes; remembers the answer for ancestors."""
    passed = []
    answer = False
    for ancestor in node.ancestors():
        if ancestor in given:
            answer = True
            break
        if ancestor in known:
            answer = known[ancestor]
            break
        passed.append(ancestor)
    known.update(dict.fromkeys(passed, answer))
    return answer


@builtin("fn:generate-id() as xs:string")
def generate_id_of_context(context: Context) -> str:
    """Returns an identifier of the context node."""
    return generate_id(context_node(context))


@builtin("fn:generate-id($arg as node()?) as xs:string")
def generate_id(arg: Node | None) -> str:
    """Returns a name that identifies a node during this query: its place in document order."""
    if arg is None:
        return ""
    return "n" + "x".join(re.findall(r"\w+", repr(arg.order_key)))


@builtin("fn:path() as xs:string?")
def path_of_context(context: Context) -> str | None:
    """Returns the path to the context node."""
    return path(context_node(context))


@builtin("fn:path($arg as node()?) as xs:string?")
def path(arg: Node | None) -> str | None:
    """Returns a path expression that selects a node from the root of its tree."""
    if arg is None:
        return None
    steps = []
    node: Node = arg
    while (parent := node.parent) is not None:
        steps.append(_step(node))
        node = parent
    if node.kind is not Kind.DOCUMENT:
        steps.append(f"Q{{{FN}}}root()")
    elif not steps:
        return "/"
    else:
        steps.append("")
    return "/".join(reversed(steps))


def _step(node: Node) -> str:
    local = "" if node.name is None else node.name.local
    match node.kind:
        case Kind.ATTRIBUTE:
            assert node.name is not None  # noqa: S101 - for the type checker
            return f"@{node.name.expanded}" if node.name.uri else f"@{local}"
        case Kind.NAMESPACE:
            return f"namespace::{local}" if local else f'namespace::*[Q{{{FN}}}local-name()=""]'
        case Kind.ELEMENT:
            assert node.name is not None  # noqa: S101 - for the type checker
            test = node.name.expanded
        case Kind.PROCESSING_INSTRUCTION:
            test = f"processing-instruction({local})"
        case _:
            test = f"{node.kind.name.lower()}()"
    return f"{test}[{node.sibling_position}]"


@builtin("functx:distinct-nodes($nodes as node()*) as node()*", lazy=True)
def distinct_nodes(nodes: Iterable[Node]) -> Iterator[Node]:
    """Returns each node once, in the order in which they come; in linear time."""
    return iter(dict.fromkeys(nodes))

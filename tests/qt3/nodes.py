"""Results compared with expected XML: as trees, so that prefixes and quotes do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.evaluator.code import add_content
from jvmscope.queries.xquery.trees import ContentBuilder, Kind

if TYPE_CHECKING:
    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["as_document", "differing"]


def as_document(items: list[Any]) -> Node:
    """Returns a document with the items as they are normalised for serialization."""
    content = ContentBuilder()
    content.start_document()
    for item in items:
        add_content(content, item)
    return content.end_document()


def differing(expected: Node, found: Node) -> str | None:
    """Returns where two trees differ, or None: names, attributes, text, without recursion."""
    pending = [(expected, found)]
    while pending:
        one, other = pending.pop()
        if (one.kind, one.tag) != (other.kind, other.tag):
            return f"expected {_shown(one)}, found {_shown(other)}"
        if one.kind in {Kind.DOCUMENT, Kind.ELEMENT}:
            attributes = [
                {a.tag: a.string_value for a in node.attributes()} for node in (one, other)
            ]
            if attributes[0] != attributes[1]:
                return f"expected attributes {attributes[0]}, found {attributes[1]}"
            children = [list(node.children()) for node in (one, other)]
            if len(children[0]) != len(children[1]):
                return f"expected {_all(children[0])} in {_shown(one)}, found {_all(children[1])}"
            pending.extend(zip(*children, strict=True))
        elif (one.name, one.string_value) != (other.name, other.string_value):
            return f"expected {_shown(one)}, found {_shown(other)}"
    return None


def _all(nodes: list[Node]) -> str:
    return ", ".join(map(_shown, nodes[:6])) or "nothing"


def _shown(node: Node) -> str:
    kind = node.kind.name.lower()
    return f"{kind} {node.name or ''}{'' if node.kind <= Kind.ELEMENT else repr(node.string_value)}"

"""Axes and node tests: from a node to the nodes that a step selects, in the axis' order."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from jvmscope.queries.xquery.items.type_matching import kind_matcher
from jvmscope.queries.xquery.syntax.types import KindTest, NameTest
from jvmscope.queries.xquery.trees.leaves import namespace_nodes
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.syntax.types import NodeTest

__all__ = ["REVERSE", "Select", "matcher", "select"]

Select: TypeAlias = "Callable[[Node], Iterable[Node]]"

REVERSE = frozenset({"ancestor", "ancestor-or-self", "parent", "preceding", "preceding-sibling"})
"""The axes in reverse document order."""


def select(axis: str, test: NodeTest) -> Select:
    """Returns the function from a node to the nodes of an axis that pass a test.

    Args:
        axis: its name.
        test: with expanded names.
    """
    tag = _tag(test)
    if isinstance(test, KindTest) and axis == "attribute":
        tag = None
    if tag is not None and axis in _BY_TAG:
        return _BY_TAG[axis](tag)
    walk = _AXES[axis]
    if isinstance(test, KindTest) and test.kind == "node":
        return walk
    matches = matcher(test, axis)
    if axis in _LONG:
        return lambda node: (found for found in walk(node) if matches(found))
    return lambda node: [found for found in walk(node) if matches(found)]


def matcher(test: NodeTest, axis: str = "child") -> Callable[[Node], bool]:
    """Returns the function that tells whether a node passes a test on an axis."""
    if isinstance(test, KindTest):
        return kind_matcher(test)
    kind = {"attribute": Kind.ATTRIBUTE, "namespace": Kind.NAMESPACE}.get(axis, Kind.ELEMENT)
    if kind is Kind.NAMESPACE:
        prefix = test.name.local
        return lambda node: prefix == "*" or (node.name is not None and node.name.local == prefix)
    tag = _tag(test)
    if tag is not None:
        return lambda node: node.tag == tag and node.kind is kind
    return _wildcard(test, kind)


def _wildcard(test: NameTest, kind: Kind) -> Callable[[Node], bool]:
    local, uri = test.name.local, test.name.uri or ""
    if local != "*":
        return lambda node: node.kind is kind and node.name is not None and node.name.local == local
    if test.name.prefix == "*":
        return lambda node: node.kind is kind
    return lambda node: node.kind is kind and node.name is not None and node.name.uri == uri


def _tag(test: NodeTest) -> str | None:
    """Returns the tag that a test asks for, or None if it asks for more or less."""
    if isinstance(test, NameTest) and test.name.prefix != "*" and test.name.local != "*":
        return test.name.expanded
    if isinstance(test, KindTest) and test.kind == "element" and test.name is not None:
        return test.name.expanded if test.type_name is None else None
    return None


def _children_by_tag(tag: str) -> Select:
    return lambda node: node.named_children(tag)


def _descendants_by_tag(tag: str) -> Select:
    return lambda node: node.named_descendants(tag)


def _attribute_by_tag(tag: str) -> Select:
    def attributes(node: Node) -> Iterable[Node]:
        found = node.attribute(tag)
        return () if found is None else (found,)

    return attributes


_BY_TAG: dict[str, Callable[[str], Select]] = {
    "child": _children_by_tag,
    "descendant": _descendants_by_tag,
    "attribute": _attribute_by_tag,
}


def _self(node: Node) -> Iterable[Node]:
    return (node,)


def _parent(node: Node) -> Iterable[Node]:
    return () if node.parent is None else (node.parent,)


def _ancestor_or_self(node: Node) -> Iterable[Node]:
    return [node, *node.ancestors()]


def _descendant_or_self(node: Node) -> Iterable[Node]:
    yield node
    yield from node.descendants()


_LONG = {"following", "following-sibling", "preceding", "preceding-sibling"}
"""Axes along which one often looks no further than the first node."""

_AXES: dict[str, Select] = {
    "ancestor": lambda node: node.ancestors(),
    "ancestor-or-self": _ancestor_or_self,
    "attribute": lambda node: node.attributes(),
    "child": lambda node: node.children(),
    "descendant": lambda node: node.descendants(),
    "descendant-or-self": _descendant_or_self,
    "following": lambda node: node.following(),
    "following-sibling": lambda node: node.following_siblings(),
    "namespace": namespace_nodes,
    "parent": _parent,
    "preceding": lambda node: node.preceding(),
    "preceding-sibling": lambda node: node.preceding_siblings(),
    "self": _self,
}

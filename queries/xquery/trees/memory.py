"""Trees in memory: nodes as linked objects, numbered in document order.

A tree lists its nodes, attributes apart, in document order; a node knows its place in that list
and the place of its last descendant. So a subtree is a slice, comparing places is comparing
document order, and no axis recurses, at any depth. A tree is made by a
:class:`~jvmscope.queries.xquery.trees.builder.TreeBuilder` and does not change afterwards.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from jvmscope.queries.xquery.syntax.expanded_names import XML
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.trees.leaves import Attribute

__all__ = [
    "NO_NAMESPACES",
    "Document",
    "Element",
    "ParentNode",
    "Tree",
    "TreeNode",
    "preceding_nodes",
]

NO_NAMESPACES: Mapping[str, str] = {"xml": XML}
"""The namespaces of an element that declares none."""

_XML_BASE = f"Q{{{XML}}}base"
_numbers = itertools.count(1)


class Tree:
    """What the nodes of a tree share.

    Attributes:
        number: says where the tree stands among others.
        nodes: the nodes in document order, without attributes and namespace nodes.
        base_uri: the base URI of its top node, or None.
        document_uri: where a document was read from, or None.
    """

    __slots__ = ("base_uri", "document_uri", "nodes", "number")

    def __init__(self, base_uri: str | None = None, document_uri: str | None = None) -> None:
        self.number = next(_numbers)
        self.nodes: list[TreeNode] = []
        self.base_uri = base_uri
        self.document_uri = document_uri


class TreeNode(Node):
    """A node with a place; equal to itself alone."""

    __slots__ = ("parent", "place", "tree")

    parent: ParentNode | None
    name: Name | None = None
    tag: str | None = None

    def __init__(self, tree: Tree, place: int, parent: ParentNode | None) -> None:
        self.tree = tree
        self.place = place
        self.parent = parent

    def children(self) -> Iterable[Node]:
        """Returns nothing: most kinds have none."""
        return ()

    def attributes(self) -> Iterable[Node]:
        """Returns nothing: only elements have any."""
        return ()

    def named_children(self, tag: str) -> Iterable[Node]:  # noqa: ARG002
        """Returns nothing: most kinds have none."""
        return ()

    def named_descendants(self, tag: str) -> Iterable[Node]:  # noqa: ARG002
        """Returns nothing: most kinds have none."""
        return ()

    def descendants(self) -> Iterable[Node]:
        """Returns nothing: most kinds have none."""
        return ()

    def attribute(self, tag: str) -> Node | None:  # noqa: ARG002
        """Returns None: only elements have attributes."""
        return None

    def in_scope_namespaces(self) -> Mapping[str, str]:
        """Returns an empty mapping: only elements have any."""
        return {}

    @property
    def order_key(self) -> tuple[Any, ...]:
        """The numbers of the tree and the place."""
        return (self.tree.number, self.place)

    @property
    def last(self) -> int:
        """The place of the last descendant, the node's own without any."""
        return self.place

    @property
    def base_uri(self) -> str | None:
        """The base URI of the parent; None without one."""
        return None if self.parent is None else self.parent.base_uri

    def following(self) -> Iterable[Node]:
        """Returns the nodes after the subtree, in document order."""
        return itertools.islice(self.tree.nodes, self.last + 1, None)

    def preceding(self) -> Iterable[Node]:
        """Returns the nodes before that are not ancestors, in reverse document order."""
        return preceding_nodes(self)

    def following_siblings(self) -> Iterable[Node]:
        """Returns the later children of the parent, in document order."""
        if self.parent is None:
            return ()
        nodes, end = self.tree.nodes, self.parent.last
        return _siblings_after(nodes, self.last, end)

    def preceding_siblings(self) -> Iterable[Node]:
        """Returns the earlier children of the parent, nearest first."""
        return () if self.parent is None else _siblings_before(self)


def _siblings_after(nodes: list[TreeNode], last: int, end: int) -> Iterator[Node]:
    while last < end:
        sibling = nodes[last + 1]
        yield sibling
        last = sibling.last


def _siblings_before(node: TreeNode) -> Iterator[Node]:
    """Steps back: the node before is a sibling, or below one."""
    parent = node.parent
    assert parent is not None
    nodes, place = node.tree.nodes, node.place - 1
    while place > parent.place:
        sibling = nodes[place]
        while sibling.parent is not parent:
            assert sibling.parent is not None
            sibling = sibling.parent
        yield sibling
        place = sibling.place - 1


def preceding_nodes(node: TreeNode) -> Iterator[Node]:
    """Returns the nodes before a node that are not ancestors, in reverse document order."""
    above = node.parent
    for place in range(node.place - 1, -1, -1):
        other = node.tree.nodes[place]
        if other is above:
            above = above.parent
        else:
            yield other


class ParentNode(TreeNode):
    """A document or an element."""

    __slots__ = ("child_list", "last")

    last: int

    def __init__(self, tree: Tree, place: int, parent: ParentNode | None) -> None:
        super().__init__(tree, place, parent)
        self.child_list: list[TreeNode] = []
        self.last = place

    def children(self) -> list[TreeNode]:
        """Returns the children; the list is the tree's own, not to be changed."""
        return self.child_list

    def named_children(self, tag: str) -> list[TreeNode]:
        """Returns the child elements of a name."""
        return [child for child in self.child_list if child.tag == tag]

    def descendants(self) -> list[TreeNode]:
        """Returns a slice of the tree's nodes."""
        return self.tree.nodes[self.place + 1 : self.last + 1]

    def named_descendants(self, tag: str) -> list[TreeNode]:
        """Returns the descendant elements of a name."""
        nodes = self.tree.nodes[self.place + 1 : self.last + 1]
        return [node for node in nodes if node.tag == tag]

    @property
    def string_value(self) -> str:
        """The concatenated text below."""
        children = self.child_list
        if len(children) == 1 and children[0].kind is Kind.TEXT:
            return children[0].string_value
        text = Kind.TEXT
        return "".join([node.string_value for node in self.descendants() if node.kind is text])


class Document(ParentNode):
    """A document node."""

    __slots__ = ()

    kind = Kind.DOCUMENT

    @property
    def base_uri(self) -> str | None:
        """The base URI of the tree."""
        return self.tree.base_uri

    @property
    def document_uri(self) -> str | None:
        """The URI the document was read from, or None."""
        return self.tree.document_uri


class Element(ParentNode):
    """An element; its namespaces are shared with other elements, not to be changed."""

    __slots__ = ("attribute_list", "name", "namespaces", "tag")

    kind = Kind.ELEMENT

    def __init__(  # noqa: PLR0917 - made by the million
        self,
        tree: Tree,
        place: int,
        parent: ParentNode | None,
        name: Name,
        tag: str,
        namespaces: Mapping[str, str],
    ) -> None:
        self.tree = tree
        self.place = place
        self.parent = parent
        self.child_list = []
        self.last = place
        self.name = name
        self.tag = tag
        self.namespaces = namespaces
        self.attribute_list: list[Attribute] = []

    def attributes(self) -> list[Attribute]:
        """Returns the attributes; the list is the tree's own, not to be changed."""
        return self.attribute_list

    def attribute(self, tag: str) -> Attribute | None:
        """Returns the attribute of a name, or None."""
        for attribute in self.attribute_list:
            if attribute.tag == tag:
                return attribute
        return None

    def in_scope_namespaces(self) -> Mapping[str, str]:
        """Returns prefix to URI, ``xml`` included; "" is the default namespace's prefix."""
        return self.namespaces

    @property
    def base_uri(self) -> str | None:
        """What ``xml:base`` says, relative to the parent's or the tree's base URI."""
        given = []
        node: Node | None = self
        while node is not None:
            if (attribute := node.attribute(_XML_BASE)) is not None:
                given.append(attribute.string_value)
            node = node.parent
        base = self.tree.base_uri
        for reference in reversed(given):
            base = urljoin(base or "", reference)
        return base

"""Building a tree in memory from what comes in document order."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.trees.leaves import (
    Attribute,
    Comment,
    NamespaceNode,
    ProcessingInstruction,
    Text,
)
from jvmscope.queries.xquery.trees.memory import NO_NAMESPACES, Document, Element, Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["TreeBuilder", "lone_attribute", "lone_namespace", "lone_text"]


class TreeBuilder:
    """Makes one tree: a document, or an element, comment or processing instruction alone.

    Nothing is checked here; adjacent texts become one node, and an empty text none.

    >>> from jvmscope.queries.xquery.syntax.expanded_names import Name
    >>> builder = TreeBuilder()
    >>> builder.start_element(Name("a", "", ""))
    >>> builder.text("1")
    >>> builder.text("2")
    >>> builder.end_element()
    >>> builder.finish().string_value
    '12'
    """

    def __init__(self, base_uri: str | None = None, document_uri: str | None = None) -> None:
        self._tree = Tree(base_uri, document_uri)
        self._nodes = self._tree.nodes
        self._parent: Document | Element | None = None
        self._texts: list[str] = []

    def start_document(self) -> None:
        """Begins a document node, which is the tree's top."""
        document = Document(self._tree, 0, None)
        self._nodes.append(document)
        self._parent = document

    def end_document(self) -> None:
        """Ends the document."""
        self._flush()
        document = self._nodes[0]
        assert isinstance(document, Document)
        document.last = len(self._nodes) - 1
        self._parent = None

    def start_element(
        self, name: Name, namespaces: Mapping[str, str] | None = None, tag: str | None = None
    ) -> None:
        """Begins an element.

        Args:
            name: its expanded name.
            namespaces: all its namespaces, prefix to URI, ``xml`` included; None: its parent's.
            tag: the name as ``Q{uri}local``, where the caller has it.
        """
        if self._texts:
            self._flush()
        parent, nodes = self._parent, self._nodes
        if namespaces is None:
            namespaces = parent.namespaces if isinstance(parent, Element) else NO_NAMESPACES
        tag = tag or sys.intern(name.expanded)
        element = Element(self._tree, len(nodes), parent, name, tag, namespaces)
        nodes.append(element)
        if parent is not None:
            parent.child_list.append(element)
        self._parent = element

    def attribute(self, name: Name, value: str, id_type: str = "", tag: str | None = None) -> None:
        """Adds an attribute to the element that was begun last."""
        element = self._parent
        assert isinstance(element, Element)
        attributes = element.attribute_list
        tag = tag or sys.intern(name.expanded)
        attributes.append(
            Attribute(self._tree, len(attributes), element, name, tag, value, id_type)
        )

    def end_element(self) -> None:
        """Ends the innermost element."""
        if self._texts:
            self._flush()
        element = self._parent
        assert element is not None
        element.last = len(self._nodes) - 1
        self._parent = element.parent  # type: ignore[assignment]

    def text(self, value: str) -> None:
        """Adds characters."""
        self._texts.append(value)

    def comment(self, value: str) -> None:
        """Adds a comment."""
        self._flush()
        self._append(Comment(self._tree, len(self._nodes), self._parent, value))

    def processing_instruction(self, target: Name, value: str) -> None:
        """Adds a processing instruction."""
        self._flush()
        place = len(self._nodes)
        self._append(ProcessingInstruction(self._tree, place, self._parent, target, value))

    def finish(self) -> Node:
        """Returns the tree's top node."""
        return self._nodes[0]

    def _flush(self) -> None:
        value = "".join(self._texts)
        self._texts.clear()
        if value:
            self._append(Text(self._tree, len(self._nodes), self._parent, value))

    def _append(self, node: Text | Comment | ProcessingInstruction) -> None:
        self._nodes.append(node)
        if self._parent is not None:
            self._parent.child_list.append(node)


def lone_text(value: str, base_uri: str | None = None) -> Node:
    """Returns a text node without a parent; it may be empty."""
    tree = Tree(base_uri)
    node = Text(tree, 0, None, value)
    tree.nodes.append(node)
    return node


def lone_attribute(name: Name, value: str) -> Node:
    """Returns an attribute without a parent."""
    return Attribute(Tree(), 0, None, name, sys.intern(name.expanded), value)


def lone_namespace(prefix: Name | None, uri: str) -> Node:
    """Returns a namespace node without a parent."""
    return NamespaceNode(Tree(), 0, None, prefix, uri)

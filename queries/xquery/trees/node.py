"""The node interface: what the evaluator and the functions know of a tree (XDM 3.1, section 6)."""

from __future__ import annotations

from abc import abstractmethod
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["XML_ID", "Kind", "Node"]

XML_ID = "Q{http://www.w3.org/XML/1998/namespace}id"


class Kind(IntEnum):
    """The seven kinds of nodes."""

    DOCUMENT = 0
    ELEMENT = 1
    ATTRIBUTE = 2
    TEXT = 3
    COMMENT = 4
    PROCESSING_INSTRUCTION = 5
    NAMESPACE = 6


class Node:
    """A node of some tree; untyped, as without a schema.

    Two objects may stand for one node: trees that are not in memory make nodes when they are
    asked for. So nodes are compared with ``==`` and hashed by (tree, place), never by ``is``.
    Every tree implements the abstract members, which the type checker sees to; the others have
    definitions in terms of these, to be overridden where a tree knows a faster way. The class is
    no ``ABC``, since every item is asked whether it is a node, and ``isinstance`` is four times
    slower then.
    """

    __slots__ = ()

    kind: Kind

    @property
    @abstractmethod
    def name(self) -> Name | None:
        """The expanded name, with the prefix to show; None for kinds without.

        A processing instruction's target and a namespace node's prefix are names without a
        namespace (None for the default namespace's node).
        """

    @property
    @abstractmethod
    def parent(self) -> Node | None:
        """The element or document that holds the node, also an attribute's; None at the top."""

    @abstractmethod
    def children(self) -> Iterable[Node]:
        """Returns an element's or document's children, in document order."""

    @abstractmethod
    def attributes(self) -> Iterable[Node]:
        """Returns an element's attributes, in the tree's fixed order."""

    @property
    @abstractmethod
    def string_value(self) -> str:
        """The string value (XDM 3.1, ``dm:string-value``)."""

    @property
    @abstractmethod
    def order_key(self) -> tuple[Any, ...]:
        """A key that sorts nodes into document order; its first part is the tree's number.

        Trees are numbered as they are made, so the order of nodes of different trees is stable.
        """

    @abstractmethod
    def in_scope_namespaces(self) -> Mapping[str, str]:
        """Returns an element's namespaces, prefix to URI, ``xml`` included; else an empty one."""

    @property
    def tag(self) -> str | None:
        """The name of an element or attribute as ``Q{uri}local``, what name tests compare."""
        name = self.name if self.kind in {Kind.ELEMENT, Kind.ATTRIBUTE} else None
        return None if name is None else name.expanded

    @property
    def base_uri(self) -> str | None:
        """The base URI, or None."""
        parent = self.parent
        return None if parent is None else parent.base_uri

    @property
    def document_uri(self) -> str | None:
        """The URI a document was read from, or None."""
        return None

    @property
    def is_id(self) -> bool:
        """Tells an attribute that identifies its element: ``xml:id``, or ID by its DTD."""
        return self.kind is Kind.ATTRIBUTE and self.tag == XML_ID

    @property
    def is_idref(self) -> bool:
        """Tells an attribute that is IDREF or IDREFS by its DTD."""
        return False

    @property
    def root(self) -> Node:
        """The topmost ancestor, or the node itself."""
        node: Node = self
        while (parent := node.parent) is not None:
            node = parent
        return node

    @property
    def sibling_position(self) -> int:
        """The position, from 1, among the parent's children of the same kind and name."""
        parent = self.parent
        if parent is None:
            return 1
        others = parent.children() if self.tag is None else parent.named_children(self.tag)
        place = 0
        for other in others:
            place += other.kind is self.kind and other.name == self.name
            if other == self:
                break
        return place

    def attribute(self, tag: str) -> Node | None:
        """Returns an element's attribute by its tag, or None."""
        for attribute in self.attributes():
            if attribute.tag == tag:
                return attribute
        return None

    def named_children(self, tag: str) -> Iterable[Node]:
        """Returns the child elements of a name, in document order."""
        return (child for child in self.children() if child.tag == tag)

    def named_descendants(self, tag: str) -> Iterable[Node]:
        """Returns the descendant elements of a name, in document order."""
        return (node for node in self.descendants() if node.tag == tag)

    def descendants(self) -> Iterable[Node]:
        """Returns the descendants in document order, without attributes; at any depth."""
        pending = [iter(self.children())]
        while pending:
            child = next(pending[-1], None)
            if child is None:
                pending.pop()
                continue
            yield child
            if child.kind is Kind.ELEMENT:
                pending.append(iter(child.children()))

    def ancestors(self) -> Iterator[Node]:
        """Returns the ancestors, parent first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def following_siblings(self) -> Iterable[Node]:
        """Returns the later children of the parent, in document order."""
        parent = self.parent
        if parent is None or self.kind in {Kind.ATTRIBUTE, Kind.NAMESPACE}:
            return
        siblings = iter(parent.children())
        for sibling in siblings:
            if sibling == self:
                break
        yield from siblings

    def preceding_siblings(self) -> Iterable[Node]:
        """Returns the earlier children of the parent, nearest first."""
        parent = self.parent
        if parent is None or self.kind in {Kind.ATTRIBUTE, Kind.NAMESPACE}:
            return
        earlier = []
        for sibling in parent.children():
            if sibling == self:
                break
            earlier.append(sibling)
        yield from reversed(earlier)

    def following(self) -> Iterable[Node]:
        """Returns the nodes after the node's subtree, in document order."""
        node: Node | None = self
        if self.kind in {Kind.ATTRIBUTE, Kind.NAMESPACE}:
            node = self.parent
            if node is not None:
                yield from node.descendants()
        while node is not None:
            for sibling in node.following_siblings():
                yield sibling
                yield from sibling.descendants()
            node = node.parent

    def preceding(self) -> Iterable[Node]:
        """Returns the nodes before the node that are not ancestors, in reverse document order."""
        node: Node | None = self
        if self.kind in {Kind.ATTRIBUTE, Kind.NAMESPACE}:
            node = self.parent
        while node is not None:
            for sibling in node.preceding_siblings():
                yield from reversed(list(sibling.descendants()))
                yield sibling
            node = node.parent

"""The nodes of a tree in memory that have a string for a value and no children."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.syntax.characters import is_ncname
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.trees.memory import Tree, TreeNode, preceding_nodes
from jvmscope.queries.xquery.trees.node import XML_ID, Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.queries.xquery.trees.memory import ParentNode

__all__ = [
    "Attribute",
    "Comment",
    "NamespaceNode",
    "ProcessingInstruction",
    "Text",
    "namespace_nodes",
]


class _Leaf(TreeNode):
    """A node without children whose value is a string."""

    __slots__ = ("string_value",)

    string_value: str

    def __init__(self, tree: Tree, place: int, parent: ParentNode | None, value: str) -> None:
        self.tree = tree
        self.place = place
        self.parent = parent
        self.string_value = value


class Text(_Leaf):
    """A text node."""

    __slots__ = ()

    kind = Kind.TEXT


class Comment(_Leaf):
    """A comment."""

    __slots__ = ()

    kind = Kind.COMMENT


class ProcessingInstruction(_Leaf):
    """A processing instruction; its name is its target."""

    __slots__ = ("name",)

    kind = Kind.PROCESSING_INSTRUCTION

    def __init__(
        self, tree: Tree, place: int, parent: ParentNode | None, name: Name, value: str
    ) -> None:
        super().__init__(tree, place, parent, value)
        self.name = name


class _Aside(_Leaf):
    """A node that belongs to an element without being its child; its place is its rank there."""

    __slots__ = ()

    _rank: int

    @property
    def order_key(self) -> tuple[Any, ...]:
        """After the element and before its children."""
        if self.parent is None:
            return (self.tree.number, 0)
        return (*self.parent.order_key, self._rank, self.place)

    def following(self) -> Iterable[Node]:
        """Returns what follows the start of the element."""
        if self.parent is None:
            return ()
        return itertools.islice(self.tree.nodes, self.parent.place + 1, None)

    def preceding(self) -> Iterable[Node]:
        """Returns what precedes the element."""
        return () if self.parent is None else preceding_nodes(self.parent)

    def following_siblings(self) -> Iterable[Node]:
        """Returns nothing: it is not a child."""
        return ()

    def preceding_siblings(self) -> Iterable[Node]:
        """Returns nothing: it is not a child."""
        return ()


class Attribute(_Aside):
    """An attribute; ``id_type`` is "ID", "IDREF" or "IDREFS" where a DTD says so, else ""."""

    __slots__ = ("id_type", "name", "tag")

    kind = Kind.ATTRIBUTE
    _rank = 1

    def __init__(  # noqa: PLR0917 - made by the million
        self,
        tree: Tree,
        place: int,
        parent: ParentNode | None,
        name: Name,
        tag: str,
        value: str,
        id_type: str = "",
    ) -> None:
        super().__init__(tree, place, parent, value)
        self.name = name
        self.tag = tag
        self.id_type = id_type

    @property
    def is_id(self) -> bool:
        """Tells ``xml:id``, if its value can be one, and what a DTD declares as ID."""
        return self.id_type == "ID" or (self.tag == XML_ID and is_ncname(self.string_value))

    @property
    def is_idref(self) -> bool:
        """Tells what a DTD declares as IDREF or IDREFS."""
        return self.id_type.startswith("IDREF")


class NamespaceNode(_Aside):
    """A namespace node: its name is the prefix, None for the default namespace.

    Those of elements are made when they are asked for, so equality is by element and prefix.
    """

    __slots__ = ("name",)

    kind = Kind.NAMESPACE
    _rank = 0

    def __init__(
        self, tree: Tree, place: int, parent: ParentNode | None, name: Name | None, uri: str
    ) -> None:
        super().__init__(tree, place, parent, uri)
        self.name = name

    def __eq__(self, other: object) -> bool:
        """Tells whether both are the same binding of the same element."""
        if self is other:
            return True
        return (
            isinstance(other, NamespaceNode)
            and self.parent is not None
            and (self.parent, self.name) == (other.parent, other.name)
        )

    def __hash__(self) -> int:
        """Returns a hash that agrees with equality."""
        return id(self) if self.parent is None else hash((self.parent, self.name))

    def following(self) -> Iterable[Node]:
        """Returns what follows the start of the element, which may be of any tree."""
        return Node.following(self)

    def preceding(self) -> Iterable[Node]:
        """Returns what precedes the element, which may be of any tree."""
        return Node.preceding(self)


def namespace_nodes(element: Node) -> list[Node]:
    """Returns the namespace nodes of an element of any tree; of other nodes, none."""
    tree = Tree()
    bindings = sorted(element.in_scope_namespaces().items())
    return [
        NamespaceNode(tree, at, element, Name(prefix, "", "") if prefix else None, uri)  # type: ignore[arg-type]
        for at, (prefix, uri) in enumerate(bindings)
    ]

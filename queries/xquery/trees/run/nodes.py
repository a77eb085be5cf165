"""The nodes of a run's virtual documents: small objects that name a place in the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.syntax.expanded_names import DCG, XML, Name
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jvmscope.queries.xquery.trees.run.documents import Document
    from jvmscope.queries.xquery.trees.run.shapes import Shape

__all__ = ["AttributeNode", "DocumentNode", "FixedElement", "RowElement", "RunNode", "TextNode"]

_NAMESPACES = {"xml": XML, "dcg": DCG}


class RunNode(Node):
    """A node of a virtual document; ``order_key`` is its identity."""

    __slots__ = ()

    def attributes(self) -> Iterator[Node]:
        """Returns nothing; elements have attributes."""
        return iter(())

    def children(self) -> Iterator[Node]:
        """Returns nothing; elements and documents have children."""
        return iter(())

    def in_scope_namespaces(self) -> Mapping[str, str]:
        """Returns the prefixes of the exported file for an element, else nothing."""
        return _NAMESPACES if self.kind is Kind.ELEMENT else {}

    @property
    def tag(self) -> str | None:
        """What name tests compare: ``Q{uri}local``."""
        return None

    @property
    def string_value(self) -> str:
        """The text inside, which are the counts."""
        return "".join(n.string_value for n in self.descendants() if n.kind is Kind.TEXT)

    def __eq__(self, other: object) -> bool:
        """Tells whether both stand for the same node."""
        return isinstance(other, RunNode) and self.order_key == other.order_key

    def __hash__(self) -> int:
        """Returns a hash of the place."""
        return hash(self.order_key)


class DocumentNode(RunNode):
    """The document node of ``cct`` or ``classes``."""

    __slots__ = ("document",)
    kind = Kind.DOCUMENT

    def __init__(self, document: Document) -> None:
        self.document = document

    @property
    def name(self) -> None:
        """A document has no name."""
        return

    @property
    def parent(self) -> None:
        """A document has no parent."""
        return

    @property
    def document_uri(self) -> str:
        """The name by which ``doc()`` finds it."""
        return self.document.name

    @property
    def base_uri(self) -> str:
        """The document's name."""
        return self.document.name

    def children(self) -> Iterator[Node]:
        """Returns the root element."""
        yield self.document.root

    def named_descendants(self, tag: str) -> Iterable[Node]:
        """Returns the elements of a name, straight from their tables where that is known."""
        return self.document.all_elements(tag) or super().named_descendants(tag)

    @property
    def order_key(self) -> tuple[Any, ...]:
        """The document's number."""
        return self.document.key


class FixedElement(RunNode):
    """An element that is not a row: the root, ``dcg:table``, ``dcg:run`` and counts.

    ``content`` is what it holds, a text or elements; the root finds its children itself.
    """

    __slots__ = ("_attributes", "_content", "_key", "_parent", "local")
    kind = Kind.ELEMENT

    def __init__(
        self,
        parent: Node,
        key: tuple[Any, ...],
        local: str,
        attributes: Mapping[str, str] | None = None,
        content: str | None = None,
    ) -> None:
        self._parent = parent
        self._key = key
        self.local = local
        self._attributes = attributes or {}
        self._content = content

    @property
    def name(self) -> Name:
        """The name, in the namespace of the XML view."""
        return Name(self.local, "dcg", DCG)

    @property
    def tag(self) -> str:
        """What name tests compare."""
        return f"Q{{{DCG}}}{self.local}"

    @property
    def parent(self) -> Node:
        """The element or document around it."""
        return self._parent

    def attributes(self) -> Iterator[Node]:
        """Returns the attributes in the order of the file."""
        for place, (name, value) in enumerate(self._attributes.items()):
            yield AttributeNode(self, place, name, value)

    def children(self) -> Iterator[Node]:
        """Returns the text, if there is any."""
        if self._content:
            yield TextNode(self, self._content)

    @property
    def string_value(self) -> str:
        """The text."""
        return super().string_value if self._content is None else self._content

    @property
    def order_key(self) -> tuple[Any, ...]:
        """The place: the parent's, the group of children, and the number in it."""
        return self._key


class RowElement(RunNode):
    """A row of a table as an element."""

    __slots__ = ("row", "shape")
    kind = Kind.ELEMENT

    def __init__(self, shape: Shape, row: int) -> None:
        self.shape = shape
        self.row = row

    @property
    def name(self) -> Name:
        """The element's name."""
        return self.shape.name

    @property
    def tag(self) -> str:
        """What name tests compare."""
        return self.shape.tag

    @property
    def parent(self) -> Node:
        """The element of the row that this row belongs to, or the root."""
        return self.shape.parent(self.row)

    @property
    def sibling_position(self) -> int:
        """The position, from 1, among the rows of the same owner."""
        return self.shape.sibling_position(self.row)

    def attributes(self) -> Iterator[Node]:
        """Returns the row's columns that are not null."""
        for place, (name, value) in enumerate(self.shape.attributes(self.row)):
            if value is not None:
                yield AttributeNode(self, place, name, value)

    def attribute(self, tag: str) -> Node | None:
        """Returns an attribute without looking at the others."""
        local = tag.removeprefix("Q{}")
        found = self.shape.attribute(self.row, local)
        return None if found is None else AttributeNode(self, found[0], local, found[1])

    def children(self) -> Iterator[Node]:
        """Returns counts, then the rows that belong to this one."""
        return self.shape.children(self)

    def named_children(self, tag: str) -> Iterable[Node]:
        """Returns the children of a name; tables that hold others are not read."""
        return self.shape.named_children(self, tag)

    def named_descendants(self, tag: str) -> Iterable[Node]:
        """Returns the elements of a name inside; of contexts the interval of their keys."""
        if self.shape.is_nested and tag == self.shape.tag:
            return (RowElement(self.shape, row) for row in self.shape.below(self.row))
        return super().named_descendants(tag)

    @property
    def order_key(self) -> tuple[Any, ...]:
        """The place in the document."""
        return self.shape.order_key(self.row)

    def __eq__(self, other: object) -> bool:
        """Tells whether both stand for the same row."""
        if isinstance(other, RowElement):
            return self.row == other.row and self.shape is other.shape
        return False

    def __hash__(self) -> int:
        """Returns a hash of the table and row."""
        return hash((id(self.shape), self.row))


class AttributeNode(RunNode):
    """An attribute: its element, its place among the attributes, name and value."""

    __slots__ = ("_local", "_place", "_value", "element")
    kind = Kind.ATTRIBUTE

    def __init__(self, element: Node, place: int, local: str, value: str) -> None:
        self.element = element
        self._place = place
        self._local = local
        self._value = value

    @property
    def name(self) -> Name:
        """The name, in no namespace."""
        return Name(self._local, "", "")

    @property
    def tag(self) -> str:
        """What name tests compare."""
        return f"Q{{}}{self._local}"

    @property
    def parent(self) -> Node:
        """The element."""
        return self.element

    @property
    def string_value(self) -> str:
        """The value."""
        return self._value

    @property
    def order_key(self) -> tuple[Any, ...]:
        """After its element, before the element's children."""
        return (*self.element.order_key, 0, self._place)


class TextNode(RunNode):
    """The text of a count or property: its element's only child."""

    __slots__ = ("_element", "_value")
    kind = Kind.TEXT

    def __init__(self, element: Node, value: str) -> None:
        self._element = element
        self._value = value

    @property
    def name(self) -> None:
        """A text has no name."""
        return

    @property
    def parent(self) -> Node:
        """The element around it."""
        return self._element

    @property
    def string_value(self) -> str:
        """The text."""
        return self._value

    @property
    def order_key(self) -> tuple[Any, ...]:
        """After its element."""
        return (*self._element.order_key, 1)

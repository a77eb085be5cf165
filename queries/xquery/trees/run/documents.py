"""The two virtual documents of a run, ``classes`` and ``cct``."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.trees.run.nodes import DocumentNode, FixedElement
from jvmscope.schema.xml.escaping import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from jvmscope.queries.xquery.trees.node import Node
    from jvmscope.queries.xquery.trees.run.shapes import Interfaces, Shape

__all__ = ["Document", "Property", "Root"]

_TABLES, _RUN = 1, 2  # groups of the root's children, in document order; rows are after them


class Document:
    """One virtual document: its document node, its root and the tables in it.

    Args:
        name: ``classes`` or ``cct``.
        key: the first part of the order keys of its nodes.
        attributes: the root element's.
        table_rows: the tables that ``dcg:table`` elements list, with their numbers of rows.
        unrecorded: the names of its elements whose tables the run does not have.
        properties: the manifest's values that ``dcg:run`` holds; None: no such element.
    """

    def __init__(
        self,
        name: str,
        key: tuple[Any, ...],
        attributes: Mapping[str, str],
        *,
        table_rows: Mapping[str, int],
        unrecorded: frozenset[str],
        properties: Callable[[], Mapping[str, Any]] | None,
    ) -> None:
        self.name = name
        self.key = key
        self.node = DocumentNode(self)
        self.root = Root(self, attributes)
        self.top: list[Shape] = []
        self.shapes: dict[str, list[Shape | Interfaces]] = {}
        self._table_rows = table_rows
        self._unrecorded = unrecorded
        self._properties = properties

    def add(self, shape: Shape | Interfaces) -> None:
        """Lets the document's elements of a name be found without a walk."""
        self.shapes.setdefault(shape.tag, []).append(shape)

    def all_elements(self, tag: str) -> Iterator[Node] | None:
        """Returns the elements of a name in document order, or None if only a walk finds them."""
        if tag in self._unrecorded:
            return iter(())
        shapes = self.shapes.get(tag, [])
        return shapes[0].all() if len(shapes) == 1 else None

    def top_elements(self) -> Iterator[Node]:
        """Returns the root's children."""
        tables = (
            FixedElement(
                self.root, (*self.key, 0, _TABLES, place), "table", {"name": name, "rows": str(n)}
            )
            for place, (name, n) in enumerate(self._table_rows.items())
        )
        run = []
        if self._properties is not None:
            key = (*self.key, 0, _RUN, 0)
            run.append(Property(self.root, key, "run", {}, self._properties()))
        return chain(tables, run, chain.from_iterable(shape.all() for shape in self.top))


class Root(FixedElement):
    """``dcg:classes`` or ``dcg:cct``."""

    __slots__ = ("_document",)

    def __init__(self, document: Document, attributes: Mapping[str, str]) -> None:
        super().__init__(document.node, (*document.key, 0), document.name, attributes)
        self._document = document

    def children(self) -> Iterator[Node]:
        """Returns tables, what the manifest says, and rows that belong to no other."""
        return self._document.top_elements()

    def named_descendants(self, tag: str) -> Iterable[Node]:
        """Returns the elements of a name, straight from their tables where that is known."""
        return self._document.all_elements(tag) or super().named_descendants(tag)


class Property(FixedElement):
    """A value of the manifest, in the manner of XPath's json-to-xml."""

    __slots__ = ("_value",)

    def __init__(
        self,
        parent: Node,
        key: tuple[Any, ...],
        local: str,
        attributes: Mapping[str, str],
        value: Any,
    ) -> None:
        super().__init__(parent, key, local, attributes, _text(value))
        self._value = value

    def children(self) -> Iterator[Node]:
        """Returns the members of an object or list, or the text of a value."""
        if not isinstance(self._value, (dict, list)):
            yield from super().children()
            return
        named = isinstance(self._value, dict)
        members = self._value.items() if isinstance(self._value, dict) else enumerate(self._value)
        for place, (name, value) in enumerate(members):
            attributes = {"name": escape(str(name))} if named else {}
            yield Property(self, (*self.order_key, 1, place), _word(value), attributes, value)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    words = {dict: "object", list: "list", int: "number", float: "number", str: "string"}
    return words[type(value)]


def _text(value: Any) -> str | None:
    """Returns the text of a value that holds no others; null has none."""
    if isinstance(value, (dict, list)):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return ""
    return escape(value) if isinstance(value, str) else repr(value)

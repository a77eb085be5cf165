"""How a table's rows hang in a virtual document: attributes, counts, what they hold, the order."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.syntax.expanded_names import DCG, Name
from jvmscope.queries.xquery.trees.run.nodes import FixedElement, RowElement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmscope.queries.xquery.trees.node import Node
    from jvmscope.queries.xquery.trees.run.columns import TableReader
    from jvmscope.schema.xml.vocabulary import Attribute, Element

    Counts = Sequence[tuple[str, Callable[[int], int | None]]]

__all__ = ["Contexts", "Interfaces", "Shape"]

# Groups of children, in document order: attributes are 0, and tables have theirs from 3 on.
_COUNTS = _INTERFACES = 1
_CALLED = 1 << 16  # behind those of every table
_MOST_SIBLINGS = 1 << 12  # parents whose children are kept


class Shape:
    """One table in a document.

    Args:
        table: its rows.
        element: its element.
        counts: name of each count element, and its value by row; None: it is not there.
        owner: the shape of the rows that hold these; None: the root does.
        root: the root element, whose children these are without an owner.
        group: the number of the group of children, among those of the owner.
    """

    is_nested = False

    def __init__(
        self,
        table: TableReader,
        element: Element,
        *,
        counts: Counts,
        owner: Shape | None,
        root: Node,
        group: int,
    ) -> None:
        self.table = table
        self.name = Name(element.name, "dcg", DCG)
        self.tag = self.name.expanded
        self.parts: list[Shape | Interfaces] = []
        self._counts = counts
        self._owner = owner
        self._root = root
        self._group = group
        self._attributes = [
            (attribute.name, _reader(table, attribute))
            for attribute in element.attributes
            if not (attribute.name == "parent" and element.table == "context")  # nested form
        ]
        self._places = {name: place for place, (name, _) in enumerate(self._attributes)}
        self._owners = None if owner is None else table.column(element.owner or "")

    def parent(self, row: int) -> Node:
        """Returns the element that holds a row's."""
        if self._owner is None or self._owners is None:
            return self._root
        return RowElement(self._owner, self._owners[row])

    def attributes(self, row: int) -> Iterator[tuple[str, str | None]]:
        """Returns name and value of every attribute, None for those that are absent."""
        return ((name, read(row)) for name, read in self._attributes)

    def attribute(self, row: int, name: str) -> tuple[int, str] | None:
        """Returns place and value of an attribute, or None."""
        place = self._places.get(name)
        if place is None:
            return None
        value = self._attributes[place][1](row)
        return None if value is None else (place, value)

    def children(self, element: RowElement) -> Iterator[Node]:
        """Returns a row's children: counts, then the rows of other tables that belong to it."""
        parts = (part.of(element) for part in self.parts)
        return chain(self._count_elements(element, None), chain.from_iterable(parts))

    def named_children(self, element: RowElement, tag: str) -> Iterator[Node]:
        """Returns the children of a name."""
        parts = (part.of(element) for part in self.parts if part.tag == tag)
        return chain(self._count_elements(element, tag), chain.from_iterable(parts))

    def of(self, owner: RowElement) -> Iterator[Node]:
        """Returns the rows that belong to an owner's row."""
        return (RowElement(self, row) for row in self.table.owned(owner.row))

    def at(self, keys: tuple[int, ...]) -> RowElement:
        """Returns the element of a row, given its number, which is its key if it has one."""
        return RowElement(self, keys[0])

    def all(self) -> Iterator[Node]:
        """Returns every row of the table, in document order."""
        return (RowElement(self, row) for row in range(self.table.n_rows))

    def below(self, row: int) -> range:
        """Returns the rows inside a row of the same table."""
        return range(row, row)

    def sibling_position(self, row: int) -> int:
        """Returns a row's position, from 1, among the rows of its owner, which lie together."""
        first = 0 if self._owners is None else self.table.owned(self._owners[row]).start
        return row - first + 1

    def order_key(self, row: int) -> tuple[Any, ...]:
        """Returns a row's place: its owner's, the group of children, the row."""
        return (*self.parent(row).order_key, self._group, row)

    def _count_elements(self, element: RowElement, wanted: str | None) -> Iterator[Node]:
        for place, (name, value_of) in enumerate(self._counts):
            if wanted is not None and wanted != f"Q{{{DCG}}}{name}":
                continue
            value = value_of(element.row)
            if value is not None:
                key = (*element.order_key, _COUNTS, place)
                yield FixedElement(element, key, name, content=str(value))


class Contexts(Shape):
    """The contexts: those called from a context are inside it.

    A subtree is an interval of keys, so parents, children and descendants are arithmetic.
    """

    is_nested = True

    def __init__(
        self, table: TableReader, element: Element, counts: Counts, owner: Shape, root: Node
    ) -> None:
        group = _CALLED
        super().__init__(table, element, counts=counts, owner=owner, root=root, group=group)
        self._parents = table.column("parent_id")
        self._sizes = table.column("size")
        self._siblings: dict[int, array[int]] = {}  # of each parent that was asked for
        self._threads = table.column("thread_id")
        self._roots = owner.table.column("root_context_id")

    def parent(self, row: int) -> Node:
        """Returns the calling context, or the thread of a tree's root."""
        parent = self._parents[row]
        return super().parent(row) if parent is None else RowElement(self, parent)

    def children(self, element: RowElement) -> Iterator[Node]:
        """Returns counts, blocks and the like, then the contexts called from this one."""
        return chain(super().children(element), self._elements_called(element.row))

    def named_children(self, element: RowElement, tag: str) -> Iterator[Node]:
        """Returns the children of a name."""
        if tag == self.tag:
            return self._elements_called(element.row)
        return super().named_children(element, tag)

    def of(self, owner: RowElement) -> Iterator[Node]:
        """Returns the root of a thread's tree."""
        yield RowElement(self, self._roots[owner.row])

    def below(self, row: int) -> range:
        """Returns the contexts of the subtree without its root."""
        return range(row + 1, row + self._sizes[row])

    def sibling_position(self, row: int) -> int:
        """Returns the position, from 1, among the contexts called from the same one."""
        parent = self._parents[row]
        if parent is None:
            return 1
        siblings = self._siblings.get(parent)
        if siblings is None:
            if len(self._siblings) == _MOST_SIBLINGS:
                self._siblings.clear()
            siblings = self._siblings[parent] = array("i", self._called(parent))
        return bisect_left(siblings, row) + 1

    def order_key(self, row: int) -> tuple[Any, ...]:
        """Returns the thread's place and the key: keys are in pre-order, at any depth."""
        thread = RowElement(self._owner, self._threads[row]) if self._owner else self._root
        return (*thread.order_key, self._group, row)

    def _elements_called(self, row: int) -> Iterator[Node]:
        return (RowElement(self, child) for child in self._called(row))

    def _called(self, row: int) -> Iterator[int]:
        child, limit = row + 1, row + self._sizes[row]
        while child < limit:
            yield child
            child += self._sizes[child]


class Interfaces:
    """The direct superinterfaces of a class, a list in its row."""

    def __init__(self, classes: Shape) -> None:
        self.tag = f"Q{{{DCG}}}interface"
        self._classes = classes
        self._lists = classes.table.column("interface_ids")

    def of(self, owner: RowElement) -> Iterator[FixedElement]:
        """Returns an element for each interface, in the order of the class file."""
        return (self._element(owner, place) for place in range(len(self._lists[owner.row])))

    def at(self, keys: tuple[int, ...]) -> FixedElement:
        """Returns the element of a class's row and a place in its list."""
        row, place = keys
        return self._element(RowElement(self._classes, row), place)

    def all(self) -> Iterator[FixedElement]:
        """Returns the elements of every class, in document order."""
        rows = range(self._classes.table.n_rows)
        return chain.from_iterable(self.of(RowElement(self._classes, row)) for row in rows)

    def _element(self, owner: RowElement, place: int) -> FixedElement:
        key = (*owner.order_key, _INTERFACES, place)
        class_id = self._lists[owner.row][place]
        return FixedElement(owner, key, "interface", {"ref": str(class_id)})


def _reader(table: TableReader, attribute: Attribute) -> Callable[[int], str | None]:
    column = table.column(attribute.column)
    if attribute.kind == "flag":
        return lambda row: "true" if column[row] else None
    if attribute.kind in {"integer", "long"}:

        def number(row: int) -> str | None:
            value = column[row]
            return None if value is None else str(value)

        return number
    return column.__getitem__

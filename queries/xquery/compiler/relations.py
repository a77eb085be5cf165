"""The virtual documents as relations: which table an element's rows are, and what its parts are."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from jvmscope.queries.records import Record, record
from jvmscope.queries.xquery.row_numbers import ROW_NUMBER
from jvmscope.schema.xml.vocabulary import SUMMED_COUNTS, elements, tables_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.schema.xml.vocabulary import Element

__all__ = ["DOCUMENTS", "Document", "Leaf", "Relation", "documents"]

DOCUMENTS = ("classes", "cct")


@record
class Leaf(Record):
    """An attribute or a count element: a column, and what it holds.

    ``kind`` is ``integer`` (at most 2^31), ``long``, ``text``, ``word`` or ``flag`` (true, or
    absent). ``is_required`` says that every row has it.
    """

    name: str
    column: str
    kind: str
    is_required: bool


@dataclass(eq=False)
class Relation:
    """The elements of one kind in one document.

    Attributes:
        document: ``classes`` or ``cct``.
        element: the local name.
        table: the table that has a row for each.
        key: the table's dense key, or None.
        order: the columns that identify a row, and sort the rows into document order.
        owner: the elements that hold these, or None: the root does.
        owner_column: the column with the owner's key.
        attributes: by name.
        counts: by name.
        parts: the elements in these, by local name.
        is_nested: elements of the kind hold each other: contexts.
        is_list: the rows are the entries of a list in the owner's table.
    """

    document: str
    element: str
    table: str
    key: str | None
    order: tuple[str, ...]
    owner: Relation | None
    owner_column: str | None
    attributes: Mapping[str, Leaf]
    counts: Mapping[str, Leaf]
    parts: dict[str, Relation] = field(default_factory=dict)
    is_nested: bool = False
    is_list: bool = False

    def way_to(self, other: Relation) -> list[Relation] | None:
        """Returns the relations from a part of this one down to another, or None.

        >>> classes = documents()["classes"]
        >>> way = classes.elements["class"].way_to(classes.elements["instruction"])
        >>> [relation.element for relation in way or ()]
        ['method', 'basicBlock', 'instruction']
        """
        way: list[Relation] = []
        step: Relation | None = other
        while step is not None and step is not self:
            way.append(step)
            step = step.owner
        return way[::-1] if step is self else None


@record
class Document(Record):
    """A virtual document: its elements that are rows, and those of them that the root holds."""

    name: str
    elements: Mapping[str, Relation]
    top: Mapping[str, Relation]


@cache
def documents() -> Mapping[str, Document]:
    """Returns both documents by name."""
    return {name: _document(name, tables_in(name)) for name in DOCUMENTS}


def _document(name: str, tables: tuple[str, ...]) -> Document:
    by_table: dict[str, Relation] = {}
    for table in tables:
        element = elements()[table]
        owner = by_table.get(element.within)
        relation = _relation(name, element, owner)
        by_table[table] = relation
        if owner is not None:
            owner.parts[relation.element] = relation
    if "class" in by_table:
        by_table["interface"] = _interfaces(name, by_table["class"])
    return Document(
        name,
        {relation.element: relation for relation in by_table.values()},
        {r.element: r for r in by_table.values() if r.owner is None},
    )


def _interfaces(document: str, owner: Relation) -> Relation:
    """Returns the direct superinterfaces of the classes, which have no table of their own."""
    relation = Relation(
        document=document,
        element="interface",
        table="interface",
        key=None,
        order=("class_id", "place"),
        owner=owner,
        owner_column="class_id",
        attributes={"ref": Leaf("ref", "interface_id", "integer", is_required=True)},
        counts={},
        is_list=True,
    )
    owner.parts[relation.element] = relation
    return relation


def _relation(document: str, element: Element, owner: Relation | None) -> Relation:
    is_nested = element.table == "context"
    attributes = {
        attribute.name: Leaf(
            attribute.name, attribute.column, attribute.kind, attribute.is_required
        )
        for attribute in element.attributes
        if not (is_nested and attribute.name == "parent")
    }
    counts = {name: Leaf(name, column, "long", is_required=True) for name, column in element.counts}
    summed = SUMMED_COUNTS.get(element.table, ())
    counts |= {name: Leaf(name, name, "long", is_required=False) for name in summed}
    key = f"{element.table}_id" if element.has_key else None
    return Relation(
        document=document,
        element=element.name,
        table=element.table,
        key=key,
        order=(key or ROW_NUMBER,),
        owner=owner,
        owner_column=element.owner,
        attributes=attributes,
        counts=counts,
        is_nested=is_nested,
    )

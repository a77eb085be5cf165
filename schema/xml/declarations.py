"""The part of the XML Schema that follows from the tables: what contexts and threads hold."""

from __future__ import annotations

from jvmscope.schema.definitions import facts_of, tables
from jvmscope.schema.xml.vocabulary import elements

__all__ = ["fact_declarations"]

_TYPES = {"integer": "dcg:number", "long": "dcg:count", "text": "dcg:text", "flag": "dcg:flag"}
_COUNTS = {False: "count", True: "positiveCount"}


def fact_declarations(holder: str) -> str:
    """Returns the declarations of the elements of the tables of facts of another, in their order.

    >>> fact_declarations("thread").splitlines()[0].strip()
    '<xs:element name="callOrder" minOccurs="0" maxOccurs="unbounded">'
    """
    return "".join(f"      {line}\n" for table in facts_of(holder) for line in _declaration(table))


def _declaration(table: str) -> list[str]:
    element, definition = elements()[table], tables()[table]
    owner = definition.owner.name if definition.owner else None
    occurs = "" if definition.key == (owner,) else ' maxOccurs="unbounded"'
    positive = {column.name for column in definition.columns if column.is_positive}
    counts = [
        f'<xs:element name="{name}" type="dcg:{_COUNTS[column in positive]}"/>'
        for name, column in element.counts
    ]
    sequence = ["<xs:sequence>", *(f"  {count}" for count in counts), "</xs:sequence>"]
    sequence = sequence if counts else []
    attributes = [
        f'<xs:attribute name="{attribute.name}" type="{_TYPES[attribute.kind]}"'
        f"{_use(attribute.kind, is_required=attribute.is_required)}/>"
        for attribute in element.attributes
    ]
    return [
        f'<xs:element name="{element.name}" minOccurs="0"{occurs}>',
        "  <xs:complexType>",
        *(f"    {line}" for line in sequence),
        *(f"    {attribute}" for attribute in attributes),
        "  </xs:complexType>",
        "</xs:element>",
    ]


def _use(kind: str, *, is_required: bool) -> str:
    if kind == "flag":
        return ' default="false"'
    return ' use="required"' if is_required else ""

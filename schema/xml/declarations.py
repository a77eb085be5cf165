"""The part of the XML Schema that follows from the tables: what contexts, threads and code hold."""

from __future__ import annotations

from jvmscope.schema.definitions import facts_of, tables, tables_within
from jvmscope.schema.xml.vocabulary import SUMMED_COUNTS, elements

__all__ = ["fact_declarations", "part_declarations"]

_TYPES = {"integer": "dcg:number", "long": "dcg:count", "text": "dcg:text", "flag": "dcg:flag"}
_COUNTS = {False: "count", True: "positiveCount"}
_NAMED = frozenset({"class", *SUMMED_COUNTS})  # the schema has a type of their own by hand


def fact_declarations(holder: str) -> str:
    """Returns the declarations of the elements of the tables of facts of another, in their order.

    >>> fact_declarations("thread").splitlines()[0].strip()
    '<xs:element name="callOrder" minOccurs="0" maxOccurs="unbounded">'
    """
    return _lines(facts_of(holder))


def part_declarations(holder: str) -> str:
    """Returns the declarations of all elements that those of a table, or a document, hold.

    >>> part_declarations("class").splitlines()[-1].strip()
    '<xs:element name="method" type="dcg:method" minOccurs="0" maxOccurs="unbounded"/>'
    """
    return _lines(tables_within(holder))


def _lines(names: tuple[str, ...]) -> str:
    return "".join(f"      {line}\n" for table in names for line in _declaration(table))


def _declaration(table: str) -> list[str]:
    element, definition = elements()[table], tables()[table]
    owner = definition.owner.name if definition.owner else None
    occurs = "" if definition.key == (owner,) else ' maxOccurs="unbounded"'
    if table in _NAMED:
        return [
            f'<xs:element name="{element.name}" type="dcg:{element.name}" minOccurs="0"{occurs}/>'
        ]
    positive = {column.name for column in definition.columns if column.is_positive}
    held = [
        f'<xs:element name="{name}" type="dcg:{_COUNTS[column in positive]}"/>'
        for name, column in element.counts
    ]
    held += [line for part in tables_within(table) for line in _declaration(part)]
    sequence = ["<xs:sequence>", *(f"  {line}" for line in held), "</xs:sequence>"] if held else []
    sql_types = {column.name: column.sql_type for column in definition.columns}
    attributes = [
        f'<xs:attribute name="{attribute.name}" '
        f'type="{_TYPES.get(attribute.kind) or _word_type(sql_types[attribute.column])}"'
        f"{_use(attribute.kind, is_required=attribute.is_required)}/>"
        for attribute in element.attributes
    ]
    return [
        f'<xs:element name="{element.name}" minOccurs="0"{occurs}>',
        "  <xs:complexType>",
        *(f"    {line}" for line in sequence),
        *(f"    {line}" for line in attributes),
        "  </xs:complexType>",
        "</xs:element>",
    ]


def _word_type(words: str) -> str:
    """Returns the type of a set of words.

    >>> _word_type("thread_kind")
    'dcg:threadKind'
    """
    first, *others = words.split("_")
    return f"dcg:{first}{''.join(map(str.title, others))}"


def _use(kind: str, *, is_required: bool) -> str:
    if kind == "flag":
        return ' default="false"'
    return ' use="required"' if is_required else ""

"""The mapping is said four times, in the tables, the code, the schema and the docs: all agree."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
from lxml import etree

from jvmscope.schema import tables, word_sets
from jvmscope.schema.definitions import sums
from jvmscope.schema.xml.vocabulary import Element, elements, tables_in

XS = "{http://www.w3.org/2001/XMLSchema}"
DOCS = Path(__file__).parents[4] / "docs" / "xml-view.md"
TYPES = {"integer": "dcg:number", "long": "dcg:count", "text": "dcg:text", "flag": "dcg:flag"}


def schema(name: str) -> etree._Element:
    """Returns the root of a schema file."""
    path = resources.files("jvmscope.schema.xml") / "xsd" / f"{name}.xsd"
    return etree.parse(str(path)).getroot()


def definition(table: str) -> etree._Element:
    """Returns the complex type of a table's element."""
    name = elements()[table].name
    root = schema("classes" if table in tables_in("classes") else "cct")
    named = root.find(f"{XS}complexType[@name='{name}']")
    if named is None:
        named = root.find(f".//{XS}element[@name='{name}']/{XS}complexType")
    assert named is not None
    return named


def test_every_table_has_a_form() -> None:
    """A table stands in one of the documents, or sums others; an export would lose another."""
    assert sorted([*tables_in("classes"), *tables_in("cct"), *sums()]) == sorted(tables())


@pytest.mark.parametrize("element", elements().values(), ids=lambda element: element.table)
def test_every_column_has_a_form(element: Element) -> None:
    """Each column is an attribute, a count, said by the enclosing element, or a list."""
    written = {a.column for a in element.attributes} | {column for _, column in element.counts}
    names = {column.name for column in tables()[element.table].columns}
    assert names - written - {element.owner} <= {"interface_ids"}


@pytest.mark.parametrize("element", elements().values(), ids=lambda element: element.table)
def test_schema_agrees(element: Element) -> None:
    """The schema has the same attributes with the same types, and the same counts."""
    found = definition(element.table)
    attributes = {a.get("name"): a for a in found.findall(f"{XS}attribute")}
    assert list(attributes) == [attribute.name for attribute in element.attributes]
    for attribute in element.attributes:
        declared = attributes[attribute.name]
        assert (declared.get("use") == "required") == attribute.is_required
        assert (declared.get("default") == "false") == (attribute.kind == "flag")
        if attribute.kind != "word":
            assert declared.get("type") == TYPES[attribute.kind]
    counts = [e.get("name") for e in found.findall(f"{XS}sequence/{XS}element[@type]")]
    assert [name for name, _ in element.counts] == [n for n in counts if n in dict(element.counts)]


@pytest.mark.parametrize("words", ["opcode", "coverage", "thread_kind", "hash_kind"])
def test_schema_has_the_words(words: str) -> None:
    """The schema has the words of the tables."""
    name = words.replace("_kind", "Kind")
    found = schema("types").findall(f"{XS}simpleType[@name='{name}']//{XS}enumeration")
    assert tuple(value.get("value") for value in found) == word_sets()[words].words


@pytest.mark.parametrize("element", elements().values(), ids=lambda element: element.table)
def test_docs_agree(element: Element) -> None:
    """The docs list each table's element, attributes and counts."""
    attributes = ", ".join(
        f"`{attribute.name}`{'' if attribute.is_required else '?'}"
        for attribute in element.attributes
    )
    counts = ", ".join(f"`{name}`" for name, _ in element.counts) or "none"
    row = f"| `{element.table}` | `dcg:{element.name}` | {attributes} | {counts} |"
    assert row in DOCS.read_text(encoding="utf-8").splitlines()

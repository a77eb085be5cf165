"""lxml documents as trees, compared with what our own parser makes of the same text."""

from __future__ import annotations

import pytest
from lxml import etree

from jvmscope.queries.xquery.trees import Kind, Node, from_lxml, parse_document

TEXTS = [
    "<a/>",
    "<!--x--><?p i?><a>t<!--c-->u<?q?>v</a><!--y-->",
    '<a xmlns="urn:d" xmlns:p="urn:p" p:k="1" k="2"><p:b/>t<c xmlns=""><d/></c>u</a>',
    "<a><b>1<c/>2</b>3<b/>4</a>",
]


def _facts(node: Node) -> object:
    attributes = [(str(a.name), a.tag, a.string_value) for a in node.attributes()]
    value = node.string_value if node.kind > Kind.ATTRIBUTE else None
    children = [_facts(child) for child in node.children()]
    namespaces = dict(node.in_scope_namespaces())
    return node.kind, str(node.name), node.tag, namespaces, attributes, value, children


@pytest.mark.parametrize("text", TEXTS)
def test_a_document_of_lxml_is_the_same_tree(text: str) -> None:
    document = etree.fromstring(text).getroottree()
    assert _facts(from_lxml(document)) == _facts(parse_document(text))


def test_an_element_of_lxml_is_a_tree_of_its_own() -> None:
    element = etree.fromstring("<a><b>1</b>tail</a>")[0]
    node = from_lxml(element)
    assert (node.kind, node.string_value, node.parent) == (Kind.ELEMENT, "1", None)

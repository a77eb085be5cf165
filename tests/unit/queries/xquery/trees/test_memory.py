"""Trees in memory: axes, order, values, at any depth."""

from __future__ import annotations

import random

import pytest

from jvmscope.queries.xquery.trees import Kind, Node, XmlError, parse_document, parse_fragment
from jvmscope.queries.xquery.trees.order import (
    except_nodes,
    intersect_nodes,
    sort_distinct,
    union_nodes,
)

XML = """<?xml version="1.0"?>
<!DOCTYPE r [<!-- no node --><!ATTLIST a id ID #IMPLIED r IDREFS #IMPLIED>]>
<!--before--><r xmlns="urn:d" xmlns:p="urn:p"><p:a id="x" r="x y">one<b/>two</p:a><?t d?>
<a xmlns="" p:k="v">three</a></r><!--after-->"""


def _all(node: Node) -> list[Node]:
    found = [node]
    for child in node.children():
        found += _all(child)
    return found


@pytest.fixture
def document() -> Node:
    return parse_document(XML, "http://example.org/d.xml")


def test_the_nodes_of_a_document(document: Node) -> None:
    shown = [(node.kind, str(node.name or ""), node.string_value) for node in _all(document)]
    assert shown == [
        (Kind.DOCUMENT, "", "onetwo\nthree"),
        (Kind.COMMENT, "", "before"),
        (Kind.ELEMENT, "r", "onetwo\nthree"),
        (Kind.ELEMENT, "p:a", "onetwo"),
        (Kind.TEXT, "", "one"),
        (Kind.ELEMENT, "b", ""),
        (Kind.TEXT, "", "two"),
        (Kind.PROCESSING_INSTRUCTION, "t", "d"),
        (Kind.TEXT, "", "\n"),
        (Kind.ELEMENT, "a", "three"),
        (Kind.TEXT, "", "three"),
        (Kind.COMMENT, "", "after"),
    ]


def test_every_axis_agrees_with_its_definition(document: Node) -> None:
    nodes = _all(document)
    for at, node in enumerate(nodes):
        below = _all(node)[1:]
        above = list(node.ancestors())
        assert list(node.descendants()) == below
        assert list(node.following()) == nodes[at + 1 + len(below) :]
        assert list(node.preceding()) == [n for n in reversed(nodes[:at]) if n not in above]
        siblings = list(node.parent.children()) if node.parent else [node]
        own = siblings.index(node)
        assert list(node.following_siblings()) == siblings[own + 1 :]
        assert list(node.preceding_siblings()) == siblings[:own][::-1]
        generic = [Node.following(node), Node.preceding(node), Node.descendants(node)]
        assert [list(axis) for axis in generic] == [
            list(node.following()),
            list(node.preceding()),
            below,
        ]


def test_attributes_stand_between_their_element_and_its_children(document: Node) -> None:
    element = next(iter(document.named_descendants("Q{urn:p}a")))
    key, reference = element.attributes()
    child = next(iter(element.children()))
    assert sort_distinct([child, reference, key, element, key]) == [element, key, reference, child]
    assert list(key.following()) == list(Node.following(key))
    assert list(key.preceding()) == list(Node.preceding(key))
    assert list(key.following_siblings()) == []


def test_what_a_dtd_says_of_attributes() -> None:
    text = (
        "<!DOCTYPE a [<!ATTLIST a id ID #IMPLIED r IDREFS #IMPLIED>]><a id='x' r='y' xml:id='z'/>"
    )
    (element,) = parse_document(text).children()
    assert [(a.is_id, a.is_idref) for a in element.attributes()] == [
        (True, False),
        (False, True),
        (True, False),
    ]


def test_namespaces_come_and_go(document: Node) -> None:
    (outer,) = document.named_descendants("Q{urn:d}r")
    (inner,) = document.named_descendants("Q{}a")
    xml = {"xml": "http://www.w3.org/XML/1998/namespace"}
    assert outer.in_scope_namespaces() == {"": "urn:d", "p": "urn:p", **xml}
    assert inner.in_scope_namespaces() == {"p": "urn:p", **xml}
    attribute = inner.attribute("Q{urn:p}k")
    assert attribute is not None
    assert (attribute.string_value, attribute.parent) == ("v", inner)
    assert inner.attribute("Q{}k") is None


def test_base_uris_follow_xml_base() -> None:
    text = '<a xml:base="b/"><c xml:base="d/e"><f/></c></a>'
    document = parse_document(text, "http://example.org/x/y")
    found = {str(node.name): node.base_uri for node in document.descendants()}
    assert found == {
        "a": "http://example.org/x/b/",
        "c": "http://example.org/x/b/d/e",
        "f": "http://example.org/x/b/d/e",
    }
    assert document.document_uri == "http://example.org/x/y"


def test_depth_has_no_bound() -> None:
    depth = 100_000
    document = parse_document("<a>" * depth + "x" + "</a>" * depth)
    nodes = list(document.descendants())
    assert len(nodes) == depth + 1
    assert len(list(nodes[-1].ancestors())) == depth + 1
    assert document.string_value == "x"
    assert nodes[-1].base_uri is None


def test_sets_of_nodes_of_several_trees() -> None:
    first, second = (parse_document("<a><b/><c/></a>") for _ in range(2))
    nodes = [*_all(first), *_all(second)]
    shuffled = random.Random(1).sample(nodes * 2, 2 * len(nodes))  # noqa: S311 - no secret
    assert sort_distinct(shuffled) == nodes
    assert union_nodes(nodes[4:], nodes[:5]) == nodes
    assert intersect_nodes(shuffled, nodes[2:5]) == nodes[2:5]
    assert except_nodes(shuffled, nodes[2:]) == nodes[:2]


@pytest.mark.parametrize(
    "text", ["", "<a>", "<a></b>", "<a/><b/>", "<p:a/>", "text", "<a b='1' b='2'/>", b"\xff\xfe"]
)
def test_ill_formed_documents_are_refused(text: str | bytes) -> None:
    with pytest.raises(XmlError):
        parse_document(text)


def test_fragments_may_have_several_elements() -> None:
    document = parse_fragment("<?xml version='1.0' encoding='utf-8'?>a<b/><!--c--><d/>")
    kinds = [child.kind for child in document.children()]
    assert kinds == [Kind.TEXT, Kind.ELEMENT, Kind.COMMENT, Kind.ELEMENT]
    assert list(parse_fragment("").children()) == []


@pytest.mark.parametrize(
    "text", ["<a>", "</fragment><fragment>", "<!DOCTYPE a><a/>", "<?xml version='1.0'?><a/>"]
)
def test_ill_formed_fragments_are_refused(text: str) -> None:
    with pytest.raises(XmlError):
        parse_fragment(text)


def test_nothing_that_a_document_refers_to_is_opened(tmp_path: object) -> None:
    text = f'<!DOCTYPE a [<!ENTITY e SYSTEM "file://{tmp_path}/secret">]><a>&e;</a>'
    assert parse_document(text).string_value == ""


def test_entities_cannot_explode() -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    with pytest.raises(XmlError):
        parse_document(f'<!DOCTYPE a [<!ENTITY e0 "xxxxxxxxxx">{levels}]><a>&e11;</a>')

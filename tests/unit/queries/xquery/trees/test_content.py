"""Constructed content: text, attributes, and which namespaces an element ends up with."""

from __future__ import annotations

import pytest

from jvmscope.queries.xquery.syntax.expanded_names import XML, Name
from jvmscope.queries.xquery.trees import ContentBuilder, ContentError, Kind, Node, parse_document
from jvmscope.queries.xquery.trees.memory import NO_NAMESPACES

A, B = Name("a", "", ""), Name("b", "", "")
PA = Name("a", "p", "urn:p")


def _element(builder: ContentBuilder, name: Name = A, **declared: str) -> None:
    builder.start_element(name, {**NO_NAMESPACES, **declared}, dict(declared))


def _namespaces(node: Node) -> dict[str, str]:
    return {p: uri for p, uri in node.in_scope_namespaces().items() if uri != XML}


def test_atomic_values_are_joined_by_spaces_within_an_expression_only() -> None:
    builder = ContentBuilder()
    _element(builder)
    builder.atomic("1")
    builder.atomic("2")
    builder.part()
    builder.atomic("3")
    builder.characters("x")
    builder.atomic("4")
    builder.end_element()
    (text,) = builder.finish().children()
    assert text.string_value == "1 23x4"


def test_an_empty_text_leaves_no_node_and_no_content() -> None:
    builder = ContentBuilder()
    _element(builder)
    builder.atomic("")
    builder.attribute(B, "1")
    builder.end_element()
    element = builder.finish()
    assert list(element.children()) == []
    assert [a.string_value for a in element.attributes()] == ["1"]


@pytest.mark.parametrize(
    ("code", "build"),
    [
        ("XQTY0024", lambda b: (b.characters("x"), b.attribute(B, ""))),
        ("XQTY0024", lambda b: (b.comment("x"), b.namespace("q", "urn:q"))),
        ("XQDY0025", lambda b: (b.attribute(B, ""), b.attribute(B, ""))),
        ("XQDY0102", lambda b: (b.namespace("q", "urn:1"), b.namespace("q", "urn:2"))),
        ("XQDY0102", lambda b: b.namespace("", "urn:1")),
    ],
)
def test_what_content_cannot_be(code: str, build: object) -> None:
    builder = ContentBuilder()
    _element(builder)
    with pytest.raises(ContentError) as raised:
        build(builder)  # type: ignore[operator]
    assert raised.value.code == code


def test_an_attribute_has_no_place_in_a_document() -> None:
    builder = ContentBuilder()
    builder.start_document()
    with pytest.raises(ContentError) as raised:
        builder.attribute(B, "")
    assert raised.value.code == "XPTY0004"


def test_a_name_declares_its_own_prefix() -> None:
    builder = ContentBuilder()
    builder.start_element(PA, NO_NAMESPACES, {})
    builder.attribute(Name("k", "q", "urn:q"), "1")
    builder.attribute(Name("k", "", "urn:r"), "2")
    builder.attribute(Name("k", "p", "urn:s"), "3")
    builder.end_element()
    element = builder.finish()
    names = [attribute.name for attribute in element.attributes()]
    namespaces = _namespaces(element)
    assert namespaces["p"] == "urn:p"
    assert [namespaces[name.prefix or ""] for name in names if name] == ["urn:q", "urn:r", "urn:s"]


def test_a_namespace_node_may_force_another_prefix_on_the_element() -> None:
    builder = ContentBuilder()
    builder.start_element(PA, NO_NAMESPACES, {})
    builder.namespace("p", "urn:other")
    builder.end_element()
    element = builder.finish()
    assert element.name is not None
    assert element.name.uri == "urn:p"
    assert element.name.prefix != "p"
    assert _namespaces(element) == {"p": "urn:other", element.name.prefix: "urn:p"}


SOURCE = '<o xmlns:u="urn:u" xmlns="urn:d"><i u:k="1"><j/></i></o>'


def _copied(*, preserves: bool, inherits: bool) -> tuple[Node, Node]:
    source = next(iter(parse_document(SOURCE).named_descendants("Q{urn:d}i")))
    builder = ContentBuilder(preserves=preserves, inherits=inherits)
    builder.start_element(Name("n", "n", "urn:n"), {**NO_NAMESPACES, "n": "urn:n"}, {})
    builder.copy(source)
    builder.end_element()
    (copy,) = builder.finish().children()
    (inner,) = copy.children()
    return copy, inner


@pytest.mark.parametrize(
    ("preserves", "inherits", "outer", "inner"),
    [
        (True, True, {"u", "", "n"}, {"u", "", "n"}),
        (True, False, {"u", ""}, {"u", ""}),
        (False, True, {"u", "", "n"}, {"", "n"}),
        (False, False, {"u", ""}, {""}),
    ],
)
def test_copies_keep_and_inherit_namespaces(
    *, preserves: bool, inherits: bool, outer: set[str], inner: set[str]
) -> None:
    copy, below = _copied(preserves=preserves, inherits=inherits)
    assert set(_namespaces(copy)) == outer
    assert set(_namespaces(below)) == inner


def test_no_default_namespace_reaches_an_element_in_none() -> None:
    source = next(iter(parse_document("<a><b/></a>").children()))
    builder = ContentBuilder()
    builder.start_element(Name("d", "", "urn:d"), NO_NAMESPACES, {"": "urn:d"})
    builder.copy(source)
    builder.end_element()
    element = builder.finish()
    assert _namespaces(element) == {"": "urn:d"}
    assert all(_namespaces(node) == {} for node in element.descendants())


def test_a_copy_is_another_node() -> None:
    source = parse_document("<a><!--c--><?p i?>t</a>")
    builder = ContentBuilder()
    builder.start_document()
    builder.copy(source)
    copy = builder.end_document()
    assert copy != source
    (element,) = copy.children()
    kinds = [child.kind for child in element.children()]
    assert kinds == [Kind.COMMENT, Kind.PROCESSING_INSTRUCTION, Kind.TEXT]

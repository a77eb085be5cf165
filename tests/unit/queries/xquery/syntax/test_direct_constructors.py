"""What the text in direct constructors becomes (XQuery 3.1, section 3.9.1)."""

from __future__ import annotations

import pytest

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.parser import parse


def _element(query: str) -> ast.DirectElement:
    body = parse(query).body
    assert isinstance(body, ast.DirectElement)
    return body


def _content(query: str) -> list[str]:
    return [part if isinstance(part, str) else "…" for part in _element(query).content]


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("<a> </a>", []),
        ("<a> {1} </a>", ["…"]),
        ("<a> {1} b </a>", ["…", " b "]),
        ("<a>{1} {2}</a>", ["…", "…"]),
        ("<a> &#x20; </a>", ["   "]),
        ("<a> <![CDATA[]]> </a>", ["  "]),
        ("<a> <!--c--> </a>", ["…"]),
        ("<a> {{ </a>", [" { "]),
        ("<a>b&amp;<![CDATA[<c>]]>}}d</a>", ["b&<c>}d"]),
        ("<a> <b/> <c/> </a>", ["…", "…"]),
        ("<a>{}</a>", ["…"]),
        ("declare boundary-space preserve; <a> {1} </a>", [" ", "…", " "]),
        ("declare boundary-space strip; <a> {1} </a>", ["…"]),
    ],
)
def test_boundary_space(query: str, content: list[str]) -> None:
    assert _content(query) == content


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ('""', []),
        ('"a\tb\nc"', ["a b c"]),
        ('"a&#x9;b"', ["a\tb"]),
        ('"a""b\'"', ["a\"b'"]),
        ("'{1}'", ["…"]),
        ('" {1} x"', [" ", "…", " x"]),
        ('"{{{1}}}"', ["{", "…", "}"]),
    ],
)
def test_attribute_values(value: str, parts: list[str]) -> None:
    (attribute,) = _element(f"<a b={value}/>").attributes

    assert [part if isinstance(part, str) else "…" for part in attribute.parts] == parts


def test_namespaces_are_no_attributes() -> None:
    element = _element('<a xmlns="u" b="1" xmlns:p=" v  w "/>')

    assert element.namespaces == (("", "u"), ("p", "v w"))
    assert [str(attribute.name) for attribute in element.attributes] == ["b"]


def test_a_string_constructor_keeps_its_text() -> None:
    body = parse("``[a{ `{1}``{}`]\n]``").body

    assert isinstance(body, ast.StringConstructor)
    texts = [part if isinstance(part, str) else bool(part) for part in body.parts]
    assert texts == ["a{ ", True, False, "]\n"]

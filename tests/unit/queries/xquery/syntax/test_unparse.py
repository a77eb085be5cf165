"""Syntax written as text parses to the same syntax."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cases import read_cases
from support.syntax import shape

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.unparse import unparse

_ACCEPTED = read_cases(Path(__file__).with_name("accepted.txt"))


@pytest.mark.parametrize("query", _ACCEPTED)
def test_round_trip(query: str) -> None:
    module = parse(query)

    assert shape(parse(unparse(module))) == shape(module)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("1+1", "1 + 1"),
        ("a | b", "a | b"),
        ("--1", "+1"),
        ("-1", "-1"),
        ("/a//b[ 1 ]", "/a//b[1]"),
        ("'a'", '"a"'),
        ("<a  b='{ 1 }'> c </a>", '<a b="{ 1 }"> c </a>'),
        ("<a>{ ' ' }</a>", '<a>{ " " }</a>'),
        ("<a>&#x20;</a>", "<a>&#x20;</a>"),
        ("declare variable $a:=1;$a", "declare variable $a := 1;\n$a"),
        ("map{'a':1}", 'map { "a" : 1 }'),
        ("f( ? ,1)", "f(?, 1)"),
    ],
)
def test_texts(query: str, text: str) -> None:
    assert unparse(parse(query)) == text


def test_parentheses_come_where_they_are_needed() -> None:
    one = ast.Literal(at=0, end=0, value=1)
    total = ast.Arithmetic(at=0, end=0, operator="+", left=one, right=one)
    product = ast.Arithmetic(at=0, end=0, operator="*", left=total, right=total)
    several = ast.Sequence(at=0, end=0, items=(product, one))
    call = ast.Predicate(at=0, end=0, base=several, predicate=several)

    assert unparse(call) == "((1 + 1) * (1 + 1), 1)[(1 + 1) * (1 + 1), 1]"

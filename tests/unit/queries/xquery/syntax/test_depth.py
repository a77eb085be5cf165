"""Queries that nest deep are parsed, and too deep refused; the stack never overflows."""

from __future__ import annotations

import sys

import pytest

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.analysis import analyse
from jvmscope.queries.xquery.syntax.depth import MAX_DEPTH, deep_stack
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.unparse import unparse
from jvmscope.queries.xquery.syntax.walk import height

_DEEP = MAX_DEPTH // 2 - 10
_NESTS = [
    ("(", "1", ")"),
    ("<a>", "", "</a>"),
    ("<a>{", "1", "}</a>"),
    ("fn:count(", "1", ")"),
    ("[", "1", "]"),
    ("map { 1 : ", "1", "}"),
    ("", "1", " + 1"),
    ("", "1", " ! 1"),
    ("", "1", " => fn:count()"),
    ("", ".", "[1]"),
    ("", ".", "?a"),
    ("if (1) then ", "1", " else 1"),
    ("for $x in ", "1", " return 1"),
    ("let $x := 1 return ", "1", ""),
    ("function() {", "1", "}"),
    ("``[`{", "1", "}`]``"),
    ("1 instance of ", "item()", ""),
    ("try {", "1", "} catch * { 2 }"),
]


@pytest.mark.parametrize(("before", "middle", "after"), _NESTS[:-2])
def test_deep_queries_are_read(before: str, middle: str, after: str) -> None:
    module = parse(before * _DEEP + middle + after * _DEEP)

    analyse(module)
    assert parse(unparse(module)) is not None


@pytest.mark.parametrize(("before", "middle", "after"), _NESTS)
def test_too_deep_queries_are_refused(before: str, middle: str, after: str) -> None:
    n = 3 * MAX_DEPTH
    with pytest.raises(QueryError) as raised:
        parse(before * n + middle + after * n)

    assert raised.value.code in ("XPDY0130", "XPST0003")


def test_chains_on_each_level_are_refused() -> None:
    query = "1"
    for _ in range(20):
        query = f"({query})" + " + 1" * 500

    with pytest.raises(QueryError, match="XPDY0130"):
        parse(query)


def test_types_nest_too() -> None:
    n = MAX_DEPTH - 10
    parse("1 instance of " + "(" * n + "item()" + ")" * n)
    with pytest.raises(QueryError, match="XPDY0130"):
        parse("1 instance of " + "array(" * 2 * n + "item()" + ")" * 2 * n)


def test_long_lists_are_not_deep() -> None:
    module = parse("/".join(["a"] * 5000) + ", " + ", ".join(["1"] * 5000))

    assert height(module.body) < 10


def test_the_recursion_limit_comes_back() -> None:
    before = sys.getrecursionlimit()
    with deep_stack():
        with deep_stack():
            assert sys.getrecursionlimit() > before
        assert sys.getrecursionlimit() > before
    assert sys.getrecursionlimit() == before

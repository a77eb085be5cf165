"""The long axes from many nodes reach what they reach from each, and are walked once a tree."""

from __future__ import annotations

from itertools import product

import pytest
from support.evaluation import items

from jvmscope.queries.xquery.evaluator.covering import COVERING
from jvmscope.queries.xquery.trees.node import Node

_TREES = (
    "let $a := <r x='1'><a y='2'><b/><a><b z='3'/>text</a></a><b/><a/><!--c-->"
    "<a><a><b/></a></a></r>, $c := document { <s><a/><b><a w='4'/></b><b/></s> } return "
)
_STARTS = (
    "$a//a",
    "$a//b",
    "$a//@*",
    "($a//a, $a//@*)",
    "reverse($a//b)",
    "($a//a, $c//a, $a//b)",
    "($c//@*, $a/a)",
    "$a//a[2]",
    "$a//node()",
    "($a, $c)",
    "()",
)
_TESTS = (
    "node()",
    "*",
    "a",
    "b[1]",
    "a[last()]",
    "node()[parent::r]",
    "*[some $x in b satisfies $x]",
)


@pytest.mark.parametrize(("axis", "start"), list(product(COVERING, _STARTS)))
def test_what_is_reached(axis: str, start: str) -> None:
    for test in _TESTS:
        together = f"{start}/{axis}::{test}"
        one_by_one = f"(for $n in {start} return $n/{axis}::{test}) | ()"

        assert _shown(together) == _shown(one_by_one), together


def _shown(nodes: str) -> list[str]:
    return list(items(_TREES + "(" + nodes + ") ! concat(name(), path(), string())"))


@pytest.mark.parametrize("axis", ["following", "preceding"])
def test_one_start_a_tree(axis: str) -> None:
    starts = [n for n in items(f"{_TREES} ($a//node(), $c//node())") if isinstance(n, Node)]

    assert len(starts) > 10
    assert len(COVERING[axis](starts)) == 2


@pytest.mark.parametrize("axis", ["following-sibling", "preceding-sibling"])
def test_one_start_a_parent(axis: str) -> None:
    starts = [n for n in items(f"{_TREES} ($a/node(), $a/a/node())") if isinstance(n, Node)]

    assert len(COVERING[axis](starts)) == 3

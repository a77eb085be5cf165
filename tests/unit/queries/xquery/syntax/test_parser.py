"""What the parser accepts, what it refuses, and what it makes of the text."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from support.cases import Refused, read_cases, read_refused
from support.syntax import shape

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.walk import children

_HERE = Path(__file__).parent
_PAIRS = [
    tuple(part.strip() for part in line.split("=="))
    for line in (_HERE / "precedence.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("query", read_cases(_HERE / "accepted.txt"))
def test_accepts(query: str) -> None:
    parse(query)


@pytest.mark.parametrize("case", read_refused(_HERE / "refused.txt"), ids=lambda case: case.query)
def test_refuses(case: Refused) -> None:
    with pytest.raises(QueryError) as raised:
        parse(case.query)

    error = raised.value
    assert (error.code, error.line, error.column) == (case.code, case.line, case.column)
    assert case.words in str(error)


def test_what_xpath_lacks_is_not_misspelt() -> None:
    with pytest.raises(QueryError) as raised:
        parse("for $m in $methods order by 1 return 1", language="xpath")

    assert raised.value.hint is None


@pytest.mark.parametrize(("query", "explicit"), _PAIRS)
def test_precedence(query: str, explicit: str) -> None:
    found = shape(parse(query).body, with_parentheses=False)

    assert found == shape(parse(explicit).body, with_parentheses=False)


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("1", 1),
        ("1.", Decimal(1)),
        (".5", Decimal("0.5")),
        ("1e0", 1.0),
        ("1e400", float("inf")),
        ('"a""b"', 'a"b'),
        ("'a''b\"'", "a'b\""),
        ('"&lt;&#65;&#x1F600;"', "<A\U0001f600"),
        ('"a\r\nb\rc"', "a\nb\nc"),
        ('"&#xD;"', "\r"),
    ],
)
def test_literals(query: str, value: object) -> None:
    body = parse(query).body

    assert isinstance(body, ast.Literal)
    assert (type(body.value), body.value) == (type(value), value)


def test_xpath_has_no_references_in_strings() -> None:
    body = parse('"&lt;"', language="xpath").body

    assert isinstance(body, ast.Literal)
    assert body.value == "&lt;"


@pytest.mark.parametrize(
    "query",
    [
        "<a/>",
        "element a {}",
        "switch (1) case 1 return 2 default return 3",
        "typeswitch (1) case item() return 1 default return 2",
        "try { 1 } catch * { 2 }",
        "let $x as item() := 1 return 2",
        "for $x at $i in 1 return $i",
        "for $x in 1 let $y := 2 return 3",
        "declare variable $x := 1; $x",
        "``[a]``",
        "%a function() { 1 }",
        "ordered { 1 }",
    ],
)
def test_xpath_is_a_subset(query: str) -> None:
    parse(query)

    with pytest.raises(QueryError, match="XPST0003"):
        parse(query, language="xpath")


def test_namespace_axis_is_xpath_alone() -> None:
    step = parse("namespace::a", language="xpath").body

    assert isinstance(step, ast.AxisStep)
    assert step.axis == "namespace"


def test_places_are_those_of_the_text() -> None:
    query = "for $x in (1, f(2))[3]\nreturn <a b='{$x}'>{ $x/b + 1 }</a> => g()"
    shown = {}

    def visit(node: Any) -> None:
        if isinstance(node, ast.Expression):
            shown[type(node).__name__] = query[node.at : node.end]
        for child in children(node):
            visit(child)

    visit((parse(query).body,))
    assert shown == {
        "Flwor": query,
        "Predicate": "(1, f(2))[3]",
        "Parenthesized": "(1, f(2))",
        "Sequence": "1, f(2)",
        "FunctionCall": "f(2)",
        "Literal": "1",
        "ArrowCall": "<a b='{$x}'>{ $x/b + 1 }</a> => g()",
        "DirectElement": "<a b='{$x}'>{ $x/b + 1 }</a>",
        "Arithmetic": "$x/b + 1",
        "Path": "$x/b",
        "VariableReference": "$x",
        "AxisStep": "b",
    }


def test_a_double_slash_is_a_step() -> None:
    path = parse("//a").body

    assert isinstance(path, ast.Path)
    root, any_node, name = path.steps
    assert isinstance(root, ast.RootStep)
    assert isinstance(any_node, ast.AxisStep)
    assert any_node.axis == "descendant-or-self"
    assert isinstance(name, ast.AxisStep)
    assert name.axis == "child"


def test_names_keep_what_was_written() -> None:
    body = parse("p:a, b, Q{ urn:x  y }c").body

    assert isinstance(body, ast.Sequence)
    names = [step.test.name for step in body.items if isinstance(step, ast.AxisStep)]
    assert [(name.local, name.prefix, name.uri) for name in names if name] == [
        ("a", "p", None),
        ("b", "", None),
        ("c", None, "urn:x y"),
    ]


def test_each_binding_is_a_clause() -> None:
    body = parse("for $a in 1, $b in 2 let $c := 3, $d := 4 return 5").body

    assert isinstance(body, ast.Flwor)
    assert [type(clause).__name__ for clause in body.clauses] == [
        "ForClause",
        "ForClause",
        "LetClause",
        "LetClause",
    ]

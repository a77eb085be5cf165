"""What the analysis accepts, what it refuses, and how names and variables come out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cases import Refused, read_cases, read_refused

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.analysis import Program, StaticEnvironment, analyse
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import DCG, FN, FUNCTX, Name
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.source import Source
from jvmscope.queries.xquery.syntax.walk import children

_HERE = Path(__file__).parent
_LIBRARY = """module namespace m = "urn:m";
declare variable $m:v := 1; declare function m:f($a) { $a + $m:v };"""
_FIGURE_4 = """for $method in functx:distinct-nodes(
  for $bb in $methods/dcg:basicBlock
  order by $bb/dcg:executionCount/xs:long(.) descending
  return $bb/..)
return $method"""


def _modules(uri: str, _: tuple[str, ...]) -> tuple[Source, ...]:
    return (Source(_LIBRARY),) if uri == "urn:m" else ()


def _analyse(query: str, **settings: Any) -> Program:
    return analyse(parse(query), StaticEnvironment(modules=_modules, **settings))


def _all(node: Any, kind: type) -> list[Any]:
    found = [node] if isinstance(node, kind) else []
    for child in children(node):
        found += _all(child, kind)
    return found


@pytest.mark.parametrize("query", read_cases(_HERE / "accepted.txt"))
def test_accepts(query: str) -> None:
    program = _analyse(query)

    references = _all((program.main.body,), ast.VariableReference)
    assert all(reference.variable is not None for reference in references)


@pytest.mark.parametrize("case", read_refused(_HERE / "refused.txt"), ids=lambda case: case.query)
def test_refuses(case: Refused) -> None:
    with pytest.raises(QueryError) as raised:
        _analyse(case.query)

    error = raised.value
    assert (error.code, error.line, error.column) == (case.code, case.line, case.column)
    assert case.words in str(error)


def test_the_query_of_figure_4() -> None:
    methods = Name("methods", "", "")
    program = _analyse(_FIGURE_4, variables={methods: None, Name("classes", "", ""): None})

    (call,) = _all((program.main.body,), ast.FunctionCall)[:1]
    assert call.name == Name("distinct-nodes", "functx", FUNCTX)
    steps = _all((program.main.body,), ast.AxisStep)
    assert [step.test.name.uri for step in steps[:2]] == [DCG, DCG]
    ((declaration, context),) = program.variables
    assert declaration.name == methods
    assert declaration.is_external
    assert context is program.context or context.source is program.context.source


def test_a_reference_has_the_variable_of_its_binding() -> None:
    program = _analyse("for $x at $i in (1, 2) let $x := $x + $i return $x")

    body = program.main.body
    assert isinstance(body, ast.Flwor)
    first, second = body.clauses
    assert isinstance(first, ast.ForClause)
    assert isinstance(second, ast.LetClause)
    inner, position, outer = _all((body,), ast.VariableReference)
    assert inner.variable is first.binding.variable
    assert position.variable is first.binding.position_variable
    assert outer.variable is second.assignment.variable


def test_grouping_starts_all_variables_anew() -> None:
    query = "for $a in 1 let $b := 2 group by $a, $c := $b return ($a, $b, $c)"
    body = _analyse(query).main.body

    assert isinstance(body, ast.Flwor)
    first, second, group = body.clauses
    assert isinstance(first, ast.ForClause)
    assert isinstance(second, ast.LetClause)
    assert isinstance(group, ast.GroupByClause)
    key, computed = group.keys
    assert key.source is first.binding.variable
    assert computed.source is None
    assert [old for old, _ in group.regrouped] == [second.assignment.variable]
    shown = [reference.variable for reference in _all((body.result,), ast.VariableReference)]
    assert shown == [key.variable, group.regrouped[0][1], computed.variable]


def test_unprefixed_names_take_the_default_of_their_sort() -> None:
    program = _analyse(
        'declare default element namespace "urn:e";\n'
        'declare default function namespace "urn:f";\n'
        "declare function g($v) { a/@b[$v] }; g(1)"
    )

    (function,) = program.functions.values()
    assert function.declaration.name == Name("g", "", "urn:f")
    steps = _all((function.declaration.body,), ast.AxisStep)
    assert [step.test.name.uri for step in steps] == ["urn:e", ""]
    assert function.declaration.parameters[0].name.uri == ""


def test_namespaces_of_direct_elements_hold_inside() -> None:
    program = _analyse('<p:a xmlns:p="u" xmlns="v" p:b="" c=""><d/>{ p:e }</p:a>')

    outer, inner = _all((program.main.body,), ast.DirectElement)
    assert (outer.name.uri, inner.name.uri) == ("u", "v")
    assert [attribute.name.uri for attribute in outer.attributes] == ["u", ""]
    (step,) = _all((program.main.body,), ast.AxisStep)
    assert step.test.name.uri == "u"


def test_the_static_context_has_what_the_prolog_says() -> None:
    context = _analyse(
        'declare base-uri "b/"; declare default order empty greatest;'
        "declare copy-namespaces no-preserve, inherit; declare construction strip;"
        'declare namespace p = "u"; declare decimal-format p:f digit = "!";'
        'declare option output:cdata-section-elements "p:a b";'
        "declare context item as xs:integer external; 1",
        base_uri="http://a/",
    ).context

    assert context.base_uri == "http://a/b/"
    assert not context.empty_least
    assert (context.copy_preserve, context.copy_inherit) == (False, True)
    assert context.construction == "strip"
    assert context.namespaces["p"] == "u"
    assert context.decimal_formats == {Name("f", "p", "u"): {"digit": "!"}}
    assert context.serialization == {"cdata-section-elements": "Q{u}a Q{}b"}
    assert context.context_item_type is not None


def test_variables_come_after_those_that_they_need() -> None:
    program = _analyse(
        "declare variable $a := local:f(); declare variable $b := $c;"
        "declare variable $c := 1; declare function local:f() { $b }; $a"
    )

    assert [str(declaration.name) for declaration, _ in program.variables] == ["c", "b", "a"]


def test_unprefixed_functions_are_built_in() -> None:
    (call,) = _all((_analyse("count(1)").main.body,), ast.FunctionCall)

    assert call.name == Name("count", "fn", FN)


def test_xpath_has_a_namespace_axis() -> None:
    module = parse("namespace::a", language="xpath")

    assert analyse(module, language="xpath").context.language == "xpath"

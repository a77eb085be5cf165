"""The upper bounds of expressions, computed by hand."""

from __future__ import annotations

import pytest

from jvmscope.queries.xquery.analysis import StaticEnvironment, analyse
from jvmscope.queries.xquery.analysis.typing import infer
from jvmscope.queries.xquery.items.subtypes import show_type
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.parser import parse

_PROLOG = """declare variable $i as xs:integer external; declare variable $n external;
declare variable $s as xs:string* external; declare variable $d as xs:decimal? external;
declare function local:f($a as xs:int) as xs:string? { string($a) };
declare function local:g($a) { $a };"""


@pytest.mark.parametrize(
    ("query", "type_"),
    [
        ("1", "xs:integer"),
        ("1.5", "xs:decimal"),
        ("1e0", "xs:double"),
        ("'a'", "xs:string"),
        ("()", "empty-sequence()"),
        ("(1, 2)", "xs:integer+"),
        ("(1, 'a')", "xs:anyAtomicType+"),
        ("(1, 1.5)", "xs:decimal+"),
        ("(1, <a/>)", "item()+"),
        ("$i", "xs:integer"),
        ("$n", "item()*"),
        ("$s", "xs:string*"),
        ("1 to 3", "xs:integer*"),
        ("$i + 1", "xs:integer"),
        ("$i div 2", "xs:decimal"),
        ("$d * 2", "xs:decimal?"),
        ("$d + 1e0", "xs:double?"),
        ("$d idiv 2", "xs:integer?"),
        ("$n + 1", "xs:anyAtomicType?"),
        ("<a/> + 1", "xs:double"),
        ("-$d", "xs:decimal?"),
        ("$i eq 1", "xs:boolean"),
        ("$d eq 1", "xs:boolean?"),
        ("$d = 1", "xs:boolean"),
        ("$n and $d", "xs:boolean"),
        ("$s || 'a'", "xs:string"),
        ("$n cast as xs:long", "xs:long"),
        ("$n cast as xs:long?", "xs:long?"),
        ("$i cast as xs:long?", "xs:long"),
        ("$n treat as xs:date+", "xs:date+"),
        ("if ($n) then 1 else ()", "xs:integer?"),
        ("if ($n) then 1 else 'a'", "xs:anyAtomicType"),
        ("local:f(1)", "xs:string?"),
        ("local:g(1)", "item()*"),
        ("count($n)", "xs:integer"),
        ("head($s)", "xs:string?"),
        ("head((1, 2))", "xs:integer"),
        ("reverse($s)", "xs:string*"),
        ("$n => count()", "xs:integer"),
        ("count#1", "function(*)"),
        ("function($a as xs:int) { 'b' }", "function(xs:int) as xs:string"),
        ("function($a) as xs:int { 'b' }(1)", "xs:int"),
        ("map { 'a' : 1 }", "map(xs:string, xs:integer)"),
        ("map { 'a' : 1, 'b' : () }?a", "xs:integer?"),
        ("[1, (2, 3)]", "array(xs:integer+)"),
        ("[1, 2](1)", "xs:integer"),
        ("$n/a", "element(a)*"),
        ("$n/@a", "attribute(a)*"),
        ("$n/a/..", "node()*"),
        ("<a/>/@b", "attribute(b)?"),
        ("<a/>/b", "element(b)*"),
        ("<a/>/b[1]", "element(b)?"),
        ("<a/>/b[@c]", "element(b)*"),
        ("$n/a[1]", "element(a)*"),
        ("($n/a)[1]", "element(a)?"),
        ("(1, 2, 3)[xs:decimal(.)]", "xs:integer*"),
        ("(1, 2, 3)[$i]", "xs:integer?"),
        ("$n//text()", "text()*"),
        ("/", "document-node()"),
        ("$n ! 1", "xs:integer*"),
        ("(1, 2) ! 'a'", "xs:string+"),
        ("$n/a | $n/b", "element()*"),
        ("$n/a intersect $n/b", "element(a)*"),
        ("text { 'a' }", "text()"),
        ("text { $n }", "text()?"),
        ("element a {}", "element(a)"),
        ("attribute { 'a' } {}", "attribute()"),
        ("for $x in (1, 2) return 'a'", "xs:string+"),
        ("for $x in $s return 'a'", "xs:string*"),
        ("for $x in $s return $x", "xs:string*"),
        ("for $x allowing empty in () return 1", "xs:integer+"),
        ("for $x at $p in $s return $p", "xs:integer*"),
        ("for $x in (1, 2) where $n return $x", "xs:integer*"),
        ("let $x := $i return $x", "xs:integer"),
        ("let $x as item()* := $i return $x", "xs:integer"),
        ("let $x as xs:integer := $n return $x", "xs:integer"),
        ("let $x := 1 where $n return $x", "xs:integer?"),
        ("for $x in (1, 2) let $y := 'a' group by $x return $y", "xs:string+"),
        ("for $x in $n/a group by $k := $x/@b return $k", "xs:string*"),
        ("for $x in (1, 2) group by $k := $x return $k", "xs:integer+"),
        ("for $x in (1, 2) count $c return $c", "xs:integer+"),
        ("for tumbling window $w in (1, 2) start when 1 return [$w]", "array(xs:integer+)*"),
        ("some $x in $s satisfies $x", "xs:boolean"),
        ("switch (1) case 2 return 1 default return 1.5", "xs:decimal"),
        ("typeswitch ($n) case $a as xs:int return $a default return 1", "xs:integer"),
        ("typeswitch ($i) case xs:int return 'a' default $a return $a", "xs:anyAtomicType"),
        ("try { 1 } catch * { $err:description }", "xs:anyAtomicType?"),
    ],
)
def test_bounds(query: str, type_: str) -> None:
    program = analyse(parse(_PROLOG + query))

    assert program.main.body is not None
    assert show_type(infer(program).of(program.main.body)) == type_


def test_the_sum_of_figure_4_is_known() -> None:
    methods = Name("methods", "", "")
    environment = StaticEnvironment(variables={methods: None})
    query = "for $b in $methods/dcg:basicBlock return $b/dcg:executionCount/xs:long(.)"
    program = analyse(parse(query), environment)

    assert program.main.body is not None
    assert show_type(infer(program).of(program.main.body)) == "xs:long*"

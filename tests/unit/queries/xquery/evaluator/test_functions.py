"""Functions as values, maps and arrays, types, switches, variables of the prolog."""

from __future__ import annotations

import pytest
from support.evaluation import items, value

from jvmscope.errors import QueryError


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("function($x) { $x + 1 }(1)", "2"),
        ("let $y := 1 let $f := function($x) { $x + $y } return $f(2)", "3"),
        ("concat('a', ?, 'c')('b')", "'abc'"),
        ("substring('abc', ?, ?)(2, 1)", "'b'"),
        ("let $f := concat#2 return $f('a', 'b')", "'ab'"),
        ("(1, 2) => count()", "2"),
        ("'a' => concat('b') => upper-case()", "'AB'"),
        ("2 => (function($x) { $x * 2 })()", "4"),
        ("for-each((1, 2), function($x) { $x * 2 })", "2 4"),
        ("fold-left(1 to 5, 0, function($a, $b) { $a + $b })", "15"),
        ("let $f := function($a, $b) { $a - $b } return ($f(?, 1)(5), $f(1, ?)(5))", "4 -4"),
        ("map { 'a': 1, 'b': (2, 3) }?b", "2 3"),
        ("map { 'a': 1 }('a'), [5, 6](2)", "1 6"),
        ("[1, (2, 3)]?*", "1 2 3"),
        ("([1, 2], [3, 4])?2", "2 4"),
        ("map { 1: 'x', 'k': 'y' }?(1, 'k')", "'x' 'y'"),
        ("map { 'a': 1 } ! ?a", "1"),
        ("array { 1, 2 }, [(), 1]", "[1,2] [(),1]"),
        ("map { 'a': map { 'b': [1, 2] } }?a?b?2", "2"),
        ("(name#1, position#0) ! function-arity(.)", "1 0"),
        ("<a><b/></a>/b/(name#0)()", "'b'"),
        ("(5, 6) ! (position#0)()", "1 2"),
        ("switch (3) case 1 return 'a' case 2 case 3 return 'b' default return 'c'", "'b'"),
        ("switch (()) case 1 return 'a' case () return 'b' default return 'c'", "'b'"),
        ("switch ('1') case 1 return 'a' default return 'c'", "'c'"),
        (
            (
                "typeswitch (1) case xs:string return 'a' case $x as xs:integer return $x "
                "default return 0"
            ),
            "1",
        ),
        ("typeswitch (<a/>) case xs:string | element(a) return 'a' default $d return $d", "'a'"),
        ("typeswitch (()) case $x as item() return 1 default $d return count($d)", "0"),
        ("1 instance of xs:integer, (1, 2) instance of xs:integer+", "true true"),
        (
            "'1' cast as xs:integer, '' castable as xs:integer, () castable as xs:integer?",
            "1 false true",
        ),
        ("(1, 2) treat as xs:integer+", "1 2"),
        ("if (()) then 1 else 2", "2"),
        ("1 + (), () = 1, () eq 1", "false"),
        ("xs:untypedAtomic('2') + 1, 7 idiv -2, -7 mod 3", "3 -3 -1"),
        ("'a' || () || 1", "'a1'"),
        ("(1, 2) = (2, 3), (1, 2) != (1, 2), not((1, 2) = 3)", "true true true"),
        ("2 to 1", ""),
    ],
)
def test_values(query: str, expected: str) -> None:
    assert value(query) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("declare variable $x := 1; declare variable $y := $x + 1; $y", "2"),
        (
            (
                "declare variable $y := local:f(); declare function local:f() { $x }; "
                "declare variable $x := 3; $y"
            ),
            "3",
        ),
        ("declare variable $x := error(); 1", "1"),
        ("declare variable $x external; $x", "'given'"),
        ("declare variable $x as xs:string external := 'default'; $x", "'given'"),
        ("declare variable $z external := 'default'; $z", "'default'"),
        ("declare context item := 5; . + 1", "6"),
        (
            ("declare function local:f($x as xs:double) as xs:string { string($x) }; local:f(1)"),
            "'1'",
        ),
        ("declare function local:f($x as xs:integer*) { count($x) }; local:f(<a>1</a>)", "1"),
        (
            (
                "declare function local:f($x) { if ($x > 1) then $x * local:f($x - 1) else 1 }; "
                "local:f(20)"
            ),
            "2432902008176640000",
        ),
        ("declare function local:f() { 1, 2 }; local:f()[2]", "2"),
        ("declare function local:f($a, $b) { $a - $b }; local:f(?, 1)(5), local:f#2(5, 3)", "4 2"),
    ],
)
def test_prologs(query: str, expected: str) -> None:
    assert value(query, variables={"x": ["given"]} if "external" in query else {}) == expected


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("declare variable $x := local:f(); declare function local:f() { $x }; $x", "XQDY0054"),
        ("declare variable $x external; $x", "XPDY0002"),
        ("declare function local:f($x as xs:integer) { $x }; local:f('a')", "XPTY0004"),
        ("declare function local:f() as xs:integer { 'a' }; local:f()", "XPTY0004"),
        ("declare function local:f() as xs:integer { () }; local:f()", "XPTY0004"),
        ("(1)(2)", "XPTY0004"),
        ("function($x) { $x }(1, 2)", "XPTY0004"),
        ("[1](2)", "FOAY0001"),
        ("1?a", "XPTY0004"),
        ("map { 1: 1, 1: 2 }", "XQDY0137"),
        ("map { (): 1 }", "XPTY0004"),
        ("1 treat as xs:string", "XPDY0050"),
        ("(1, 2) + 1", "XPTY0004"),
        ("'a' cast as xs:integer", "FORG0001"),
        ("() cast as xs:integer", "XPTY0004"),
        ("1 to 'a'", "XPTY0004"),
        ("error(xs:QName('local:e'), 'text')", "local:e"),
    ],
)
def test_errors(query: str, code: str) -> None:
    with pytest.raises(QueryError) as raised:
        list(items(query))
    assert raised.value.code == code
    assert raised.value.line == 1

"""Constructors: content, names, namespaces, and that what is put in is copied."""

from __future__ import annotations

import pytest
from support.evaluation import items, value

from jvmscope.errors import QueryError


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("<a>{1, 2}{3}</a>", "<a>1 23</a>"),
        ("<a>{'x'}<b/>{()}{'y', <c/>, 'z', 1}</a>", "<a>x<b/>y<c/>z 1</a>"),
        ("<a>{1, text { 'x' }, 2}</a>", "<a>1x2</a>"),
        ("<a>{[1, [2, 3]], (), 'x'}</a>", "<a>1 2 3 x</a>"),
        ("<a b='{1, 2}c{()}' d='{{}}'/>", '<a b="1 2c" d="{}"/>'),
        ("<a>{attribute b { 1 }, attribute c { 2 }}</a>", '<a b="1" c="2"/>'),
        ("<a>{''}{attribute b { 1 }}</a>", '<a b="1"/>'),
        ("<a><![CDATA[<&]]>&lt;&#65;</a>/string()", "'<&<A'"),
        ("<a> <b/> {1} </a>", "<a><b/>1</a>"),
        ("<?p  x ?>, <!--c-->", "<?p x ?> <!--c-->"),
        ("element a { attribute { 'x' } { 1 }, 'y' }", '<a x="1">y</a>'),
        ("element { 'a' || 'b' } {}", "<ab/>"),
        ("element { xs:QName('xml:a') } {}", "<xml:a/>"),
        ("document { 1, <a/> }", "#1<a/>"),
        ("text { () }", ""),
        ("text { 1, 2 }, text { '' }", "1 2 "),
        ("comment { 1, 2 }", "<!--1 2-->"),
        ("processing-instruction { 'a' } { ' x', 1 }", "<?a x 1?>"),
        ("namespace p { 'urn:p' }", "{p=urn:p}"),
        ("<a>{document { <b/>, 'x' }}</a>", "<a><b/>x</a>"),
        ("<a>{for $i in 1 to 3 return <b>{$i}</b>}</a>", "<a><b>1</b><b>2</b><b>3</b></a>"),
        ("<a>{if (1) then <b/> else <c/>, let $x := 2 return $x}</a>", "<a><b/>2</a>"),
        ("<a>{<b>{<c>{<d/>}</c>}</b>}</a>//d/ancestor::*/name()", "'a' 'b' 'c'"),
        ("``[a`{1, 2}`b`{}`]``", "'a1 2b'"),
        ("<e>{<a/>/@*, <b c='1'/>/@c}</e>", '<e c="1"/>'),
    ],
)
def test_what_is_constructed(query: str, expected: str) -> None:
    assert value(query) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("<a xmlns:p='urn:p'><b/></a>/b/in-scope-prefixes(.) => sort()", "'p' 'xml'"),
        ("<a xmlns='urn:d'><b/></a>/*/namespace-uri(.)", "urn:d"),
        ("<a xmlns='urn:d'>{<b xmlns=''/>}</a>/*/namespace-uri(.)", ""),
        ("<a xmlns:p='urn:p'>{element p:b {}}</a>/*/namespace-uri(.)", "urn:p"),
        ("<a xmlns:p='urn:p'>{element {'p:b'} {}}</a>/*/namespace-uri(.)", "urn:p"),
        ("<a xmlns:p='urn:1'><p:b xmlns:p='urn:2'/></a>/*/namespace-uri(.)", "urn:2"),
        (
            "<a>{namespace p {'urn:p'}, attribute q:c {1}}</a>/in-scope-prefixes(.) => sort()",
            "'p' 'q' 'xml'",
        ),
        (
            (
                "let $x := <x xmlns:u='urn:u'><y/></x> return <a xmlns:n='urn:n'>{$x/y}</a>"
                "/y/in-scope-prefixes(.) => sort()"
            ),
            "'n' 'u' 'xml'",
        ),
    ],
)
def test_namespaces(query: str, expected: str) -> None:
    prolog = "declare namespace q = 'urn:q'; "
    assert value(prolog + query) == expected


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("preserve, inherit", "'n' 'u' 'xml'"),
        ("preserve, no-inherit", "'u' 'xml'"),
        ("no-preserve, inherit", "'n' 'xml'"),
        ("no-preserve, no-inherit", "'xml'"),
    ],
)
def test_the_copy_modes(mode: str, expected: str) -> None:
    query = (
        f"declare copy-namespaces {mode}; let $x := <x xmlns:u='urn:u'><y/></x> "
        "return sort(in-scope-prefixes(<a xmlns:n='urn:n'>{$x/y}</a>/y))"
    )
    assert value(query) == expected


def test_content_is_copied() -> None:
    query = "let $x := <x><y/></x> let $a := <a>{$x, $x/y}</a> return ($a/x is $x, $x/y/../name())"
    assert value(query) == "false 'x'"


def test_each_evaluation_makes_another_node() -> None:
    assert value("let $f := function() { <a/> } return ($f() is $f(), <a/> is <a/>)") == (
        "false false"
    )


def test_nodes_that_are_constructed_later_come_later() -> None:
    query = "let $a := <a/> let $b := <b/> return ($a << $b, ($b, $a)/. ! name())"
    assert value(query) == "true 'a' 'b'"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("<a>{1, attribute b {1}}</a>", "XQTY0024"),
        ("<a><b/>{attribute b {1}}</a>", "XQTY0024"),
        ("<a b='1'>{attribute b {1}}</a>", "XQDY0025"),
        ("<a>{function() {1}}</a>", "XQTY0105"),
        ("document { attribute a {1} }", "XPTY0004"),
        ("element { '1a' } {}", "XQDY0074"),
        ("element { 'no:a' } {}", "XQDY0074"),
        ("element { () } {}", "XPTY0004"),
        ("element { 1 } {}", "XPTY0004"),
        ("element { 'xmlns:a' } {}", "XQDY0074"),
        ("attribute xmlns {1}", "XQDY0044"),
        ("comment { 'a--b' }", "XQDY0072"),
        ("processing-instruction a { '?>' }", "XQDY0026"),
        ("processing-instruction { 'xml' } {}", "XQDY0064"),
        ("processing-instruction { 'a:b' } {}", "XQDY0041"),
        ("namespace xmlns { 'urn:x' }", "XQDY0101"),
        ("namespace p { '' }", "XQDY0101"),
        ("<a>{namespace p {'urn:1'}, namespace p {'urn:2'}}</a>", "XQDY0102"),
    ],
)
def test_what_is_refused(query: str, code: str) -> None:
    with pytest.raises(QueryError) as raised:
        list(items(query))
    assert raised.value.code == code
    assert raised.value.line == 1

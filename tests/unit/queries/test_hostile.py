"""Queries that nest too deep, ask for too much or never end: an answer, a code, or the limit."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from fuzz.processes import Ending, Task, endings_of
from support.samples import write_shapes
from xml_runs import Shape, write_run

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path

_N = 100_000
_NESTED = {
    "parentheses": "(" * _N + "1" + ")" * _N,
    "parentheses that are not closed": "(" * _N,
    "signs": "-" * 20_000 + "1",
    "operators": "1" + " + 1" * _N,
    "steps": "$cct" + "/dcg:cct" * _N,
    "predicates in predicates": "(1)" + "[(1)" * _N + "]" * _N,
    "conditions": "if (1) then " * _N + "1" + " else 2" * _N,
    "calls": "abs(" * _N + "1" + ")" * _N,
    "functions": "function() {" * _N + "1" + "}" * _N,
    "elements": "<a>" * _N + "</a>" * _N,
    "elements in expressions": "<a>{" * _N + "1" + "}</a>" * _N,
    "arrays": "[" * _N + "]" * _N,
    "parentheses that are allowed": "(" * 2900 + "1" + ")" * 2900,
    "calls that are allowed": "abs(" * 1400 + "1" + ")" * 1400,
    "elements that are allowed": "<a>{" * 1400 + "$methods" + "}</a>" * 1400,
    "comments": "(:" * _N + ":)" * _N + "1",
    "types": "1 instance of " + "function(" * _N + "xs:int" + ") as xs:int" * _N,
}
_ARRAYS = "fold-left(1 to 20000, [], function($x, $i) { [$x] })"
_DEEP = {
    "elements built": (
        "declare function local:f($n) { if ($n = 0) then <x/> else <a>{local:f($n - 1)}</a> };"
        "count(local:f(2000)//a)"
    ),
    "elements parsed": (
        "let $n := 1 to 10000"
        " let $d := parse-xml(string-join($n ! '<a>') || string-join($n ! '</a>'))"
        " return (count($d//a), string-length(serialize($d)), deep-equal($d, $d), string($d))"
    ),
    "arrays built": f"array:size({_ARRAYS})",
    "arrays compared": f"deep-equal({_ARRAYS}, {_ARRAYS})",
    "JSON": "parse-json(string-join((1 to 100000) ! '[') || string-join((1 to 100000) ! ']'))",
    "closures": (
        "fold-left(1 to 20000, function($x) { $x },"
        " function($f, $i) { function($x) { $f($x) } })(0)"
    ),
    "recursion without an end": "declare function local:f($n) { 1 + local:f($n) }; local:f(0)",
    "recursion in elements": "declare function local:f() { <a>{local:f()}</a> }; local:f()",
}
_ENDLESS = {
    "a loop": "for $x in 1 to 1000000000000 return ()",
    "a sum": "sum((1 to 1000000000000)[. > 1])",
    "a count": "count((1 to 3000000000, 5))",
    "sorting": "sort(1 to 1000000000)",
    "a test": "some $x in 1 to 1000000000000 satisfies $x < 0",
    "strings that double": "string-length(fold-left(1 to 60, 'a', function($a, $b) { $a || $a }))",
    "sequences that double": "count(fold-left(1 to 60, 1, function($a, $b) { ($a, $a) }))",
    "squares": "fold-left(1 to 40, 10, function($a, $b) { $a * $a }) mod 7",
    "a regular expression": "matches(string-join((1 to 60) ! 'a') || '!', '^(a|aa)+$')",
    "another": "tokenize(string-join((1 to 100000) ! 'a'), '(a*)*b')",
    "entities": (
        'parse-xml(\'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
        + "".join(
            f'<!ENTITY {one} "{f"&amp;{other};" * 10}">' for other, one in pairwise("abcdefghi")
        )
        + "]><a>&amp;i;</a>')/string-length()"
    ),
}


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ending]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    (folder / "work").mkdir()
    run = write_shapes(folder / "a.run", probes=("receiver",))
    task = Task((), run, folder / "work", "xquery", timeout=1.0)
    texts = _NESTED | _DEEP | _ENDLESS
    found = endings_of(task, list(texts.values()))
    return dict(zip(texts, found, strict=True))


@pytest.mark.parametrize("name", _NESTED)
def test_what_nests_too_deep_is_refused(ended: dict[str, Ending], name: str) -> None:
    assert ended[name].problem == ""
    assert ended[name].kind in {"XPDY0130", "XPST0003", "limit", "answer"}


@pytest.mark.parametrize("name", _DEEP | _ENDLESS)
def test_what_needs_too_much_ends(ended: dict[str, Ending], name: str) -> None:
    assert ended[name].problem == ""


def test_contexts_100_000_deep(tmp_path: Path) -> None:
    write_run(tmp_path / "a.run", Shape(n_contexts=_N, n_threads=1, n_blocks=0, chain=True))
    with Engine(tmp_path / "a.run") as engine:
        deepest = f"$cct//dcg:context[@depth = {_N - 1}]"
        for text, expected in (
            (f"count({deepest}/ancestor::dcg:context)", _N - 1),
            ("max($cct//dcg:context/xs:int(@depth))", _N - 1),
            ("count($cct//dcg:context[not(dcg:context)])", 1),
        ):
            query = engine.xquery(text)
            assert list(query.items()) == [expected]
            assert list(query.items_on_trees()) == [expected]


def test_bindings_that_double_are_planned_in_bounded_steps(shapes: Path) -> None:
    doubling = " ".join(f"let $a{n} := $a{n - 1} + $a{n - 1}" for n in range(1, 40))
    with Engine(shapes) as engine:
        answer = engine.query(f"let $a0 := count($threads) {doubling} return $a39")
        assert list(answer.rows()) == [(2 * 2**39,)]

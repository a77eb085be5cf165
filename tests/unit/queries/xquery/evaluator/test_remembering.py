"""What loops keep: the same answers, and work that grows with the tree, not with its square."""

from __future__ import annotations

import threading

import pytest
from support.evaluation import value

from jvmscope.queries.xquery.trees import parse_document

TREE = "<r>{}</r>"
QUERIES = [
    "let $r := /r return $r/a[@d = $r/a[@n = 7]/@d]/string(@n)",
    "let $r := /r return $r/a[@d = $r//a[3]/@d and count($r/a[@d = 3]) > 2]/string(@n)",
    "for $a in /r/a where $a/@d = (//a)[@n = 5]/@d return string($a/@n)",
    "let $r := /r for $a in $r/a where $a/@n = $r/a[@d = 1]/@n return string($a/@n)",
    "let $r := /r return some $a in $r/a satisfies $a/@n = $r/a[@d = 99]/@n",
    "let $r := /r return $r/a ! (@d = $r/a[@n = 7]/@d)",
    "let $r := /r return $r/a/(string-join($r/a[@d = 2]/@n) = @n)",
]


def _tree(n: int) -> str:
    return TREE.format("".join(f'<a n="{at}" d="{at % 7}"/>' for at in range(n)))


def _n_calls(query: str, tree: str) -> int:
    """How many functions the thread of a query calls: work that no clock has to measure."""
    n_calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal n_calls
        n_calls += event == "call"

    document = parse_document(tree)
    before = threading.getprofile()
    threading.setprofile(count)
    try:
        value(query, document)
    finally:
        threading.setprofile(before)
    return n_calls


@pytest.mark.parametrize("query", QUERIES)
def test_what_a_loop_does_not_change_is_evaluated_once(query: str) -> None:
    small, large = (_n_calls(query, _tree(n)) for n in (30, 120))
    assert small > 100
    assert large < 6 * small  # four times the tree; sixteen times the work if it is its square


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # The variable changes, and with it what was kept.
        (
            "for $a in //a return string-join(//b[@of = $a/x/@id]/@n, '')",
            "'13' '2' ''",
        ),
        ("for $a in //a return count((1 to 3)[. = $a/x/@k])", "1 1 0"),
        # A variable has the same value twice, then another, then the first again.
        ("for $k in ('a', 'b', 'b', 'a') return count(//b[@of = $k])", "2 1 1 2"),
        # Another tree has another root.
        (
            "(/, document { <r><b/></r> }) ! (for $k in (0, 2) where $k < count(//b) return $k)",
            "0 2 0",
        ),
        # What begins with the context item is not kept.
        ("//a ! (for $k in 1 to 3 where $k <= number(x/@k) return $k)", "1 1 2"),
        ("//a/count(x[@id = (../x/@id)])", "1 1 0"),
        # Nodes that are made are new each time.
        ("count((for $i in 1 to 3 return <n/>) union ())", "3"),
        ("let $r := <q/> return count(((1 to 3) ! (if ($r/..) then () else <n/>)) union ())", "3"),
        # Only what is reached may fail.
        ("let $r := //a return (1, 2, 3)[. = ($r/x/@k/xs:integer(.))[1]]", "1"),
        (
            "let $r := (//b/@n, //b/@of) return (1, 2, 3)[. = head($r ! number(.))]",
            "1",
        ),
    ],
)  # fmt: skip
def test_what_changes_is_not_kept(query: str, expected: str) -> None:
    tree = (
        '<r><a><x id="a" k="1"/></a><a><x id="b" k="2"/></a><a/>'
        '<b of="a" n="1"/><b of="b" n="2"/><b of="a" n="3"/></r>'
    )
    assert value(query, tree) == expected

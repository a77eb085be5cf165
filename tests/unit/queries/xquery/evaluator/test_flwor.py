"""FLWOR expressions: clauses in every order, windows, groups, and the order of tuples."""

from __future__ import annotations

import pytest
from support.evaluation import items, value

from jvmscope.errors import QueryError


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("for $x in (1, 2), $y in ($x, 10) return $x * $y", "1 10 4 20"),
        ("for $x at $i in ('a', 'b') return ($i, $x)", "1 'a' 2 'b'"),
        ("for $x allowing empty at $i in () return ($i, count($x))", "0 0"),
        ("for $x allowing empty in (1, 2) return $x", "1 2"),
        ("let $x := 1 let $x := $x + 1 return $x", "2"),
        ("for $x in 1 to 4 where $x mod 2 = 0 return $x", "2 4"),
        ("for $x in 1 to 4 where $x mod 2 = 0 count $c return ($c, $x)", "1 2 2 4"),
        ("for $x in 1 to 3 count $c where $c > 1 return ($c, $x)", "2 2 3 3"),
        ("for $x in (3, 1, 2) order by $x return $x", "1 2 3"),
        ("for $x in (3, 1, 2) order by $x descending count $c return ($c, $x)", "1 3 2 2 3 1"),
        ("for $x in ('b', 'B', 'a') stable order by lower-case($x) return $x", "'a' 'b' 'B'"),
        (
            "for $x in ('b', 'B', 'a') stable order by lower-case($x) descending return $x",
            "'b' 'B' 'a'",
        ),
        (
            "for $x in (1, 2) for $y in (2, 1) order by $y, $x descending return $x || $y",
            "'21' '11' '22' '12'",
        ),
        ("for $x in (<a>2</a>, <a/>, <a>1</a>) order by $x/text() return data($x)", " 1 2"),
        (
            (
                "for $x in (<a>2</a>, <a/>, <a>1</a>) order by $x/text() empty greatest "
                "return data($x)"
            ),
            "1 2 ",
        ),
        (
            "for $x in (1, xs:double('NaN'), 0) order by $x return string($x)",
            "'NaN' '0' '1'",
        ),
        (
            "for $x in (1, xs:double('NaN'), 0) order by $x empty greatest return string($x)",
            "'0' '1' 'NaN'",
        ),
        (
            "for $x in (1.5, 1, 2e0) order by $x return $x instance of xs:integer",
            "true false false",
        ),
        (
            "for $x in 1 to 5 group by $k := $x mod 2 return <g k='{$k}'>{$x}</g>",
            '<g k="1">1 3 5</g> <g k="0">2 4</g>',
        ),
        (
            (
                "for $x in 1 to 4 let $y := $x * 10 group by $k := $x > 2, $j := 'c' "
                "return string-join(($k, $j, $x, $y), ',')"
            ),
            "'false,c,1,2,10,20' 'true,c,3,4,30,40'",
        ),
        (
            "for $x in (1, 2, 1) group by $x order by $x descending return $x",
            "2 1",
        ),
        (
            (
                "for $x in (1, 2, 3) let $k := if ($x = 2) then () else $x mod 2 group by $k "
                "return <g>{$x}</g>"
            ),
            "<g>1 3</g> <g>2</g>",
        ),
        (
            "for $x in ('a', <b>a</b>, xs:anyURI('a')) group by $k := $x return count($x)",
            "3",
        ),
        (
            (
                "for $x in (1, 1.0, 1e0, xs:double('NaN'), xs:float('NaN')) group by $k := $x "
                "return count($x)"
            ),
            "3 2",
        ),
        ("(for $x in 1 to 3 return function() { $x }) ! .()", "1 2 3"),
        ("every $x in (1, 2), $y in (3, 4) satisfies $x < $y", "true"),
        ("some $x in (1, 2), $y in (1, 2) satisfies $x * $y = 4", "true"),
        ("some $x in () satisfies true(), every $x in () satisfies false()", "false true"),
    ],
)
def test_what_a_flwor_gives(query: str, expected: str) -> None:
    assert value(query) == expected


WINDOWS = [
    (
        (
            "tumbling window $w in (2, 4, 6, 8, 10, 12, 14) start at $s when true() "
            "only end at $e when $e - $s = 2"
        ),
        "2 4 6|8 10 12",
    ),
    (
        (
            "tumbling window $w in (2, 4, 6, 8, 10, 12, 14) start at $s when true() "
            "end at $e when $e - $s = 2"
        ),
        "2 4 6|8 10 12|14",
    ),
    (
        "sliding window $w in (2, 4, 6, 8) start at $s when true() only end at $e when $e - $s = 2",
        "2 4 6|4 6 8",
    ),
    (
        "sliding window $w in (2, 4, 6, 8) start at $s when true() end at $e when $e - $s = 2",
        "2 4 6|4 6 8|6 8|8",
    ),
    (
        "tumbling window $w in (1, 2, 5, 6, 9) start $c previous $p when not($c = $p + 1)",
        "1 2|5 6|9",
    ),
    (
        "tumbling window $w in (1, 2, 5, 6, 9) start when true() end $c next $n when $n != $c + 1",
        "1 2|5 6|9",
    ),
    (
        "tumbling window $w in (1, 3, 2, 5) start $s when $s mod 2 = 1 end $e when $e > $s",
        "1 3|5",
    ),
    ("tumbling window $w in () start when true()", ""),
]


@pytest.mark.parametrize(("clause", "expected"), WINDOWS)
def test_windows(clause: str, expected: str) -> None:
    query = f"string-join(for {clause} return string-join($w, ' '), '|')"
    assert value(query) == f"'{expected}'"


def test_the_variables_of_both_conditions_are_seen_after_the_window() -> None:
    query = (
        "for sliding window $w in ('a', 'b', 'c') start $s at $i previous $p next $n when $i = 2 "
        "end $e at $j previous $q next $m when $j = 3 "
        "return ($s, $i, $p, $n, $e, $j, $q, count($m))"
    )
    assert value(query) == "'b' 2 'a' 'c' 'c' 3 'b' 0"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("for $x as xs:string in 1 return $x", "XPTY0004"),
        ("let $x as xs:integer := () return $x", "XPTY0004"),
        ("for $x in (1, 'a') order by $x return $x", "XPTY0004"),
        ("for $x in 1 order by (1, 2) return $x", "XPTY0004"),
        ("for $x in 1 group by $k := (1, 2) return $x", "XPTY0004"),
        ("for $x in (1, 2) order by xs:QName('a') return $x", "XPTY0004"),
    ],
)
def test_what_a_flwor_refuses(query: str, code: str) -> None:
    with pytest.raises(QueryError) as raised:
        list(items(query))
    assert raised.value.code == code

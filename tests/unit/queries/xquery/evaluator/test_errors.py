"""Errors: where they are, what catches them, and the limits that every query has."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from support.evaluation import items, value

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries.xquery.evaluator import Environment, Runtime
from jvmscope.queries.xquery.evaluator.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("try { 1 div 0 } catch * { 'caught' }", "'caught'"),
        ("try { 1 div 0 } catch err:FOAR0001 { $err:code }", "err:FOAR0001"),
        ("try { 1 div 0 } catch err:XPTY0004 { 1 } catch *:FOAR0001 { 2 }", "2"),
        ("try { error() } catch err:* { $err:code }", "err:FOER0000"),
        (
            ("try { error(xs:QName('local:e'), 'text', (1, 2)) } "
            "catch local:e { $err:description, $err:value }"),
            "'text' 1 2",
        ),
        ("try { 1,\n  1 div 0 } catch * { $err:line-number, $err:column-number }", "2 3"),
        ("try { try { error() } catch err:X { 1 } } catch * { 2 }", "2"),
        ("try { (1 to 3) ! (if (. = 3) then error() else .) } catch * { 'nothing of it' }",
         "'nothing of it'"),
        ("try { local:f() } catch * { 'too deep' }", "'too deep'"),
    ],
)  # fmt: skip
def test_what_is_caught(query: str, expected: str) -> None:
    assert value("declare function local:f() { 1 + local:f() }; " + query) == expected


@pytest.mark.parametrize(
    ("query", "line", "column"),
    [
        ("1 +\n  ('a' + 1)", 2, 4),
        ("for $x in (1, 2)\nreturn $x div 0", 2, 8),
        ("declare function local:f($x) {\n  $x + 'a'\n};\nlocal:f(1)", 2, 3),
        ("<a>{\n  xs:integer('x')\n}</a>", 2, 3),
        ("(1, 2)\n  [. + 'a']", 2, 4),
        ("let $x := 1\nreturn $x/a", 2, 11),
        ("'a' castable as xs:integer,\nsubstring('a', 'b')", 2, 1),
    ],
)
def test_where_an_error_is(query: str, line: int, column: int) -> None:
    with pytest.raises(QueryError) as raised:
        list(items(query))
    assert (raised.value.line, raised.value.column) == (line, column)


def test_recursion_is_bounded_by_a_coded_error() -> None:
    query = "declare function local:f($n) { 1 + local:f($n + 1) }; local:f(1)"
    with pytest.raises(QueryError) as raised:
        list(items(query))
    assert raised.value.code == "XPDY0130"


def test_recursion_may_be_deep() -> None:
    query = (
        "declare function local:f($n as xs:integer) as xs:integer* "
        "{ if ($n = 0) then () else (for $x in 1 return ($x, local:f($n - 1))) }; "
        "count(local:f(3000))"
    )
    assert value(query) == "3000"


def test_inline_functions_cannot_recurse_for_ever() -> None:
    query = "let $f := function($f, $n) { 1 + $f($f, $n + 1) } return $f($f, 1)"
    with pytest.raises(QueryError) as raised:
        list(items(query))
    assert raised.value.code == "XPDY0130"


def test_the_recursion_limit_is_as_it_was_afterwards() -> None:
    before = sys.getrecursionlimit()
    assert value("1") == "1"
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize(
    "query",
    [
        "count(for $x in 1 to 1000000000 return $x)",
        "(1 to 1000000000)[. = -1]",
        "some $x in 1 to 1000000000 satisfies $x = -1",
        "(1 to 1000000000) ! (if (. < 0) then . else ())",
        "declare function local:f($n) { (1 to 9)[$n < 30] ! local:f($n + 1) }; local:f(1)",
    ],
)
def test_the_time_is_bounded(query: str) -> None:
    started = time.process_time()  # other work on the machine is not ours
    with pytest.raises(LimitReached):
        list(items(query, timeout=0.05))
    assert time.process_time() - started < 10


def test_a_loop_that_does_not_look_at_the_clock_is_ended_by_force() -> None:
    def never() -> Iterator[int]:
        while True:
            if time.monotonic() < 0:
                yield 1

    threads = threading.active_count()
    runtime = Runtime(Environment(timeout=0.05), None)
    with pytest.raises(LimitReached):
        list(Worker(never(), runtime).items())
    assert threading.active_count() == threads


def test_a_reader_may_stop_and_no_thread_is_left() -> None:
    before = threading.active_count()
    stream = items("1 to 1000000000000")
    assert [next(stream) for _ in range(3)] == [1, 2, 3]
    stream.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_nothing_can_be_read_unless_allowed() -> None:
    for query in ("doc('/etc/passwd')", "unparsed-text('/etc/passwd')", "collection()"):
        with pytest.raises(QueryError) as raised:
            list(items(query))
        assert raised.value.code is not None
    assert value("environment-variable('HOME'), available-environment-variables()") == ""

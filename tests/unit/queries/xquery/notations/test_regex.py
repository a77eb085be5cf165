"""Regular expressions: which matcher they are left to, that both agree, and that they end."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.evaluation import items, value
from support.samples import write_shapes

from jvmscope.errors import LimitReached
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.notations.regex import compile_regex

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.queries.xquery.notations.searching import Regex

# Ctrl-C once the matcher of expressions that backtrack is there.
_INTERRUPTED = """
import os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from jvmscope.cli import run
def interrupt():
    while "regex" not in sys.modules:
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
sys.exit(run(sys.argv[1:]))
"""
_ATOMS = (
    *"abcAKs.^$-\u00e9\U0001f600",
    r"\d", r"\w", r"\s", r"\i", r"\c", r"\n", r"\p{Lu}", r"\P{Lu}", r"\p{IsBasicLatin}",
    "[ab]", "[^a]", "[a-c-[b]]", "[^a-[b]]", r"[\p{L}-[a]]", r"[\w-[A-Z]]", r"[^\p{Ll}]", "[k-s]",
)  # fmt: skip
_QUANTIFIERS = ("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}")
_quantifiers = st.sampled_from(_QUANTIFIERS)
_atoms = st.tuples(st.sampled_from(_ATOMS), _quantifiers).map("".join)
_patterns = st.recursive(
    _atoms,
    lambda inner: (
        st.tuples(inner, inner).map("".join)
        | st.tuples(inner, inner).map("|".join)
        | st.tuples(st.sampled_from(("(", "(?:")), inner, st.just(")"), _quantifiers).map("".join)
        | st.tuples(inner, inner).map(lambda parts: "({})({})\\1".format(*parts))
    ),
    max_leaves=6,
)
_texts = st.text("aabbcABK\u212as\u017f\u00e91 \n-\U0001f600_\ud800", max_size=8)


class _Unhurried:
    """The context of a query that has all the time."""

    def seconds_left(self) -> None:
        return None


class _Impatient:
    """The context of a query that is over after so many looks at the clock."""

    def __init__(self, n_looks: int) -> None:
        self._n_looks = n_looks

    def seconds_left(self) -> float:
        return 0.0

    def check(self) -> None:
        self._n_looks -= 1
        if self._n_looks == 0:
            raise LimitReached("over")


def _spans(regex: Regex, text: str) -> list[list[tuple[int, int]]]:
    """Returns the places of matches and their groups."""
    context: Any = _Unhurried()
    if regex.search(context, "") is not None:
        found = regex.search(context, text)
        return [] if found is None else [list(found.regs)]
    return [list(found.regs) for found in regex.matches(context, text)]


@pytest.mark.parametrize("pair", ["sſ", "kK", "σς", "µμ", "ßẞ", "åÅ", "iI"])  # noqa: RUF001
def test_references_to_groups_ignore_case_as_letters_do(pair: str) -> None:
    context: Any = _Unhurried()
    for text in (pair, pair[::-1]):
        assert compile_regex(text[0], "i").search(context, text[1])
        assert compile_regex(r"(.)\1", "i").search(context, text)
        assert not compile_regex(r"(.)\1").search(context, text)


@settings(max_examples=200, deadline=None)
@given(_patterns, st.lists(st.sampled_from("smi"), unique=True).map("".join), _texts)
def test_both_matchers_find_the_same(pattern: str, flags: str, text: str) -> None:
    try:
        regex = compile_regex(pattern, flags)
    except DynamicError:
        return
    found = []
    for is_left_to_python in (True, False):
        chosen = copy(regex)
        chosen.ends_soon = lambda _, answer=is_left_to_python: answer
        found.append(_spans(chosen, text))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("pattern", "length", "ends_soon"),
    [
        ("java/(util|lang)/.*", 1000, True),
        (r"\w+/\w+", 100, True),
        (r"\w+/\w+", 1_000_000, False),  # quadratic
        ("a*a*a*a*b", 100, False),
        ("(ab){1000}(a|b){3}", 1000, True),
        ("(a|b){40}", 40, False),
        ("(a?){40}", 40, False),
        ("(a+)+b", 5, False),
        ("(a|b)*", 5, False),
        ("((a+)+){0}b", 5, False),
        (r"(a)\1\1\1\1b", 1000, False),  # each reference compares
    ],
)
def test_pythons_matcher_gets_what_ends_soon(pattern: str, length: int, ends_soon: bool) -> None:
    assert compile_regex(pattern).ends_soon("a" * length) is ends_soon


@pytest.mark.parametrize(
    "call",
    [
        "matches($text, '^(a+)+$')",
        "replace($text, '(a|aa)+$', '')",
        "tokenize($text, '(a*a*)*b')",
        "analyze-string($text, '((a|a)+)+b')",
        "matches($text, '(a|a){50}b')",
        "matches($text, '^(\\p{Ll}+)+$', 'i')",
        "matches('', '((|){60})*[^\\s\\S]')",
        "matches(string-join((1 to 100000) ! 'a'), 'a*a*b')",
    ],
)
def test_what_backtracks_is_answered_or_ended(call: str) -> None:
    text = "let $text := string-join((1 to 60) ! 'a') || '!b' return "
    start = time.monotonic()
    with suppress(LimitReached):
        list(items(text + call, timeout=0.2))
    assert time.monotonic() - start < 60  # of a machine that has other work


def test_ctrl_c_ends_what_backtracks(tmp_path: Path) -> None:
    run = write_shapes(tmp_path / "a.run")
    text = "matches(string-join((1 to 100) ! 'a') || '!', '(a|aa)+$')"
    command = [sys.executable, "-c", _INTERRUPTED, "query", str(run), "--xquery", text]
    ended = subprocess.run(command, capture_output=True, timeout=300, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"interrupted\n")


def test_what_is_found_is_found_after_a_while() -> None:
    regex = compile_regex("(a|b)+c")
    context: Any = _Impatient(1)
    assert [found.span() for found in regex.matches(context, "abcxbac")] == [(0, 3), (4, 7)]


def test_a_search_goes_on_as_long_as_the_query_does() -> None:
    context: Any = _Impatient(3)
    with pytest.raises(LimitReached, match="over"):
        compile_regex("(a|aa)+$").search(context, "a" * 60 + "!")


def test_what_python_is_not_left_to_gives_the_same_answers() -> None:
    assert value("replace('abbbca', '(a|b)+', '[$1]')") == "'[b]c[a]'"
    assert value("tokenize('1,2;;3', '(,|;)+')") == "'1' '2' '3'"
    assert value("matches('a', '(a|(b))*\\2')") == "true"
    assert value("string-join(analyze-string('xaby', '((a)|b)+')//@nr, ' ')") == "'1'"

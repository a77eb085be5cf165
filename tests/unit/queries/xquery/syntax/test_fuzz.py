"""Whatever the text, the front end returns or raises a QueryError with a code and a place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import read_cases
from support.syntax import shape

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.analysis import analyse
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.unparse import unparse

if TYPE_CHECKING:
    from collections.abc import Callable

_QUERIES = [*read_cases(Path(__file__).with_name("accepted.txt")), "1 + 2", "<a>{$x}</a>"]
_PIECES = [
    *"()[]{}<>/,;:$@%#?!*+-=|.&'\"` \n\t0aQ",
    *(":=", "::", "(:", ":)", "(#", "#)", "``[", "]``", "`{", "}`", "</", "/>", "<!--", "-->"),
    *("<?", "?>", "<![CDATA[", "]]>", "{{", "}}", "&amp;", "&#0;", "Q{", "=>", "//", "1e", "1."),
    *(" for ", " let ", " return ", " element ", " map ", " function ", " instance of ", " if "),
    *(" order by ", " group by ", " declare ", " some ", " validate ", "\x00", "\ud800", "é", "😀"),
]


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(_QUERIES))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 8)))
        match draw(st.integers(0, 3)):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:at] + draw(st.sampled_from(_PIECES)) + text[at:]
            case 2:
                text = text[:at] + draw(st.sampled_from(_PIECES)) + text[end:]
            case _:
                text = text[:at] + draw(st.sampled_from(_QUERIES)) + text[at:]
    return text


def _error(work: Callable[[], object]) -> QueryError | None:
    """Returns the error that work ends in, if any; others than a QueryError go through."""
    try:
        work()
    except QueryError as error:
        return error
    return None


def _check(error: QueryError | None) -> bool:
    """Returns whether there was no error; one must have a code and a place, and be shown."""
    assert error is None or (error.code and error.line and str(error))
    return error is None


def _check_all(text: str) -> None:
    if _check(_error(lambda: parse(text))):
        module = parse(text)
        assert shape(parse(unparse(module))) == shape(module)
        _check(_error(lambda: analyse(module)))


@settings(max_examples=400, deadline=None)
@given(_mutated())
def test_mutated_queries(text: str) -> None:
    _check_all(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_random_pieces(text: str) -> None:
    _check_all(text)


@settings(max_examples=100, deadline=None)
@given(_mutated())
def test_mutated_queries_as_xpath(text: str) -> None:
    _check(_error(lambda: parse(text, language="xpath")))

"""Errors: the caret is under what is wrong, whatever is before it, and the advice can be taken."""

from __future__ import annotations

import json
import re
import time
from itertools import product
from typing import TYPE_CHECKING

import duckdb
import pytest
from support.samples import write_shapes

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries import Engine, Question
from jvmscope.queries.sql_errors import is_out_of_memory, message_of, query_error
from jvmscope.queries.xquery.documents import RunDocuments

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEFORE = ("", "$d, ", "'é', ", '"name", ', "/* ä $x */ ", "\n  ", '$d + 1 AS "$x",\t', "-- $x\n")
_WRONG_SQL = {  # what is wrong, and what of it the caret underlines
    "nope": "nope",
    "$d + nope": "nope",
    "$x": "$x",
    "$d || $x": "$x",
    "nopef($d)": "nopef($d)",
    "$d + 'a'": "+",
    "'a' + 1": "+",
    "'a' - $d": "-",
    "$d::nope": "nope",
    "upper($d, 2)": "upper($d, 2)",
}
_XQUERY_BEFORE = ("", "'é', ", "(: ä $x :) ", "\n  ", "$methods, ", "for $m in $methods return ")
_WRONG_XQUERY = {
    "$nope": "$nope",
    "$methods/@id[. = $nope]": "$nope",
    "'a' + 1": "'a' + 1",
    "nopef(1)": "nopef",
    "1 + $nope": "$nope",
    "xs:long('a')": "xs:long('a')",
    "nope:f()": "nope:f",
}
_FORBIDDEN = re.compile(r"\b(SET|PRAGMA|INSTALL|LOAD)\b|allow[-_]read|enable_")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine(write_shapes(tmp_path_factory.mktemp("places") / "shapes.run")) as found:
        yield found


def _error(engine: Engine, text: str, **params: int) -> QueryError:
    with pytest.raises(QueryError) as caught:
        engine.answer(Question(text, params=params)).arrow()
    return caught.value


def _underlined(error: QueryError) -> tuple[str, str]:
    """Returns what begins at the caret, and the underlined text."""
    _, shown, carets, *_ = str(error).splitlines()
    at, end = carets.index("^"), len(carets.rstrip())
    return shown[at:], shown[at:end]


@pytest.mark.parametrize(("before", "wrong"), list(product(_BEFORE, _WRONG_SQL)))
def test_sql(engine: Engine, before: str, wrong: str) -> None:
    text = f"SELECT {before}{wrong} FROM thread"
    params = {"d": 1} if re.search(r"\$d\b", text) else {}
    error = _error(engine, text, **params)

    assert _underlined(error)[0].startswith(_WRONG_SQL[wrong]), str(error)
    assert len(str(error)) < 600, str(error)


@pytest.mark.parametrize(("before", "wrong"), list(product(_XQUERY_BEFORE, _WRONG_XQUERY)))
def test_xquery(engine: Engine, before: str, wrong: str) -> None:
    error = _error(engine, f"{before}{wrong}")

    assert _underlined(error)[0].startswith(_WRONG_XQUERY[wrong]), str(error)


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "%", "//"])
def test_arithmetic_lists_no_overloads(engine: Engine, operator: str) -> None:
    error = _error(engine, f"SELECT name {operator} [1] FROM thread")

    assert error.message == f"{operator} is not defined for VARCHAR and INTEGER[]"
    assert "->" not in str(error)


@pytest.mark.parametrize("text", ["SELECT sum(name) FROM thread", "SELECT upper(1, 2)"])
def test_few_candidates(engine: Engine, text: str) -> None:
    assert str(_error(engine, text)).count("->") in range(1, 5)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("SELEC * FROM thread", "SELECT"),
        ("selct name FROM thread", "SELECT"),
        ("SLECT 1", "SELECT"),
        ("DESCRBE thread", "DESCRIBE"),
        ("WIHT t AS (SELECT 1) SELECT * FROM t", "WITH"),
    ],
)
def test_a_slip_in_the_first_word(engine: Engine, text: str, word: str) -> None:
    error = _error(engine, text)

    assert error.code is None  # W3C codes are of XQuery
    assert error.hint == f'did you mean "{word}"?'


@pytest.mark.parametrize("method", ["document", "collection", "text", "uri_collection"])
@pytest.mark.parametrize("is_locked", [False, True])
def test_a_locked_query_is_not_told_to_allow(
    engine: Engine, method: str, *, is_locked: bool
) -> None:
    documents = RunDocuments(_NoTree(), is_locked=is_locked)  # type: ignore[arg-type]
    more = ("utf-8",) if method == "text" else ()
    with pytest.raises(PermissionError) as caught:
        getattr(documents, method)("/etc/passwd", *more)

    assert bool(_FORBIDDEN.search(str(caught.value))) is not is_locked


class _NoTree:
    def document(self, _uri: str) -> None:
        """Knows no document."""


@pytest.mark.parametrize(
    "said",
    [
        "failed to allocate\n\nPossible solutions:\n* Reducing threads (SET threads=X)",
        "cannot open it\nuse SET enable_external_access = true",
        "no extension\ninstall it first: INSTALL json; LOAD json;",
    ],
)
def test_no_setting_is_advised(said: str) -> None:
    error = RuntimeError(said)
    told = query_error(error, text="SELECT 1", path=None, offset=0, recorded=())

    assert not _FORBIDDEN.search(str(told))
    assert not _FORBIDDEN.search(message_of(error))


@pytest.mark.parametrize(
    "query",
    [
        "sort(1 to 100000000)[1]",
        "sort((1 to 100000000) ! 1)[1]",
        "reverse(1 to 1000000000)[1] + count(tail(sort(1 to 100000000)))",
        "index-of(1 to 1000000000, 0)",
    ],
)
def test_long_ranges_end_in_time(engine: Engine, query: str) -> None:
    engine.xquery("sort(1 to 3)[1]").answer()  # what it needs is imported
    before = time.process_time()
    with pytest.raises(LimitReached):
        engine.answer(Question(query, timeout=0.5))

    assert time.process_time() - before < 2


_TRACE = "\n/home/me/lib/_duckdb.so(_ZN6duckdb9ExceptionC2E+0x4b) [0x7fb75911d3bb]\n"
_AFTER = "\nThis error signals an assertion failure within DuckDB.\nSee https://duckdb.org/errors"


def _kinds(error: type[Exception] = duckdb.Error) -> Iterator[type[Exception]]:
    yield error
    for kind in error.__subclasses__():
        yield from _kinds(kind)


@pytest.mark.parametrize("after", ["", _AFTER])
@pytest.mark.parametrize("kind", sorted(set(_kinds()), key=lambda kind: kind.__name__))
def test_no_error_shows_how_duckdb_came_to_it(kind: type[Exception], after: str) -> None:
    word = kind.__name__.removesuffix("Exception").upper()
    facts = {"exception_type": word, "exception_message": "no { 1", "stack_trace": _TRACE}
    error = kind(f"{word} Error: {json.dumps(facts)}{after}")

    told = query_error(error, text="SELECT 1", path=None, offset=0, recorded=())

    assert told.message.removeprefix("an internal error of DuckDB: ") == "no { 1"
    assert ("internal" in told.message) == (word == "INTERNAL")
    assert told.hint is None
    assert message_of(error) == "no { 1"


def test_a_failed_allocation_within_duckdb_is_a_want_of_memory() -> None:
    facts = {"exception_type": "INTERNAL", "exception_message": "Memory allocation failure"}
    text = f"INTERNAL Error: {json.dumps({**facts, 'stack_trace': _TRACE})}{_AFTER}"
    other = text.replace("Memory allocation failure", "Attempted to access index 1")

    assert is_out_of_memory(duckdb.InternalException(text))
    assert not is_out_of_memory(duckdb.InternalException(other))

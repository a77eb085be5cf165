"""No message advises what a query cannot do: to change a setting, or to install an extension."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries import Engine, Limits, Question

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FORBIDDEN = re.compile(r"\b(SET|PRAGMA|INSTALL|LOAD)\b|max_\w+|\w+_limit|persistent storage")
_DEEP = {
    "parentheses": "SELECT " + "(" * 1200 + "1" + ")" * 1200,
    "operands": "SELECT " + " + ".join(["1"] * 1200),
    "calls": "SELECT " + "abs(" * 1200 + "1" + ")" * 1200,
    "cases": "SELECT " + "CASE WHEN true THEN " * 1200 + "1" + " END" * 1200,
    "subqueries": "SELECT " + "(SELECT " * 1200 + "1" + ")" * 1200,
    "lists": "SELECT " + "[" * 1200 + "1" + "]" * 1200,
}
_OTHERS = {
    "columns of a pivot": "PIVOT (SELECT range AS a FROM range(100001)) ON a USING sum(a)",
    "extension": "SELECT st_area(1)",
    "extension not there": "LOAD spatial",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run: Path = tmp_path_factory.mktemp("advice") / "shapes.run"
    with Engine(write_shapes(run)) as opened:
        yield opened


def _error(engine: Engine, text: str, limits: Limits | None) -> QueryError:
    with pytest.raises(QueryError) as caught:
        list(engine.answer(Question(text, language="sql", limits=limits)).rows())
    return caught.value


@pytest.mark.parametrize("name", _DEEP)
def test_too_deep_an_expression(engine: Engine, name: str) -> None:
    error = _error(engine, _DEEP[name], None)

    assert error.message == "an expression is nested deeper than 1,000 levels"
    assert not _FORBIDDEN.search(str(error).partition("\n")[0] + str(error.hint))


@pytest.mark.parametrize("name", ["parentheses", "operands"])
def test_it_is_the_same_in_locked_mode(engine: Engine, name: str) -> None:
    error = _error(engine, _DEEP[name], Limits())

    assert error.message == "an expression is nested deeper than 1,000 levels"
    assert error.hint == _error(engine, _DEEP[name], None).hint


@pytest.mark.parametrize("name", _OTHERS)
@pytest.mark.parametrize("limits", [None, Limits()])
def test_other_advice(engine: Engine, name: str, limits: Limits | None) -> None:
    error = _error(engine, _OTHERS[name], limits)

    said = re.sub(r"must be a SELECT, not \w+", "", f"{error.message} {error.hint}")
    assert not _FORBIDDEN.search(said)


def test_the_hint_helps(engine: Engine) -> None:
    half = " + ".join(["1"] * 900)
    text = f"WITH t AS (SELECT {half} AS part) SELECT part + {half} FROM t"

    assert list(engine.answer(Question(text)).rows()) == [(1800,)]


def test_want_of_memory_in_locked_mode(engine: Engine) -> None:
    limits = Limits(memory_bytes=64 << 20)
    with pytest.raises(LimitReached) as caught:
        engine.answer(Question("SELECT list(range) FROM range(40000000)", limits=limits))

    assert not _FORBIDDEN.search(str(caught.value))


_OF_EXTENSIONS = {
    "SELECT * FROM read_xlsx('a.xlsx')": "excel",
    "FROM 'a.xlsx'": "excel",
    "FROM 'https://example.invalid/a.parquet'": "httpfs",
    "FROM sqlite_scan('a', 'b')": "sqlite_scanner",
    "ATTACH 'a.db' (TYPE sqlite); SELECT 1": "sqlite_scanner",
    "SELECT st_point(1, 2)": "spatial",
    "SET s3_region = 'x'; SELECT 1": "httpfs",
    "LOAD spatial; SELECT 1": "spatial",
}


@pytest.mark.parametrize("text", _OF_EXTENSIONS)
def test_an_extension_that_is_not_installed_is_named(engine: Engine, text: str) -> None:
    error = _error(engine, text, None)

    name = _OF_EXTENSIONS[text]
    assert error.message == (
        f'the query needs the extension "{name}" of DuckDB, which is not installed'
    )
    assert error.hint is not None
    assert error.line == 1

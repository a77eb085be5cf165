"""Queries of many operands or levels: the right answer, or one error that says what the limit is.

What is written in a row compiles to SQL in a row. What nests deeper than SQL takes is evaluated on
trees, and what nests deeper than the parser takes is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.long import IS_LONG
from support.samples import write_shapes

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_SIZES = (10, 100, 800, 5000) if IS_LONG else (10, 400)
_SECOND = "for $m in $methods[@id = 2] return "
_Made = tuple[str, Any]


def _row(before: str, operand: str, between: str, after: str, n: int) -> str:
    """Returns n operands in a row, in which ``#`` is their number."""
    return before + between.join(operand.replace("#", str(i)) for i in range(n)) + after


def _nest(before: str, opening: str, middle: str, closing: str, after: str, n: int) -> str:  # noqa: PLR0917
    return before + opening * n + middle + closing * n + after


_FLAT: dict[str, Callable[[int], _Made]] = {
    "or": lambda n: (_row("count($methods[", "@id = #7", " or ", " or @id = 2])", n), 1),
    "or of calls": lambda n: (
        _row("count($methods[@id = 2 or ", "contains(@name, 'n#')", " or ", "])", n),
        1,
    ),
    "and": lambda n: (_row("count($methods[", "@id != #9", " and ", "])", n), 6),
    "and in or": lambda n: (
        _row("count($methods[@id = 2 or ", "@id = #1 and @name = 'a'", " or ", "])", n),
        1,
    ),
    "||": lambda n: (_row(f"{_SECOND}string-length(", "$m/@id", " || ", ")", n), n),
    "concat": lambda n: (_row(f"{_SECOND}string-length(concat(", "$m/@id", ", ", "))", n), n),
    "constants": lambda n: (_row("count($methods[@id = (", "#", ", ", ")])", n), 6),
    "else if": lambda n: (_row(_SECOND, "if ($m/@id = #9) then # else ", "", "7", min(n, 90)), 7),
}
_OTHERS: dict[str, Callable[[int], _Made]] = {
    "unions": lambda n: (_row("count(", "$methods[@id >= 4]", " | ", ")", n), 2),
    "sum": lambda n: (_row(_SECOND, "$m/@id", " + ", "", n), 2 * n),
    "commas": lambda n: (_row("count((", "$methods[@id = 2]", ", ", "))", n), n),
    "steps": lambda n: (_row("count($methods", "/../dcg:method", "", ")", n), 6),
    "predicates": lambda n: (_row("count($methods", "[@id >= 2]", "", ")", n), 4),
    "lets": lambda n: (_row("let $a := 1 ", "let $a := $a + 1", " ", " return $a", n), n + 1),
    "globals": lambda n: (
        _row("declare variable $a := 1; ", "declare variable $a# := $a + #; ", "", f"$a{n - 1}", n),
        n,
    ),
    "chained globals": lambda n: (
        "declare variable $a0 := 1; "
        + " ".join(f"declare variable $a{i} := $a{i - 1} + 1;" for i in range(1, n))
        + f" $a{n - 1}",
        n,
    ),
    "maps": lambda n: (_row("$methods[@id = 2] ! (@id + 0)", " ! (. + 1)", "", "", n), n + 2),
    "bindings": lambda n: (
        _row("some ", "$a# in $methods[@id = 2]", ", ", " satisfies true()", n),
        True,
    ),
    "paths in or": lambda n: (
        _row("count($methods[dcg:callSite or ", "dcg:callSite[@id = #9]", " or ", "])", n),
        2,
    ),
    "if in else": lambda n: (_row(_SECOND, "if ($m/@id = #9) then # else ", "", "7", n), 7),
    "cases": lambda n: (
        _row(
            f"{_SECOND}switch (string($m/@id)) ", "case 'n#' return #", " ", " default return 7", n
        ),
        7,
    ),
    "parentheses": lambda n: (_nest("count(", "(", "$methods", ")", ")", n), 6),
    "not": lambda n: (_nest("count($methods[", "not(not(", "@id = 2", "))", "])", n), 1),
    "calls": lambda n: (_nest(_SECOND, "abs(", "$m/@id/xs:long(.)", ")", "", n), 2),
    "counts": lambda n: (_nest("", "count(", "$methods[1]", ")", "", n), 1),
    "conditions": lambda n: (_nest(_SECOND, "if ($m/@id = 2) then ", "7", " else 8", "", n), 7),
    "inner predicates": lambda n: (
        _nest("count($methods", "[..[dcg:method", "[@id]", "]]", ")", n),
        6,
    ),
    "loops": lambda n: (_nest("count(", "for $a in $methods[1] return ", "$a", "", ")", n), 1),
    "constructors": lambda n: (_nest("string(", "<a>{", "count($methods)", "}</a>", ")", n), "6"),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run: Path = tmp_path_factory.mktemp("long") / "shapes.run"
    with Engine(write_shapes(run)) as opened:
        yield opened


@pytest.mark.parametrize("n", _SIZES)
@pytest.mark.parametrize("name", _FLAT | _OTHERS)
def test_long_queries_are_answered_or_refused(engine: Engine, name: str, n: int) -> None:
    text, answer = (_FLAT | _OTHERS)[name](n)
    found = _answer(engine, text)
    if n > 1000 and isinstance(found, QueryError):
        assert found.code == "XPDY0130"
        assert "nested deeper than 3,000 levels" in str(found)
        return
    assert found == [answer]


def _answer(engine: Engine, text: str) -> list[Any] | QueryError:
    try:
        return list(engine.xquery(Question(text, timeout=300)).items())
    except QueryError as error:
        return error


@pytest.mark.parametrize("name", _FLAT)
def test_what_is_in_a_row_is_sql(engine: Engine, name: str) -> None:
    query = engine.xquery(_FLAT[name](800 if IS_LONG else 400)[0])

    assert query.plan.program is None
    assert len(list(query.items())) == 1
    assert query.refusals == []


def test_the_first_steps_of_a_path_are_sql(engine: Engine) -> None:
    query = engine.xquery("$methods[@id = 2]/dcg:basicBlock/path()")

    assert len(query.plan.parts) == 1
    assert "basic_block" in query.plan.parts[0].sql
    assert list(query.items()) == list(query.items_on_trees())

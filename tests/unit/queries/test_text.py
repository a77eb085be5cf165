"""The answer to an XQuery as text: when it is, and how it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question, Result, Serialized

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_JSON = 'declare option output:method "json"; '


@pytest.fixture(scope="module")
def engine(shapes: Path) -> Iterator[Engine]:
    with Engine(shapes) as engine:
        yield engine


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("<a>{1 + 1}</a>", "<a>2</a>"),
        ("<a/>, <b/>, text { 'x' }", "<a/>\n<b/>\nx"),
        (_JSON + 'map { "a": array { 1, "b" } }', '{"a":[1,"b"]}'),
        ('declare option output:method "text"; <a>x</a>', "x"),
        ('declare option output:item-separator "|"; 1 to 3', "1|2|3"),
        ('declare option output:omit-xml-declaration "no"; <a/>',
         '<?xml version="1.0" encoding="UTF-8"?><a/>'),
    ],
)  # fmt: skip
def test_nodes_and_declared_output_are_text(engine: Engine, query: str, expected: str) -> None:
    answer = engine.answer(query)

    assert isinstance(answer, Serialized)
    assert answer.text == expected


@pytest.mark.parametrize("query", ["1, <a/>", "map { 'a': 1 }", "()", "$methods/@name", "'x'"])
def test_anything_else_is_a_table(engine: Engine, query: str) -> None:
    assert isinstance(engine.answer(query), Result)


def test_either_can_be_had(engine: Engine) -> None:
    table = engine.answer(Question("<a/>", form="table"))
    items = engine.answer(Question("1, 'x', <a/>, map { 'n': 1 }", form="items"))

    assert isinstance(table, Result)
    assert table.arrow().to_pylist() == [{"value": "<a/>"}]
    assert isinstance(items, Serialized)
    assert items == Serialized('1\n"x"\n<a/>\nmap{"n":1}', "adaptive")


@pytest.mark.parametrize("text", ["1, 'x'", "36893488147419103232, 1", "1.5, 'x'"])
def test_a_column_of_several_types_is_text(engine: Engine, text: str) -> None:
    (first, second) = (row["value"] for row in engine.query(text).arrow().to_pylist())

    assert (first, second) == tuple(part.strip(" '") for part in text.split(","))


def test_a_limit_leaves_items_out(engine: Engine) -> None:
    answer = engine.answer(Question("(1 to 9) ! <n>{.}</n>", limit=2))

    assert answer == Serialized("<n>1</n>\n<n>2</n>", "xml", is_truncated=True)


def test_sql_has_no_items(engine: Engine) -> None:
    with pytest.raises(QueryError, match="only XQuery returns items"):
        engine.answer(Question("SELECT 1", form="items"))


def test_options_in_a_document_are_refused(engine: Engine) -> None:
    with pytest.raises(QueryError, match="SEPM0016"):
        engine.answer("declare option output:parameter-document 'x.xml'; 1")


def test_exact_sums_in_sql_are_integers(engine: Engine) -> None:
    (total,) = engine.xquery("sum($methods/dcg:callCount ! xs:long(.))").items()

    assert type(total) is int

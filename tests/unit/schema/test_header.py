"""The grammar that headers of queries and tables share."""

from __future__ import annotations

import pytest

from jvmscope.errors import QueryError
from jvmscope.schema.header import parse_header

_KEYS = frozenset({"id", "description", "column"})


def test_sql_and_xquery_headers_read_the_same() -> None:
    sql = "/**\n * @id a.b\n * @description one\n *   two\n */\nSELECT 1"
    xquery = "(:~\n : @id a.b\n : @description one\n :   two\n :)\nSELECT 1"

    headers = [parse_header(text, path=None, keys=_KEYS) for text in (sql, xquery)]

    for header in headers:
        assert header is not None
        assert header.get("id") == "a.b"
        assert header.get("description") == "one two"


def test_the_body_begins_after_the_header() -> None:
    text = "/** @id a */ SELECT 1"

    header = parse_header(text, path=None, keys=_KEYS)

    assert header is not None
    assert text[header.body_offset :] == " SELECT 1"


@pytest.mark.parametrize("text", ["", "SELECT 1", "-- @id a\nSELECT 1", "/* @id a */ SELECT 1"])
def test_another_comment_is_no_header(text: str) -> None:
    assert parse_header(text, path=None, keys=_KEYS) is None


def test_a_repeatable_key_keeps_its_order() -> None:
    header = parse_header(
        "/**\n * @column a\n * @column b\n */", path=None, keys=_KEYS, repeatable={"column"}
    )

    assert header is not None
    assert [entry.value for entry in header.all("column")] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("/**\n * @idd a\n */", 'f.sql:2:4: error: unknown key @idd\n.*\n.*\ndid you mean "id"'),
        ("/** @id a\n * @id b */", "f.sql:2:4: error: @id is given twice"),
        ("\n\n/** @id a", "f.sql:3:1: error: the header has no end"),
    ],
)
def test_a_mistake_is_told_with_its_position(text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        parse_header(text, path="f.sql", keys=_KEYS)

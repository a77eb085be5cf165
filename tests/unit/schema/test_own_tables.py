"""The definitions of tables in a probe of one's own: what they give, and every way to be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from jvmscope.collector.own_probe import compile_probe
from jvmscope.errors import AgentError, QueryError
from jvmscope.queries.scopes.bound_scopes import COMPUTED
from jvmscope.schema.own_tables import parse_own_table

_GOOD = """/**
 * @table        seen
 * @description  What was seen.
 * @order        context_id, kind
 * @within       context
 */
CREATE TABLE seen (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    kind        VARCHAR,           -- kind; null: unknown
    class_id    INTEGER REFERENCES class (class_id),  -- class; null: an array
    place       INTEGER NOT NULL REFERENCES instruction (instruction_id),  -- place
    is_new      BOOLEAN NOT NULL,  -- whether it is new
    size        BIGINT NOT NULL,   -- size [byte]
    rank        INTEGER NOT NULL,  -- rank
    n_events    BIGINT NOT NULL,   -- events [event]
    n_bytes     BIGINT NOT NULL    -- bytes [byte]
);
"""


def test_keys_and_counts_are_told_apart() -> None:
    table = parse_own_table(_GOOD, "seen.sql")

    assert [column.name for column in table.counts] == ["n_events", "n_bytes"]
    assert [column.name for column in table.keys] == [
        "kind", "class_id", "place", "is_new", "size", "rank",
    ]  # fmt: skip
    assert table.kinds == "TCsbli"


_WRONG = {
    "no header": ("/**", "/*", 1, "expected a header"),
    "unknown key": ("@order", "@odrer", 4, "unknown key @odrer"),
    "element": ("@order", "@element seen\n * @order", 4, "unknown key @element"),
    "no name": (" * @table        seen\n", "", 1, "expected @table NAME"),
    "a name of the run": ("seen", "context_block", 2, "every run may have a table"),
    "a wrong name": ("@table        seen", "@table        Seen", 2, "expected @table NAME"),
    "another name": ("CREATE TABLE seen", "CREATE TABLE sen", 7, "expected CREATE TABLE seen ("),
    "no table": ("CREATE TABLE seen", "CREATE TABEL seen", 7, "expected CREATE TABLE seen ("),
    "no end": (");\n", ")\n", 17, "expected );"),
    "a number as a unit": ("[byte]", "[1]", 13, "lower-case letters, found [1]"),
    "a wide unit": ("[event]", "[Kernel events]", 15, "lower-case letters, found [Kernel events]"),
    "order": ("context_id, kind", "context_id, knid", 4, "the table has no column knid"),
    "an order of nulls": ("context_id, kind", "kind (nulls first)", 4, "(null first)"),
    "an order downwards": ("context_id, kind", "kind DESC", 4, "(null first)"),
    "within": ("@within       context", "@within       field", 5, "expected @within"),
    "no within": (" * @within       context\n", "", 1, "expected @within"),
    "the wrong owner": ("@within       context", "@within       thread", 1, "thread_id"),
    "counted elsewhere": ("@within", "@counted_at   callee\n * @within", 5, "@counted_at caller"),
    "no comment": ("  -- rank", "", 14, "expected a column with its comment"),
    "type": ("size        BIGINT", "size        DOUBLE", 13, "no type DOUBLE"),
    "list": ("size        BIGINT", "size        INTEGER[]", 13, "no type INTEGER[]"),
    "words": ("size        BIGINT", "size        opcode", 13, "no type opcode"),
    "null": ("; null: unknown", "", 9, "a nullable column"),
    "reference": ("REFERENCES class (class_id)", "REFERENCES field (field_id)", 10, "to field"),
    "two places": (
        "rank        INTEGER NOT NULL",
        "rank        INTEGER NOT NULL REFERENCES call_site (call_site_id)",
        1,
        "one place in code",
    ),
    "two names": ("rank  ", "size  ", 14, "two columns have the name"),
    "no count": ("n_", "m_", 1, "expected a column of counts"),
    "a small count": ("n_bytes     BIGINT", "n_bytes     INTEGER", 16, "BIGINT NOT NULL"),
    "too many": (
        "    n_events",
        "    more        INTEGER NOT NULL,  -- more\n    n_events",
        1,
        "at most 4",
    ),
    "too long": ("What was seen.", "x" * 20_000, 1, "at most 20,000"),
    "statements": (");\n", ");\nDROP TABLE context;\n", 18, "expected a column"),
    "injection": ("rank        INTEGER", 'rank", 1 AS "x INTEGER', 14, "expected a column"),
    "computed": ("seen", "call_edge", 2, "every run may have a table call_edge"),
}  # fmt: skip


def test_an_order_says_where_null_comes() -> None:
    order = "kind (null first), context_id"
    assert parse_own_table(_GOOD.replace("context_id, kind", order), "seen.sql").order == order


@pytest.mark.parametrize("case", _WRONG)
def test_what_is_wrong_is_said_with_its_place(case: str) -> None:
    old, new, line, message = _WRONG[case]
    assert old in _GOOD

    with pytest.raises(QueryError) as error:
        parse_own_table(_GOOD.replace(old, new), "seen.sql")

    assert message in str(error.value)
    assert str(error.value).startswith(f"seen.sql:{line}")


def test_relations_that_are_computed_keep_their_names() -> None:
    for name in COMPUTED:
        with pytest.raises(QueryError, match="every run may have"):
            parse_own_table(_GOOD.replace("seen", name), f"{name}.sql")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "there is no *.sql"),
        ({"seen.sql": _GOOD}, "there is no *.java"),
        ({"a.sql": _GOOD, "b.sql": _GOOD, "A.java": ""}, "another file defines the table seen"),
        ({"seen.sql": _GOOD.replace("-- rank", ""), "A.java": ""}, "seen.sql:14: error: expected"),
        ({"seen.sql": _GOOD, "A.java": ""}, "--probe needs a JDK"),
    ],
)
def test_a_folder_that_is_no_probe_is_refused(
    files: dict[str, str], message: str, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    with pytest.raises(AgentError) as error:
        compile_probe(tmp_path, None, Path("agent.jar"), tmp_path / "out")

    assert message in str(error.value)
    assert str(error.value).startswith((str(tmp_path), "--probe"))

"""The table definitions: narrow form, valid SQL, Arrow types."""

from __future__ import annotations

from importlib import resources

import duckdb
import pyarrow as pa
import pytest

from jvmscope.errors import QueryError
from jvmscope.schema import tables, word_sets
from jvmscope.schema.definitions import _parse


def test_every_definition_is_sql_that_a_database_accepts() -> None:
    database = duckdb.connect()
    database.execute((resources.files("jvmscope.schema") / "types.sql").read_text())

    for table in tables().values():
        database.execute(table.ddl)

    created = {name for (name,) in database.execute("SHOW TABLES").fetchall()}
    assert created == set(tables())


@pytest.mark.parametrize("name", tables())
def test_a_definition_agrees_with_what_the_database_made_of_it(name: str) -> None:
    database = duckdb.connect()
    database.execute((resources.files("jvmscope.schema") / "types.sql").read_text())
    for table in tables().values():
        database.execute(table.ddl)

    described = database.execute(f'DESCRIBE "{name}"').fetchall()

    columns = tables()[name].columns
    assert [(row[0], row[2] == "YES") for row in described] == [
        (column.name, column.is_nullable) for column in columns
    ]
    assert all(column.meaning for column in columns)


def test_a_table_comes_after_those_it_refers_to() -> None:
    seen: set[str] = set()
    for table in tables().values():
        seen.add(table.name)
        assert {column.references for column in table.columns if column.references} <= seen


def test_arrow_types_follow_the_definition() -> None:
    schema = tables()["call_site"].arrow_schema

    assert schema.field("call_site_id") == pa.field("call_site_id", pa.int32(), nullable=False)
    assert schema.field("offset") == pa.field("offset", pa.int32(), nullable=True)
    assert schema.field("opcode").type == pa.dictionary(pa.int16(), pa.string())
    assert tables()["class"].arrow_schema.field("interface_ids").type == pa.list_(pa.int32())


def test_opcodes_are_in_the_order_of_their_numbers() -> None:
    words = word_sets()["opcode"].words

    assert len(words) == len(set(words)) == 202
    assert (words[0x00], words[0xB6], words[0xC4], words[0xC9]) == (
        "nop",
        "invokevirtual",
        "wide",
        "jsr_w",
    )


def test_a_probe_says_how_to_record_its_table() -> None:
    assert tables()["receiver"].recorded == "--probes receivers"
    assert tables()["context"].recorded == "always"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("    a INTEGER", "expected a column with its comment"),
        ("    a TEXT NOT NULL, -- words", "unknown type TEXT"),
        ("    a INTEGER, -- number", "a nullable column"),
        ("    a INTEGER NOT NULL, -- number; null: none", "a nullable column"),
    ],
)
def test_a_definition_of_another_form_is_refused_at_its_line(
    tmp_path: object, line: str, message: str
) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    file = tmp_path / "odd.sql"
    file.write_text(f"/**\n * @table odd\n */\nCREATE TABLE odd (\n{line}\n);\n")

    with pytest.raises(QueryError, match=f"odd.sql:5: error: .*{message}"):
        _parse(file.name, file.read_text(encoding="utf-8"))

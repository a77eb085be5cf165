"""The SQL engine: answers, limits, and errors with their place in the query."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jvmscope.errors import LimitReached, QueryError, RunError
from jvmscope.queries import Engine, Question, parse_query_file
from jvmscope.queries.xquery.variables import PREDEFINED
from jvmscope.schema import Manifest, write_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def engine(shapes: Path) -> Iterator[Engine]:
    with Engine(shapes) as engine:
        yield engine


def test_tables_of_the_run_are_views(engine: Engine) -> None:
    result = engine.query(
        "SELECT m.name, SUM(c.n_calls)::INTEGER AS n FROM context AS c JOIN method AS m "
        "USING (method_id) GROUP BY m.name ORDER BY m.name"
    )

    assert list(result.rows()) == [("add", 5), ("area", 10), ("grow", 5), ("log", 1), ("main", 1)]


def test_the_variables_that_queries_find_are_those_of_the_trees(engine: Engine) -> None:
    assert set(engine.tree.variables) == set(PREDEFINED)


def test_a_result_is_typed_arrow_and_relation(engine: Engine) -> None:
    result = engine.query("SELECT thread_id, name FROM thread ORDER BY thread_id")

    table = result.arrow()

    assert [(column.name, column.type) for column in result.columns] == [
        ("thread_id", "INTEGER"),
        ("name", "VARCHAR"),
    ]
    assert table.schema.field("thread_id").type == pa.int32()
    assert table["name"].to_pylist() == ["main", "worker"]
    assert result.relation.fetchall() == [(0, "main"), (1, "worker")]
    assert result.arrow() is table


def test_a_relation_is_computed_when_it_is_used(engine: Engine) -> None:
    endless = engine.query(Question("FROM range(1000000000000) AS t (n)", limit=7)).relation

    assert endless.filter("n % 2 = 1").fetchall() == [(1,), (3,), (5,)]


def test_a_query_does_not_see_the_callers_variables(engine: Engine) -> None:
    rows_of_mine = pa.table({"n": [1]})

    with pytest.raises(QueryError, match='there is no table "rows_of_mine"'):
        engine.query("FROM rows_of_mine")
    assert rows_of_mine.num_rows == 1


@pytest.mark.parametrize(
    "name", ["a.b", "a.b.c", '"a b"', '"a.b"', '"a ""b"""', '"d does not exist"']
)
def test_a_table_that_is_missing_is_named_as_it_is(engine: Engine, name: str) -> None:
    named = name.removeprefix('"').removesuffix('"').replace('""', '"')

    with pytest.raises(QueryError) as caught:
        engine.query(f"FROM {name}")

    assert caught.value.message == f'there is no table "{named}"'


def test_rows_are_read_once_unless_kept(engine: Engine) -> None:
    result = engine.query("SELECT 1")
    list(result.rows())

    with pytest.raises(RuntimeError, match="call arrow"):
        list(result.rows())


def test_units_come_from_the_header(engine: Engine) -> None:
    query = parse_query_file("/** @column n integer  call  calls */ SELECT 1 AS n, 2 AS m", None)

    result = engine.query(query)

    assert [(column.name, column.unit) for column in result.columns] == [("n", "call"), ("m", None)]


def test_a_declared_column_that_the_answer_lacks_is_refused(engine: Engine) -> None:
    columns = ("@column  n  integer  call  calls", "@column  n_calls  integer  call  more")
    header = f"/**\n * {columns[0]}\n * {columns[1]}\n */"
    query = parse_query_file(f"{header} SELECT 1 AS n, 2 AS n_call", "own.sql")

    with pytest.raises(QueryError, match="the answer has no column n_calls") as caught:
        engine.query(query)
    assert (caught.value.path, caught.value.line, caught.value.column) == ("own.sql", 3, 4)
    assert caught.value.hint == 'did you mean "n_call"?'
    assert engine.query(replace(query, text=f"{header} SELECT 1 AS n, 2 AS n_calls")).columns


@pytest.mark.parametrize(("limit", "n_rows", "is_truncated"), [(3, 3, True), (5, 5, False)])
def test_a_limit_says_whether_there_is_more(
    engine: Engine, limit: int, n_rows: int, is_truncated: bool
) -> None:
    result = engine.query(Question("FROM range(5)", limit=limit))

    assert len(list(result.rows())) == n_rows
    assert result.is_truncated is is_truncated


def test_a_limit_stops_an_endless_query(engine: Engine) -> None:
    result = engine.query(Question("FROM range(1000000000000)", limit=2))

    assert list(result.rows()) == [(0,), (1,)]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT SUM(a.range * b.range) FROM range(100000000) AS a, range(1000000) AS b",
        "FROM range(1000000000000)",
    ],
)
def test_a_timeout_ends_a_query(engine: Engine, text: str) -> None:
    with pytest.raises(LimitReached, match=r"stopped after 0.2 s"):
        list(engine.query(Question(text, timeout=0.2)).rows())


def test_parameters_are_bound(engine: Engine) -> None:
    result = engine.query(Question("SELECT $n + 1, $s", params={"n": 41, "s": "'; DROP"}))

    assert list(result.rows()) == [(42, "'; DROP")]


def test_a_declared_parameter_has_its_default(engine: Engine) -> None:
    query = parse_query_file("/** @param n integer 7 number */ SELECT $n", None)

    assert list(engine.query(query).rows()) == [(7,)]
    assert list(engine.query(Question(query, params={"n": "8"})).rows()) == [(8,)]


def test_the_last_of_several_statements_answers(engine: Engine) -> None:
    result = engine.query("CREATE TEMP TABLE t AS SELECT 3 AS n; SELECT n FROM t")

    assert list(result.rows()) == [(3,)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "SELECT name\nFROM thread WHERE nme = 'x'",
            (
                'query:2:19: error: Referenced column "nme" not found in FROM clause\n'
                "    2 | FROM thread WHERE nme = 'x'\n"
                "      |                   ^~~\n"
                'did you mean "name"?'
            ),
        ),
        (
            "SELECT * FROM contxt",
            (
                'query:1:15: error: there is no table "contxt"\n'
                "    1 | SELECT * FROM contxt\n"
                "      |               ^~~~~~\n"
                'did you mean "context"?  All tables: jvmscope list tables'
            ),
        ),
        (
            "SELECT * FROM receiver",
            (
                'query:1:15: error: the table "receiver" was not recorded in this run\n'
                "    1 | SELECT * FROM receiver\n"
                "      |               ^~~~~~~~\n"
                "record the program again with --probes receivers"
            ),
        ),
        (
            "SELECT 1;\n SELEC 2",
            (
                'query:2:2: error: syntax error at or near "SELEC"\n'
                '    2 |  SELEC 2\n      |  ^~~~~\ndid you mean "SELECT"?'
            ),
        ),
        (
            "/* é */ SELECT 1;\nSELECT CAST(name AS INTEGER) FROM thread",
            (
                "query:2:8: error: Could not convert string 'main' to INT32 when casting from "
                "source column name\n"
                "    2 | SELECT CAST(name AS INTEGER) FROM thread\n"
                "      |        ^~~~~~~~~~~~~~~~~~~~~"
            ),
        ),
        (
            "SELECT $n",
            (
                "query:1:8: error: the parameter $n has no value\n"
                "    1 | SELECT $n\n      |        ^~\n"
                "give one with params={'n': VALUE}"
            ),
        ),
        ("  ", "query: error: there is no statement in the query"),
    ],
)
def test_an_error_is_told_at_its_place(engine: Engine, text: str, expected: str) -> None:
    with pytest.raises(QueryError) as raised:
        engine.query(text).arrow()

    assert str(raised.value) == expected


def test_an_error_in_a_file_names_the_file(engine: Engine) -> None:
    query = parse_query_file("/** @id a.b\n */\nSELECT nme FROM thread", "a/b.sql")

    with pytest.raises(QueryError) as raised:
        engine.query(query)

    assert (raised.value.path, raised.value.line, raised.value.column) == ("a/b.sql", 3, 8)


def test_an_unknown_parameter_is_refused(engine: Engine) -> None:
    with pytest.raises(QueryError, match=r"the query has no parameter \$n"):
        engine.query(Question("SELECT 1", params={"n": 1}))


def test_the_opcodes_are_a_relation(engine: Engine) -> None:
    result = engine.query("SELECT name FROM opcode WHERE number = 182")

    assert list(result.rows()) == [("invokevirtual",)]


def test_a_missing_table_file_is_told_when_the_run_is_opened(tmp_path: Path, shapes: Path) -> None:
    run = tmp_path / "copy.run"
    shutil.copytree(shapes, run)
    (run / "tables" / "thread.parquet").unlink()

    with pytest.raises(RunError, match=r"thread.parquet: the manifest lists the table"):
        Engine(run)


def test_a_path_may_hold_any_character(tmp_path: Path, shapes: Path) -> None:
    run = tmp_path / "a [1]* 'é?.run"
    shutil.copytree(shapes, run)
    shutil.copytree(shapes, tmp_path / "a 1 'éx.run")

    with Engine(run) as engine:
        assert list(engine.query("SELECT COUNT(*) FROM thread").rows()) == [(2,)]


def test_a_damaged_table_is_told_when_the_run_is_opened(tmp_path: Path, shapes: Path) -> None:
    run = tmp_path / "copy.run"
    shutil.copytree(shapes, run)
    (run / "tables" / "thread.parquet").write_bytes(b"PAR1 no more")

    with pytest.raises(RunError, match=r"thread.parquet: not a readable Parquet file: "):
        Engine(run)


def test_columns_of_other_types_are_told_when_the_run_is_opened(
    tmp_path: Path, shapes: Path
) -> None:
    run = tmp_path / "copy.run"
    shutil.copytree(shapes, run)
    path = run / "tables" / "context.parquet"
    table = pq.read_table(path)
    at = table.column_names.index("n_calls")
    pq.write_table(table.set_column(at, "n_calls", table["n_calls"].cast(pa.string())), path)

    with pytest.raises(RunError, match=r"context.parquet: the column n_calls is string"):
        Engine(run)


def test_a_failed_recording_says_why_it_has_no_tables(tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest(status="failed", tables={}))

    with Engine(tmp_path) as engine, pytest.raises(QueryError, match="the recording failed"):
        engine.query("FROM context")

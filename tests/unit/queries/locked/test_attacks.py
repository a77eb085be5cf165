"""Queries of others: what they may not say is refused, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope.errors import JvmscopeError, QueryError
from jvmscope.queries import Engine, Limits, Question, Serialized

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WRITTEN = "/tmp/jvmscope-attack"  # noqa: S108 - must not come into being


@pytest.fixture(scope="module")
def engine(shapes: Path) -> Iterator[Engine]:
    """The engine of a worker, without the limits of its process."""
    with Engine(shapes, locked_to=Limits(seconds=5)) as engine:
        yield engine


@pytest.mark.parametrize(
    "text",
    [
        "SELECT COUNT(*) FROM context",
        "FROM run.thread",
        "SELECT opcode.name FROM opcode",
        "WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) FROM t",
        "WITH a AS (FROM thread), b AS (FROM a) FROM b",
        "SELECT [n + 1 FOR n IN range(3)], map {'a': 1}, {'b': 2}.b, now() > DATE '2020-01-01'",
        "SELECT SUM(n_calls) OVER (ORDER BY context_id) FROM context ORDER BY ALL",
        "FROM cct.edges()",
        "SELECT stats.gini([1, 2])",
        "SELECT name::VARCHAR COLLATE nocase, 1::DECIMAL(10, 2) FROM thread",
        "FROM thread USING SAMPLE 99% (system, 42)",  # any other seed may take nothing
        "FROM thread PIVOT (count(*) FOR kind IN ('platform', 'virtual'))",
        "FROM thread ANTI JOIN (VALUES (7)) other (thread_id) USING (thread_id) LIMIT 50 PERCENT",
        "SELECT * EXCLUDE (name) REPLACE (1 AS kind) FROM thread GROUP BY ALL ORDER BY ALL",
        "DESCRIBE context",
        "SUMMARIZE SELECT name FROM thread",
        "VALUES (1)",
    ],
)
def test_what_reads_the_run_alone_is_answered(engine: Engine, text: str) -> None:
    assert engine.query(Question(text, language="sql")).arrow().num_rows > 0


@pytest.mark.parametrize(
    "text",
    [
        # files
        "FROM read_text('/etc/passwd')",
        "FROM '/etc/passwd'",
        "FROM read_csv('/etc/passwd')",
        "FROM glob('/etc/*')",
        "FROM sniff_csv('/etc/passwd')",
        "FROM read_blob('run.json')",
        "FROM read_duckdb('x.db')",
        "FROM parquet_metadata('tables/context.parquet')",
        "FROM read_parquet('tables/context.parquet')",
        "DESCRIBE FROM read_text('/etc/passwd')",
        "WITH x AS (FROM read_text('/etc/passwd')) FROM thread",
        "SELECT (SELECT content FROM read_text('/etc/passwd'))",
        "SELECT * FROM \"read_text\"('/etc/passwd')",
        f"COPY (SELECT 1) TO '{_WRITTEN}'",
        f"EXPLAIN ANALYZE COPY (SELECT 1) TO '{_WRITTEN}'",
        f"EXPORT DATABASE '{_WRITTEN}'",
        f"ATTACH '{_WRITTEN}'",
        # the machine, the settings, the catalogue
        "SELECT getenv('HOME')",
        "SELECT current_setting('allowed_paths')",
        "FROM duckdb_settings()",
        "FROM duckdb_views",
        "FROM duckdb_secrets()",
        "FROM information_schema.tables",
        "FROM pg_catalog.pg_tables",
        "FROM sqlite_master",
        "FROM duckdb_logs()",
        "SELECT version()",
        "SHOW ALL TABLES",
        "SHOW DATABASES",
        # names that are not what they seem
        "WITH a AS (FROM duckdb_views), duckdb_views AS (SELECT 1) FROM a",
        "WITH duckdb_views AS (FROM duckdb_views) FROM duckdb_views",
        "WITH RECURSIVE duckdb_views AS (FROM duckdb_views UNION ALL SELECT 1) FROM duckdb_views",
        "FROM system.main.duckdb_views",
        "SELECT main.getenv('HOME')",
        "SELECT list_transform(['HOME'], lambda name: current_setting(name))",
        # SQL in strings
        "FROM query('SELECT 1')",
        "FROM query_table('duckdb_views')",
        "SELECT json_execute_serialized_sql('{}')",
        "SELECT json_serialize_plan('SELECT 1')",
        # statements in a query
        f"WITH t AS (COPY (SELECT 1) TO '{_WRITTEN}') SELECT 1",
        f"WITH t AS (COPY (FROM thread) TO '{_WRITTEN}' (PARTITION_BY kind, OVERWRITE)) FROM t",
        f"SELECT (WITH t AS (COPY (SELECT 1) TO '{_WRITTEN}') SELECT 1)",
        "WITH t AS (INSERT INTO context SELECT * FROM context RETURNING *) FROM t",
        "WITH t AS (UPDATE thread SET name = '' RETURNING *) FROM t",
        "WITH t AS (DELETE FROM thread RETURNING *) FROM t",
        # what else a query may hold
        "FROM thread AT (VERSION => 1)",
        "FROM thread PIVOT (count(*) FOR kind IN an_enum)",
        "SELECT count(*) EXPORT_STATE FROM thread",
        "SELECT 'x'::sometype",
        "SELECT name::main.varchar FROM thread",
        "SELECT 1 OPERATOR(main.+) 2",
        # changes
        "CREATE TABLE t (n INTEGER)",
        "CREATE MACRO cct.edges() AS TABLE SELECT 1",
        "DROP VIEW run.context",
        "INSERT INTO context SELECT * FROM context",
        "SET memory_limit = '100GB'",
        "RESET lock_configuration",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "CHECKPOINT",
        "VACUUM",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SELECT write_log('x')",
        "SELECT nextval('s')",
        "SELECT setseed(0.5)",
        "SELECT sleep_ms(100000)",
        "PREPARE p AS SELECT 1",
        "EXECUTE p",
        # more or less than one statement
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP VIEW run.context",
        "",
        # private macros, and what is nested too deep
        "SELECT names._type('I')",
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        "SELECT " + "-".join("1" * 5000),
        "SELECT " + "[" * 2000 + "]" * 2000,
    ],
)
def test_sql_that_reaches_out_is_refused(engine: Engine, text: str) -> None:
    with pytest.raises(QueryError):
        engine.query(Question(text, language="sql")).arrow()


@pytest.mark.parametrize(
    "text",
    [
        "doc('/etc/passwd')",
        "doc('file:///etc/passwd')",
        "doc('http://localhost/')",
        "doc('../../etc/passwd')",
        "collection('/etc')",
        "uri-collection('/etc')",
        "unparsed-text('/etc/passwd')",
        "unparsed-text-lines('file:///etc/passwd')",
        "json-doc('/etc/passwd')",
        "load-xquery-module('urn:x', map { 'location-hints': '/etc/passwd' })",
        "import module namespace x = 'urn:x' at '/etc/passwd'; x:f()",
        "transform(map { 'stylesheet-location': '/etc/passwd' })",
        "parse-xml('<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><a>&amp;e;</a>')",
        "declare option output:parameter-document '/etc/passwd'; 1",
        "declare namespace java = 'java:java.lang.System'; java:exit(1)",
        "declare function local:f($n) { 1 + local:f($n) }; local:f(1)",
        "let $f := function($f, $n) { 1 + $f($f, $n) } return $f($f, 1)",
        "(" * 5000 + "1" + ")" * 5000,
        "<a>" * 5000 + "</a>" * 5000 + "!",
    ],
)
def test_xquery_that_reaches_out_is_refused(engine: Engine, text: str) -> None:
    with pytest.raises(JvmscopeError):
        engine.query(Question(text, language="xquery")).arrow()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("environment-variable('HOME')", ""),
        ("available-environment-variables()", ""),
        ("doc-available('/etc/passwd')", "false"),
        ("unparsed-text-available('/etc/passwd')", "false"),
    ],
)
def test_what_is_asked_of_the_machine_is_not_told(engine: Engine, text: str, expected: str) -> None:
    answer = engine.answer(Question(text, language="xquery", form="items"))

    assert isinstance(answer, Serialized)
    assert answer.text.removesuffix("()") == expected


def test_what_may_be_read_is_not_for_others(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<a/>", encoding="utf-8")
    question = Question(f"doc('{tmp_path}/a.xml')", language="xquery", allow_read=[tmp_path])

    with pytest.raises(QueryError, match="FODC0002"):
        engine.answer(question)


def test_a_refusal_names_the_place(engine: Engine) -> None:
    with pytest.raises(QueryError) as raised:
        engine.query("SELECT name,\n  'é' || getenv('HOME') FROM thread")

    assert str(raised.value) == (
        "query:2:10: error: an untrusted query may not call getenv()\n"
        "    2 |   'é' || getenv('HOME') FROM thread\n"
        "      |          ^~~~~~~~~~~~~~"
    )


def test_an_unlocked_connection_would_not_help(engine: Engine, shapes: Path) -> None:
    """What the rules let through by mistake, the database still refuses."""
    connection = engine.connect()

    for text in (
        f"FROM read_text('{shapes}/run.json')",
        f"COPY (SELECT 1) TO '{shapes}/tables/x.csv'",
        "SET enable_external_access = true",
        "SET allowed_paths = ['/etc/passwd']",
    ):
        with pytest.raises(Exception, match=r"Permission Error|Cannot change"):
            connection.execute(text)

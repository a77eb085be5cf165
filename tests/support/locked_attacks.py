"""Attacks on a run: what DuckDB and XQuery can do, at every place where a query may stand.

Statements and functions are those that the installed DuckDB has; the attacks name a canary
directory and a run's tables, by the paths that they are given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.functions.index import MODULES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import duckdb

__all__ = ["EXPRESSION_PLACES", "QUERY_PLACES", "XQUERY_PLACES", "Attacks", "Call"]

QUERY_PLACES = (
    "{q}",
    "({q})",
    "/* */ {q} -- ",
    "SELECT 1; {q}",
    "{q}; SELECT 1",
    "WITH t AS ({q}) SELECT 1",
    "WITH t AS ({q}) FROM t",
    "WITH t (a) AS MATERIALIZED ({q}) SELECT 1",
    "WITH a AS (SELECT 1), t AS NOT MATERIALIZED ({q}) SELECT 1",
    "WITH t AS (WITH u AS ({q}) SELECT 1) FROM t",
    "WITH RECURSIVE t AS ({q} UNION ALL SELECT 1) SELECT 1",
    "WITH RECURSIVE t AS (SELECT 1 UNION ALL {q}) SELECT 1",
    "WITH RECURSIVE t (n) USING KEY (n) AS (SELECT 1 UNION {q}) SELECT 1",
    "SELECT (WITH t AS ({q}) SELECT 1)",
    "SELECT 1 FROM (WITH t AS ({q}) SELECT 1)",
    "SELECT 1 FROM ({q}) s",
    "SELECT 1 FROM thread, LATERAL ({q}) s",
    "SELECT 1 FROM thread JOIN ({q}) s ON true",
    "SELECT 1 FROM thread JOIN context ON EXISTS ({q})",
    "SELECT 1 FROM thread SEMI JOIN ({q}) s ON true",
    "SELECT ({q})",
    "SELECT ARRAY({q})",
    "SELECT [({q})], {{'a': ({q})}}, MAP {{1: ({q})}}",
    "SELECT 1 FROM thread WHERE EXISTS ({q})",
    "SELECT 1 FROM thread WHERE thread_id IN ({q})",
    "SELECT 1 FROM thread WHERE thread_id > ANY ({q})",
    "SELECT CASE WHEN true THEN ({q}) ELSE 2 END, CAST(({q}) AS VARCHAR)",
    "SELECT kind FROM thread GROUP BY kind, ({q})",
    "SELECT kind FROM thread GROUP BY kind HAVING ({q}) IS NULL",
    "SELECT kind FROM thread QUALIFY row_number() OVER (ORDER BY ({q})) = 1",
    "SELECT 1 FROM thread ORDER BY ({q})",
    "SELECT 1 FROM thread LIMIT ({q})",
    "SELECT DISTINCT ON (({q})) 1 FROM thread",
    "SELECT sum(thread_id) FILTER (WHERE EXISTS ({q})) FROM thread",
    "SELECT string_agg(name ORDER BY ({q})) FROM thread",
    "SELECT list_transform([1], lambda x: ({q}))",
    "SELECT [({q}) FOR x IN [1] IF EXISTS ({q})]",
    "SELECT * REPLACE (({q}) AS name) FROM thread",
    "VALUES (({q}))",
    "FROM range(({q}))",
    "FROM unnest(ARRAY({q}))",
    "FROM cct.subtree(({q}))",
    "SELECT stats.gini(ARRAY({q}))",
    "{q} UNION ALL SELECT 1",
    "SELECT 1 EXCEPT {q}",
    "FROM ({q}) s PIVOT (count(*) FOR a IN (1))",
    "FROM ({q}) s UNPIVOT (v FOR n IN (a))",
    "PIVOT ({q}) ON a USING count(*)",
    "DESCRIBE {q}",
    "SUMMARIZE {q}",
    "FROM (DESCRIBE {q})",
    "FROM (SUMMARIZE {q})",
    "EXPLAIN {q}",
    "EXPLAIN ANALYZE {q}",
    "PREPARE p AS {q}",
    "CREATE TABLE made AS {q}",
    "CREATE VIEW made AS {q}",
    "CREATE MACRO made() AS TABLE {q}",
    "CREATE MACRO made() AS ({q})",
    "COPY ({q}) TO '{canary}/copied'",
    "FROM query('{quoted}')",
    "SELECT json_serialize_sql('{quoted}')",
    "FROM json_execute_serialized_sql(json_serialize_sql('{quoted}'))",
)
"""Where a query, or another statement in its place, may stand."""

EXPRESSION_PLACES = (
    "SELECT {e}",
    "FROM {e}",
    "FROM thread, {e} f",
    "FROM thread, LATERAL {e} f",
    "SELECT 1 FROM thread WHERE {e} IS NULL",
    "SELECT 1 FROM thread ORDER BY {e}",
    "SELECT 1 FROM thread LIMIT {e}",
    "SELECT {e} OVER () FROM thread",
    "SELECT list_transform([1], lambda x: {e})",
    "SELECT 'x'.{e}",
    "SELECT count(*) FILTER (WHERE {e} IS NULL) FROM thread",
    "WITH t AS (SELECT {e}) FROM t",
    "WITH t AS (FROM {e}) FROM t",
    "SELECT (FROM {e})",
    "DESCRIBE FROM {e}",
    "SUMMARIZE FROM {e}",
    "CALL {e}",
    "PRAGMA {e}",
    "SELECT main.{e}",
    "SELECT system.main.{e}",
    "FROM system.main.{e}",
    "FROM cct.subtree({e})",
    "SELECT stats.gini({e})",
)
"""Where a call of a function may stand."""

XQUERY_PLACES = (
    "{e}",
    "let $x := {e} return 1",
    "for $x in ({e}) return $x",
    "$cct[{e}]",
    "$methods[1]/{e}",
    "<a>{{ {e} }}</a>",
    "<a b='{{ {e} }}'/>",
    "map {{ 'a': {e} }}?a",
    "[{e}]?1",
    "try {{ {e} }} catch * {{ $err:description }}",
    "declare function local:f() {{ {e} }}; local:f()",
    "declare variable $v := {e}; $v",
    "(function() {{ {e} }})()",
    "if ({e}) then 1 else 2",
    "for $t in $cct//dcg:thread order by string({e}) return $t/@name",
)
"""Where a call of a function of XQuery may stand."""

_STATEMENTS = """
    COPY (SELECT 1 AS a) TO '{table}' (FORMAT csv, USE_TMP_FILE false)
    COPY (SELECT 1 AS a) TO '{table}' (FORMAT parquet)
    COPY (SELECT 1 AS a, 2 AS b) TO '{run}/tables' (FORMAT csv, PARTITION_BY (a), OVERWRITE)
    COPY (SELECT 1 AS a) TO '{canary}/new.json' (FORMAT json)
    COPY (SELECT 1 AS a) TO '{canary}/new.db' (FORMAT blob)
    COPY (SELECT 1 AS a) TO '{run}/run.json'
    COPY thread TO '{canary}/thread.csv'
    COPY thread FROM '{secret}'
    COPY FROM DATABASE memory TO other
    EXPORT DATABASE '{canary}/exported'
    IMPORT DATABASE '{canary}'
    ATTACH '{canary}/new.db' AS other
    ATTACH DATABASE '{canary}/kept' AS other (TYPE sqlite)
    DETACH other
    USE other
    INSTALL httpfs FROM '{canary}'
    FORCE INSTALL httpfs
    LOAD '{canary}/x.duckdb_extension'
    UPDATE EXTENSIONS
    CREATE SECRET s (TYPE s3, KEY_ID 'x')
    CREATE PERSISTENT SECRET s (TYPE s3, KEY_ID 'x')
    DROP SECRET s
    CREATE TABLE made (a INTEGER)
    CREATE OR REPLACE TABLE run.thread (a INTEGER)
    CREATE TEMP TABLE made AS FROM read_text('{secret}')
    CREATE VIEW made AS FROM read_csv('{secret}')
    CREATE SCHEMA made
    CREATE SEQUENCE made
    CREATE TYPE made AS ENUM ('a')
    CREATE INDEX made ON thread (name)
    CREATE MACRO made(a) AS getenv(a)
    CREATE FUNCTION made(a) AS TABLE FROM read_text(a)
    CREATE TRIGGER made AFTER INSERT ON thread EXECUTE FUNCTION f()
    ALTER VIEW run.thread RENAME TO other
    ALTER TABLE thread ADD COLUMN a INTEGER
    DROP VIEW run.thread
    DROP SCHEMA run CASCADE
    INSERT INTO thread SELECT * FROM thread
    INSERT INTO thread VALUES (1) RETURNING *
    INSERT OR REPLACE INTO thread VALUES (1)
    UPDATE thread SET name = '' RETURNING *
    DELETE FROM thread RETURNING *
    TRUNCATE thread
    MERGE INTO thread USING context ON true WHEN MATCHED THEN DELETE RETURNING *
    COMMENT ON VIEW run.thread IS 'x'
    SET memory_limit = '100GB'
    SET GLOBAL allowed_paths = ['/']
    SET VARIABLE v = (SELECT content FROM read_text('{secret}'))
    SET enable_external_access = true
    SET home_directory = '{canary}'
    SET log_query_path = '{canary}/log'
    SET profiling_output = '{canary}/profile'
    SET temp_directory = '{canary}/temporary'
    SET secret_directory = '{canary}/secrets'
    SET extension_directory = '{canary}/extensions'
    SET custom_profiling_settings = '{{}}'
    RESET lock_configuration
    RESET VARIABLE v
    PRAGMA enable_profiling = 'json'
    PRAGMA database_list
    PRAGMA version
    PRAGMA show_tables
    PRAGMA storage_info('thread')
    PRAGMA import_database('{canary}')
    CALL pragma_version()
    CALL enable_logging(storage_path = '{canary}/log')
    CHECKPOINT memory
    FORCE CHECKPOINT memory
    VACUUM thread
    ANALYZE thread
    BEGIN TRANSACTION
    COMMIT TRANSACTION
    ROLLBACK TRANSACTION
    ABORT TRANSACTION
    PIVOT thread ON kind USING count(*)
    PREPARE p AS SELECT 1
    EXECUTE p
    DEALLOCATE p
    EXPLAIN SELECT 1
    EXPLAIN ANALYZE COPY (SELECT 1 AS a) TO '{table}'
    SHOW TABLES
    SHOW ALL TABLES
    SHOW DATABASES
    SHOW VARIABLES
    SHOW thread
    DESCRIBE duckdb_settings()
    SUMMARIZE duckdb_views
    TABLE duckdb_settings
    FROM '{secret}'
    FROM '{table}'
    FROM "{secret}"
    SELECT content FROM read_text('{secret}')
    SELECT content FROM read_blob('{run}/run.json')
    FROM read_csv('{secret}', header = false)
    FROM glob('{canary}/*')
    FROM duckdb_settings()
    FROM duckdb_views
    FROM information_schema.tables
    FROM pg_catalog.pg_settings
    FROM system.main.duckdb_settings
    FROM memory.run.thread
    FROM sqlite_master
    FROM thread AT (VERSION => 1)
    FROM query_table('duckdb_views')
    FROM histogram_values('duckdb_views', 'sql')
    SELECT getenv('PATH') AS a
    SELECT current_setting('allowed_paths') AS a
    SELECT current_query() AS a
    SELECT nextval('s') AS a
    SELECT 'x'::made AS a
"""
_CALL = re.compile(r"(\w+):([\w-]+)/([\d,]+)")


@dataclass(frozen=True)
class Call:
    """A call of a function of DuckDB: its name, what kind of function it is, and the text."""

    name: str
    kind: str
    text: str


@dataclass(frozen=True)
class Attacks:
    """Attacks on a run and a directory.

    Attributes:
        run: the run's directory, as attacks name it.
        canary: a directory with a file ``secret``, which should stay as it is and unread.
    """

    run: Path
    canary: Path

    def statements(self) -> list[str]:
        """Returns statements of each type that DuckDB has, each of which reaches out."""
        values = {
            "run": self.run,
            "table": self.run / "tables" / "class.parquet",
            "canary": self.canary,
            "secret": self.canary / "secret",
        }
        return [line.strip().format(**values) for line in _STATEMENTS.strip().splitlines()]

    def keywords(self, connection: duckdb.DuckDBPyConnection) -> list[str]:
        """Returns a statement for each word that DuckDB knows, with a path and with a table."""
        words = connection.execute("SELECT keyword_name FROM duckdb_keywords() ORDER BY 1")
        found = [word.upper() for (word,) in words.fetchall()]
        path = self.canary / "made"
        return [f"{word} {rest}" for word in found for rest in (f"'{path}'", "thread")]

    def at(self, place: str, query: str) -> str:
        """Returns a query at a place where queries may stand."""
        quoted = query.replace("'", "''")
        return place.format(q=query, quoted=quoted, canary=self.canary)

    def calls(self, connection: duckdb.DuckDBPyConnection) -> list[Call]:
        """Returns a call of each function of each arity and types that DuckDB has."""
        rows = connection.execute(
            "SELECT DISTINCT function_name, function_type, parameter_types::VARCHAR[] AS types "
            "FROM duckdb_functions() ORDER BY ALL"
        ).fetchall()
        return [Call(name, kind, self._call(name, types or [])) for name, kind, types in rows]

    def xquery_calls(self) -> Iterator[str]:
        """Yields a call of each function of XQuery and arity, with paths wherever texts may be."""
        for entries in MODULES.values():
            for prefix, name, arities in _CALL.findall(entries):
                for arity in arities.split(","):
                    for one in (f"'file://{self.canary}/secret'", f"'{self.canary}/secret'"):
                        yield f"{prefix}:{name}({', '.join([one] * int(arity))})"

    def xqueries(self) -> list[str]:
        """Returns queries that reach out by what is no function."""
        secret = self.canary / "secret"
        serialized = "http://www.w3.org/2010/xslt-xquery-serialization"
        return [
            f"import module namespace x = 'urn:x' at '{secret}'; 1",
            f"import module namespace x = 'urn:x' at 'file://{secret}'; x:f()",
            f"import schema namespace x = 'urn:x' at '{secret}'; 1",
            f"declare base-uri 'file://{self.canary}/'; unparsed-text('secret')",
            f"declare base-uri 'file://{self.canary}/'; doc('kept.xml')",
            f"declare option output:parameter-document '{secret}'; 1",
            f"serialize(1, <x xmlns='{serialized}'><parameter-document value='{secret}'/></x>)",
            f"serialize(<a/>, map {{ 'parameter-document': '{secret}' }})",
            f"parse-xml('<!DOCTYPE a [<!ENTITY e SYSTEM \"file://{secret}\">]><a>&amp;e;</a>')",
            f"parse-xml('<!DOCTYPE a SYSTEM \"file://{secret}\"><a/>')",
            f"parse-xml('<include href=\"{secret}\" xmlns=\"http://www.w3.org/2001/XInclude\"/>')",
            f"function-lookup(xs:QName('fn:unparsed-text'), 1)('{secret}')",
            f"fn:unparsed-text#1('{secret}')",
            f"apply(fn:doc#1, ['{secret}'])",
            f"'{secret}' => unparsed-text()",
            f"('{secret}') ! json-doc(.)",
            f"collection('{self.canary}?select=*')",
            f"doc('run:../../{secret}')",
            f"load-xquery-module('urn:x', map {{ 'location-hints': '{secret}' }})",
            f"transform(map {{ 'stylesheet-location': '{secret}', 'source-node': $cct }})",
            "available-environment-variables() ! environment-variable(.)",
            "base-uri($cct), document-uri($cct), static-base-uri(), $cct ! base-uri(.)",
            "$cct//dcg:run",
            "for $v in $cct//dcg:run//* return map { 'v': string($v) }",
            "error(xs:QName('x'), 'said', $cct)",
            "1 div 0",
            "exactly-one($methods)",
            f"(: ; COPY (SELECT 1) TO '{secret}' :) \"'); COPY (SELECT 1) TO '{secret}'; --\"",
            f"$methods[@name = \"' || (SELECT content FROM read_text('{secret}')) || '\"]",
        ]  # fmt: skip

    def headers(self) -> list[str]:
        """Returns queries whose headers reach out."""
        secret = self.canary / "secret"
        return [
            f"/** @import {secret} */ SELECT 1",
            "/** @import ../../../etc */ SELECT 1",
            f"/** @step {secret} */ SELECT 1",
            f"/** @param model text {secret}  a model */ FROM costs.methods('none')",
            f"/** @param p text {secret}  a path */ FROM read_text($p)",
            f"/** @param p text {secret}  a path */ SELECT getenv($p)",
            f"/** @id {secret} @requires {secret} */ SELECT 1",
        ]

    def _call(self, name: str, types: list[str | None]) -> str:
        shown = name if re.fullmatch(r"[a-z_]\w*", name) else '"' + name.replace('"', '""') + '"'
        return f"{shown}({', '.join(self._argument(type_) for type_ in types)})"

    def _argument(self, type_: str | None) -> str:
        secret = f"'{self.canary}/secret'"
        if type_ is not None and type_.endswith("[]"):
            return f"[{self._argument(type_[:-2])}]"
        if type_ in {None, "VARCHAR", "ANY", "T", "K", "V", "TABLE"}:
            return secret
        if type_ == "LAMBDA":
            return f"lambda x: {secret}"
        if type_ in {"BLOB", "JSON", "BIT", "VARIANT"}:
            return f"{secret}::{type_}"
        is_number = re.search("INT|DOUBLE|FLOAT|DECIMAL|BIGNUM", type_)
        return "1" if is_number else "true" if type_ == "BOOLEAN" else "NULL"

"""Every error of DuckDB has its place: one query of each class of errors that a query can raise.

DuckDB gives some no position: they arise while rows are computed, or in a part of its binder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pytest
from support.samples import write_shapes

from jvmscope.errors import QueryError
from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRONG = {  # by class, what is asked, and what of it is underlined
    "Parser": (
        ("SELECT name FROM thread WHERE", "WHERE"),
        ("SELECT 'abc", "'"),
        ("SELECT x'zz' FROM thread", "SELECT"),
        ("WITH t AS (SELECT 1), t AS (SELECT 2) TABLE t", "t"),
        ("VALUES (1), ('a', 2)", "'a'"),
    ),
    "Binder": (
        ("SELECT nope FROM thread", "nope"),
        ("SELECT name, COUNT(*) FROM thread", "name"),
        ("SELECT thread_id FROM thread UNION SELECT 1, 2", "UNION"),
        ("SELECT * FROM thread JOIN method USING (nope)", "nope"),
        ("SELECT * FROM thread JOIN method AS thread ON true", "thread"),
        ("SELECT thread_id FROM thread GROUP BY 5", "GROUP"),
        ("SELECT thread_id FROM thread QUALIFY thread_id > 1", "QUALIFY"),
        ("SELECT {'a': 1}.b", "b"),
        ("SELECT sum(thread_id) OVER w FROM thread", "w"),
        ("SELECT * EXCLUDE (nope) FROM thread", "nope"),
        ("SELECT thread_id FROM thread ASOF JOIN method ON thread_id = method_id", "ASOF"),
        ("SELECT 1 FROM thread WHERE thread_id > ALL (SELECT 1, 2)", "("),
        ("SELECT thread_id FROM thread TABLESAMPLE 200%", "TABLESAMPLE"),
        ("SELECT * FROM cct.edges(1)", "edges"),
        ("UPDATE thread SET name = 'a'", "UPDATE"),
    ),
    "Catalog": (
        ("SELECT name FROM nope", "nope"),
        ("SELECT nope(name) FROM thread", "nope(name)"),
        ("SELECT name::nope FROM thread", "nope"),
        ("SELECT name COLLATE nope FROM thread", "nope"),
        ("SELECT 1; DROP TABLE nope; SELECT 2", "nope"),
        ("SELECT nextval('nope')", "'nope'"),
        ("CREATE TEMP TABLE t (a INTEGER); CREATE TEMP TABLE t (a INTEGER); SELECT 1", "t"),
        ("SET nope = 1; SELECT 1", "nope"),
    ),
    "Conversion": (
        ("SELECT CAST(name AS INTEGER) FROM thread", "CAST(name AS INTEGER)"),
        ("SELECT 'abc'::DATE", "::DATE"),
        ("SELECT thread_id FROM thread LIMIT (SELECT 'a')", "'a'"),
        ("SELECT date_part(name, DATE '2020-01-01') FROM thread", "date_part"),
        ("SELECT name::BIT FROM thread", "SELECT"),
        ("SELECT name FROM thread WHERE NOT name", "name"),
    ),
    "Mismatch Type": (("SELECT (1, 2) = (1, 2, 3)", "SELECT"),),
    "Out of Range": (
        ("SELECT 'a + b', thread_id + 9223372036854775807 FROM thread", "+"),
        ("SELECT (thread_id + 2000000000) * 2 * 1 FROM thread", "SELECT"),
        ("SELECT factorial(thread_id + 100) FROM thread", "factorial"),
        ("SELECT 1 << (thread_id + 100) FROM thread", "<<"),
        ("SELECT upper(name), substring(name, 9223372036854775807) FROM thread", "substring"),
    ),
    "Invalid Input": (
        ("SELECT lower(name), error('boom') FROM thread", "SELECT"),
        ("SELECT error('boom') FROM thread", "error"),
        ("SELECT chr(thread_id - 5) FROM thread", "chr"),
        ("SELECT upper(name) FROM thread WHERE regexp_matches(name, '(')", "regexp_matches"),
        ("SELECT name LIKE 'a' ESCAPE 'ab' FROM thread", "ESCAPE"),
        ("SELECT trim(strftime(DATE '2020-01-01', '%Q'))", "strftime"),
        ("SELECT trim(printf('%d %d', 1))", "printf"),
        ("SELECT abs((SELECT thread_id FROM thread))", "("),
        ("SELECT map([1, 1], [2, 3])", "map"),
        ("SELECT thread_id // 0 FROM thread", "//"),
        ("SELECT ntile(0) OVER (ORDER BY lower(name)) FROM thread", "ntile"),
        ("SELECT sum(1) OVER (ROWS -1 PRECEDING) FROM thread", "ROWS"),
        ("SELECT * FROM cct.k_forest(-1)", "k_forest"),
        ("SELECT lower(to_base(thread_id, 99)) FROM thread", "to_base"),
    ),
    "Constraint": (
        ("CREATE TEMP TABLE t (a INT NOT NULL);\nINSERT INTO t SELECT NULL; TABLE t", "INSERT"),
        ("CREATE TEMP TABLE u (a INTEGER CHECK (a > 0)); INSERT INTO u VALUES (0); TABLE u", "u"),
    ),
    "Not implemented": (
        ("SELECT list_sort([1], 'nope')", "'nope'"),
        ("SELECT thread_id FROM thread UNION SELECT [1]", "thread_id"),
        ("SELECT * FROM thread AT (VERSION => 1)", "AT"),
    ),
    "IO": (("SELECT * FROM 'nope.csv'", "'nope.csv'"),),
    "TransactionContext": (("COMMIT; SELECT 1", "COMMIT"),),
    "Parameter": (("SELECT 1, ?", "?"), ("SELECT $a", "$a")),
}
_COMPILED = (  # XQuery that fails in SQL, and then on trees
    "$methods ! (9223372036854775807 * xs:long(@id) + 1) ! xs:int(.)",
    "$methods ! (1 idiv xs:long(@id))",
    "$methods ! (5 mod (xs:long(@id) - 2))",
    "$methods ! string($methods/@name)",
    "for $m in $methods return map { 'a': 1 idiv xs:long($m/@id) }",
    "for $m in $methods order by 1 idiv xs:long($m/@id) return string($m/@name)",
    "for $m in $methods where 1 idiv xs:long($m/@id) = 1 return string($m/@name)",
    "max($methods ! (1 idiv xs:long(@id)))",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine(write_shapes(tmp_path_factory.mktemp("sql") / "shapes.run")) as found:
        yield found


def _error(engine: Engine, text: str) -> QueryError:
    with pytest.raises(QueryError) as caught:
        engine.answer(text).arrow()
    return caught.value


@pytest.mark.parametrize(("text", "wrong"), [case for cases in _WRONG.values() for case in cases])
def test_sql(engine: Engine, text: str, wrong: str) -> None:
    said = str(_error(engine, text))

    _, shown, carets, *_ = said.splitlines()
    assert shown[carets.index("^") : len(carets.rstrip())] == wrong, said
    assert " Error: " not in said
    assert "SET error" not in said


def test_every_class_of_errors_that_a_query_can_raise() -> None:
    """The others are of connections, of settings and of DuckDB's own state."""
    others = {
        "Connection", "Data", "Database", "Dependency", "Fatal", "HTTP", "Integrity", "Internal",
        "Interrupt", "InvalidType", "NotSupported", "Operational", "OutOfMemory", "Permission",
        "Programming", "ResourceInUse", "Sequence", "Serialization", "Syntax", "TypeMismatch",
        "Transaction", "",
    }  # fmt: skip
    classes = {
        name.removesuffix("Exception").removesuffix("Error")
        for name, value in vars(duckdb).items()
        if isinstance(value, type) and issubclass(value, duckdb.Error)
    }

    asked = {name.title().replace(" ", "") for name in _WRONG}
    assert {name.title() for name in classes - others} <= {name.title() for name in asked}


@pytest.mark.parametrize("text", _COMPILED)
def test_xquery_is_told_in_its_own_words(engine: Engine, text: str) -> None:
    query = engine.xquery(text)
    with pytest.raises(QueryError) as caught:
        list(query.items())

    said = str(caught.value)
    assert query.plan.parts
    assert caught.value.code
    assert said.splitlines()[1].endswith(text)
    assert "SELECT" not in said

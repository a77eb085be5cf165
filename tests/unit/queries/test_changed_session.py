"""What a user's SQL sets and makes stays for later SQL, and changes nothing else."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from jvmscope import open as open_run
from jvmscope.errors import JvmscopeError
from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.api.run import Run

_METRICS = ("execution.totals", "hotness.methods_curve", "hotness.cutoffs", "recursion.depth")
_XQUERY = (
    "count($methods[@name = 'MAIN'])",
    "for $m in $methods order by $m/@name return string($m/@name)",
    "sum($cct//dcg:context/@depth)",
)
_OTHER_VALUES = {
    "default_order": "DESC",
    "default_collation": "NOCASE",
    "default_null_order": "nulls_first",
    "search_path": "main",
}


def _settings() -> Iterator[str]:
    """Statements that give each switch of DuckDB its other value, and some more settings one."""
    asked = "SELECT name, value FROM duckdb_settings() WHERE input_type = 'BOOLEAN' ORDER BY name"
    with duckdb.connect() as connection:
        switches = connection.execute(asked).fetchall()
    for name, value in switches:
        yield f"SET {name} = {str(value != 'true').lower()}"
    for name, other in _OTHER_VALUES.items():
        yield f"SET {name} = '{other}'"


def _replaced(run: Path) -> Iterator[str]:
    """Statements that replace each table of a run by its first row."""
    with Engine(run) as engine:
        for name in engine.named:
            yield f"CREATE TABLE main.first_{name} AS FROM run.{name} LIMIT 1"
            yield f"CREATE OR REPLACE VIEW run.{name} AS FROM main.first_{name}"


def _dropped(run: Path) -> Iterator[str]:
    with Engine(run) as engine:
        yield from (f"DROP VIEW run.{name}" for name in engine.named)


def _changes(kind: str, run: Path) -> Iterator[str]:
    if kind == "settings":
        return _settings()
    return _replaced(run) if kind == "replaced" else _dropped(run)


def _answers(run: Run) -> list[Any]:
    return [
        *(list(run.measure(metric).rows()) for metric in _METRICS),
        *(list(run.query(text, language="xquery").rows()) for text in _XQUERY),
        *(list(run.table(name).rows()) for name in run.tables),
    ]


@pytest.mark.parametrize("kind", ["settings", "replaced", "dropped"])
def test_other_answers_do_not_depend_on_it(shapes: Path, kind: str) -> None:
    with open_run(shapes) as run:
        expected = _answers(run)
    with open_run(shapes) as run:
        n_made = 0
        for statement in _changes(kind, shapes):
            with suppress(JvmscopeError):
                list(run.query(statement, language="sql").rows())
                n_made += 1
        assert n_made > 10
        assert _answers(run) == expected


def test_later_sql_sees_it(shapes: Path) -> None:
    with open_run(shapes) as run:
        list(run.query("CREATE TABLE mine AS SELECT 42 AS x").rows())

        assert list(run.query("FROM mine").rows()) == [(42,)]


@pytest.mark.parametrize(
    ("made", "asked", "within"),
    [
        ("CREATE TEMP TABLE mine AS SELECT 42 AS x", "FROM mine", 42),
        ("CREATE TEMP MACRO mine(x) AS x + 1", "SELECT mine(41)", 42),
        ("SET VARIABLE mine = 42", "SELECT getvariable('mine')", 42),
        ("PREPARE mine AS SELECT 42", "EXECUTE mine", 42),
        ("SET TimeZone = 'Asia/Tokyo'", "SELECT current_setting('TimeZone')", "Asia/Tokyo"),
    ],
)
def test_what_belongs_to_a_connection_stays_within_a_query(
    shapes: Path, made: str, asked: str, within: Any
) -> None:
    with open_run(shapes) as run:
        assert list(run.query(f"{made}; {asked}", language="sql").rows()) == [(within,)]
        later: list[Any] = []
        with suppress(JvmscopeError):
            later = list(run.query(asked, language="sql").rows())
        assert later != [(within,)]


@pytest.mark.parametrize(
    ("made", "asked"),
    [
        ("SET GLOBAL default_order = 'DESC'", "SELECT current_setting('default_order')"),
        ("CREATE MACRO mine(x) AS x || 'ESC'", "SELECT mine('D')"),
        ("CREATE VIEW mine AS SELECT 'DESC' AS x", "FROM mine"),
    ],
)
def test_what_belongs_to_the_database_stays(shapes: Path, made: str, asked: str) -> None:
    with open_run(shapes) as run:
        list(run.query(made, language="sql").rows())

        assert [row[0].upper() for row in run.query(asked, language="sql").rows()] == ["DESC"]


def test_an_engine_of_a_changed_one_can_be_changed(shapes: Path) -> None:
    first = "SELECT name FROM method ORDER BY name LIMIT 1"
    changing = "SET default_order = 'DESC'; SELECT 1"
    with Engine(shapes) as engine:
        expected = list(engine.query(first).rows())
        assert engine.untouched() is engine
        for _ in range(2):
            list(engine.untouched().query(changing).rows())

            assert list(engine.untouched().query(first).rows()) == expected
        assert list(engine.query(first).rows()) != expected


@pytest.mark.parametrize("scope", ["run", "application", "application+", "thread:main"])
@pytest.mark.parametrize("table", ["context", "method", "thread"])
def test_a_view_of_itself_is_an_error_of_the_query(shapes: Path, table: str, scope: str) -> None:
    replaced = f"CREATE OR REPLACE VIEW run.{table} AS FROM run.{table}"
    asked = "SELECT COUNT(*) FROM thread_method"
    with open_run(shapes) as run:
        list(run.query(replaced).rows())
        with suppress(JvmscopeError):
            list(run.query(asked, scope=scope).rows())

        assert next(iter(run.query("count($methods)").rows()))[0] > 0


def test_a_view_keeps_its_scope(shapes: Path) -> None:
    ask = "SELECT COUNT(*) FROM context"
    with open_run(shapes) as run:
        for scope in ("run", "application"):
            run.query(f"CREATE VIEW of_{scope} AS {ask}", scope=scope).arrow()
        whole, part = (list(run.query(ask, scope=s).rows()) for s in ("run", "application"))

        assert whole != part
        for scope in ("run", "application", "thread:main"):
            assert list(run.query("FROM of_run", scope=scope).rows()) == whole
        assert list(run.query("FROM of_application", scope="application").rows()) == part
        for scope in ("run", "thread:main"):
            with pytest.raises(JvmscopeError, match='there is no table "of_application"'):
                run.query("FROM of_application", scope=scope)

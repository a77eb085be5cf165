"""An internal error of DuckDB leaves its database unusable: that costs one query at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pytest
from support.vocabulary_runs import WRITERS

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question
from jvmscope.queries.scopes.scope import WHOLE_RUN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.queries.memory_database import MemoryDatabase

# One ROW_NUMBER above another of which the first row is kept.
_LAST = (
    "for $m at $i in ($cct//dcg:methodCache)[last()] "
    "return ($i, map { 'l': $m/dcg:returnHitCount, 'c': $m/dcg:catchHitCount })"
)
_NUMBERED = """
    SELECT ROW_NUMBER() OVER (ORDER BY k NULLS FIRST) AS i, l, c FROM (
        SELECT ROW_NUMBER() OVER (ORDER BY row_number DESC) AS n, n_return_hits AS l,
               n_catch_hits AS c, row_number AS k
        FROM nodes.method_cache
    ) WHERE n = 1
"""
_AFTERWARDS = [
    ("count($methods)", "xquery"),
    ("SELECT COUNT(*) FROM method", "sql"),
    ("SELECT COUNT(*) FROM call_edge", "sql"),
    ("SELECT names.dotted('a/b')", "sql"),
    ("SELECT COUNT(*) FROM cct.k_forest(2)", "sql"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("broken") / "a.run"
    WRITERS["nulls"](run)
    return run


@pytest.fixture
def engine(run: Path) -> Iterator[Engine]:
    with Engine(run) as opened:
        yield opened


def _rows(engine: Engine, query: str, language: str) -> list[tuple[object, ...]]:
    return list(engine.query(Question(query, language=language)).rows())


def test_the_first_of_numbered_rows_breaks_nothing(engine: Engine) -> None:
    found = engine.query(Question(_LAST, language="xquery"))
    assert len(list(found.rows())) == 2
    assert not found.refusals
    assert not engine._database.is_broken()


class _Broken:
    """A connection to a database that an internal error has made unusable."""

    def cursor(self) -> _Broken:
        return self

    def execute(self, *_arguments: object) -> None:
        raise duckdb.FatalException("FATAL Error: the database has been invalidated")


class _Breaking:
    """A cursor whose statement ends by that error; all else is that of a real one."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, database: MemoryDatabase) -> None:
        self._cursor = cursor
        self._database = database

    def sql(self, *_arguments: object, **_options: object) -> None:
        self._database.connection = _Broken()  # type: ignore[assignment]
        raise duckdb.InternalException("INTERNAL Error: an internal error, as told by the test")

    def __getattr__(self, name: str) -> object:
        return getattr(self._cursor, name)


def _break_at_next(database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has DuckDB fail as 2.0.0 does where `top_n_window_elimination` is on; later ones do not."""
    connect = database.connect

    monkeypatch.setattr(database, "connect", lambda schemas: _Breaking(connect(schemas), database))


@pytest.mark.parametrize("language", ["xquery", "sql"])
def test_the_queries_after_an_internal_error_are_answered(
    run: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Engine(run) as fresh:
        expected = [_rows(fresh, *question) for question in _AFTERWARDS]
    with Engine(run) as engine:
        assert [_rows(engine, *question) for question in _AFTERWARDS] == expected
        engine.document_tables.bind_nodes(WHOLE_RUN)
        if duckdb.__version__ == "2.0.0":
            engine._database.connection.execute("SET GLOBAL disabled_optimizers = ''")
        else:
            _break_at_next(engine._database, monkeypatch)
        if language == "xquery":
            assert len(_rows(engine, _LAST, "xquery")) == 2  # on trees, then
        else:
            with pytest.raises(QueryError, match=r"INTERNAL|internal"):
                _rows(engine, _NUMBERED, "sql")
        assert engine._database.is_broken()
        assert [_rows(engine, *question) for question in _AFTERWARDS] == expected
        assert not engine._database.is_broken()

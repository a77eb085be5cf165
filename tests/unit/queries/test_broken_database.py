"""An internal error of DuckDB leaves its database unusable: that costs one query at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.vocabulary_runs import WRITERS

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question
from jvmscope.queries.scopes.scope import WHOLE_RUN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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


@pytest.mark.parametrize("language", ["xquery", "sql"])
def test_the_queries_after_an_internal_error_are_answered(run: Path, language: str) -> None:
    with Engine(run) as fresh:
        expected = [_rows(fresh, *question) for question in _AFTERWARDS]
    with Engine(run) as engine:
        assert [_rows(engine, *question) for question in _AFTERWARDS] == expected
        engine._database.connection.execute("SET GLOBAL disabled_optimizers = ''")
        if language == "xquery":
            assert len(_rows(engine, _LAST, "xquery")) == 2  # on trees, then
        else:
            engine.document_tables.bind_nodes(WHOLE_RUN)
            with pytest.raises(QueryError, match=r"INTERNAL|internal"):
                _rows(engine, _NUMBERED, "sql")
        assert engine._database.is_broken()
        assert [_rows(engine, *question) for question in _AFTERWARDS] == expected
        assert not engine._database.is_broken()

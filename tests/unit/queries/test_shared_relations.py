"""What queries on a run share: columns of its tree in arrays, and the edges of its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.samples import write_folded

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Limits, Question, parse_scope
from jvmscope.queries.modules import TREE_FUNCTIONS, called_words, macros
from jvmscope.queries.scopes.scope_parts import SUMMED
from jvmscope.queries.tree_functions import _ARRAYS
from jvmscope.schema import Manifest, write_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SCOPES = ("run", "application", "application+", "thread:worker", "subtree:*.main")


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folded(tmp_path_factory.mktemp("folded") / "folded.run")


@pytest.fixture
def engine(shapes: Path) -> Iterator[Engine]:
    with Engine(shapes) as engine:
        yield engine


@pytest.mark.parametrize("scope", _SCOPES)
def test_edges_are_the_calls_of_the_scope_by_site_and_method(engine: Engine, scope: str) -> None:
    part = parse_scope(scope)
    summed = "SELECT call_site_id, method_id, SUM(n_calls)::BIGINT FROM call GROUP BY 1, 2"

    for _ in range(2):  # made, and found
        edges = engine.query(Question("FROM call_edge ORDER BY ALL", scope=part))
        calls = engine.query(Question(f"{summed} ORDER BY ALL", scope=part))
        assert list(edges.rows()) == list(calls.rows())


def test_edges_of_one_scope_are_not_those_of_another(engine: Engine) -> None:
    parts = [parse_scope(scope) for scope in _SCOPES]
    counts = "SELECT SUM(n_calls), (SELECT SUM(n_calls) FROM call) FROM call_edge"

    sums = [next(iter(engine.query(Question(counts, scope=part)).rows())) for part in parts]

    assert all(edges == calls for edges, calls in sums)
    assert len(set(sums)) > 2


def test_edges_are_made_once(engine: Engine) -> None:
    tables = "SELECT COUNT(*) FROM duckdb_tables() WHERE table_name = 'call_edge'"

    assert list(engine.query(tables).rows()) == [(1,)]  # it says call_edge, too
    for _ in range(2):
        list(engine.query("FROM dispatch.sites()").rows())
    assert list(engine.query(tables).rows()) == [(1,)]


_SUMS = {
    "call_edge": "FROM call SELECT call_site_id, method_id, SUM(n_calls)::BIGINT GROUP BY ALL",
    "thread_method": "FROM context SELECT thread_id, method_id, SUM(n_calls)::BIGINT, "
    "SUM(n_bytecodes)::BIGINT WHERE method_id IS NOT NULL GROUP BY ALL",
    "thread_block": "FROM context_block AS b JOIN run.context AS c USING (context_id) "
    "SELECT c.thread_id, b.basic_block_id, SUM(b.n_executions)::BIGINT GROUP BY ALL",
    "thread_part": "FROM context_part AS p JOIN run.context AS c USING (context_id) "
    "SELECT c.thread_id, p.block_part_id, SUM(p.n_executions)::BIGINT GROUP BY ALL",
}


@pytest.mark.parametrize("names", [SUMMED, SUMMED[::-1]])
@pytest.mark.parametrize("scope", _SCOPES)
def test_sums_of_a_scope_are_made_once_and_are_those_of_its_contexts(
    engine: Engine, scope: str, names: tuple[str, ...]
) -> None:
    part = parse_scope(scope)

    for name in (*names, *names):
        kept = list(engine.query(Question(f"FROM {name} ORDER BY ALL", scope=part)).rows())
        summed = list(engine.query(Question(f"{_SUMS[name]} ORDER BY ALL", scope=part)).rows())
        assert kept == summed != []
    made = "SELECT table_name FROM duckdb_tables() WHERE ends_with(schema_name, '_kept')"
    recorded = engine.recorded if scope == "run" else ()
    assert sorted(name for (name,) in engine.query(made).rows()) == sorted({*names} - {*recorded})


def test_folded_calls_have_an_edge_of_their_own(folded: Path) -> None:
    with Engine(folded) as engine:
        edges = engine.query("SELECT SUM(n_calls) FROM call_edge").rows()
        calls = engine.query("SELECT SUM(n_calls) FROM context WHERE depth > 0").rows()

        assert list(edges) == list(calls)


def test_a_folded_call_has_the_context_that_counts_it_above(folded: Path) -> None:
    edges = "SELECT COUNT(*) FROM call WHERE ancestor_id = context_id"
    with Engine(folded) as engine:
        n_edges = list(engine.query("SELECT COUNT(*) FROM back_edge").rows())

        assert list(engine.query(edges).rows()) == n_edges == [(1,)]


def test_the_functions_of_macros_are_all_there() -> None:
    named = {word for macro in macros().values() for word in called_words(macro.text)}
    with_python = {word for word in named if word in TREE_FUNCTIONS}

    assert with_python == set(TREE_FUNCTIONS)
    assert set(_ARRAYS) == TREE_FUNCTIONS


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("SELECT COUNT(*) AS contexts FROM context", set()),
        ("SELECT * FROM stack.heights()", {"_n_slots_below"}),
        ("FROM contexts.shaped()", {"_n_called"}),
        ("FROM cct.edges()", set()),
    ],
)
def test_only_what_is_called_is_made_of_the_tree(
    engine: Engine, text: str, called: set[str]
) -> None:
    list(engine.query(text).rows())

    assert called_words(text) & TREE_FUNCTIONS == called
    assert engine._tree_functions.loaded == called


def test_without_a_tree_the_error_is_about_the_table(tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest(status="failed", tables={}))
    with (
        Engine(tmp_path) as engine,
        pytest.raises(QueryError, match=r"context"),
    ):
        list(engine.query("FROM contexts.shaped()").rows())


@pytest.mark.parametrize("text", ["FROM stack.calls()", "FROM cct.k_levels(2)", "FROM call_edge"])
def test_an_untrusted_query_may_ask_for_it(engine: Engine, text: str) -> None:
    own, locked = engine.query(text), engine.query(Question(text, limits=Limits()))

    assert set(locked.rows()) == set(own.rows())

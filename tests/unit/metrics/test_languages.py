"""Metrics that are written in XQuery and in SQL: one meaning, and the same values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder
from support.samples import write_folded, write_shapes

from jvmscope.errors import QueryError
from jvmscope.metrics import measure
from jvmscope.metrics.catalogue import catalogue, implementations
from jvmscope.metrics.requirements import UNFOLDED
from jvmscope.queries import Engine, parse_query_file, parse_scope
from jvmscope.queries.xquery_table import result_of_items

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BOTH = {id_: found for id_, found in implementations().items() if len(found) > 1}


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A run with receivers."""
    run = tmp_path_factory.mktemp("runs") / "shapes.run"
    with Engine(write_shapes(run, probes=["receiver"])) as engine:
        yield engine


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine(write_folded(tmp_path_factory.mktemp("runs") / "folded.run")) as engine:
        yield engine


@pytest.mark.parametrize("id_", _BOTH)
def test_headers_agree(id_: str) -> None:
    xquery, sql = _BOTH[id_]
    apart = {"path": None, "text": "", "imports": ()}

    assert replace(xquery, **apart) == replace(sql, **apart)
    assert catalogue()[id_] is sql


@pytest.mark.parametrize(
    "scope", ["run", "application", "application+", "thread:worker", "subtree:*.add"]
)
@pytest.mark.parametrize("id_", _BOTH)
def test_values_agree(id_: str, scope: str, probed: Engine) -> None:
    search_path = probed.bind_scope(parse_scope(scope))
    xquery, sql = (
        probed.query(query, search_path=search_path).arrow().to_pylist() for query in _BOTH[id_]
    )

    assert xquery == sql
    assert sql


@pytest.mark.parametrize("id_", _BOTH)
def test_trees_alone_give_the_same(id_: str, probed: Engine) -> None:
    xquery, sql = _BOTH[id_]
    on_trees = result_of_items(probed.xquery(xquery).items_on_trees(), xquery)

    assert on_trees.arrow().to_pylist() == probed.query(sql).arrow().to_pylist()


@pytest.mark.parametrize("id_", [id_ for id_ in _BOTH if UNFOLDED not in catalogue()[id_].requires])
def test_values_of_a_folded_run_agree(id_: str, folded: Engine) -> None:
    xquery, sql = (folded.query(query).arrow().to_pylist() for query in _BOTH[id_])

    assert xquery == sql
    assert sql


def test_hotness_of_blocks_by_hand(shapes: Path) -> None:
    counts = "SELECT n_executions FROM blocks.executed() ORDER BY n_executions DESC"
    with Engine(shapes) as engine:
        executed = [n for (n,) in engine.query(counts).rows()]
        rows = measure([engine], metrics=["hotness.blocks"], is_cached=False).arrow().to_pylist()
    values = {row["measure"]: row["value"] for row in rows}

    n_hot = -(-len(executed) // 5)
    assert values["n_blocks"] == len(executed)
    assert values["n_hot_blocks"] == n_hot
    assert values["executions_share"] == pytest.approx(sum(executed[:n_hot]) / sum(executed))


def test_a_scope_is_kept_or_refused(shapes: Path) -> None:
    with Engine(shapes) as engine:
        search_path = engine.bind_scope(parse_scope("thread:worker"))

        with pytest.raises(QueryError, match="in the scope thread:worker, a query reads the run"):
            engine.query("$methods ! serialize(.)", search_path=search_path).arrow()


def test_a_query_begins_in_its_scope_and_sees_the_whole_tree(shapes: Path) -> None:
    with Engine(shapes) as engine:
        search_path = engine.bind_scope(parse_scope("subtree:*.grow"))
        names = """for $callee in $cct//dcg:context, $caller in $callee/ancestor::dcg:context
                   for $method in $methods[@id = $caller/@method]
                   return string($method/@name)"""

        assert list(engine.query(names, search_path=search_path).rows()) == [("add",)]


def test_texts_that_xml_escapes_may_be_asked_for_but_not_shown(tmp_path: Path) -> None:
    builder = RunBuilder()
    code = [["ldc a\\b", "new p/C", "return"]]
    builder.thread("main").call(builder.method("p/C", "m", blocks=code))
    kinds = """for $i in $classes//dcg:instruction
               group by $kind := if ($i/@operand = "p/C") then "ours" else ""
               return $kind || count($i)"""
    with Engine(builder.write(tmp_path / "x.run")) as engine:
        in_sql = engine.bind_scope(parse_scope("application"))  # refused where it is not in SQL

        assert list(engine.query(kinds, search_path=in_sql).rows()) == [("2",), ("ours1",)]
        with pytest.raises(QueryError, match="only as far as it compiles"):
            engine.query("$classes//dcg:instruction/@operand/string()", search_path=in_sql)


def test_a_value_must_be_of_its_columns_type(shapes: Path) -> None:
    header = "(:~ @column n integer  call  calls\n : @column name text name :)"
    with Engine(shapes) as engine:
        row = "return map { 'name': $m/@name, 'n': $m/dcg:callCount }"
        result = engine.query(parse_query_file(f"{header} for $m in $methods {row}", None))

        assert [(c.name, c.type, c.unit) for c in result.columns] == [
            ("n", "BIGINT", "call"),
            ("name", "VARCHAR", None),
        ]
        with pytest.raises(QueryError, match="column n is declared integer: 'x'"):
            engine.query(f"{header} map {{ 'n': 'x', 'name': '' }}")

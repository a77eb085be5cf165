"""Metrics that are written in XQuery and in SQL: one meaning, and the same values."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from support.long import IS_LONG
from support.runs import SEGMENTS, RunBuilder
from support.samples import write_folded, write_shapes, write_thrown
from support.thrown_runs import write_random_throws

from jvmscope.errors import QueryError
from jvmscope.metrics import measure
from jvmscope.metrics.catalogue import catalogue, implementations
from jvmscope.metrics.requirements import UNFOLDED
from jvmscope.queries import Engine, Question, parse_query_file, parse_scope
from jvmscope.queries.xquery.table import result_of_items
from jvmscope.schema import ALWAYS, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_PERHAPS_NONE = {"polymorphism.megamorphic_sites"}
# A random run that has, for instance, no call with a receiver; the first of each kind has all.
_MORE_RANDOM = {f"random {seed}" for first in (0, 100) for seed in range(first + 1, first + 20)}


_SCOPES = ("run", "application", "application+", "thread:worker", "subtree:*.add")
_PROBES = (*SEGMENTS, "receiver")
_RECORDED = {name for name, table in tables().items() if table.recorded == ALWAYS} | {*_PROBES}
_BOTH = {
    id_: found
    for id_, found in implementations().items()
    if len(found) > 1 and {*catalogue()[id_].requires} <= {*_RECORDED, UNFOLDED}
}
_N_RANDOM = 20 if IS_LONG else 1
_WRITERS: dict[str, Callable[[Path], Path]] = {
    "shapes": partial(write_shapes, probes=["receiver"]),
    "thrown": write_thrown,
    "thrown, without segments": partial(write_thrown, probes=["receiver"]),
    **{
        f"random {seed}": partial(write_random_throws, seed=seed, probes=_PROBES)
        for seed in range(_N_RANDOM)
    },
}
_FOLDED: dict[str, Callable[[Path], Path]] = {
    "by hand": write_folded,
    **{
        f"random {seed}": partial(write_random_throws, seed=seed, probes=_PROBES, n_folded=9)
        for seed in range(100, 100 + _N_RANDOM)
    },
}


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Engine]]:
    """What opens the runs: some with exceptions in the middle of blocks, some folded."""
    found: dict[str, Engine] = {}
    with ExitStack() as opened:

        def engine(name: str) -> Engine:
            if name not in found:
                run = tmp_path_factory.mktemp("runs") / "a.run"
                write = (_WRITERS | {f"folded, {key}": _FOLDED[key] for key in _FOLDED})[name]
                found[name] = opened.enter_context(Engine(write(run)))
            return found[name]

        yield engine


def _asked() -> Iterator[tuple[str, str]]:
    """Yields a run and a scope: every scope of one run, and of the others what is not the same."""
    yield from (("shapes", scope) for scope in _SCOPES)
    yield from (("thrown", scope) for scope in ("run", "application+", "thread:worker"))
    yield from ((name, "run") for name in _WRITERS if name not in {"shapes", "thrown"})


@pytest.mark.parametrize("id_", _BOTH)
def test_headers_agree(id_: str) -> None:
    xquery, sql = _BOTH[id_]
    apart = {"path": None, "text": "", "imports": ()}

    assert replace(xquery, **apart) == replace(sql, **apart)
    assert catalogue()[id_] is sql


@pytest.mark.parametrize(("run", "scope"), [*_asked()])
@pytest.mark.parametrize("id_", _BOTH)
def test_values_agree(id_: str, run: str, scope: str, engines: Callable[[str], Engine]) -> None:
    engine = engines(run)
    part = parse_scope(scope)
    xquery, sql = (
        engine.query(Question(query, scope=part)).arrow().to_pylist() for query in _BOTH[id_]
    )

    assert xquery == sql
    assert sql or id_ in _PERHAPS_NONE or run in _MORE_RANDOM


@pytest.mark.parametrize("run", ["shapes", "thrown"])
@pytest.mark.parametrize("id_", _BOTH)
def test_trees_alone_give_the_same(id_: str, run: str, engines: Callable[[str], Engine]) -> None:
    engine = engines(run)
    xquery, sql = _BOTH[id_]
    on_trees = result_of_items(engine.xquery(xquery).items_on_trees(), xquery)

    assert on_trees.arrow().to_pylist() == engine.query(sql).arrow().to_pylist()


@pytest.mark.parametrize(
    ("id_", "expected"),
    {
        "control.branches": {"n_branches": 2, "n_bytecodes": 65},
        "arrays.accesses": {"n_reference": 5, "n_numeric": 5, "n_lengths": 7, "n_bytecodes": 65},
        "invocations.density": {"n_static": 5, "n_virtual": 8, "n_bytecodes": 65},
        "instructions.mix": {"opcode": "iaload", "n_executions": 5},
        "boxing.allocated": {"class_name": "java/lang/Integer", "n_objects": 3},
        "hotness.blocks": {"n_executions": 28, "n_bytecodes": 65},
    }.items(),
)
def test_nothing_behind_a_throw_counts(
    id_: str, expected: dict[str, Any], engines: Callable[[str], Engine]
) -> None:
    for query in _BOTH[id_]:
        rows = engines("thrown").query(query).arrow().to_pylist()

        assert any(expected.items() <= row.items() for row in rows)


@pytest.mark.parametrize("run", _FOLDED)
@pytest.mark.parametrize(
    "id_", [id_ for id_ in _BOTH if not {UNFOLDED, "receiver"} & {*catalogue()[id_].requires}]
)
def test_values_of_a_folded_run_agree(id_: str, run: str, engines: Callable[[str], Engine]) -> None:
    engine = engines(f"folded, {run}")
    xquery, sql = (engine.query(query).arrow().to_pylist() for query in _BOTH[id_])

    assert xquery == sql
    assert sql or id_ in _PERHAPS_NONE or run in _MORE_RANDOM


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
        part = parse_scope("thread:worker")

        with pytest.raises(QueryError, match="in the scope thread:worker, a query reads the run"):
            engine.query(Question("$methods ! serialize(.)", scope=part)).arrow()


def test_a_query_begins_in_its_scope_and_sees_the_whole_tree(shapes: Path) -> None:
    with Engine(shapes) as engine:
        part = parse_scope("subtree:*.grow")
        names = """for $callee in $cct//dcg:context, $caller in $callee/ancestor::dcg:context
                   for $method in $methods[@id = $caller/@method]
                   return string($method/@name)"""

        assert list(engine.query(Question(names, scope=part)).rows()) == [("add",)]


def test_texts_that_xml_escapes_are_asked_for_and_shown_in_a_scope(tmp_path: Path) -> None:
    builder = RunBuilder()
    code = [["ldc a\\b", "new p/C", "return"]]
    builder.thread("main").call(builder.method("p/C", "m", blocks=code))
    kinds = """for $i in $classes//dcg:instruction
               group by $kind := if ($i/@operand = "p/C") then "ours" else ""
               return $kind || count($i)"""
    with Engine(builder.write(tmp_path / "x.run")) as engine:
        part = parse_scope("application")  # refused where it is not in SQL

        assert list(engine.query(Question(kinds, scope=part)).rows()) == [("2",), ("ours1",)]
        shown = engine.query(Question("$classes//dcg:instruction/@operand/string()", scope=part))
        assert [row[0] for row in shown.rows()] == ["a\\\\b", "p/C"]


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


@pytest.mark.parametrize(
    "id_", sorted(id_ for id_, found in implementations().items() if found[1:])
)
def test_both_languages_say_the_same_of_a_metric(id_: str) -> None:
    """What imports which module is the language's own; all else is about the metric."""
    one, other = (_header(query.text) for query in implementations()[id_])
    assert other == one


def _header(text: str) -> list[str]:
    comment = re.split(r":\)|\*/", text)[0]
    lines = [re.sub(r"^ [*:] ?", "", line).strip() for line in comment.split("\n")[1:]]
    return [line for line in lines if not line.startswith("@import")]

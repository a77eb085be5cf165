"""What holds in every run is checked, each rule by a run that breaks it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.samples import write_empty, write_folded, write_shapes

from jvmscope import cli
from jvmscope.queries import Engine, broken_invariants
from jvmscope.queries.invariants import INVARIANTS
from jvmscope.schema import Manifest, TableWriter, read_manifest, tables, write_manifest

if TYPE_CHECKING:
    from pathlib import Path


def _problems(run: Path) -> list[str]:
    with Engine(run) as engine:
        return broken_invariants(engine)


def _change(run: Path, table: str, row: int, **values: Any) -> None:
    """Changes a row of a table, and the manifest with it."""
    path = run / "tables" / f"{table}.parquet"
    rows = pq.read_table(path).to_pylist()
    rows[row].update(values)
    schema = tables()[table].arrow_schema
    with TableWriter(path, schema) as writer:
        writer.write(pa.Table.from_pylist(rows, schema=schema))
        facts = writer.close()
    manifest = read_manifest(run)
    write_manifest(run, dataclasses.replace(manifest, tables={**manifest.tables, table: facts}))


@pytest.mark.parametrize("write", [write_shapes, write_folded, write_empty])
def test_the_samples_are_sound(tmp_path: Path, write: Any) -> None:
    assert _problems(write(tmp_path / "sample.run")) == []


# The contexts of the sample: 0 thread main, 1 Main.main, 2 and 3 area, 4 log, 5 thread worker,
# 6 List.add, 7 List.grow; the call sites: 0 and 1 of Main.main, 2 of List.add.
_BREACHES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("each thread has one root", "thread", 0, {"root_context_id": 1}),
    ("a context lies in the subtree of its parent", "context", 7, {"depth": 5}),
    ("a subtree is a context and the subtrees", "context", 1, {"size": 3}),
    ("a context is called from a call site of its parent", "context", 7, {"call_site_id": 0}),
    ("an ancestor is of the same method", "context", 7, {"ancestor_id": 6}),
    (
        "context_block.basic_block_id is of the context's method",
        "context_block",
        0,
        {"basic_block_id": 0},
    ),
    ("the bytecodes of a context are those of its blocks", "context", 1, {"n_bytecodes": 7}),
    ("thread_method is the sum of context", "thread_method", 0, {"n_calls": 7}),
    ("thread_block is the sum of context_block", "thread_block", 0, {"n_executions": 7}),
    ("blocks and instructions of a method", "basic_block", 0, {"n_instructions": 7}),
    ("no class is one of its own superclasses", "class", 0, {"super_id": 0}),
]


@pytest.mark.parametrize(("rule", "table", "row", "values"), _BREACHES)
def test_a_breach_is_told(
    tmp_path: Path, rule: str, table: str, row: int, values: dict[str, Any]
) -> None:
    run = write_shapes(tmp_path / "broken.run")
    _change(run, table, row, **values)

    problems = _problems(run)

    assert any(rule in problem for problem in problems), problems


def test_two_contexts_of_one_place_are_told(tmp_path: Path) -> None:
    run = write_shapes(tmp_path / "broken.run")
    rows = pq.read_table(run / "tables" / "context.parquet").to_pylist()
    _change(run, "context", 3, method_id=rows[2]["method_id"])

    assert any("contexts of one parent differ" in problem for problem in _problems(run))


def test_a_folded_context_with_too_few_calls_is_told(tmp_path: Path) -> None:
    run = write_folded(tmp_path / "broken.run")
    _change(run, "back_edge", 0, n_calls=11)

    assert any("counts at least the calls" in problem for problem in _problems(run))


def test_every_rule_has_a_breach() -> None:
    told = {rule for rule, *_ in _BREACHES}
    elsewhere = ("contexts of one parent differ", "a folded context counts at least")
    untold = [rule for rule in INVARIANTS if not rule.startswith((*told, *elsewhere))]

    assert untold == []


@pytest.mark.parametrize(
    ("table", "row", "values", "message"),
    [
        ("method", 1, {"method_id": 0}, "the keys of the table method are not distinct"),
        ("method", 0, {"class_id": 99}, "method.class_id has no row in class"),
        ("context", 7, {"parent_id": -1}, "context.parent_id has no row in context"),
        ("class", 3, {"class_id": 9}, "class.class_id has no row in class"),
    ],
)
def test_a_wrong_key_is_told(
    tmp_path: Path, table: str, row: int, values: dict[str, Any], message: str
) -> None:
    run = write_shapes(tmp_path / "broken.run")
    _change(run, table, row, **values)

    assert any(problem.endswith(message) for problem in _problems(run))


def test_a_failed_recording_breaks_nothing(tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest(status="failed", tables={}))

    assert _problems(tmp_path) == []


def test_check_tells_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_shapes(tmp_path / "broken.run")
    _change(run, "thread_method", 0, n_calls=7)

    assert cli.run(["check", str(run)]) == cli.NO
    assert "violated by 1 rows: thread_method is the sum" in capsys.readouterr().out

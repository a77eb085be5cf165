"""Which counts of a context differ: for every table of facts about contexts, each of its counts."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from xml_runs import Shape, write_rows, write_run

from jvmscope.queries import Engine, compare_runs
from jvmscope.schema import tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Every context lies in the one before, so that no two have the same place.
_SHAPE = Shape(chain=True)
_DERIVED = ("size", "depth", "n_bytecodes")  # columns of context that follow from others

# Those of generated runs; a table of a later probe is as those in test_new_table.py.
_TABLES = (
    "back_edge",
    "context",
    "context_block",
    "context_segment",
    "method_cache",
    "receiver",
)
_COUNTS = [
    (name, column.name)
    for name in _TABLES
    for column in tables()[name].columns
    if column.sql_type == "BIGINT" and column.name not in _DERIVED
]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    run = tmp_path_factory.mktemp("counts") / "a.run"
    return run, write_run(run, _SHAPE)


def _difference(
    recorded: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    change: Callable[[dict[str, Any]], None],
) -> tuple[Any, ...]:
    """Compares a run with the same in which one row is another."""
    run, rows = recorded
    rows = copy.deepcopy(rows)
    change(rows)
    write_rows(tmp_path / "b.run", rows, _SHAPE)
    with Engine(run) as a, Engine(tmp_path / "b.run") as b:
        # What is counted of a field is told by its name and descriptor, which may differ, too.
        found = [r for r in compare_runs(a, b).differences.rows() if "field_" not in r[2]]
    (row,) = found
    return row


@pytest.mark.parametrize(("table", "column"), _COUNTS)
def test_a_count_that_differs_is_told_with_both_values(
    recorded: tuple[Path, dict[str, Any]], tmp_path: Path, table: str, column: str
) -> None:
    _, rows = recorded
    middle = len(rows[table]) // 2
    before = rows[table][middle][column]

    def change(rows: dict[str, Any]) -> None:
        rows[table][middle][column] += 41

    kind, _, _, counts, n_calls_a, n_calls_b, *_ = _difference(recorded, tmp_path, change)

    assert counts.endswith(f": {before:,} and {before + 41:,}")
    assert ";" not in counts
    assert kind == ("calls" if table == "context" else "counts")
    assert (n_calls_b - n_calls_a) == (41 if table == "context" else 0)


@pytest.mark.parametrize("is_counted", [True, False])
def test_a_block_that_did_not_run_has_0_executions_unless_it_was_not_counted(
    recorded: tuple[Path, dict[str, Any]], tmp_path: Path, is_counted: bool
) -> None:
    _, rows = recorded
    coverages = {method["method_id"]: method["coverage"] for method in rows["method"]}
    index, before = next(
        (index, row)
        for index, row in enumerate(rows["context_block"])
        if (coverages[rows["context"][row["context_id"]]["method_id"]] == "full") == is_counted
    )
    block = rows["basic_block"][before["basic_block_id"]]

    *_, counts, _, _, _, _ = _difference(
        recorded, tmp_path, lambda rows: rows["context_block"].pop(index)
    )

    absent = "0" if is_counted else "not counted"
    name = f"block {block['index']} at offset {block['first_offset']}"
    assert counts == f"{name}: {before['n_executions']:,} and {absent}"


def test_every_count_of_a_node_is_told_calls_first_then_blocks(
    recorded: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    _, rows = recorded
    context = max(
        {row["context_id"] for row in rows["receiver"]}
        & {row["context_id"] for row in rows["method_cache"]}
        & {row["context_id"] for row in rows["context_block"]}
    )

    def change(rows: dict[str, Any]) -> None:
        rows["context"][context]["is_folded"] = True
        for table, column in _COUNTS:
            for row in rows[table]:
                if row["context_id"] == context:
                    row[column] += 1

    *_, counts, _, _, _, _ = _difference(recorded, tmp_path, change)

    told = [count.partition(":")[0] for count in counts.split("; ")]
    assert told[:2] == ["calls", "folded"]
    assert sorted(told) == sorted(set(told))
    n_of_context = {
        table: sum(row["context_id"] == context for row in rows[table]) for table, _ in _COUNTS
    }
    n_classes = len({r["class_id"] for r in rows["receiver"] if r["context_id"] == context})
    n_cached = 6 * n_of_context["method_cache"]
    n_of_blocks = n_of_context["context_block"] + n_of_context["context_segment"]
    assert len(told) == 2 + n_of_blocks + n_classes + n_cached + n_of_context["back_edge"]


@pytest.mark.parametrize(
    ("table", "column", "told"),
    [
        ("class", "source_file", "the class itself"),
        ("field", "descriptor", "fields"),
        ("method", "max_stack", "methods"),
        ("instruction", "operand", "code"),
    ],
)
def test_the_part_of_a_class_that_differs_is_told(
    recorded: tuple[Path, dict[str, Any]], tmp_path: Path, table: str, column: str, told: str
) -> None:
    def change(rows: dict[str, Any]) -> None:
        rows[table][1][column] = 77 if column == "max_stack" else "another"

    kind, _, where, counts, *_ = _difference(recorded, tmp_path, change)

    assert (kind, where.split()[0], counts) == ("content", "class", told)

"""``check`` tells rows that are not in the declared order of their table, whatever the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from xml_runs import Shape, write_rows, write_run

from jvmscope.queries import Engine, broken_invariants
from jvmscope.queries.row_order import misplaced_row
from jvmscope.schema import TableWriter, tables
from jvmscope.schema.parquet import ROW_GROUP_ROWS

if TYPE_CHECKING:
    from pathlib import Path

    Rows = dict[str, list[dict[str, Any]]]

_SHAPE = Shape(seed=3, n_classes=3, n_contexts=40, n_threads=2, n_blocks=2)

_OF_ONE_ROW = {"native_clock", "lifetime_log"}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    found = write_run(tmp_path_factory.mktemp("orders") / "sorted.run", _SHAPE)
    found["exclusion"] = [
        {"class_name": name, "method_name": method, "descriptor": None, "reason": "native"}
        for name, method in (("a/A", None), ("a/A", None), ("a/A", "m"), ("a/\uffff", None))
    ]
    found["exclusion"].insert(3, {**found["exclusion"][3], "class_name": "a/\U0001f600"})  # UTF-16
    found["back_edge"] = [
        {"context_id": 2, "call_site_id": site, "target_context_id": 1, "n_calls": 1}
        for site in (None, 0, 1)
    ]
    found["receiver"] = [
        {"context_id": 2, "class_id": class_id, "n_calls": 1} for class_id in (0, 1, None)
    ]
    found["field_sharing"] = [{**found["field_sharing"][0], "field_id": key} for key in (0, 1)]
    found["object_hash"] = [  # in the order of the words, which is not that of the alphabet
        {**found["object_hash"][0], "kind": kind} for kind in ("overridden", "identity", "default")
    ]
    found["early_object"] = [{**found["early_object"][0], "class_id": key} for key in (0, 1)]
    return found


def _problems(run: Path, rows: Rows) -> list[str]:
    write_rows(run, rows, _SHAPE)
    with Engine(run) as engine:
        return [line for line in broken_invariants(engine) if "out of order" in line]


def test_sorted_rows_are_in_order(tmp_path: Path, rows: Rows) -> None:
    assert set(rows) == set(tables())
    assert _problems(tmp_path / "sorted.run", rows) == []


def _swapped(name: str, table: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a table with its last two that differ in the columns of its order swapped."""
    keys = [column for column, _ in tables()[name].sorted_by]
    at = next(
        n
        for n in reversed(range(1, len(table)))
        if [table[n][key] for key in keys] != [table[n - 1][key] for key in keys]
    )
    return [*table[: at - 1], table[at], table[at - 1], *table[at + 1 :]]


def test_two_swapped_rows_are_told_of_each_table(tmp_path: Path, rows: Rows) -> None:
    """Of all in one run: a problem names its table."""
    names = sorted(tables().keys() - _OF_ONE_ROW)
    swapped = {name: _swapped(name, rows[name]) for name in names}

    problems = _problems(tmp_path / "swapped.run", {**rows, **swapped})

    told = [sum(f"the table {name} is out of order" in each for each in problems) for name in names]
    assert dict(zip(names, told, strict=True)) == dict.fromkeys(names, 1)
    assert len(problems) == len(names)


def test_a_row_that_occurs_twice_is_told_of_each_table(tmp_path: Path, rows: Rows) -> None:
    names = [table.name for table in tables().values() if table.is_sorted_by_key]
    twice = {name: [*rows[name], rows[name][-1]] for name in names}

    problems = _problems(tmp_path / "twice.run", {**rows, **twice})

    told = [
        sum(f"row {len(twice[name]) - 1} of the table {name} " in each for each in problems)
        for name in names
    ]
    assert dict(zip(names, told, strict=True)) == dict.fromkeys(names, 1)
    assert len(problems) == len(names)


@pytest.mark.parametrize("at", [1, ROW_GROUP_ROWS - 1, ROW_GROUP_ROWS, ROW_GROUP_ROWS + 1])
def test_rows_are_compared_across_row_groups(tmp_path: Path, at: int) -> None:
    values = list(range(ROW_GROUP_ROWS + 2))
    values[at - 1], values[at] = values[at], values[at - 1]
    definition = tables()["thread_method"]
    zeros = [0] * len(values)
    path = tmp_path / "thread_method.parquet"
    with TableWriter(path, definition.arrow_schema) as writer:
        columns = {column.name: zeros for column in definition.columns} | {"method_id": values}
        writer.write(pa.table(columns, schema=definition.arrow_schema))

    assert misplaced_row(path, definition) == at

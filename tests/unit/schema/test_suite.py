"""Recorded suites are read as they were written."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest

from jvmscope.errors import SuiteError
from jvmscope.schema.suite import (
    LOCK_NAME,
    ROW_NAME,
    Row,
    Suite,
    is_suite,
    open_suite,
    row_from_json,
    row_to_json,
    write_suite,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    run = tmp_path / "nbody-small-1.run"
    run.mkdir()
    good = Row(
        "nbody-small-1",
        "nbody",
        "recorded",
        run=run,
        runs=(run,),
        parameters={"size": "small", "n": 3, "is_warm": True},
        identity="0123",
        command=("java", "-jar", "caf\udce9.jar"),
        tags=("java",),
        exit=0,
        is_validated=True,
        duration_s=1.5,
        log=run / "log",
        recorded="2026-11-21T09:12:03Z",
    )
    bad = Row("nbody-large-1", "nbody", "timeout", "not done after 10 s", jvm="jdk25")
    return Suite("languages", tmp_path, (good, bad), {"tool": {"name": "jvmscope"}})


def test_what_is_written_is_read(suite: Suite) -> None:
    write_suite(suite)

    assert open_suite(suite.path) == suite


def test_paths_are_relative_so_that_a_suite_can_be_moved(suite: Suite, tmp_path: Path) -> None:
    write_suite(suite)
    moved = suite.path.rename(tmp_path.with_name(f"{tmp_path.name}-moved"))

    assert open_suite(moved).rows[0].run == moved / "nbody-small-1.run"


def test_a_row_whose_run_is_gone_is_missing(suite: Suite) -> None:
    write_suite(suite)
    (suite.path / "nbody-small-1.run").rmdir()

    row = open_suite(suite.path).rows[0]

    assert (row.status, row.run) == ("missing", None)
    assert "nbody-small-1.run" in str(row.reason)


def test_what_was_finished_after_the_lock_file_is_read_from_its_row(suite: Suite) -> None:
    behind = [Row(each.name, each.benchmark, "missing", identity="0123") for each in suite.rows]
    write_suite(dataclasses.replace(suite, rows=tuple(behind)))
    finished, other = suite.rows[0], dataclasses.replace(suite.rows[1], identity="4567")
    for row, kind in ((finished, "run"), (other, "failed")):
        place = suite.path / f"{row.name}.{kind}" / ROW_NAME
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(row_to_json(row, suite.path)))

    # The other one is of a command that the lock file does not know.
    assert open_suite(suite.path).rows == (finished, behind[1])


def test_what_was_finished_again_after_the_lock_file_is_read_from_its_row(suite: Suite) -> None:
    """GIVEN a row that is recorded again, of which the lock file has what was there before."""
    again = suite.rows[0]
    assert again.run is not None
    before = dataclasses.replace(again, runs=(again.run / "1.run", again.run / "2.run"), exit=3)
    write_suite(dataclasses.replace(suite, rows=(before, suite.rows[1])))
    (again.run / "log").mkdir()
    (again.run / ROW_NAME).write_text(json.dumps(row_to_json(again, suite.path)))

    assert open_suite(suite.path).rows[0] == again


def test_a_directory_is_a_suite_by_its_lock_file(suite: Suite) -> None:
    assert not is_suite(suite.path)
    with pytest.raises(SuiteError, match="not a recorded suite"):
        open_suite(suite.path)

    write_suite(suite)

    assert is_suite(suite.path)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "not valid JSON"),
        ("[]", "an object with rows"),
        ('{"schema": 9, "rows": []}', "reads version 1"),
        ('{"schema": 1, "rows": [3]}', "expected an object"),
        ('{"schema": 1, "rows": [{"name": "a"}]}', "without name and benchmark"),
        (json.dumps({"schema": 1, "rows": [{"name": "a", "benchmark": "a"}]}), "the status is"),
    ],
)
def test_a_damaged_lock_file_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / LOCK_NAME).write_text(text)

    with pytest.raises(SuiteError, match=complaint):
        open_suite(tmp_path)


def _values() -> list[object]:
    return [None, True, 5, 1.5, "x", [], ["x"], [3], {}, {"x": 1}, {"x": None}, {"x": ["y"]}]


@pytest.mark.parametrize("entry", [each.name for each in dataclasses.fields(Row)])
def test_an_entry_of_another_type_is_told(suite: Suite, tmp_path: Path, entry: str) -> None:
    """Whatever is accepted can be used as what it is said to be."""
    document = row_to_json(suite.rows[0], tmp_path)
    told = []
    for value in _values():
        try:
            row = row_from_json({**document, entry: value}, tmp_path)
        except SuiteError as error:
            told.append(str(error))
            continue
        hash((row.name, row.benchmark, row.jvm, row.invocation, row.identity, row.status))
        assert row_from_json(row_to_json(row, tmp_path), tmp_path) == row
        assert all(isinstance(word, str) for word in (*row.command, *row.tags))
        assert isinstance(row.exit, int | None)
    assert all(entry in text for text in told)
    assert len(told) >= 5

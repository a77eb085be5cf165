"""The parts of a study: whole or absent, and read through views of every table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pytest

from jvmscope.errors import RunError
from jvmscope.schema import study_tables
from jvmscope.watch.study import Study, StudyManifest, StudyParts
from jvmscope.watch.study.manifest import read_study_manifest, write_study_manifest

if TYPE_CHECKING:
    from pathlib import Path

_MANIFEST = StudyManifest(command=["java", "p.Main"], options={"seed": 1, "scale": 0.5})


def test_definitions_are_ddl() -> None:
    """Every table is created by its own file, after those that it refers to."""
    order = ["restart", "study_method", "cycle", "reading"]
    names = [*order, *sorted(study_tables().keys() - set(order))]
    with duckdb.connect() as connection:
        for name in names:
            connection.execute(study_tables()[name].ddl)
            columns = [row[0] for row in connection.execute(f"DESCRIBE {name}").fetchall()]
            assert columns == study_tables()[name].arrow_schema.names


def test_a_study_without_parts_has_empty_tables(tmp_path: Path) -> None:
    write_study_manifest(tmp_path, _MANIFEST)

    with Study(tmp_path).connect() as connection:
        for name, table in study_tables().items():
            found = connection.table(name)
            assert found.columns == [column.name for column in table.columns]
            assert found.types == [column.sql_type for column in table.columns]
            assert found.fetchall() == []


def test_parts_are_read_in_the_order_of_the_table(tmp_path: Path) -> None:
    write_study_manifest(tmp_path, _MANIFEST)
    parts = StudyParts(tmp_path, [])
    first = {"dynamic_sample": [(0, 2, 10, 20), (0, 1, 30, 40)], "restart": [(0, True, 1, 2)]}
    manifest = parts.add(_MANIFEST, first)
    parts.add(manifest, {"dynamic_sample": [(1, 1, 5, 6)]})
    (tmp_path / "parts" / "000002.partial").mkdir()  # of a process that was killed

    with Study(tmp_path).connect() as connection:
        rows = connection.table("dynamic_sample").fetchall()
        assert rows == [(0, 1, 30, 40), (0, 2, 10, 20), (1, 1, 5, 6)]
        assert connection.table("restart").fetchall() == [(0, True, 1, 2)]
        assert connection.table("cycle").fetchall() == []


def test_a_part_that_was_left_unfinished_is_replaced(tmp_path: Path) -> None:
    left = tmp_path / "parts" / "000000.partial"
    left.mkdir(parents=True)
    (left / "cycle.parquet").write_bytes(b"half")

    parts = StudyParts(tmp_path, [])
    parts.add(_MANIFEST, {"restart": [(0, False, 1, 2)]})

    assert [path.name for path in (tmp_path / "parts").iterdir()] == ["000000"]
    assert parts.files("cycle") == []


def test_the_manifest_comes_back(tmp_path: Path) -> None:
    write_study_manifest(tmp_path, _MANIFEST)

    assert read_study_manifest(tmp_path) == _MANIFEST


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}'])
def test_another_manifest_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "study.json").write_text(text)

    with pytest.raises(RunError, match=r"study\.json"):
        Study(tmp_path)


def test_a_directory_without_manifest_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"not a study: it has no study\.json"):
        Study(tmp_path)

"""Whether the files of a run are those that its manifest describes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from support.samples import write_shapes

from jvmscope.schema import (
    Manifest,
    TableFacts,
    file_sha256,
    read_manifest,
    verify_run,
    write_manifest,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_shapes(tmp_path / "shapes.run")


def test_a_run_as_recorded_has_no_problems(run: Path) -> None:
    seen: list[tuple[int, int]] = []

    assert verify_run(run, lambda done, total: seen.append((done, total))) == []
    assert seen[-1][0] == seen[-1][1] > 0


def test_a_missing_table_file_is_told(run: Path) -> None:
    (run / "tables" / "field.parquet").unlink()

    (problem,) = verify_run(run)

    assert problem.endswith("field.parquet: the file is missing")


def test_a_longer_file_is_told(run: Path) -> None:
    with (run / "tables" / "class.parquet").open("ab") as file:
        file.write(b"x")

    (problem,) = verify_run(run)

    assert "bytes, the manifest says" in problem


def test_a_changed_byte_is_told(run: Path) -> None:
    path = run / "tables" / "class.parquet"
    content = bytearray(path.read_bytes())
    content[10] ^= 1
    path.write_bytes(content)

    (problem,) = verify_run(run)

    assert "SHA-256" in problem


def test_a_table_beside_the_manifest_is_told(run: Path) -> None:
    (run / "tables" / "stray.parquet").write_bytes(b"")

    (problem,) = verify_run(run)

    assert "stray.parquet: the manifest does not list the table" in problem


def test_a_table_that_every_run_has_must_be_listed(run: Path) -> None:
    manifest = read_manifest(run)
    tables = {name: facts for name, facts in manifest.tables.items() if name != "field"}
    (run / "tables" / "field.parquet").unlink()
    write_manifest(run, Manifest(status="complete", tables=tables))

    (problem,) = verify_run(run)

    assert "the table field is missing, which every run has" in problem


def test_a_table_with_other_columns_is_told(run: Path) -> None:
    path = run / "tables" / "field.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["name"]), path)
    manifest = read_manifest(run)
    columns = ("field_id", "class_id", "descriptor", "access_flags", "is_static")
    facts = TableFacts(0, path.stat().st_size, file_sha256(path), columns)
    write_manifest(run, Manifest(status="complete", tables={**manifest.tables, "field": facts}))

    (problem,) = verify_run(run)

    assert problem == f"{path}: lacks the column name"


def test_a_failed_recording_needs_no_tables(tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest(status="failed", tables={}))

    assert verify_run(tmp_path) == []

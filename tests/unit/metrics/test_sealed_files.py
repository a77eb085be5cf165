"""Cached values are believed: of a file in which any byte has changed, none may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from jvmscope.metrics import cache, tidy_rows

if TYPE_CHECKING:
    from pathlib import Path

_ROWS = pa.table(
    {
        "metric": ["size.loaded"] * 3,
        "measure": ["n_classes", "n_methods", "n_bytecodes"],
        "value": [1465.0, 17274.0, None],
    }
)


@pytest.mark.parametrize("bit", range(8))
def test_a_changed_bit_is_noticed_wherever_it_is(tmp_path: Path, bit: int) -> None:
    path = tmp_path / "size.loaded-0123.parquet"
    cache.store(path, _ROWS)
    whole = path.read_bytes()

    believed = []
    for offset in range(len(whole)):
        changed = bytearray(whole)
        changed[offset] ^= 1 << bit
        path.write_bytes(changed)
        if cache.load_rows(path) is not None:
            believed.append(offset)

    assert not believed


def test_a_file_that_ends_early_or_late_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "size.loaded-0123.parquet"
    cache.store(path, _ROWS)
    whole = path.read_bytes()

    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        assert cache.load_rows(path) is None
    path.write_bytes(whole + b"PAR1")
    assert cache.load_rows(path) is None


def test_what_is_read_is_what_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "size.loaded-0123.parquet"
    cache.store(path, _ROWS)
    kept = cache.load_rows(path)

    assert kept is not None
    assert kept.table().equals(_ROWS, check_metadata=True)


def test_many_rows_are_sealed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidy_rows, "MOST_ROWS", 2)
    tidy_rows.gathered([_ROWS, _ROWS], tmp_path, "size.loaded-0123.parquet")
    path = tmp_path / "size.loaded-0123.parquet"
    kept = cache.load_rows(path)

    assert kept is not None
    assert kept.found is None
    assert kept.table().equals(pa.concat_tables([_ROWS, _ROWS]), check_metadata=True)

    changed = bytearray(path.read_bytes())
    changed[27] ^= 1
    path.write_bytes(changed)
    assert cache.load_rows(path) is None


def test_a_report_believes_no_changed_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.facts-0123.parquet"
    monkeypatch.setattr(cache, "_path", lambda *_: path)
    cache.store(path, _ROWS)
    whole = path.read_bytes()
    fresh = _ROWS.slice(0, 1)

    for offset in range(len(whole)):
        changed = bytearray(whole)
        changed[offset] ^= 1 << offset % 8
        path.write_bytes(changed)
        table = cache.cached_table(None, "report.facts", {}, lambda: fresh)  # type: ignore[arg-type]
        assert table.equals(fresh)

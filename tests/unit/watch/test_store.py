"""A watch run while it grows: whole at every moment, and one file a table at the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from jvmscope.errors import QueryError, RunError
from jvmscope.queries import Engine, database
from jvmscope.schema import Manifest, read_manifest, verify_run, watch_tables
from jvmscope.schema.manifest import read_document
from jvmscope.watch.store import Store

if TYPE_CHECKING:
    from pathlib import Path

_GROWING = Manifest(kind="watch", status="truncated", tables={})


def _load(engine: Engine) -> list[tuple[object, ...]]:
    return list(engine.query("SELECT at_ns, machine FROM cpu_load ORDER BY at_ns").rows())


def _appended(store: Store, numbers: range) -> None:
    for number in numbers:
        store.append("cpu_load", (number, 0.0, 0.0, number / 1000))


def test_it_is_a_run_before_anything_is_seen(tmp_path: Path) -> None:
    Store(tmp_path, _GROWING)

    assert verify_run(tmp_path) == []
    assert read_manifest(tmp_path).tables.keys() == watch_tables().keys()
    with Engine(tmp_path) as engine:
        assert _load(engine) == []


@pytest.mark.parametrize("n_flushes", [1, 2, 15, 16, 17, 40, 300])
def test_no_row_is_lost_or_twice(tmp_path: Path, n_flushes: int) -> None:
    store = Store(tmp_path, _GROWING)
    for number in range(n_flushes):
        _appended(store, range(number * 3, number * 3 + 3))
        store.flush()

    expected = [(number, number / 1000) for number in range(n_flushes * 3)]
    parts = read_manifest(tmp_path).tables["cpu_load"].parts
    assert len(parts) <= 3 * 16
    assert verify_run(tmp_path) == []
    with Engine(tmp_path) as engine:
        assert _load(engine) == expected
    store.finish(replace(_GROWING, status="complete"))
    assert [path.name for path in (tmp_path / "tables").glob("*.parts")] == []
    assert verify_run(tmp_path) == []
    with Engine(tmp_path) as engine:
        assert _load(engine) == expected


def test_a_watch_that_ends_takes_no_reader_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a manifest that was read before the end, THEN the run that has ended is opened."""
    store = Store(tmp_path, _GROWING)
    _appended(store, range(3))
    store.flush()
    growing = read_document(tmp_path)
    with Engine(tmp_path) as engine:
        store.finish(replace(_GROWING, status="complete"))
        with pytest.raises(QueryError, match="gone since it was opened") as caught:
            _load(engine)
    assert "open it again" in str(caught.value)
    assert str(tmp_path) not in str(caught.value)

    documents = [growing, read_document(tmp_path)]
    monkeypatch.setattr(database, "read_document", lambda _run: documents.pop(0))
    with Engine(tmp_path) as engine:
        assert len(_load(engine)) == 3
        assert engine.manifest.status == "complete"


def test_rows_that_wait_are_not_there_yet(tmp_path: Path) -> None:
    store = Store(tmp_path, _GROWING)
    _appended(store, range(5))

    assert store.n_rows == 5
    with Engine(tmp_path) as engine:
        assert _load(engine) == []


def test_whoever_has_the_run_open_reads_what_was_there(tmp_path: Path) -> None:
    """Files that are merged meanwhile stay."""
    store = Store(tmp_path, _GROWING)
    _appended(store, range(3))
    store.flush()
    with Engine(tmp_path) as engine:
        for number in range(3, 50):
            _appended(store, range(number, number + 1))
            store.flush()
        assert len(_load(engine)) == 3


def test_a_damaged_part_is_found(tmp_path: Path) -> None:
    store = Store(tmp_path, _GROWING)
    _appended(store, range(3))
    store.flush()
    part = tmp_path / "tables" / read_manifest(tmp_path).tables["cpu_load"].parts[-1].file
    part.write_bytes(part.read_bytes()[:-1] + b"?")

    assert verify_run(tmp_path) == [
        f"{part}: its SHA-256 is not the manifest's: the file was changed"
    ]


@pytest.mark.parametrize("file", ["../../etc/passwd", "a.parquet", "/x.parts/1.parquet"])
def test_a_part_lies_in_the_run(tmp_path: Path, file: str) -> None:
    Store(tmp_path, _GROWING)
    manifest = tmp_path / "run.json"
    text = manifest.read_text().replace("cpu_load.parts/000001.parquet", file)
    manifest.write_text(text)

    with pytest.raises(RunError, match=r"expected a path such as NAME\.parts/1\.parquet"):
        read_manifest(tmp_path)

"""The DuckDB file: all tables with their rows, keys, words, meanings and units."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

import duckdb
import pytest
from support.samples import write_empty, write_shapes

from jvmscope.errors import LimitReached, RunError
from jvmscope.queries import Engine, Question
from jvmscope.reports.exports.database import write_database
from jvmscope.schema import tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def database(shapes: Path, tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    told: list[float] = []
    with Engine(shapes) as engine:
        write_database(engine, tmp_path / "it's.duckdb", told.append)
    assert told[-1] == 100
    with duckdb.connect(tmp_path / "it's.duckdb", read_only=True) as connection:
        yield connection


def test_every_table_has_every_row(shapes: Path, database: duckdb.DuckDBPyConnection) -> None:
    with Engine(shapes) as engine:
        recorded = engine.recorded
        names = {name for (name,) in database.execute("SHOW TABLES").fetchall()}
        assert names == set(recorded)
        for name in recorded:
            expected = engine.query(Question(f'FROM "{name}"', language="sql")).arrow().to_pylist()
            assert database.sql(f'FROM "{name}"').to_arrow_table().to_pylist() == expected


def test_keys_words_meanings_and_units_are_there(database: duckdb.DuckDBPyConnection) -> None:
    keys = database.execute(
        "SELECT table_name, constraint_column_names FROM duckdb_constraints() "
        "WHERE constraint_type = 'PRIMARY KEY'"
    ).fetchall()
    comments = database.execute(
        "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'context'"
    ).fetchall()
    tables_told = database.execute("SELECT table_name, comment FROM duckdb_tables()").fetchall()

    names = dict(tables_told)
    assert {name: tuple(columns) for name, columns in keys} == {
        name: tables()[name].key for name in names if tables()[name].key
    }
    assert dict(comments)["method_id"] == (
        "called method; null: root of a thread (refers to method)"
    )
    assert dict(comments)["n_calls"].endswith("[call]")
    assert names["thread"] == tables()["thread"].description
    kind = database.execute("SELECT typeof(kind) FROM thread LIMIT 1").fetchall()
    assert kind[0][0].startswith("ENUM")


def test_an_empty_run_and_a_user_s_table(tmp_path: Path) -> None:
    run = write_empty(tmp_path / "empty.run")
    with Engine(run) as engine:
        write_database(engine, tmp_path / "a.duckdb")
        assert engine.query("SELECT COUNT(*) FROM context").arrow().num_rows == 1  # still open

    with duckdb.connect(tmp_path / "a.duckdb") as database:
        assert database.execute("SELECT COUNT(*) FROM context").fetchall() == [(0,)]


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    run = write_shapes(tmp_path / "a.run")

    with Engine(run) as engine, pytest.raises(RunError, match="written: Cannot open file"):
        write_database(engine, tmp_path / "absent" / "a.duckdb")


def test_ctrl_c_ends_it_in_the_middle_of_a_table(
    shapes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "recorded", ("long",))
    with pytest.raises(KeyboardInterrupt):
        _interrupt_a_long_export(shapes, tmp_path / "run.duckdb")


def _interrupt_a_long_export(run: Path, path: Path) -> None:
    with Engine(run) as engine:
        engine.connect().execute(
            "CREATE VIEW run.long AS SELECT SUM(a.range * b.range) AS n "
            "FROM range(10000000) AS a CROSS JOIN range(10000000) AS b"
        )
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        write_database(engine, path)


def test_large_tables_have_no_index(
    shapes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a table of more rows than may have one, THEN it is whole, and the others have one."""
    monkeypatch.setattr("jvmscope.reports.exports.database._MOST_KEYED", 7)
    with Engine(shapes) as engine:
        n_rows = {name: facts.rows for name, facts in engine.manifest.tables.items()}
        write_database(engine, tmp_path / "run.duckdb")

    with duckdb.connect(tmp_path / "run.duckdb") as database:
        found = database.execute(
            "SELECT table_name FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'"
        ).fetchall()
        counts = {name: database.table(name).count("*").fetchall()[0][0] for name in n_rows}
    assert counts == n_rows
    large = {name for name, n in n_rows.items() if n > 7}
    keyed = {name for (name,) in found}
    assert large
    assert keyed
    assert not large & keyed


def test_too_little_memory_at_the_end_is_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise duckdb.TransactionException("Failed to commit: could not allocate block of size 1")

    monkeypatch.setattr("jvmscope.reports.exports.database._copy", fail)
    run = write_shapes(tmp_path / "a.run")
    with Engine(run) as engine, pytest.raises(LimitReached, match="needs more memory"):
        write_database(engine, tmp_path / "a.duckdb")

"""What docs/queries.md says that a query may do: one's own, and with --locked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope import cli

if TYPE_CHECKING:
    from pathlib import Path

_FILES = {
    "reads": "SELECT COUNT(*) FROM read_csv('secret.csv', header = false)",
    "reads text": "SELECT content FROM read_text('secret.csv')",
    "writes": "COPY (SELECT 1) TO 'written.csv'",
    "attaches": "ATTACH 'written.db'",
    "sets": "SET threads = 1",
    "makes a table": "CREATE TABLE t AS SELECT 1; SELECT * FROM t",
}


@pytest.mark.parametrize("what", _FILES)
def test_sql_of_ones_own_is_all_of_duckdb_and_untrusted_sql_is_not(
    shapes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("a\nb\n")
    query = ["query", str(shapes), "--sql", _FILES[what]]

    assert cli.run([*query, "--locked"]) == cli.WRONG
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]
    assert cli.run(query) == cli.DONE


@pytest.mark.parametrize("statement", ["DELETE FROM context", "UPDATE context SET n_calls = 0"])
def test_the_tables_of_a_run_cannot_be_changed(shapes: Path, statement: str) -> None:
    assert cli.run(["query", str(shapes), "--sql", statement]) == cli.WRONG


def test_xquery_of_ones_own_reads_allowed_directories_only(
    shapes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.txt").write_text("a")
    query = ["query", str(shapes), "unparsed-text('secret.txt')"]

    assert cli.run(query) != cli.DONE
    assert cli.run([*query, "--allow-read", "."]) == cli.DONE

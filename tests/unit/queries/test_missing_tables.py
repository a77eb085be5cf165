"""A run that lacks a table which every run has is one error, whatever is asked of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes

from jvmscope import cli
from jvmscope.errors import RunError
from jvmscope.queries import Engine
from jvmscope.schema import ALWAYS, tables

if TYPE_CHECKING:
    from pathlib import Path

_EVERY = [table.name for table in tables().values() if table.recorded == ALWAYS]


def _without(run: Path, table: str) -> Path:
    manifest = json.loads((run / "run.json").read_text(encoding="utf-8"))
    del manifest["tables"][table]
    (run / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    return run


@pytest.mark.parametrize("table", _EVERY)
def test_the_error_names_the_table(tmp_path: Path, table: str) -> None:
    run = _without(write_shapes(tmp_path / "a.run"), table)

    with pytest.raises(RunError, match=f"a.run: the manifest does not list the table {table}$"):
        Engine(run)


@pytest.mark.parametrize(
    "words", [["measure"], ["report", "html"], ["export", "collapsed"], ["query", "SELECT 1"]]
)
def test_every_verb_tells_it(
    tmp_path: Path, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    run = _without(write_shapes(tmp_path / "a.run"), "context_block")

    assert cli.run([words[0], str(run), *words[1:]]) == 2
    assert "the manifest does not list the table context_block" in capfd.readouterr().err

"""A file of an answer replaces a regular file at most, and only when it is told to."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes

from jvmscope import cli

if TYPE_CHECKING:
    from pathlib import Path

_VERBS = {
    "measure": ["measure", "{run}", "-o"],
    "query": ["query", "{run}", "SELECT 1", "-o"],
    "report": ["report", "{run}", "html", "-o"],
    "table": ["report", "{run}", "table", "-o"],
    "compare": ["compare", "{run}", "{run}", "-o"],
    "csv": ["export", "{run}", "csv", "-o"],
    "collapsed": ["export", "{run}", "collapsed", "-o"],
    "duckdb": ["export", "{run}", "duckdb", "-o"],
    "record": ["record", "--force", "-o", "{out}", "--", "true"],
}


@pytest.mark.parametrize("verb", _VERBS)
def test_a_pipe_or_device_is_never_replaced(
    verb: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run = write_shapes(tmp_path / "a.run")
    out = tmp_path / "pipe.csv"
    os.mkfifo(out)
    words = [word.format(run=run, out=out) for word in _VERBS[verb]]
    if verb != "record":
        words += [str(out), "--force"]

    status = cli.run(words)

    assert status != 0
    assert stat.S_ISFIFO(out.stat().st_mode)
    error = capfd.readouterr().err
    assert str(out) in error
    assert "Traceback" not in error


@pytest.mark.parametrize("verb", [verb for verb in _VERBS if verb != "record"])
def test_a_directory_is_not_replaced(
    verb: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run = write_shapes(tmp_path / "a.run")
    out = tmp_path / "folder.csv"
    out.mkdir()
    words = [word.format(run=run, out=out) for word in _VERBS[verb]]

    assert cli.run([*words, str(out), "--force"]) != 0
    assert out.is_dir()
    assert "is a directory" in capfd.readouterr().err

"""Runs whose directories have odd names are runs for every command."""

from __future__ import annotations

import shlex
import shutil
from typing import TYPE_CHECKING

import pytest

from jvmscope import cli

if TYPE_CHECKING:
    from pathlib import Path

_NAMES = ("co:lon.run", "a b'c#1?.run", "50%ü.run")
_COMMANDS = {
    "measure": "measure RUN -m execution.totals --format csv",
    "measure again": "measure RUN RUN --format csv",
    "check": "check RUN",
    "check two": "check RUN RUN",
    "SQL": "query RUN 'FROM context'",
    "XQuery": "query RUN 'count($classes//dcg:class)'",
    "trees": "query RUN '$cct//dcg:thread[1]/string-join(@*)'",
    "page": "report RUN -o page.html",
    "tables": "report RUN --format markdown",
    "compare": "compare RUN other.run -m execution.totals --format csv",
    "tree": "compare RUN other.run --tree --format csv",
    "XML": "export RUN xml -o an:xml",
    "database": "export RUN duckdb -o a:b.duckdb",
    "graph": "export RUN speedscope -o a:b.json",
    "runs": "list runs .",
}


@pytest.mark.parametrize("name", _NAMES)
def test_every_command_reads_it(
    name: str,
    shapes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(shapes, tmp_path / name)
    shutil.copytree(shapes, tmp_path / "other.run")
    monkeypatch.chdir(tmp_path)

    for command in _COMMANDS.values():
        words = [name if word == "RUN" else word for word in shlex.split(command)]
        status = cli.run(words)
        assert status == cli.DONE, (command, capsys.readouterr().err)
    assert name in capsys.readouterr().out

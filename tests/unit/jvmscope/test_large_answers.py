"""What a command needs of memory does not grow with what it writes.

Commands run in a process of its own, whose largest resident set is compared with that of the same
commands asked for next to nothing. The difference is far below what the answers take.

DuckDB may take its limit whatever is asked, for what it sorts and joins, and writes the rest to
files; here the limit is small, so that what is found is what jvmscope keeps.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from support.long import IS_LONG

from benchmarks.queries.synthetic import write_synthetic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_N_CONTEXTS = 2_000_000 if IS_LONG else 300_000
_MORE_MIB = 300
"""What the values of contexts may need: parts of them, DuckDB's sort, what allocators keep."""
_N_ROWS = 4_000_000 if IS_LONG else 600_000
_ROW_BYTES = 300
_FORMATS = ("csv", "json", "jsonl", "markdown", "table", "parquet")

_COMMANDS = """
import json, os, sys
from jvmscope.metrics import tidy_rows
import jvmscope.reports.pages.excerpt
from jvmscope.queries.limits import memory
memory._MOST_BYTES = memory._LEAST_BYTES = 256 << 20
tidy_rows.MOST_ROWS = sys.modules["jvmscope.reports.pages.excerpt"].MOST_ROWS = 1 << 15
from jvmscope.cli import run
for words in json.loads(sys.argv[1]):
    status = run(words)
    if status:
        sys.exit(status)
"""


def _peak_mib(commands: Sequence[Sequence[str]]) -> int:
    """Returns the largest resident set of a process that runs some commands."""
    words = [sys.executable, "-c", _COMMANDS, json.dumps(commands)]
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_maxrss // 1024


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    run = tmp_path_factory.mktemp("large") / "large.run"
    write_synthetic(run, _N_CONTEXTS)
    return str(run)


@pytest.mark.parametrize("has_lists", [False, True], ids=["rows", "batches"])
def test_the_rows_of_a_query_are_not_kept(*, has_lists: bool, large: str) -> None:
    """Plain values come in rows, others in Arrow batches."""

    def commands(n_rows: int) -> list[list[str]]:
        more = ", [range] AS c" if has_lists else ""
        text = f"repeat('x', {_ROW_BYTES}) || range"
        sql = f"SELECT range AS a, {text} AS b{more} FROM range({n_rows})"
        forms = _FORMATS if IS_LONG else ("json",) if has_lists else ("csv", "parquet")
        return [["query", large, sql, "--format", form, "-q"] for form in forms]

    assert (
        _peak_mib(commands(_N_ROWS)) - _peak_mib(commands(1)) < 0.6 * _N_ROWS * _ROW_BYTES / 2**20
    )


@pytest.mark.parametrize("cache", ["--no-cache", "--jobs=1"], ids=["uncached", "cached"])
def test_the_values_of_contexts_are_not_kept(cache: str, large: str) -> None:
    def commands(metric: str) -> list[list[str]]:
        forms = _FORMATS if IS_LONG else ("csv", "markdown", "parquet")
        words = ["measure", large, "-m", metric, cache, "-q", "--format"]
        return [[*words, form] for form in forms]

    difference = _peak_mib(commands("cycles.contexts")) - _peak_mib(commands("cycles.run"))
    assert difference < _MORE_MIB


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_what_is_ended_leaves_no_values_behind(number: signal.Signals, tmp_path: Path) -> None:
    write_synthetic(tmp_path / "small.run", 40_000)
    spool = tmp_path / "tmp"
    spool.mkdir()
    measure = ["measure", str(tmp_path / "small.run"), "-m", "cycles.contexts", "--no-cache"]
    words = [sys.executable, "-c", _COMMANDS, json.dumps([[*measure, "-q", "--format", "csv"]])]
    environment = {**os.environ, "TMPDIR": str(spool)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment) as child:
        assert child.stdout is not None
        child.stdout.readline()  # of more than a pipe holds, so it waits for who reads on
        assert list(spool.glob("jvmscope-values-*/*"))
        child.send_signal(number)
        child.communicate()
    assert child.returncode == 128 + number
    assert not list(spool.iterdir())

"""What a command imports: a start takes as long as its imports, so they are counted, not timed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_HEAVY = {"numpy", "pandas", "polars", "pyarrow", "duckdb", "_duckdb", "lxml", "rich"}
_NEVER = _HEAVY | {"importlib.metadata", "email", "asyncio", "http", "urllib.request", "ssl"}

_LOADED = """
import contextlib, io, json, os, sys
from jvmscope.cli import program, run
commands = json.loads(sys.argv[1])
if commands is None:
    verbs = program.list_commands(None)
    commands = [["--help"], *([verb, "--help"] for verb in verbs), ["query"], ["quury"]]
statuses = []
for command in commands:
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())) as out:
        with contextlib.redirect_stderr(io.StringIO()) as err:
            statuses.append(run(command))
print(json.dumps([statuses, [name for name in sys.modules if sys.modules[name] is not None]]))
"""


def _loaded(commands: Sequence[Sequence[str]] | None) -> tuple[list[int], set[str]]:
    """Returns the exit statuses of commands, one after the other, and what they imported."""
    words = [sys.executable, "-c", _LOADED, json.dumps(commands)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    statuses, modules = json.loads(done.stdout)
    return statuses, set(modules)


def test_help_and_errors_of_usage_import_nothing_of_the_work() -> None:
    statuses, modules = _loaded(None)

    assert set(statuses) == {0, 2}
    assert sorted(modules & _NEVER) == []
    assert sorted(name for name in modules if name.startswith("jvmscope.queries")) == []


def test_the_list_of_verbs_imports_none_of_them() -> None:
    statuses, modules = _loaded([["--help"]])

    assert statuses == [0]
    assert sorted(name for name in modules if name.startswith("jvmscope.commands.")) == []


def test_the_version_is_told_without_the_work() -> None:
    statuses, modules = _loaded([["--version"]])

    assert statuses == [0]
    assert sorted(modules & _HEAVY) == []


def test_completion_imports_nothing_of_the_work(shapes: Path) -> None:
    text = (
        "import sys\nfrom jvmscope.cli import program\n"
        "try:\n    program.main(prog_name='jvmscope')\n"
        "except SystemExit:\n    print(*sys.modules, file=sys.stderr)\n"
    )
    environment = {
        "_JVMSCOPE_COMPLETE": "bash_complete",
        "COMP_WORDS": f"jvmscope measure {shapes} --sc",
        "COMP_CWORD": "3",
    }
    words = [sys.executable, "-c", text]
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, check=True, timeout=120
    )

    assert "--scope" in done.stdout
    assert sorted(set(done.stderr.split()) & _HEAVY) == []


_NOT_FOR_SQL = {"numpy", "pandas", "polars", "pyarrow", "lxml", "rich"}
_QUESTION = """
    SELECT name, thread_id, SUM(n_calls), AVG(n_calls), n_calls > 2, 1.5, NULL::INTEGER
    FROM context JOIN thread USING (thread_id) GROUP BY ALL ORDER BY ALL
"""


@pytest.mark.parametrize("form", ["csv", "table", "json", "jsonl", "markdown"])
def test_a_question_in_sql_is_answered_without_arrow(form: str, shapes: Path) -> None:
    statuses, modules = _loaded([["query", str(shapes), _QUESTION, "--format", form]])

    assert statuses == [0]
    assert sorted(modules & _NOT_FOR_SQL) == []


def test_a_question_in_xquery_that_sql_answers_needs_no_arrow(shapes: Path) -> None:
    text = 'for $m in $methods return map { "name": $m/@name, "calls": $m/dcg:callCount }'
    statuses, modules = _loaded([["query", str(shapes), text], ["query", str(shapes), "1 + 1"]])

    assert statuses == [0, 0]
    assert sorted(modules & _NOT_FOR_SQL) == []

"""``jvmscope query``, ``list modules``, ``show``: text or table, locked queries, statuses."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import jvmscope
from jvmscope.cli import BUG, DONE, LIMITED, WRONG, run
from jvmscope.queries import costs
from jvmscope.queries.locked import process


def test_nodes_are_printed_as_text(shapes: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["query", str(shapes), "<n>{count($threads)}</n>"]) == DONE
    assert capfd.readouterr().out == "<n>2</n>\n"


def test_a_format_decides(shapes: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["query", str(shapes), "<n/>", "--format", "csv"]) == DONE
    assert capfd.readouterr().out == "value\n<n/>\n"
    assert run(["query", str(shapes), "1, 2", "--format", "items"]) == DONE
    assert capfd.readouterr().out == "1\n2\n"


def test_a_file_decides(shapes: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    query = 'declare option output:method "html"; <p>{ count($threads) }<br/></p>'

    assert run(["query", str(shapes), query, "-o", str(page)]) == DONE
    assert page.read_text(encoding="utf-8") == "<p>2<br></p>\n"
    assert f"Wrote {page}" in capfd.readouterr().err


def test_columns_of_one_name_have_keys_of_their_own(
    shapes: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    query = ["query", str(shapes), "SELECT 1 AS n, 2 AS n, 3 AS n_1", "--format"]
    assert run([*query, "json"]) == DONE
    answer = json.loads(capfd.readouterr().out)
    assert answer["rows"] == [{"n": 1, "n_1": 2, "n_1_1": 3}]
    assert [column["name"] for column in answer["columns"]] == ["n", "n_1", "n_1_1"]
    assert run([*query, "jsonl"]) == DONE
    assert capfd.readouterr().out.splitlines()[1] == '{"n": 1, "n_1": 2, "n_1_1": 3}'


@pytest.mark.parametrize("options", [("-",), ("-f", "-")])
def test_a_query_is_read_from_stdin(
    shapes: Path,
    options: tuple[str, ...],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("SELECT 7 AS n"))
    assert run(["query", str(shapes), *options, "--format", "csv"]) == DONE
    assert capfd.readouterr().out == "n\n7\n"


def test_a_module_gets_the_nearest_namespace(
    shapes: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["query", str(shapes), 'import module namespace cct="urn:jvmscope:cct"; 1']) == WRONG
    assert 'did you mean "urn:jvmscope:cct:1"?' in capfd.readouterr().err


def test_a_step_that_selects_nothing_is_noticed(
    shapes: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["query", str(shapes), "count($methods/@nmae)", "--format", "csv"]) == DONE
    captured = capfd.readouterr()
    assert captured.out == "value\n0\n"
    notice = "query:1:16: dcg:method has no @nmae: the step selects nothing"
    assert captured.err == f'warning: {notice}; did you mean "@name"?\n'


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("SELECT COUNT(*) FROM thread", DONE, ""),
        ("FROM range(2000)", LIMITED, "truncated: more rows exist"),
        (
            "SELECT getenv('HOME')",
            WRONG,
            "query:1:8: error: an untrusted query may not call getenv()",
        ),
        ("SELECT repeat('a', 2000000000)", LIMITED, "memory"),
    ],
)
def test_a_locked_query_ends_by_its_kind(
    shapes: Path, capfd: pytest.CaptureFixture[str], text: str, status: int, words: str
) -> None:
    assert run(["query", str(shapes), "--locked", text]) == status
    assert words in capfd.readouterr().err


def test_the_traceback_of_a_worker_is_for_the_operator(
    shapes: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(process, "_WORKER", "jvmscope.no_such_worker")

    assert run(["query", str(shapes), "--locked", "SELECT 1"]) == BUG
    told = capfd.readouterr().err.splitlines()
    failed = "error: the process for untrusted queries failed: it ended with status 1"
    assert [line for line in told if not line.startswith("querying")] == [failed]

    assert run(["query", str(shapes), "--locked", "-v", "SELECT 1"]) == BUG
    shown = capfd.readouterr().err
    assert "Traceback (most recent call last)" in shown
    assert "No module named 'jvmscope.no_such_worker'" in shown


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--explain", "count($methods)"], "--explain plans a query outside of its limits"),
        (["--allow-read", ".", "1"], "use --locked without --allow-read"),
        (
            ["--scope", "thread:main", "1"],
            "an untrusted query can only ask about the whole run, not about a scope",
        ),
        (["--cost-model", "own.toml", "FROM costs.methods('none')"], "own cost models, not own"),
    ],
)
def test_what_a_locked_query_cannot_heed_is_refused(
    *,
    shapes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    options: list[str],
    told: str,
) -> None:
    model = Path(costs.__file__).parent / "models" / "jop-2008-07.toml"
    text = model.read_text(encoding="utf-8").replace('"jop-2008-07"', '"own"')
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert run(["query", str(shapes), "--locked", *options]) == WRONG
    assert told in capfd.readouterr().err


def test_modules_are_listed_and_shown(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["list", "modules", "--format", "csv"]) == DONE
    assert '\ncct,sql,cct.edges(),"Who called whom, over all contexts"' in capfd.readouterr().out
    assert run(["show", "cct.edges"]) == DONE
    shown = capfd.readouterr().out
    assert shown.startswith("cct.edges()\n")
    assert "CREATE MACRO cct.edges() AS TABLE" in shown
    assert run(["show", "cct.edgs"]) == WRONG
    assert 'did you mean "cct.edges"?' in capfd.readouterr().err


@pytest.mark.parametrize("option", [("--param", "n=1"), ("--explain",)])
def test_the_prompt_drops_no_option(
    shapes: Path,
    option: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run(["query", str(shapes), *option]) == WRONG
    assert "are for one query" in capsys.readouterr().err


_IMPORTED = """
import sys
from jvmscope.cli import run
assert run(sys.argv[1:]) == 0
print(*sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("text", "not_needed"),
    [
        ("SELECT COUNT(*) FROM thread", {"jvmscope.queries.xquery.query", "rich"}),
        (
            "for $m in $methods return map { 'name': string($m/@name) }",
            {
                "jvmscope.queries.xquery.evaluator",
                "jvmscope.queries.xquery.trees",
                "elementpath",
                "lxml",
                "rich",
            },
        ),
    ],
)
def test_a_query_imports_what_it_needs(shapes: Path, text: str, not_needed: set[str]) -> None:
    """Each of these takes as long to import as a short query takes."""
    command = [sys.executable, "-c", _IMPORTED, "query", str(shapes), text]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)

    assert not_needed.isdisjoint(ended.stderr.split())


@pytest.mark.parametrize(
    ("query", "whole", "part"),
    [
        ("SELECT SUM(n_calls)::INTEGER AS n FROM context", "22", "12"),
        ("for $c in $cct//dcg:context[@id = 7] return map { 'n': 7 }", "7", None),
    ],
)
def test_a_scope_restricts_what_a_query_sees(
    shapes: Path, capfd: pytest.CaptureFixture[str], query: str, whole: str, part: str | None
) -> None:
    assert run(["query", str(shapes), query, "--format", "csv"]) == DONE
    assert capfd.readouterr().out.split()[1:] == [whole]
    options = ("--scope", "application+", "--format", "csv")
    assert run(["query", str(shapes), query, *options]) == DONE
    assert capfd.readouterr().out.split()[1:] == ([part] if part else [])
    with jvmscope.open(shapes) as opened:
        rows = list(opened.query(query, scope="application+").rows())
    assert rows == ([(int(part),)] if part else [])


def test_a_scope_that_the_run_does_not_have_is_refused(
    shapes: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["query", str(shapes), "SELECT 1", "--scope", "application-"]) == WRONG
    assert 'did you mean "application' in capfd.readouterr().err

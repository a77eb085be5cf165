"""The prompt: several lines a query, answers, errors that do not end it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from jvmscope.actions.query_session import QuerySession
from jvmscope.output.console import Console
from jvmscope.output.results import Output, PagedOutput
from jvmscope.prompt import loop
from jvmscope.prompt.dot_commands import COMMANDS
from jvmscope.queries import Engine, Question, parse_scope

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def engine(shapes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Engine(shapes)


def converse(engine: Engine, typed: str, limit: int | None = None, *, verbosity: int = -1) -> int:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(typed)
        terms = Question("", limit=limit)
        asking = QuerySession(engine, Output(format="csv"), Console(verbosity=verbosity), terms)
        return loop.converse(asking)


def test_a_query_may_have_several_lines(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    assert converse(engine, "SELECT 1 AS n\r\r2 +\r3;\r\x04") == 0

    assert capsys.readouterr().out == "n\n1\nvalue\n5\n"


def test_a_declaration_does_not_end_a_query(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    prolog = "declare variable $n := 1;\rdeclare function local:f($x) { $x + $n };\r"

    assert converse(engine, f"{prolog}local:f(2);\r\x04") == 0
    assert capsys.readouterr().out == "value\n3\n"


def test_a_limit_holds_for_each_query(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    assert converse(engine, "1 to 9;\r1 to 3;\r\x04", limit=2) == 0
    shown = capsys.readouterr()
    assert shown.out == "value\n1\n2\nvalue\n1\n2\n"
    assert shown.err == "warning: truncated: more rows exist; .limit N shows more of them\n" * 2


def test_an_error_does_not_end_it(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    assert converse(engine, "$metods;\r1;\r\x04") == 0

    shown = capsys.readouterr()
    assert "[XPST0008]" in shown.err
    assert shown.err.startswith("query:1:1: error: ")
    assert shown.out == "value\n1\n"


@pytest.mark.parametrize(
    ("typed", "told"),
    [("/** @foo x */ SELECT 1;", "unknown key @foo"), ("/**\r", "")],
)
def test_a_wrong_header_does_not_end_it(
    engine: Engine, capsys: pytest.CaptureFixture[str], typed: str, told: str
) -> None:
    assert converse(engine, f"{typed}\r1;\r\x04") == 0

    shown = capsys.readouterr()
    assert f"error: {told}" in shown.err
    assert shown.out == "value\n1\n"


def test_a_table_without_a_meaning_in_the_scope_is_refused(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = (
        ".scope application+\rFROM loaded_class;\r.scope\rSELECT COUNT(*) AS n FROM loaded_class;\r"
    )
    assert converse(engine, f"{typed}\x04") == 0

    shown = capsys.readouterr()
    assert '"loaded_class" is undefined in the scope application+: classes are loaded' in shown.err
    assert shown.out == "n\n4\n"


def test_it_remembers(engine: Engine, tmp_path: Path) -> None:
    converse(engine, "1;\r\x04")

    assert "+1;" in (tmp_path / "state" / "jvmscope" / "query_history").read_text()


def test_it_completes_what_the_run_has(engine: Engine) -> None:
    words = loop.completions(engine)

    assert {"$methods", "dcg:callCount", "@name", "context", "n_calls", "SELECT"} <= {*words}


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ('"a;\rb";\r', 'value\n"a;\nb"\n'),
        ('"a\r\rb";\r', 'value\n"a\n\nb"\n'),
        ("(: one;\rtwo :) 1;\r", "value\n1\n"),
        ("(: don't :) 1;\r", "value\n1\n"),
        ("count((1,\r2));\r", "value\n2\n"),
        ("SELECT ';\r' AS t;\r", 't\n";\n"\n'),
        ("SELECT 1 AS n -- it's;\r\r", "n\n1\n"),
        ("SELECT 1 AS n /* a;\rb */;\r", "n\n1\n"),
        ("FROM (SELECT 1 AS n\r);\r", "n\n1\n"),
        ("SELECT $$don't$$ AS t;\r", "t\ndon't\n"),
        ("SELECT $q$don't;\r$q$ AS t;\r", 't\n"don\'t;\n"\n'),
        ("SELECT E'it\\'s' AS t;\r", "t\nit's\n"),
        ("string(<a>don't</a>)\r\r\r", "value\ndon't\n"),
    ],
)
def test_a_semicolon_or_an_empty_line_within_something_ends_no_query(
    engine: Engine, capsys: pytest.CaptureFixture[str], typed: str, shown: str
) -> None:
    assert converse(engine, f"{typed}\x04") == 0

    out, err = capsys.readouterr()
    assert out == shown, err


def test_every_command_of_the_prompt_answers(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {".schema": "context", ".metrics": "hotness.methods", ".mode": "json", ".limit": "1"}
    words |= {".scope": "thread:main", ".timer": "on"}
    for name in COMMANDS:
        assert converse(engine, f"{name} {words.get(name, '')}\r1;\r\x04") == 0
        out, err = capsys.readouterr()
        assert "error" not in err, name
        assert (name == ".quit") != ("1" in out)


def test_the_commands_of_the_prompt_show_what_there_is(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert converse(engine, ".tables\r.schema thread\r.metrics\r.help\r\x04", verbosity=0) == 0

    out, err = capsys.readouterr()
    assert "thread_block" in out
    assert "start_order" in out
    assert "polymorphism.targets" in out
    assert all(name in err for name in COMMANDS)


@pytest.mark.parametrize("pattern", ["tag:recursion", "recursion.*"])
def test_metrics_are_listed_by_pattern(
    engine: Engine, capsys: pytest.CaptureFixture[str], pattern: str
) -> None:
    assert converse(engine, f".metrics {pattern}\r\x04", verbosity=0) == 0

    out, err = capsys.readouterr()
    assert "recursion.depth" in out, err
    assert "hotness" not in out


def test_a_mode_a_limit_and_a_scope_hold_for_what_follows(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ".mode jsonl\r.limit 2\r1 to 9;\r.scope thread:worker\rcount($cct//dcg:context);\r"
    assert converse(engine, f"{typed}\x04") == 0
    first, second = capsys.readouterr().out.split('{"schema"')[1:]

    assert '"truncated": true' in first
    with Engine(engine.run) as other:
        part = parse_scope("thread:worker")
        expected = other.query(Question("SELECT count(*) FROM context", scope=part))
        assert f'"value": {next(expected.rows())[0]}' in second


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (".tabels", 'did you mean ".tables"?'),
        (".mode tabel", 'did you mean "table"?'),
        (".timer", "expected one of on, off, found nothing"),
        (".limit 0", "expected a number of rows, found 0"),
        (".limit", "expected a number of rows, found nothing"),
        (".metrics hotness.method", 'did you mean "hotness.methods"?'),
        (".metrics tag:hotnes", 'did you mean "hotness"?'),
        (".schema contxt", 'did you mean "context"?'),
        (".schema a b", ".schema: expected TABLE after it"),
        (".scope thread:nobody", ".scope: error: no thread is named 'nobody'"),
        (".scope aplication", ".scope: error: there is no scope 'aplication'"),
        (".scope thread", ".scope: error: expected thread:NAME, found 'thread'"),
        (".scope thread:pool 1", "expected SCOPE after it; put what has spaces in quotes"),
        (".mode 'a", "No closing quotation"),
    ],
)
def test_a_wrong_command_is_told(
    engine: Engine, capsys: pytest.CaptureFixture[str], typed: str, told: str
) -> None:
    assert converse(engine, f"{typed}\r1;\r\x04") == 0

    out, err = capsys.readouterr()
    assert told in err
    assert "error: " in err.partition("\n")[0]
    assert "warning" not in err
    assert out == "value\n1\n"


def test_what_is_longer_than_the_screen_goes_through_a_pager(
    monkeypatch: pytest.MonkeyPatch, opened: Engine
) -> None:
    paged: list[str] = []
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("click.echo_via_pager", paged.append)
    output = PagedOutput(format="csv")

    output.write(opened.query("FROM range(3)"), Console())
    assert paged == []
    output.write(opened.query("FROM range(300)"), Console())
    assert paged[0].startswith("range\n0\n1\n")
    assert len(paged[0].splitlines()) == 301


def test_a_table_on_a_terminal_is_no_wider(
    monkeypatch: pytest.MonkeyPatch, opened: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "SELECT repeat('x', 90) AS a, repeat('y', 70) AS b, 123456789 AS n"
    Output(format="table").write(opened.query(text), Console())
    assert len(capsys.readouterr().out.splitlines()[2]) == 90 + 2 + 70 + 2 + 9

    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    Output(format="table").write(opened.query(text), Console())

    lines = capsys.readouterr().out.splitlines()
    assert {len(line) for line in lines} == {60}
    assert lines[2].endswith("123456789")
    assert "…" in lines[2]

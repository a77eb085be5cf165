"""The prompt: several lines a query, answers, errors that do not end it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from jvmscope import prompt
from jvmscope.asking import Asking
from jvmscope.console import Console
from jvmscope.output import Output
from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def engine(shapes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Engine(shapes)


def converse(engine: Engine, typed: str, limit: int | None = None) -> int:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(typed)
        asking = Asking(engine, Output(format="csv"), Console(verbosity=-1), limit=limit)
        return prompt.converse(asking)


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
    assert capsys.readouterr().out == "value\n1\n2\nvalue\n1\n2\n"


def test_an_error_does_not_end_it(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    assert converse(engine, "$metods;\r1;\r\x04") == 0

    shown = capsys.readouterr()
    assert "[XPST0008]" in shown.err
    assert shown.out == "value\n1\n"


def test_it_remembers(engine: Engine, tmp_path: Path) -> None:
    converse(engine, "1;\r\x04")

    assert "+1;" in (tmp_path / "state" / "jvmscope" / "query_history").read_text()


def test_it_completes_what_the_run_has(engine: Engine) -> None:
    words = prompt.completions(engine)

    assert {"$methods", "dcg:callCount", "@name", "context", "n_calls", "SELECT"} <= {*words}

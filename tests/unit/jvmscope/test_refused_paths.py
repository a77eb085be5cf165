"""Paths that the system refuses: each verb says so in a line."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from jvmscope import cli

_LONG = "x" * 300
_VERBS = {
    "record to": ("record", "-o", _LONG, "--", "java", "Main"),
    "record as": ("record", "--name", _LONG, "--", "java", "Main"),
    "record below": ("record", "--runs", _LONG, "--", "java", "Main"),
    "suite run": ("suite", "run", _LONG),
    "suite list": ("suite", "list", _LONG),
    "check": ("check", _LONG),
    "check two": ("check", _LONG, _LONG),
    "measure": ("measure", _LONG),
    "query": ("query", _LONG, "SELECT 1"),
    "report": ("report", _LONG),
    "export": ("export", _LONG, "csv"),
    "compare": ("compare", _LONG, _LONG),
    "list": ("list", "runs", _LONG),
    "import": ("import", _LONG, _LONG, "-o", "a.run"),
    "test": ("test", _LONG),
}


@pytest.mark.parametrize("verb", _VERBS)
def test_a_name_that_no_file_can_have_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status = cli.run(_VERBS[verb])
    said = capsys.readouterr().err
    assert status == (cli.RECORDING_FAILED if verb.startswith("record") else cli.WRONG), said
    assert said.splitlines()[-1].startswith("error: "), said
    assert "Traceback" not in said
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM])
@pytest.mark.parametrize("verb", ["record to", "check"])
def test_a_path_that_a_user_may_not_look_into_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verb: str,
    number: int,
) -> None:
    def refuse(path: Path, **_options: object) -> os.stat_result:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "stat", refuse)
    status = cli.run([word.replace(_LONG, "secret") for word in _VERBS[verb]])
    said = capsys.readouterr().err
    assert status == (cli.RECORDING_FAILED if verb.startswith("record") else cli.WRONG), said
    assert said.startswith("error: ")
    assert said.endswith(f": {os.strerror(number)}\n")
    assert "secret" in said


@pytest.mark.parametrize(
    "words",
    [("record", "--", "java", "Main"), ("record", "-o", "a.run", "--", "java", "Main")],
)
def test_a_working_directory_that_is_gone_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert cli.run(words) == cli.RECORDING_FAILED
    assert capsys.readouterr().err == (
        "error: the working directory is gone; change to another one\n"
    )


def test_the_root_is_no_place_for_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["record", "-o", "/", "--", "java", "Main"]) == cli.RECORDING_FAILED
    assert capsys.readouterr().err == "error: /: expected the path of a new directory\n"

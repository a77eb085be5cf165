"""``-o -`` is standard output, as it is without ``-o``, and never a file of that name.

Verbs that write what a stream cannot hold, as runs, refuse it.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click
import pytest
from support.samples import write_shapes
from support.verbs import verbs

from jvmscope import cli
from jvmscope.cli.click_options import OUTPUT

if TYPE_CHECKING:
    from pathlib import Path

Captured = pytest.CaptureFixture[bytes]

_ASKED = {
    "check": "a.run b.run",
    "compare": "a.run a.run -m execution.totals",
    "export": "a.run collapsed",
    "list metrics": "",
    "list modules": "",
    "list runs": ".",
    "list tables": "a.run",
    "measure": "a.run -m execution.totals",
    "query": "a.run 'SELECT 1'",
    "report": "a.run -m execution.totals",
}
_ALIKE = {"explain", "suite list"}
"""They need programs or a suite, and write through the same ``Output``."""

_NO_STREAMS = {
    "calibrate": "",
    "import": "cct.xml classes.xml",
    "record": "-- true",
    "study overhead": "-- true",
    "suite run": "a.toml",
    "watch": "-- true",
}


def _written(verb: str) -> list[click.Parameter]:
    return [each for each in verbs()[verb].params if "-o" in each.opts]


def test_each_verb_that_writes_to_stdout_is_asked() -> None:
    to_stdout = {
        verb
        for verb in verbs()
        for each in _written(verb)
        if isinstance(each, click.Option) and "stdout" in str(each.help)
    }

    assert to_stdout == _ASKED.keys() | _ALIKE
    assert all(each.type is OUTPUT for verb in to_stdout for each in _written(verb))


def test_each_verb_that_writes_no_stream_is_asked() -> None:
    with_output = {verb for verb in verbs() if _written(verb)}

    assert with_output - _ASKED.keys() - _ALIKE == _NO_STREAMS.keys()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_shapes(tmp_path / "a.run")
    write_shapes(tmp_path / "b.run", n_circles=9)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("verb", _ASKED)
def test_a_dash_is_stdout(verb: str, folder: Path, capfdbinary: Captured) -> None:
    words = [*verb.split(), *shlex.split(_ASKED[verb]), "--progress", "none"]
    status = cli.run(words)
    printed = capfdbinary.readouterr().out

    assert cli.run([*words, "-o", "-"]) == status
    assert capfdbinary.readouterr().out == printed != b""
    assert cli.run([*words, "-o", "-", "--force"]) == cli.WRONG
    assert not (folder / "-").exists()


@pytest.mark.parametrize("form", ["xml", "duckdb"])
def test_what_is_no_stream_needs_a_name(form: str, folder: Path, capfdbinary: Captured) -> None:
    assert cli.run(["export", "a.run", form, "-o", "-"]) == cli.WRONG
    assert f"{form} is not written to stdout" in capfdbinary.readouterr().err.decode()
    assert [path.name for path in folder.iterdir() if not path.suffix] == []


@pytest.mark.parametrize("verb", _NO_STREAMS)
def test_what_is_never_a_stream_needs_a_place(
    verb: str, folder: Path, capfdbinary: Captured
) -> None:
    (folder / "a.toml").write_text("")
    before = sorted(folder.iterdir())
    words, dashes, command = _NO_STREAMS[verb].partition("--")
    status = cli.run([*verb.split(), *words.split(), "-o", "-", *(dashes + command).split()])

    assert status == (125 if verb == "record" else cli.WRONG)
    assert b"'-o' / '--output': - is standard output" in capfdbinary.readouterr().err
    assert sorted(folder.iterdir()) == before

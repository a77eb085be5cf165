"""Bytes that are no UTF-8, in every text that the command line and Python take: one clear error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from support.verbs import verbs

import jvmscope
from jvmscope import cli
from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Limits, Question, parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BROKEN = "a\udcff"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _texts() -> Iterator[tuple[str, str]]:
    """Yields each verb with each of its options that takes any text."""
    for verb, command in verbs().items():
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.type is click.STRING:
                yield verb, parameter.opts[-1]


def _arguments(command: click.Command, run: Path) -> list[str]:
    """Returns words for the arguments of a verb."""
    words = []
    for parameter in command.params:
        if isinstance(parameter, click.Argument) and parameter.required:
            if isinstance(parameter.type, click.Choice):
                words.append(str(parameter.type.choices[0]))
            else:
                words += [str(run)] * max(1, parameter.nargs)
    return words


@pytest.mark.parametrize(("verb", "option"), list(_texts()))
def test_no_option_fails_for_bytes_that_are_no_text(
    verb: str, option: str, shapes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*verb.split(), f"{option}={_BROKEN}", *_arguments(verbs()[verb], shapes)]
    if verb in ("record", "study overhead"):
        words = [*verb.split(), f"{option}={_BROKEN}", "--", "true"]

    status = cli.run(words)

    said = capsys.readouterr().err
    assert status in (cli.WRONG, cli.RECORDING_FAILED), said
    assert "Traceback" not in said
    assert "error: " in said


@pytest.mark.parametrize("verb", ["record", "watch", "study overhead"])
def test_words_of_a_command_may_have_any_bytes(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = "no-such-command-\udcff"

    status = cli.run([*verb.split(), "-o", "a.out", "--", command])

    said = capsys.readouterr().err
    assert "expected text in UTF-8" not in said
    assert "not found" in said or "No such file" in said, said
    assert status not in (cli.DONE, cli.BUG)


@pytest.mark.parametrize("limits", [None, Limits()], ids=["trusted", "untrusted"])
@pytest.mark.parametrize("text", [f"SELECT '{_BROKEN}'", f"SELECT 1 -- {_BROKEN}", f"'{_BROKEN}'"])
def test_no_query_fails_for_half_a_character(
    text: str, limits: Limits | None, shapes: Path
) -> None:
    with Engine(shapes) as engine, pytest.raises(QueryError, match=r"U\+DCFF"):
        engine.answer(Question(text, limits=limits))


def test_no_scope_fails_for_half_a_character(shapes: Path) -> None:
    with pytest.raises(QueryError, match=r"U\+DCFF"):
        parse_scope(f"subtree:{_BROKEN}")
    with pytest.raises(QueryError, match=r"U\+DCFF"):
        jvmscope.measure([shapes], scope=f"subtree:{_BROKEN}")

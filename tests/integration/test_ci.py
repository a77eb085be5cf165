"""docs/ci.md: its worked example does what the page says, with the outputs that it shows."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, jdk_of_docs

if TYPE_CHECKING:
    from collections.abc import Iterator

_DOCS = Path(__file__).parents[2] / "docs"
_PAGE = (_DOCS / "ci.md").read_text(encoding="utf-8")
_EXAMPLE = _PAGE.partition("## A worked example")[2].partition("\n## ")[0]
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_STATUS = re.compile(r"\[exit status (\d+)\]")


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_NEAR = 0.15
"""How far numbers may be from the page's: to load the application's classes costs bytecodes for
each character of their path, and the class library differs between JDKs."""


def _is_in(line: str, printed: str, *, is_exact: bool) -> bool:
    """Tells whether a printed line has a line of the page, by the words and near the numbers."""
    line, printed = (re.sub(r" +", " ", text) for text in (line, printed))
    if is_exact or line in printed:
        return line in printed
    pattern = "(" + ")(".join(map(re.escape, _NUMBER.split(line))) + ")"
    found = re.search(pattern.replace(")(", rf")({_NUMBER.pattern})("), printed)
    if found is None:
        return False
    numbers = [float(text.replace(",", "")) for text in found.groups()[1::2]]
    expected = [float(text.replace(",", "")) for text in _NUMBER.findall(line)]
    return all(abs(n - e) <= _NEAR * abs(e) for n, e in zip(numbers, expected, strict=True))


def _commands() -> Iterator[tuple[str, list[str], int]]:
    """Yields each command of the example, the lines that it prints, and its exit status."""
    for block in _BLOCK.findall(_EXAMPLE):
        for command, *lines in (part.splitlines() for part in block.split("$ ") if part):
            statuses = [found for line in lines if (found := _STATUS.fullmatch(line))]
            shown = [line for line in lines if not _STATUS.fullmatch(line)]
            yield command, shown, int(statuses[0][1]) if statuses else 0


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, bool, str]]:
    """What becomes of the commands: each, whether it ends as the page says, and its output."""
    directory = tmp_path_factory.mktemp("ci") / "example"
    shutil.copytree(_DOCS / "examples" / "ci", directory)
    environment = dict(Recorder(directory, jdk_of_docs()).environment)
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    found = []
    for command, lines, status in _commands():
        ended = subprocess.run(
            ["bash", "-c", command],
            cwd=directory,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        printed = (ended.stdout + ended.stderr).splitlines()
        is_exact = "--scope application " in command or "record" in command
        is_shown = all(
            any(_is_in(line, other, is_exact=is_exact) for other in printed) for line in lines
        )
        found.append(
            (command, is_shown and ended.returncode == status, ended.stdout + ended.stderr)
        )
    return found


def test_every_command_of_the_example_does_what_the_page_shows(
    outcomes: list[tuple[str, bool, str]],
) -> None:
    wrong = [f"$ {command}\n{output}" for command, is_right, output in outcomes if not is_right]

    assert len(outcomes) >= 11
    assert not wrong, "\n".join(wrong)


def test_the_budget_of_the_page_is_that_of_the_example() -> None:
    (shown,) = re.findall(r"^```toml\n(.*?)^```$", _EXAMPLE, re.DOTALL | re.MULTILINE)

    assert shown == (_DOCS / "examples" / "ci" / "budget.toml").read_text(encoding="utf-8")

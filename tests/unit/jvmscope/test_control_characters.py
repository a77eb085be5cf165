"""No name of a program and no text of a query controls the terminal that shows it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import unicodedata
from typing import TYPE_CHECKING

import pytest

from jvmscope.cli import DONE, WRONG, run
from jvmscope.control_characters import visible

if TYPE_CHECKING:
    from pathlib import Path

# Whatever Unicode calls a control, a surrogate or a separator of lines, and what turns writing.
_CONTROLS = [
    chr(code)
    for code in range(0x110000)
    if unicodedata.category(chr(code)) in {"Cc", "Cs", "Zl", "Zp"}
    or unicodedata.bidirectional(chr(code)) in {"LRE", "RLE", "LRO", "RLO", "PDF"}
    or unicodedata.bidirectional(chr(code)) in {"LRI", "RLI", "FSI", "PDI"}
]
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def test_each_is_escaped() -> None:
    for character in _CONTROLS:
        assert visible(f"a{character}b").isascii()
        assert visible(character, keeps=character) == character


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_what_people_read_has_none(
    shapes: Path, capfd: pytest.CaptureFixture[str], form: str
) -> None:
    title = "".join(c for c in _CONTROLS if c != "\0" and not "\ud800" <= c <= "\udfff")
    query = f"""SELECT STRING_AGG(CHR(c::INTEGER), '') AS "{title}"
        FROM RANGE(1, 8240) AS codes (c) WHERE c < 160 OR c > 8230"""

    assert run(["query", str(shapes), "--sql", query, "--format", form]) == DONE
    out = capfd.readouterr().out
    assert "\\x1b" in out
    assert not _CONTROL.search(out)


def test_errors_have_none(shapes: Path, capfd: pytest.CaptureFixture[str]) -> None:
    codes = ", ".join(str(code) for code in range(127, 160))

    assert run(["query", str(shapes), f"error((), codepoints-to-string(({codes})))"]) == WRONG
    err = capfd.readouterr().err
    assert "\\x9b" in err
    assert not _CONTROL.search(err)


@pytest.mark.parametrize("is_terminal", [True, False])
def test_text_of_an_xquery_has_none_on_a_terminal(shapes: Path, *, is_terminal: bool) -> None:
    """Elsewhere it is as the query made it."""
    query = "declare option output:method 'text'; codepoints-to-string((65, 155, 10, 66))"
    command = [sys.executable, "-m", "jvmscope", "query", str(shapes), "--xquery", query]
    ours, theirs = pty.openpty() if is_terminal else os.pipe()
    subprocess.run(command, stdout=theirs, check=True)
    os.close(theirs)
    written = os.read(ours, 1000).decode().replace("\r\n", "\n")

    assert written == ("A\\x9b\nB\n" if is_terminal else "A\x9b\nB\n")


@pytest.mark.parametrize("columns", ["", "abc", "80x", "0", "-5", "1e3", "9" * 30, " 80"])
def test_a_page_has_a_width_whatever_columns_says(
    shapes: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    columns: str,
) -> None:
    with monkeypatch.context() as patch:  # pytest itself asks for the width, too
        patch.setenv("COLUMNS", columns)
        assert run(["measure", str(shapes), "-m", "execution.totals", "--format", "table"]) == DONE
    assert capfd.readouterr().out

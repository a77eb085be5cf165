"""That calls were folded, how many and why, is said wherever a run is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.samples import write_folded

from jvmscope import cli

if TYPE_CHECKING:
    from pathlib import Path

    Captured = pytest.CaptureFixture[str]

_LIMITS = {"memory": ["the memory limit was reached: calls are folded"], "request": []}
_SAID = {
    "memory": "9 calls are folded into other contexts: the memory limit was reached",
    "request": "9 calls are folded into other contexts: --recursion fold was given",
}


@pytest.fixture(params=_LIMITS)
def cause(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def run(cause: str, tmp_path: Path) -> Path:
    return write_folded(tmp_path / "folded.run", _LIMITS[cause])


def test_list_runs_has_the_number_and_the_cause(run: Path, cause: str, capsys: Captured) -> None:
    assert cli.run(["list", "runs", str(run.parent), "--format", "csv"]) == cli.DONE
    header, row = (line.split(",") for line in capsys.readouterr().out.splitlines())
    values = dict(zip(header, row, strict=True))
    assert (values["n_folded_calls"], values["folded_for"]) == ("9", cause)


@pytest.mark.parametrize(
    "words", [["measure", "-m", "execution.totals"], ["compare", "-m", "execution.totals"]]
)
def test_a_verb_that_measures_says_it(
    words: list[str], run: Path, cause: str, capsys: Captured
) -> None:
    verb, *options = words
    runs = [str(run)] * (2 if verb == "compare" else 1)
    assert cli.run([verb, *runs, *options]) == cli.DONE
    (line,) = {line for line in capsys.readouterr().err.splitlines() if "folded" in line}
    assert _SAID[cause] in line
    assert line.startswith("warning: ") == (cause == "memory")


@pytest.mark.parametrize("form", [[], ["--format", "markdown"], ["html"]])
def test_a_report_says_it(form: list[str], run: Path, cause: str, capsys: Captured) -> None:
    page = run.parent / "page.html"
    written = ["-o", str(page)] if form == ["html"] else []
    assert cli.run(["report", str(run), *form, *written]) == cli.DONE
    shown = page.read_text(encoding="utf-8") if written else capsys.readouterr().out
    assert _SAID[cause] in shown
    assert "Deepest context" not in shown

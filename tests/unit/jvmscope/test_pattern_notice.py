"""Patterns of --include and --exclude that changed nothing are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder

from jvmscope.actions.pattern_notice import tell_unmatched
from jvmscope.output.console import Console

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("pattern", "is_told"),
    [
        ("app.Main", False),
        ("app/Main", False),
        ("app.*", False),
        ("*Main$Inn?r", False),
        ("app.Mian", True),
        ("app.Main?", True),
        ("java.util.*", True),  # classes of the JDK are always counted
        ("app.[M]ain", True),  # no wildcard
    ],
)
@pytest.mark.parametrize("option", ["--include", "--exclude"])
def test_a_pattern_that_matches_nothing_is_told(
    option: str, pattern: str, is_told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = RunBuilder()
    for name in ("app/Main", "app/Main$Inner", "deep/down/Other"):
        builder.method(name, "f", blocks=[["return"]])
    builder.method("java/util/ArrayList", "f", loader="boot", blocks=[["return"]])
    run = builder.write(tmp_path / "a.run")
    asked = ((pattern,), ()) if option == "--include" else ((), (pattern,))

    tell_unmatched(run, *asked, Console())

    told = capsys.readouterr().err
    assert (f"{option} {pattern}: no class of the program" in told) == is_told
    assert bool(told) == is_told

"""Patterns that changed nothing are named: of --include and --exclude, and scopes of probes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder

from jvmscope.actions.pattern_notice import tell_uncovered, tell_unmatched
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


@pytest.mark.parametrize(
    ("scope", "is_told"),
    [
        ("*", False),
        ("*.*", False),
        ("app/Main.f", False),
        ("app/*.f()V", False),
        ("java/util/*.f", False),
        ("*Inner.*", False),
        ("app.Main*", True),  # a class `app` with such a method
        ("app/Main.g", True),
        ("app/Main.f(I)*", True),
        ("app/Main.f (all)", False),
        ("app/Main.f (all)()V", False),
        ("app/Main.* (*", False),
        ("app/Main.f  (all)", True),
        ("app/Mai?.f", True),
    ],
)
def test_a_scope_that_covers_nothing_is_told(
    scope: str, is_told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = RunBuilder()
    for name in ("app/Main", "app/Main$Inner"):
        builder.method(name, "f", blocks=[["return"]])
    builder.method("app/Main", "f (all)", blocks=[["return"]])
    builder.method("java/util/ArrayList", "f", loader="boot", blocks=[["return"]])

    tell_uncovered(builder.write(tmp_path / "a.run"), (scope,), Console())

    told = capsys.readouterr().err
    assert (f"the scope {scope}: no class that was loaded has such a method" in told) == is_told
    assert bool(told) == is_told

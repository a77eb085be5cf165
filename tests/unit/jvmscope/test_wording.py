"""Errors name what the caller can change: options on the command line, parameters in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmscope
from jvmscope import cli
from jvmscope.errors import JvmscopeError
from jvmscope.queries import Limits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_LONG = "sum((1 to 100000) ! count((1 to .)[. mod 7 = 1]))"

_WRONG: dict[str, tuple[Callable[[Any, Path], Any], str, list[str], str]] = {
    "scope": (
        lambda run, _: run.measure("hotness.methods", scope="aplication"),
        "scope: error",
        ["measure", "RUN", "--scope", "aplication"],
        "--scope: error",
    ),
    "metric": (
        lambda run, _: run.measure("hotness.method"),
        "metrics: error",
        ["measure", "RUN", "-m", "hotness.method"],
        "-m: error",
    ),
    "parameter": (
        lambda run, _: run.measure("hotness.methods", params={"cutof": 1}),
        "params: error",
        ["measure", "RUN", "-m", "hotness.methods", "--param", "cutof=1"],
        "--param: error",
    ),
    "missing parameter": (
        lambda run, _: run.query("SELECT $n").arrow(),
        "give one with params={'n': VALUE}",
        ["query", "RUN", "SELECT $n"],
        "give one with --param n=VALUE",
    ),
    "untrusted query, missing parameter": (
        lambda run, _: run.query("SELECT $n", limits=Limits()).arrow(),
        "give one with params={'n': VALUE}",
        ["query", "RUN", "SELECT $n", "--locked"],
        "give one with --param n=VALUE",
    ),
    "missing variable": (
        lambda run, _: run.query("declare variable $n external; $n").arrow(),
        "give one with params={'n': VALUE}",
        ["query", "RUN", "declare variable $n external; $n"],
        "give one with --param n=VALUE",
    ),
    "untrusted query, missing variable": (
        lambda run, _: run.query("declare variable $n external; $n", limits=Limits()).arrow(),
        "give one with params={'n': VALUE}",
        ["query", "RUN", "declare variable $n external; $n", "--locked"],
        "give one with --param n=VALUE",
    ),
    "existing file": (
        lambda run, file: run.export("csv", file),
        "force=True overwrites it",
        ["export", "RUN", "csv", "-o", "FILE"],
        "--force overwrites it",
    ),
    "existing answer": (
        lambda run, file: jvmscope.write(run.query("FROM thread"), file, format="csv"),
        "force=True overwrites it",
        ["query", "RUN", "FROM thread", "-o", "FILE"],
        "--force overwrites it",
    ),
    "weight": (
        lambda run, file: run.export("csv", file, force=True, weight="allocated_bytes"),
        "weight: error",
        ["export", "RUN", "csv", "--weight", "allocated_bytes"],
        "--weight: error",
    ),
    "root": (
        lambda run, file: run.export("csv", file, force=True, root="no/Such.f"),
        "root: error",
        ["export", "RUN", "csv", "--root", "no/Such.f"],
        "--root: error",
    ),
    "timeout": (
        lambda run, _: run.query(
            "SELECT SUM(a.range) FROM range(1000000) a, range(1000000)", timeout=0.01
        ).arrow(),
        "raise timeout",
        [
            "query",
            "RUN",
            "SELECT SUM(a.range) FROM range(1000000) a, range(1000000)",
            "--timeout",
            "0.01s",
        ],
        "raise --timeout",
    ),
    "timeout on trees": (
        lambda run, _: run.query(_LONG, timeout=0.1).arrow(),
        "raise timeout",
        ["query", "RUN", _LONG, "--timeout", "0.1s"],
        "raise --timeout",
    ),
    "untrusted query, timeout": (
        lambda run, _: run.query(_LONG, timeout=0.1, limits=Limits()).arrow(),
        "raise timeout",
        ["query", "RUN", _LONG, "--timeout", "0.1s", "--locked"],
        "raise --timeout",
    ),
}


@pytest.mark.parametrize("name", _WRONG)
def test_python_is_told_of_parameters_and_a_shell_of_options(
    name: str, shapes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask, in_python, words, in_shell = _WRONG[name]
    file = tmp_path / "there.txt"
    file.write_text("mine")

    with jvmscope.open(shapes) as run, pytest.raises(JvmscopeError) as caught:
        ask(run, file)
    assert in_python in str(caught.value)
    assert "--" not in str(caught.value).partition("|")[0]

    places = {"RUN": str(shapes), "FILE": str(file)}
    assert cli.run([places.get(word, word) for word in words]) in {cli.WRONG, cli.LIMITED}
    assert in_shell in capsys.readouterr().err

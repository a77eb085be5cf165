"""What the verbs can be asked, the functions can, and each keyword changes the answer."""

from __future__ import annotations

import inspect
import shlex
from typing import TYPE_CHECKING, Any

import pytest
from support.own_models import write_own_model
from support.samples import write_shapes
from support.verbs import CONSOLE, options_of

import jvmscope
from jvmscope.api.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_RESULTS = {"--output", "--force", "--format"}
"""What ``jvmscope.write`` and the methods of results do."""

_FUNCTIONS: dict[str, tuple[Callable[..., Any], ...]] = {
    "compare": (jvmscope.compare, jvmscope.compare_trees),
    "explain": (jvmscope.explain,),
    "export": (Run.export,),
    "measure": (jvmscope.measure,),
    "query": (jvmscope.open, Run.query),
    "report": (jvmscope.report, jvmscope.report_study, jvmscope.report_watch),
}
"""Verbs that answer questions, with the functions that do so in Python."""

_KEYWORDS = {"--metric": "metrics", "--param": "params", "--with": "beside"}
"""Options whose keywords are called otherwise."""

_NOT_IN_PYTHON = {
    "compare": {
        "--all": "the result has every row",
        "--allow": "gates end a process",
        "--budget": "gates end a process",
        "--fail-if": "gates end a process",
        "--limit": "results have a part of their rows",
        "--no-cache": "it saves time alone",
        "--tree": "a function of its own",
    },
    "export": dict.fromkeys(
        ("--weight", "--root", "--scope", "--min-fraction", "--param", "--cost-model"),
        "of `options`, by the format",
    )
    | {"--form": "of `options`, by the format"},
    "measure": {
        "--jobs": "it saves time alone",
        "--limit": "results have a part of their rows",
        "--no-cache": "it saves time alone",
        "--top": "the result has every row",
    },
    "query": {
        "--explain": "`Run` has no plan to show",
        "--file": "the text is read by the program",
        "--locked": "`limits`",
        "--sql": "`language`",
        "--xpath": "`language`",
        "--xquery": "`language`",
    },
    "report": dict.fromkeys(
        shlex.split("--weight --root --min-fraction --param --cost-model"),
        "of the tree, which is exported",
    )
    | {
        "--calibration": "`jvmscope.measure` has the costs",
        "--jobs": "it saves time alone",
        "--no-cache": "it saves time alone",
        "--subject": "the report has every subject",
    },
}


@pytest.mark.parametrize("verb", _FUNCTIONS)
def test_what_a_verb_can_be_asked_a_function_can(verb: str) -> None:
    keywords = {
        name for function in _FUNCTIONS[verb] for name in inspect.signature(function).parameters
    }
    lacking = {
        option
        for option in {*options_of(verb)} - CONSOLE - _RESULTS
        if _KEYWORDS.get(option, option[2:].replace("-", "_")) not in keywords
    }

    assert lacking == _NOT_IN_PYTHON.get(verb, {}).keys()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_shapes(tmp_path / "a.run")
    write_shapes(tmp_path / "b.run", n_circles=9)
    write_own_model(tmp_path / "own.toml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _open_and(name: str) -> Callable[..., Any]:
    def ask(*arguments: Any, **keywords: Any) -> list[tuple[Any, ...]]:
        with jvmscope.open("a.run") as run:
            return list(getattr(run, name)(*arguments, **keywords).rows())

    return ask


def _exported(**keywords: Any) -> bytes:
    with jvmscope.open("a.run") as run:
        (path,) = run.export("csv", "out.csv", force=True, weight="cycles", **keywords)
    return path.read_bytes()


def _rows(function: Callable[..., Any]) -> Callable[..., list[tuple[Any, ...]]]:
    return lambda *arguments, **keywords: list(function(*arguments, **keywords).rows())


_COSTS = "/**\n * @import costs\n */\nFROM costs.methods('none')"
_MODELLED = {
    "compare": (_rows(jvmscope.compare), ("a.run", "b.run", "cycles.run")),
    "compare_trees": (_rows(jvmscope.compare_trees), ("a.run", "b.run")),
    "measure": (_rows(jvmscope.measure), ("a.run", "cycles.run")),
    "Run.export": (_exported, ()),
    "Run.measure": (_open_and("measure"), ("cycles.run",)),
    "Run.query": (_open_and("query"), (_COSTS,)),
}


@pytest.mark.parametrize("name", _MODELLED)
def test_cycles_are_those_of_the_file_that_is_named(name: str, folder: Path) -> None:
    ask, arguments = _MODELLED[name]
    other: dict[str, Any] = {"weight": "cycles"} if name == "compare_trees" else {}
    bare = ask(*arguments, **other)

    assert ask(*arguments, **other) == bare
    assert ask(*arguments, **other, cost_model=folder / "own.toml") != bare
    assert ask(*arguments, **other, cost_model="own.toml") != bare
    with pytest.raises(jvmscope.QueryError, match=r"none\.toml: error: cannot be read"):
        ask(*arguments, **other, cost_model="none.toml")
    with pytest.raises(jvmscope.QueryError, match="two cost models are given"):
        ask(*arguments, **other, cost_model="own.toml", params={"model": "jop-head"})

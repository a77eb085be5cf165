"""An option that changes nothing is refused: of each option of each verb it is known where."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from support.calibrated import calibration
from support.samples import write_shapes
from support.verbs import CONSOLE, options_of, verbs

import jvmscope
from jvmscope import cli
from jvmscope.errors import QueryError
from jvmscope.reports.exports.formats import tree_formats
from jvmscope.schema.calibration import write_calibration

if TYPE_CHECKING:
    from pathlib import Path

_TREES = sorted(tree_formats())
_FORCE = {"--force": "--force"}
_LISTS = ("list metrics", "list modules", "list runs .", "list tables", "suite list s.toml")
_USELESS: dict[str, dict[str, str]] = {
    "check": {
        **_FORCE,
        "--below": "a.run --below main",
        "--limit": "a.run --limit 3",
    },
    "compare a.run b.run": {
        **_FORCE,
        "--all": "--all --format csv",
        "--allow": "--allow unchecked",
        "--calibration": "--calibration c.calibration",
        "--jvms": "--jvms a b",
        "--limit": "--limit 3 --format markdown",
        "--metric": "--tree -m execution.totals",
        "--nodes": "--nodes 3 --format csv",
        "--weight": "--weight calls --format csv",
        "--with": "--with a.run b.run",
    },
    "explain immutable a.run": _FORCE,
    "export a.run": {
        "--cost-model": "collapsed --cost-model c.toml",
        "--force": "collapsed --force",
        "--form": "duckdb --form flat -o x",
        "--min-fraction": "duckdb --min-fraction 0.1 -o x",
        "--param": "collapsed --param model=x",
        "--root": "duckdb --root main -o x",
        "--scope": "duckdb --scope application -o x",
        "--weight": "duckdb --weight calls -o x",
    },
    "measure a.run": {
        **_FORCE,
        "--param": "--param no_such=1",
        "--top": "--top 3 --format csv",
        "--with": "--with b.run",
        "--calibration": "--calibration x.calibration",
    },
    "query a.run": {
        "--allow-read": "'SELECT 1' --locked --allow-read .",
        "--explain": "'SELECT 1' --explain",
        "--force": "'SELECT 1' --force",
        "--format": "'1' --xquery --explain --format csv",
        "--limit": "'1' --xquery --explain --limit 3",
        "--locked": "'1' --xquery --explain --locked",
        "--output": "'1' --xquery --explain -o x.csv",
        "--param": "'SELECT 1' --param n=1",
        "--timeout": "'1' --xquery --explain --timeout 3s",
        "--with": "'SELECT 1' --locked --with b.run",
        "--calibration": "'SELECT 1' --calibration x.calibration",
    },
    "record": {
        "--consumer-every": "--consumer-every 3 -- java",
        "--consumer-path": "--consumer-path . -- java",
        "--force": "--runs . --force -- java",
        "--native-clock": "--probes order --native-clock none -- java",
        "--no-tree": "--no-tree -- java",
    },
    "report a.run": {
        **_FORCE,
        "--cost-model": "plot --cost-model c.toml",
        "--features": "plot --features instructions.mix.share",
        "--jobs": "tree --jobs 2",
        "--method": "--method main",
        "--metric": "tree -m execution.totals",
        "--min-fraction": "plot --min-fraction 0.1",
        "--no-cache": "tree --no-cache",
        "--param": "plot --param model=x",
        "--refine": "--refine",
        "--refine-budget": "--refine-budget 9",
        "--refine-threshold": "--refine-threshold 0.5",
        "--root": "plot --root main",
        "--subject": "plot --subject a",
        "--weight": "plot --weight calls",
        "--with": "--with b.run",
        "--calibration": "--calibration x.calibration",
        "--within": "table --within 0.1",
    },
    "calibrate": {"--force": "--force"},
    "study overhead": {
        "--force": "--force -- java",
        **{
            f"--{name}": f"--resume x.study --{name} {value}"
            for name, value in (
                *[(name, 1) for name in ("methods", "calls", "controls", "seed", "scale")],
                *[(name, 1) for name in ("warm-up", "selection", "reading", "utilization")],
                *[(name, 1) for name in ("quiet-span", "quiet-timeout", "least-delay")],
                *[(name, 1) for name in ("most-delay", "restart-after", "buffer-memory")],
                *(("classes", "'app.**'"), ("output", "y.study")),
            )
        },
    },
    "suite run s.toml": {
        "--engine": "--dry-run --engine dask://localhost:1",
        "--jobs": "--dry-run --jobs 2",
        "--retry-failed": "--rerun --retry-failed",
    },
    "watch": {
        "--callers": "--callers -- java",
        "--samples": "--samples -- java",
        "--events": "--list --events 20000",
        "--for": "--list --for 3s",
        "--force": "--force -- java",
        "--io": "--list --io",
        "--output": "--list -o x.watch",
        "--probe": "--list --probe a.B.c",
        "--refine": "--list --refine",
        "--refine-budget": "--list --refine-budget 9",
        "--refine-probes": "--refine-probes 3 1",
        "--refine-threshold": "--list --refine-threshold 0.5",
        "--sample-every": "--list --sample-every 1s",
    },
    **dict.fromkeys(_LISTS, _FORCE),
}
"""Verbs with arguments; for each option words with which it would change nothing."""

_ACTS = {
    "calibrate": {"--output", "--vms"},
    "check": {"--format", "--output"},
    "compare": {"--budget", "--cost-model", "--fail-if", "--format", "--no-cache", "--output"}
    | {"--param", "--scope", "--timeout", "--tree"},
    "completion": set(),
    "explain": {"--depth", "--format", "--leave-out", "--output", "--param", "--scope"}
    | {"--timeout"},
    "export": {"--output"},
    "import": {"--force", "--output"},
    "list metrics": {"--format", "--output"},
    "list modules": {"--format", "--output"},
    "list runs": {"--format", "--output"},
    "list tables": {"--format", "--output"},
    "measure": {"--cost-model", "--format", "--jobs", "--limit", "--metric", "--no-cache"}
    | {"--output", "--scope", "--timeout"},
    "query": {"--cost-model", "--file", "--scope", "--sql", "--xpath", "--xquery"},
    "record": {"--clock", "--consumer", "--exact-exceptions", "--exclude", "--from", "--include"}
    | {"--inject", "--max-memory", "--method-cache", "--name", "--no-deterministic", "--output"}
    | {"--probe", "--probes", "--recursion", "--repeat", "--select", "--tag", "--timeout"}
    | {"--vm-threads", "--xml"},
    "recover": set(),
    "report": {"--format", "--output", "--scope"},
    "show": {"--source"},
    "study overhead": {"--resume"},
    "suite list": {"--format", "--output", "--select", "--set"},
    "suite run": {"--dry-run", "--output", "--rerun", "--select", "--set"},
    "test": {"--accept", "--timeout"},
    "watch": {"--list"},
}
"""Options that change something in all combinations, or ask for what may be so anyway."""

_ACCEPTED = {
    ("record", "--runs"): "beside -o it changes nothing; scripts give the directory of all runs, "
    "and the name of one where they need it",
}
"""Options that change nothing somewhere and are taken all the same, with the reason."""

_CASES = [
    pytest.param(verb, words, id=f"{verb} {option}")
    for verb, options in _USELESS.items()
    for option, words in options.items()
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_shapes(tmp_path / "a.run")
    write_shapes(tmp_path / "b.run", n_circles=9)
    (tmp_path / "c.toml").write_text("")
    write_calibration(tmp_path / "x.calibration", calibration())
    (tmp_path / "s.toml").write_text(
        'schema = 1\nname = "s"\n[[benchmark]]\nname = "b"\ncommand = ["Main"]\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("verb", "words"), _CASES)
def test_an_option_that_changes_nothing_is_refused(
    verb: str, words: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = sorted(folder.iterdir())
    status = cli.run(shlex.split(f"{verb} {words}"))

    said = capfd.readouterr()
    assert status in {cli.WRONG, cli.RECORDING_FAILED}, said
    assert "error: " in said.err
    assert said.out == ""
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "verb", [*(f"export a.run {form}" for form in _TREES), "report a.run tree"]
)
def test_of_two_ways_to_choose_a_part_of_a_run_none_wins(
    verb: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--root", "app/Main.main", "--scope", "application"]

    assert cli.run([*verb.split(), *chosen]) == cli.WRONG
    said = capfd.readouterr()
    assert "--root GLOB is the scope subtree:GLOB: give one of the two" in said.err
    assert said.out == ""
    assert cli.run([*verb.split(), *chosen[:2], "--scope", "run", "-q"]) == cli.DONE


@pytest.mark.parametrize("form", _TREES)
def test_in_python_none_wins_either(form: str, folder: Path) -> None:
    with (
        jvmscope.open(folder / "a.run") as run,
        pytest.raises(QueryError, match="give one of the two"),
    ):
        run.export(form, folder / "x", root="app/Main.main", scope="application")
    assert not (folder / "x").exists()


_VERBS = verbs()


def test_every_verb_is_judged() -> None:
    assert _ACTS.keys() == _VERBS.keys()
    assert all(any(f"{words} ".startswith(f"{verb} ") for verb in _VERBS) for words in _USELESS)


@pytest.mark.parametrize("verb", _VERBS)
def test_of_every_option_it_is_known_where_it_acts(verb: str) -> None:
    options = options_of(verb)
    useless = [
        option
        for words, options_ in _USELESS.items()
        if f"{words} ".startswith(f"{verb} ")
        for option in options_
    ]
    accepted = [option for name, option in _ACCEPTED if name == verb]
    console = CONSOLE & {*options}

    assert sorted([*useless, *_ACTS[verb], *accepted, *console]) == sorted(options)

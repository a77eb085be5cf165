"""Every option of the verbs that ask runs changes the answer, in an example of each."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from support.own_models import write_own_model
from support.samples import write_shapes, write_thrown
from support.verbs import CONSOLE, options_of

from jvmscope import cli

if TYPE_CHECKING:
    from pathlib import Path

_METRICS = "-m execution.totals -m cycles.run"
_OTHER_MODEL = "--param model=jop-head"
_OWN_MODEL = "--cost-model own.toml"
_EXAMPLES: dict[str, dict[str, str]] = {
    "check a.run b.run": {"--below": "--below app/Main.log"},
    "check a.run c.run": {"--limit": "--limit 1"},
    f"compare a.run b.run --no-cache --format csv {_METRICS}": {
        "--metric": "-m boxing.totals",
        "--scope": "--scope application",
        "--param": _OTHER_MODEL,
        "--cost-model": _OWN_MODEL,
        "--fail-if": "--fail-if \"measure = 'n_bytecodes' AND delta > 0\"",
        "--budget": "--budget budgets.toml",
        "--tree": "--tree",
        "--limit": "--limit 1",
    },
    f"compare a.run b.run --no-cache --format table {_METRICS}": {"--all": "--all"},
    "compare a.run a.run -m execution.methods --fail-if \"delta > 0 AND metric LIKE 'ex%s'\"": {
        "--allow": "--allow same-run"
    },
    "compare a.run b.run --no-cache --tree --format csv": {"--weight": "--weight calls"},
    "compare a.run b.run --no-cache --tree --format table": {"--nodes": "--nodes 2"},
    "export a.run csv": {
        "--weight": "--weight calls",
        "--root": "--root 'app/Circle.*'",
        "--scope": "--scope thread:main",
        "--min-fraction": "--min-fraction 0.2",
    },
    "export a.run csv --weight cycles": {"--param": _OTHER_MODEL, "--cost-model": _OWN_MODEL},
    "export a.run xml -o view": {"--form": "--form flat"},
    f"measure a.run --no-cache --format csv {_METRICS}": {
        "--metric": "-m boxing.totals",
        "--scope": "--scope application",
        "--param": _OTHER_MODEL,
        "--cost-model": _OWN_MODEL,
        "--limit": "--limit 1",
    },
    "measure a.run --no-cache --format table -m execution.methods": {"--top": "--top 1"},
    "query a.run -f costs.sql": {"--cost-model": _OWN_MODEL},
    "query a.run 'SELECT count(*) FROM context'": {"--scope": "--scope application"},
    "query a.run 'SELECT name FROM thread'": {"--limit": "--limit 1", "--xquery": "--xquery"},
    "query a.run 'SELECT $n AS n'": {"--param": "--param n=2"},
    "query a.run --xquery 'count($cct//dcg:method)'": {"--explain": "--explain"},
    "query a.run --xquery 'doc(\"some.xml\")//b'": {"--allow-read": "--allow-read ."},
    "query a.run \"SELECT * FROM 'rows.csv'\"": {"--locked": "--locked"},
    "query a.run 'count($cct//*)'": {"--sql": "--sql"},
    "query a.run 'for $n in (2, 1) order by $n return $n'": {"--xpath": "--xpath"},
    "query a.run": {"--file": "--file costs.sql"},
    f"report a.run b.run table --no-cache {_METRICS}": {
        "--metric": "-m boxing.totals",
        "--scope": "--scope application",
        "--subject": "--subject a",
    },
    "report a.run tree": {
        "--weight": "--weight calls",
        "--root": "--root 'app/Circle.*'",
        "--min-fraction": "--min-fraction 0.4",
    },
    "report a.run tree --weight cycles": {"--param": _OTHER_MODEL, "--cost-model": _OWN_MODEL},
}
"""Verbs with arguments, and for each option words with which they answer something else."""

_OF_FILES = {"--output", "--force", "--format"}
"""Their files are tested with ``jvmscope.output``."""

_ELSEWHERE = {
    "check": set(),
    "compare": {"--calibration", "--jvms", "--no-cache", "--timeout", "--with"},
    "export": set(),
    "measure": {"--calibration", "--jobs", "--no-cache", "--timeout", "--with"},
    "query": {"--calibration", "--timeout", "--with"},
    "report": {"--calibration", "--features", "--jobs", "--method", "--no-cache", "--refine"}
    | {"--refine-budget", "--refine-threshold", "--with", "--within"},
}
"""Options for watch runs, studies, suites and distances, and those that only save time."""

_CASES = [
    pytest.param(verb, words, id=f"{verb} {option}")
    for verb, options in _EXAMPLES.items()
    for option, words in options.items()
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_shapes(tmp_path / "a.run")
    write_shapes(tmp_path / "b.run", n_circles=9)
    write_thrown(tmp_path / "c.run")
    write_own_model(tmp_path / "own.toml")
    (tmp_path / "some.xml").write_text("<a><b/></a>")
    (tmp_path / "costs.sql").write_text("/**\n * @import costs\n */\nFROM costs.methods('none')")
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    (tmp_path / "budgets.toml").write_text(
        '[[budget]]\nquantity = "bytecodes"\nmax_growth_pct = 2\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _answer(
    words: list[str], folder: Path, capfd: pytest.CaptureFixture[str]
) -> tuple[int, str, dict[str, bytes]]:
    """Returns the status of a verb, what it printed, and what it wrote, and removes that."""
    before = {*folder.rglob("*")}
    status = cli.run([*words, "-q"])
    written = {}
    for path in sorted({*folder.rglob("*")} - before):
        if path.is_file():
            written[str(path)] = path.read_bytes()
            path.unlink()
    return status, capfd.readouterr().out, written


@pytest.mark.parametrize(("verb", "words"), _CASES)
def test_an_option_changes_the_answer(
    verb: str, words: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bare = _answer(shlex.split(verb), folder, capfd)
    other = _answer(shlex.split(f"{verb} {words}"), folder, capfd)

    assert other != bare
    assert {bare[0], other[0]} & {cli.DONE, cli.NO}


@pytest.mark.parametrize("verb", [verb for verb in _EXAMPLES if "--cost-model" in _EXAMPLES[verb]])
def test_two_cost_models_are_refused(
    verb: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = f"{verb} {_OWN_MODEL} {_OTHER_MODEL}"

    assert cli.run(shlex.split(words)) == cli.WRONG
    assert "two cost models are given" in capfd.readouterr().err


@pytest.mark.parametrize("verb", _ELSEWHERE)
def test_every_option_has_an_example(verb: str) -> None:
    shown = {
        option
        for words, options in _EXAMPLES.items()
        if words.split()[0] == verb
        for option in options
    }

    assert shown | _ELSEWHERE[verb] == {*options_of(verb)} - _OF_FILES - CONSOLE

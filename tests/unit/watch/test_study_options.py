"""What a study is asked for on the command line, and what it leaves to chance."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from jvmscope import cli
from jvmscope.watch.probes import exact_probe
from jvmscope.watch.study import PAPER_WAITS, StudyManifest, StudyOptions
from jvmscope.watch.study.manifest import write_study_manifest
from jvmscope.watch.study.random_order import delay_of, method_of

if TYPE_CHECKING:
    from pathlib import Path

_METHODS = [4, 7, 9, 30]
_JAVA = ["--", "java", "Main"]
_RESUMED = ["--resume", "a.study"]
_WRONG = {
    "nothing to study: give -- COMMAND": [],
    "--resume uses the command and options of the study: leave out COMMAND": [*(*_RESUMED, *_JAVA)],
    "--resume uses the command and options of the study: leave out --seed": [
        *(*_RESUMED, "--seed", "1")
    ],
    "--utilization is 30 s, more than --reading, which is 20 s": ["--reading", "20s", *_JAVA],
    "--quiet-span is 20 s, more than --quiet-timeout": ["--quiet-timeout", "3s", *_JAVA],
    "--least-delay is 100 s, more than --most-delay": ["--least-delay", "100s", *_JAVA],
    "a.study: not a study: it has no study.json": _RESUMED,
    "full: exists already; --force replaces it, --resume full continues it": [
        *("-o", "full", *_JAVA)
    ],
    "full: not a study, so --force does not replace it": ["-o", "full", "--force", *_JAVA],
    "no/such/program: cannot be started: No such file or directory": [
        *("-o", "new.study", "--", "no/such/program")
    ],
    "done.study: the study is complete": ["--resume", "done.study"],
    "lacking.study: the options of the study lack 'warm_up'": ["--resume", "lacking.study"],
}


@pytest.mark.parametrize("expected", _WRONG)
def test_what_is_wrong_is_said_and_nothing_is_left(
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").touch()
    for name, state in (("done.study", "complete"), ("lacking.study", "failed")):
        (tmp_path / name).mkdir()
        write_study_manifest(tmp_path / name, StudyManifest(["java"], {}, state=state))
    before = sorted(tmp_path.rglob("*"))

    status = cli.run(["study", "overhead", *_WRONG[expected]])

    said = capfd.readouterr()
    assert (status, said.out) == (cli.WRONG, "")
    assert f"error: {expected}" in said.err
    assert sorted(tmp_path.rglob("*")) == before


def test_waits_are_those_of_the_paper_unless_given() -> None:
    options = StudyOptions.scaled(0.5, {"reading": 7.0, "quiet_span": None}, seed=3)

    waits = {name: getattr(options, name) for name in PAPER_WAITS}
    assert waits == {**{name: wait / 2 for name, wait in PAPER_WAITS.items()}, "reading": 7.0}
    assert (options.seed, options.scale) == (3, 0.5)


def test_options_come_back_from_the_manifest() -> None:
    options = StudyOptions.scaled(0.1, classes=("app.**",), n_methods=3)

    kept = json.loads(json.dumps(options.as_manifest()))
    assert StudyOptions.of_manifest(kept) == options


def test_every_method_is_observed_before_one_comes_again() -> None:
    turns = [[method_of(4 * turn + k, _METHODS, 1) for k in range(4)] for turn in range(20)]

    assert all(sorted(turn) == _METHODS for turn in turns)
    assert len({tuple(turn) for turn in turns}) > 1
    assert len({method_of(0, range(1000), seed) for seed in range(20)}) > 1
    assert method_of(2, _METHODS, 5) == method_of(2, _METHODS[::-1], 5)


def test_delays_are_between_their_bounds() -> None:
    delays = [delay_of(cycle, 30.0, 90.0, 1) for cycle in range(1000)]

    assert all(30 <= delay <= 90 for delay in delays)
    assert min(delays) < 33
    assert max(delays) > 87


def test_a_probe_names_one_method_whatever_its_characters() -> None:
    probe = exact_probe("a/b/C+D", "e f", "([[IZLa/b/C$D;[J)La/B;")

    assert probe.classes == r"a\.b\.C\+D"
    assert probe.methods == "e f"
    assert probe.parameters == (("int[][]", ""), ("boolean", ""), ("a.b.C$D", ""), ("long[]", ""))

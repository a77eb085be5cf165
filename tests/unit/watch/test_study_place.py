"""One process works in a study, and a study stays until another one can take its place."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from support.planted_studies import Planted, write_planted

from jvmscope import cli
from jvmscope.errors import AgentError
from jvmscope.watch.study import Study, StudyOptions, StudyParts, held_study
from jvmscope.watch.study.driver import _Driver
from jvmscope.watch.study.manifest import write_study_manifest
from jvmscope.watch.study.program import StudiedProgram

if TYPE_CHECKING:
    from pathlib import Path

_HOLDS = """
import sys
from pathlib import Path
from jvmscope.watch.study import held_study
with held_study(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(name="study")
def _study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_planted(tmp_path / "a.study", Planted(n_methods=2, n_calls=3))


def _content(path: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.mark.parametrize("words", [["--resume"], ["--force", "-o"]])
def test_a_second_process_is_refused(
    study: Path, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    manifest = Study(study).manifest
    options = StudyOptions.scaled().as_manifest()
    write_study_manifest(
        study, type(manifest)(manifest.command, options, "running", parts=manifest.parts)
    )
    command = ["true"] if "-o" in words else []
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDS, study], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        before = _content(study.parent)
        status = cli.run(["study", "overhead", *words, "a.study", *command])
        said = capfd.readouterr().err
        holder.kill()
        after = _content(study.parent)

    assert status == cli.WRONG
    assert f"error: a.study: process {holder.pid} works in this study now" in said
    assert after == before
    with held_study(study):  # death has released it
        assert (study / "lock").read_text() == f"{os.getpid()}\n"
    assert not (study / "lock").exists()


def test_a_study_is_held_once_under_every_name(study: Path) -> None:
    moved = study.with_name("b.study")
    with held_study(study):
        study.rename(moved)
        with pytest.raises(AgentError, match="works in this study now"), held_study(moved):
            pass
    assert not (moved / "lock").exists()


@pytest.mark.parametrize(
    "command",
    [["true"], ["sh", "-c", "echo said"], ["no-such-program"], ["./a.study"]],
    ids=["silent", "speaking", "none", "directory"],
)
def test_what_cannot_be_studied_replaces_nothing(
    study: Path, command: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    before = _content(study.parent)

    status = cli.run(["study", "overhead", "-o", "a.study", "--force", *command])

    assert status == cli.WRONG
    assert "Traceback" not in capfd.readouterr().err
    assert _content(study.parent) == before
    assert list(study.parent.iterdir()) == [study]


def test_a_study_that_has_its_vm_takes_the_place(study: Path, tmp_path: Path) -> None:
    partial = write_planted(tmp_path / "a.study.partial", Planted(n_methods=1, n_calls=3))
    (partial / "output").mkdir()
    options = StudyOptions.scaled()
    driver = _Driver(partial, options, tmp_path / "agent.jar", lambda _step, _done: None, study)
    program = StudiedProgram.__new__(StudiedProgram)
    program.output = partial / "output" / "0"

    driver._take_place(program)
    driver.note(state="failed")

    assert list(tmp_path.iterdir()) == [study]
    assert program.output == study / "output" / "0"
    found = Study(study)
    assert found.manifest.state == "failed"
    assert StudyParts(study, found.manifest.parts).files("cycle")
    assert found.problems(is_hashed=True) == []

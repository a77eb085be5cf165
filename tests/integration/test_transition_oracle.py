"""Transitions between bytecode and native code against an agent in C that counts them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, MissingTool, agent_library
from oracle.transitions import ALL, QUICK, TransitionLab, words_of
from support.long import IS_LONG

from jvmscope.collector.native_library import native_library
from jvmscope.errors import AgentError

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TransitionLab:
    jdk: Jdk = request.param
    try:
        native_library()
        return TransitionLab(jdk, tmp_path_factory.mktemp(f"transitions-{jdk.version}"))
    except (MissingTool, AgentError) as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("program", ALL if IS_LONG else QUICK)
def test_transitions_are_those_that_the_vm_tells_of(lab: TransitionLab, program: str) -> None:
    """GIVEN both counters in one VM, THEN each method and each function of JNI has equal counts."""
    compared = lab.compare(words_of(program))

    assert compared.differences == {}
    assert compared.n_natives > 200
    assert compared.n_jni >= 4
    assert compared.n_vm > 10
    assert compared.n_unfollowed > 1000


def test_all_kinds_of_transitions_are_those_that_the_vm_tells_of(
    lab: TransitionLab, tmp_path: Path
) -> None:
    """GIVEN all functions of JNI, exceptions and threads of C, THEN both counters say the same."""
    folder = PROGRAMS / "native"
    library = agent_library(lab.jdk, "transitions", BUILD, folder=folder)
    source = (folder / "Transitions.java").read_text(encoding="utf-8")
    recorder = Recorder.of(lab.jdk, tmp_path, Transitions=source)
    classes = recorder.directory / "classes"
    threads = [f"Thread-{n}" for n in range(3)]
    words = ["-cp", str(classes), "Transitions", str(library)]
    compared = lab.compare(words, attached=threads)

    assert compared.differences == {}
    assert compared.n_natives > 30_000
    assert compared.n_exceptions >= 5
    assert compared.n_jni > 93 + 10

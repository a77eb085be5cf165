"""States of fields against an agent in C that the VM tells of every access (JVMTI's watches)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.allocation_programs import command_of
from oracle.fields import FieldStates, differing_fields, recorded_fields, watched_fields
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, MissingTool, class_path
from support.long import IS_LONG
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_PROGRAMS = ["Fields", "java deltablue"]
_MORE = ["Threads", "Monitors", "Records", "java richards"]
_LIBRARIES = ["scala json", "kotlin json", "javascript json"]  # Scala's, Kotlin's, and Rhino
# Accesses by `Unsafe`, which the VM does not watch: what run and oracle say.
_UNWATCHED = {
    "Fields": {
        # written by reflection
        "Fields$Finals.f": ((1, 0, 1, 0, 1, 0, 0), (1, 0, 1, 1, 0, 0, 0)),
        # written when it is deserialised
        "Fields$Kept.number": ((2, 0, 2, 1, 1, 0, 0), (2, 0, 1, 1, 0, 0, 0)),
    },
}


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"field-oracle-{jdk.version}")
    fields = (PROGRAMS / "objects" / "Fields.java").read_text("utf-8")
    compile_java(jdk, directory / "classes", Fields=fields)
    return Recorder(directory, jdk, warm_dump(jdk))


def _command(recorder: Recorder, program: str) -> list[str]:
    if " " in program:
        return command_of(program)
    path = f"{recorder.directory}/classes:{class_path(recorder.jdk, BUILD)}"
    return ["-cp", path, program]


@pytest.mark.parametrize("program", _PROGRAMS + (_MORE + _LIBRARIES) * IS_LONG)
def test_fields_are_in_the_states_that_watches_lead_to(recorder: Recorder, program: str) -> None:
    """GIVEN all accesses to the fields of the application's classes, THEN all states are equal.

    Several threads share objects in Fields (one to four, virtual ones, too), Threads and Monitors.
    """
    words = _command(recorder, program)
    main = next(word for word in words[2:] if word[0] != "-").replace(".", "/")
    try:
        watched = watched_fields(
            recorder.jdk, words, main, build=BUILD, directory=recorder.directory
        )
    except MissingTool as error:
        pytest.skip(str(error))
    options = ("--probes", OBJECT_PROBES)
    outcome = recorder.record("java", *words, options=options)
    assert outcome.status == 0, outcome.stderr
    with jvmscope.open(recorder.directory / outcome.run) as run:
        recorded = recorded_fields(run)
    assert len(recorded) > 1
    expected = {
        name: (FieldStates(*here), FieldStates(*there))
        for name, (here, there) in _UNWATCHED.get(program, {}).items()
    }
    assert differing_fields(recorded, watched) == expected

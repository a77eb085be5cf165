"""Natives of the program that override methods of Object are called in their place, not beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, MissingTool, agent_library

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_SOURCES = PROGRAMS / "native"
_CALLS = """
    SELECT caller.name, k.name, m.name, SUM(c.n_calls)::INT
    FROM context AS c JOIN method AS m USING (method_id) JOIN class AS k USING (class_id)
    JOIN context AS above ON above.context_id = c.parent_id
    JOIN method AS caller ON caller.method_id = above.method_id
    JOIN class AS owner ON owner.class_id = caller.class_id
    WHERE owner.name = 'Hashes' AND caller.name IN ('hash', 'copy') GROUP BY ALL ORDER BY ALL
"""


@pytest.mark.parametrize("options", [(), ("--probes", "hashcodes,allocations")], ids=["", "probes"])
@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_a_native_override_is_the_only_callee(
    jdk: Jdk, tmp_path: Path, options: tuple[str, ...]
) -> None:
    try:
        library = agent_library(jdk, "hashes", BUILD, folder=_SOURCES)
    except MissingTool as error:
        pytest.skip(str(error))
    source = (_SOURCES / "Hashes.java").read_text(encoding="utf-8")
    recorder = Recorder.of(jdk, tmp_path, Hashes=source)
    outcome = recorder.record("java", "-cp", "classes", "Hashes", str(library), options=options)

    assert outcome.status == 0, outcome.stderr
    with Engine(recorder.directory / outcome.run) as engine:
        assert list(engine.query(_CALLS).rows()) == [
            ("copy", "Hashes", "clone", 3),
            ("hash", "Hashes", "hashCode", 3),
            ("hash", "java/lang/Object", "hashCode", 1),
        ]

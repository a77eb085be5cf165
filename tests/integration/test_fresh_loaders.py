"""Class loaders are asked for what they are asked for in a bare VM, and as often."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, jdks
from oracle.toolchain import PROGRAMS, Jdk

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path

_OBJECTS = "immutability,sharing,locking,zeroing,hashcodes,allocations"
_CALLS = """
    SELECT c.n_calls::INT
    FROM context AS c JOIN call_site AS site USING (call_site_id)
    JOIN method AS m ON m.method_id = site.caller_id
    WHERE site.name = 'loadClass' AND m.name = 'byContext'
"""


@pytest.mark.parametrize("options", [(), ("--probes", _OBJECTS)], ids=["plain", "objects"])
@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_a_loader_is_asked_for_nothing_by_the_recording(
    jdk: Jdk, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """GIVEN a loader whose first class does not extend Object."""
    recorder = _recorder(jdk, tmp_path, "Fresh")
    command = [str(jdk.home / "bin" / "java"), "-cp", "classes", "Fresh"]
    bare = subprocess.run(
        command, cwd=recorder.directory, capture_output=True, text=True, check=True
    )
    outcome = recorder.record("java", "-cp", "classes", "Fresh", options=options)

    assert outcome.stdout == bare.stdout


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_a_call_of_load_class_is_not_that_of_the_vm(jdk: Jdk, tmp_path: Path) -> None:
    """GIVEN a call for whose class the VM has to call a method of its name first."""
    recorder = _recorder(jdk, tmp_path, "Named")
    outcome = recorder.record("java", "-cp", "classes", "Named")

    with Engine(recorder.directory / outcome.run) as engine:
        assert list(engine.query(_CALLS).rows()) == [(1,)]


def _recorder(jdk: Jdk, directory: Path, name: str) -> Recorder:
    source = (PROGRAMS / "loaders" / f"{name}.java").read_text(encoding="utf-8")
    return Recorder.of(jdk, directory, **{name: source})

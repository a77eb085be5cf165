"""Programs in which what the agent uses of the class library fails for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java
from oracle.toolchain import PROGRAMS, run_tool
from support.libraries import library

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_LOADED = ["java.util.Stack", "java.util.Observable", "java.util.EventObject"]
_MANIFEST = """\
Main-Class: agents.Failing
Launcher-Agent-Class: agents.Failing
Can-Retransform-Classes: true
Class-Path: {}
"""


@pytest.mark.parametrize("options", [(), ("--probes", "allocations")], ids=["", "allocations"])
def test_classes_are_logged_though_string_builders_fail(
    jdk: Jdk, tmp_path: Path, options: tuple[str, ...]
) -> None:
    asm = str(library("org.ow2.asm:asm:9.11.1"))
    source = (PROGRAMS / "agents/Failing.java").read_text(encoding="utf-8")
    compile_java(jdk, tmp_path / "classes", ("-cp", asm), Failing=source)
    (tmp_path / "manifest").write_text(_MANIFEST.format(asm))
    run_tool([jdk.tool("jar"), "cfm", "failing.jar", "manifest", "-C", "classes", "."], tmp_path)
    recorder = Recorder(tmp_path, jdk)
    outcome = recorder.record("java", "-jar", "failing.jar", *_LOADED, options=options)

    said = "".join(f"{name}\n" for name in _LOADED)
    assert (outcome.stdout, outcome.status) == (said, 0), outcome.stderr
    assert (outcome.manifest.status, outcome.manifest.limits) == ("complete", [])
    names = [name.replace(".", "/") for name in _LOADED]
    listed = ", ".join(f"'{name}'" for name in names)
    with jvmscope.open(tmp_path / outcome.run) as run:
        found = run.query(f"SELECT name FROM class WHERE name IN ({listed})", language="sql")
        assert sorted(name for (name,) in found.rows()) == sorted(names)

"""Programs in which what the agent uses of the class library fails for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java
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

_WATCHED = """
    SELECT c.name, w.n_objects FROM watched_class AS w JOIN class AS c USING (class_id)
    WHERE c.name IN ('agents/Failing$Base', 'agents/Failing$Made') ORDER BY ALL
"""


@pytest.mark.parametrize("probes", ["", "allocations", OBJECT_PROBES, "lifetimes"])
def test_classes_are_logged_and_objects_watched_though_string_builders_fail(
    jdk: Jdk, tmp_path: Path, probes: str
) -> None:
    asm = str(library("org.ow2.asm:asm:9.11.1"))
    source = (PROGRAMS / "agents/Failing.java").read_text(encoding="utf-8")
    compile_java(jdk, tmp_path / "classes", ("-cp", asm), Failing=source)
    (tmp_path / "manifest").write_text(_MANIFEST.format(asm))
    run_tool([jdk.tool("jar"), "cfm", "failing.jar", "manifest", "-C", "classes", "."], tmp_path)
    recorder = Recorder(tmp_path, jdk)
    options = ("--probes", probes) if probes else ()
    outcome = recorder.record("java", "-jar", "failing.jar", *_LOADED, options=options)

    said = "".join(f"{line}\n" for line in ["10", *_LOADED])
    assert (outcome.stdout, outcome.status) == (said, 0), outcome.stderr
    assert (outcome.manifest.status, outcome.manifest.limits) == ("complete", [])
    names = [name.replace(".", "/") for name in _LOADED]
    listed = ", ".join(f"'{name}'" for name in names)
    with jvmscope.open(tmp_path / outcome.run) as run:
        found = run.query(f"SELECT name FROM class WHERE name IN ({listed})", language="sql")
        assert sorted(name for (name,) in found.rows()) == sorted(names)
        if "sharing" in probes:
            watched = run.query(_WATCHED, language="sql")
            assert list(watched.rows()) == [("agents/Failing$Base", 1), ("agents/Failing$Made", 1)]

"""Agents that put calls in front of what methods of the JDK do first."""

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

# Of these, methods begin with what the recording needs.
_CHANGED = [
    "java.lang.Thread",
    "java.lang.ThreadGroup",
    "java.lang.Object",
    "java.lang.Class",
    "java.lang.ClassLoader",
    "java.lang.Throwable",
    "java.lang.System",
    "java.lang.Shutdown",
    "java.lang.StackTraceElement",
    "java.lang.ref.Reference",
    "java.util.concurrent.FutureTask",
]
_MANIFEST = """\
Main-Class: agents.Ahead
{}: agents.Ahead
Can-Retransform-Classes: true
Class-Path: {}
"""
_WORKED = """
    SELECT t.name, CAST(SUM(m.n_calls) AS INTEGER)
    FROM thread_method AS m JOIN thread AS t USING (thread_id)
    JOIN method USING (method_id) WHERE method.name = 'work' GROUP BY ALL ORDER BY ALL
"""


@pytest.mark.parametrize("kind", ["Launcher-Agent-Class", "Premain-Class"])
@pytest.mark.parametrize(
    "options",
    [(), ("--probes", OBJECT_PROBES), ("--inject", "env")],
    ids=lambda options: options[-1] if options else "bare",
)
def test_programs_run_with_calls_in_front_of_what_methods_do_first(
    jdk: Jdk, tmp_path: Path, options: tuple[str, ...], kind: str
) -> None:
    asm = str(library("org.ow2.asm:asm:9.11.1"))
    source = (PROGRAMS / "agents/Ahead.java").read_text(encoding="utf-8")
    compile_java(jdk, tmp_path / "classes", ("-cp", asm), Ahead=source)
    (tmp_path / "manifest").write_text(_MANIFEST.format(kind, asm))
    run_tool([jdk.tool("jar"), "cfm", "ahead.jar", "manifest", "-C", "classes", "."], tmp_path)
    recorder = Recorder(tmp_path, jdk)
    is_ahead = kind == "Premain-Class"
    agent = [f"-javaagent:ahead.jar={'+'.join(_CHANGED)}"] if is_ahead else []
    words = ["java", *agent, "-jar", "ahead.jar", *([] if is_ahead else _CHANGED)]
    outcome = recorder.record(*words, options=options)

    # The VM asks an agent that comes before the recording's about Thread again.
    n_changed = len(_CHANGED) + (is_ahead and "--inject" not in options)
    said = f"changed {n_changed}\njava.lang.IllegalStateException: fails 1\n1\n"
    assert (outcome.stdout, outcome.status) == (said, 0), outcome.stderr
    assert outcome.manifest.status == "complete"
    with jvmscope.open(tmp_path / outcome.run) as run:
        rows = list(run.query(_WORKED, language="sql").rows())
    assert rows == [("failing", 1), ("working", 1)]

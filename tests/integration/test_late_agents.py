"""Agents that give classes their own class files, in a program that is recorded."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, run_tool
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump
from support.watched_objects import unwatched_objects

import jvmscope

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_CALLS, _TIMES = 10, 9
_MANIFEST = """\
Main-Class: agents.LateAgents
{}: agents.LateAgents
Can-Redefine-Classes: true
Can-Retransform-Classes: true
"""
_LATE = "Launcher-Agent-Class"
_EARLY = "Premain-Class"
_CALLED = """
    SELECT m.name, CAST(SUM(c.n_calls) AS INTEGER)
    FROM context AS c JOIN method AS m USING (method_id) JOIN class AS k USING (class_id)
    WHERE k.name = 'agents/Changed' GROUP BY m.name
"""
_ALLOCATED = """
    SELECT CAST(SUM(n_objects) AS INTEGER) FROM allocation WHERE type = 'agents/Changed'
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"late-agents-{jdk.version}")
    program, changed = (
        (PROGRAMS / "agents" / f"{name}.java").read_text(encoding="utf-8")
        for name in ("LateAgents", "Changed")
    )
    compile_java(jdk, directory / "other", Changed=changed.replace("VERSION = 1", "VERSION = 2"))
    compile_java(jdk, directory / "classes", LateAgents=program, Changed=changed)
    for name, folder in (("first", "classes"), ("second", "other")):
        (directory / "classes" / name).mkdir()
        file = (directory / folder / "agents/Changed.class").read_bytes()
        (directory / "classes" / name / "Changed").write_bytes(file)
    for kind in (_LATE, _EARLY):
        (directory / "manifest").write_text(_MANIFEST.format(kind))
        run_tool(
            [jdk.tool("jar"), "cfm", f"{kind}.jar", "manifest", "-C", "classes", "."], directory
        )
    return Recorder(directory, jdk, warm_dump(jdk))


def _bare(recorder: Recorder, words: list[str]) -> str:
    command = [recorder.jdk.java, *words]
    return subprocess.run(
        command, cwd=recorder.directory, capture_output=True, text=True, check=True
    ).stdout


_REDEFINED = """
package agents;
import java.lang.instrument.*;
public class Redefined {
  static class Made {
    int n;
    int get() { return n; }
    static Made make() { return new Made(); }
    Made[] several() { return new Made[] {new Made(), make()}; }
  }

  static Instrumentation instrumentation;

  public static void premain(String arguments, Instrumentation all) {
    all.addTransformer(new ClassFileTransformer() {
      @Override public byte[] transform(ClassLoader loader, String name, Class<?> type,
          java.security.ProtectionDomain domain, byte[] bytes) {
        if (type == null || !name.equals("agents/Redefined$Made")) {
          return null;
        }
        for (int k = 0; k < bytes.length - 14; k++) {
          if (new String(bytes, k, 14).equals("Redefined.java")) {
            bytes[k] = 'r';
          }
        }
        return bytes;
      }
    }, true);
    instrumentation = all;
  }

  public static void main(String[] arguments) throws Exception {
    new Made();
    Made.make();
    instrumentation.retransformClasses(Made.class);
    for (int k = 0; k < 40; k++) {
      Made.class.getDeclaredConstructor().newInstance();
    }
    Made.make();
    new Made().several();
  }
}
"""
_MADE = """
    SELECT class_id, SUM(n_objects)::INTEGER FROM allocation WHERE type LIKE '%$Made'
    GROUP BY class_id
"""


def test_objects_of_a_changed_class_are_of_one_class(recorder: Recorder) -> None:
    """GIVEN objects made after the change by reflection, the class itself, and others."""
    compile_java(recorder.jdk, recorder.directory / "changing", Redefined=_REDEFINED)
    manifest = "Premain-Class: agents.Redefined\nCan-Retransform-Classes: true\n"
    (recorder.directory / "manifest").write_text(manifest)
    jar = [recorder.jdk.tool("jar"), "cfm", "changing.jar", "manifest", "-C", "changing", "."]
    run_tool(jar, recorder.directory)
    words = ("java", "-javaagent:changing.jar", "-cp", "changing.jar", "agents.Redefined")
    outcome = recorder.record(*words, options=("--probes", OBJECT_PROBES))

    assert outcome.status == 0, outcome.stderr
    with jvmscope.open(recorder.directory / outcome.run) as opened:
        ((class_id, n_objects),) = opened.query(_MADE, language="sql").rows()
        watched = f"SELECT n_objects FROM watched_class WHERE class_id = {class_id}"
        assert list(opened.query(watched, language="sql").rows()) == [(n_objects,)]
    assert n_objects == 46


@pytest.mark.parametrize("loads", [[], ["second"]], ids=["changed later", "changed at loading"])
@pytest.mark.parametrize("kind", [_LATE, _EARLY])
@pytest.mark.parametrize(
    "options",
    [(), ("--inject", "env"), ("--probes", OBJECT_PROBES), ("--probes", "lifetimes")],
    ids=lambda options: options[-1] if options else "bare",
)
def test_what_agents_make_of_classes_counts(
    recorder: Recorder, options: tuple[str, ...], kind: str, loads: list[str]
) -> None:
    """THEN the program is as it was without the recording, and no call is lost."""
    agent = [] if kind == _LATE else [f"-javaagent:{kind}.jar"]
    words = [*agent, "-jar", f"{kind}.jar", *loads]
    outcome = recorder.record("java", *words, options=options)
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout == _bare(recorder, words)
    run = recorder.directory / outcome.run
    with jvmscope.open(run) as opened:
        calls = dict(opened.query(_CALLED, language="sql").rows())
        n = 2 * _CALLS * _TIMES
        assert calls == {"<init>": _TIMES + 1, "add": n, "helped": n, "sum": n + 2 * _TIMES}
        if options[1:] == (OBJECT_PROBES,):
            assert list(opened.query(_ALLOCATED, language="sql").rows()) == [(_TIMES + 1,)]
            assert unwatched_objects(run) == []

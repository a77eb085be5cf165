"""Modules read what they do without a recording, whichever agents change their classes."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.toolchain import run_tool
from support.stepped_program import act, end, running, watch
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_MODULE = "module app { requires java.instrument; exports app; }"
_AGENT = """
package app;
import java.lang.instrument.*;
/** Gives a class of the program and one of the JDK the files that they have. */
public class Agent implements ClassFileTransformer {
  public static void premain(String options, Instrumentation to) {
    to.addTransformer(new Agent());
  }
  public static void agentmain(String options, Instrumentation to) {
    premain(options, to);
  }
  @Override
  public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined,
      java.security.ProtectionDomain domain, byte[] bytes) {
    return "app/Later".equals(name) || "java/sql/Types".equals(name) ? bytes.clone() : null;
  }
}
"""
_LATER = "package app; class Later {}"
_MAIN = """
package app;
import java.lang.reflect.Proxy;
public class Main {
  static void tell(Class<?> of) {
    Module unnamed = ClassLoader.getSystemClassLoader().getUnnamedModule();
    Module module = of.getModule();
    System.out.println(of + " of " + module.getName() + " " + module.canRead(unnamed));
  }

  public static void main(String[] arguments) throws Exception {
    tell(Main.class);
    Class<?>[] shown = {java.util.Comparator.class};
    tell(Proxy.newProxyInstance(Main.class.getClassLoader(), shown, (a, b, c) -> null).getClass());
    tell(Class.forName("java.util.logging.Level"));
    tell(Class.forName("java.sql.Types"));
    tell(Class.forName("app.Later"));
  }
}
"""
_READS = """
public class Reads {
  public static void main(String[] arguments) throws Exception {
    var input = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    Module logging = java.util.logging.Level.ALL.getClass().getModule();
    System.out.println("ready");
    while (input.readLine() != null) {
      System.out.println(logging.canRead(Reads.class.getModule()));
    }
  }
}
"""
_CALLED = """
    SELECT SUM(n_calls) FROM thread_method JOIN method USING (method_id)
    JOIN class AS c USING (class_id)
    WHERE c.name = 'jdk/internal/module/Modules' AND method.name = 'transformedByAgent'
"""
_ADDED = ("--add-modules", "java.sql,java.logging")


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = request.param
    directory = tmp_path_factory.mktemp("module-reads")
    (directory / "app").mkdir()
    sources = {
        "module-info": _MODULE,
        "app/Main": _MAIN,
        "app/Agent": _AGENT,
        "app/Later": _LATER,
    }
    for name, text in sources.items():
        (directory / f"{name}.java").write_text(text, encoding="utf-8")
    run_tool([jdk.tool("javac"), "-d", "classes", *(f"{n}.java" for n in sources)], directory)
    manifest = "Premain-Class: app.Agent\nLauncher-Agent-Class: app.Agent\n"
    (directory / "manifest").write_text(manifest + "Main-Class: app.Main\n", encoding="utf-8")
    run_tool([jdk.tool("jar"), "cfm", "agent.jar", "manifest", "-C", "classes", "."], directory)
    return Recorder(directory, jdk, warm_dump(jdk))


def _bare(recorder: Recorder, words: tuple[str, ...]) -> str:
    command = [recorder.jdk.java, *words]
    return subprocess.run(
        command, cwd=recorder.directory, capture_output=True, text=True, check=True
    ).stdout


def _n_calls(run: Path) -> int:
    with jvmscope.open(run) as opened:
        ((n,),) = opened.query(_CALLED, language="sql").rows()
    return n or 0


def test_no_module_reads_more_for_the_recording(recorder: Recorder) -> None:
    words = (*_ADDED, "-p", "classes", "-m", "app/app.Main")

    outcome = recorder.record("java", *words)

    assert outcome.stdout.count("false") == 5
    assert outcome.stdout == _bare(recorder, words)
    assert _n_calls(outcome.directory / outcome.run) == 0


_BESIDE = {
    "early": ("-javaagent:agent.jar", "-p", "classes", "-m", "app/app.Main"),
    "from the jar": ("-jar", "agent.jar"),
}


@pytest.mark.parametrize("place", _BESIDE)
def test_modules_that_another_agent_changes_read_what_it_needs(
    recorder: Recorder, place: str
) -> None:
    words = (*_ADDED, *_BESIDE[place])

    outcome = recorder.record("java", *words)

    assert "java.sql.Types of java.sql true" in outcome.stdout
    assert "java.util.logging.Level of java.logging false" in outcome.stdout
    assert outcome.stdout == _bare(recorder, words)


def test_a_probe_of_a_watch_leaves_reads(jdk: Jdk, tmp_path: Path) -> None:
    classes = compile_java(jdk, tmp_path / "classes", Reads=_READS)
    with running(jdk, classes, "Reads") as process:
        assert act(process) == "false"
        watcher = watch(process, tmp_path / "a.watch", "java.util.logging.Level.intValue")
        assert act(process) == "true"
        end(watcher)
        assert act(process) == "true"

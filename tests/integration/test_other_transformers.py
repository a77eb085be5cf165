"""Programs of which another agent is asked about each class: what the recording needs is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java
from oracle.toolchain import run_tool

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_AGENT = """
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

public class Looking implements ClassFileTransformer {
  public static void premain(String names, Instrumentation instrumentation) throws Exception {
    instrumentation.addTransformer(new Looking(), true);
    for (String name : names == null ? new String[0] : names.split(",")) {
      instrumentation.retransformClasses(Class.forName(name, false, null));
    }
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    return null;
  }
}
"""
# Whatever a transformer throws, the VM's part in Java forgets: it would only be asked no more.
_ASKING = """
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

public class Asking implements ClassFileTransformer {
  static int asked;

  public static void premain(String unused, Instrumentation instrumentation) throws Exception {
    agentmain(unused, instrumentation);
  }

  public static void agentmain(String unused, Instrumentation instrumentation) throws Exception {
    Asking asking = new Asking();
    instrumentation.addTransformer(asking, true);
    List<Class<?>> all = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (instrumentation.isModifiableClass(type)) {
        all.add(type);
      }
    }
    instrumentation.retransformClasses(all.toArray(new Class<?>[0]));
    System.out.println(asked >= all.size());
  }

  public static void main(String[] arguments) throws Exception {
    int before = asked;
    new Late().of(3);
    System.out.println(asked - before);
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    asked++;
    return null;
  }
}

class Late {
  int of(int n) {
    return n + 1;
  }
}
"""
# More than fills the ring of the log of lifetimes, which is then packed for the first time.
_MANY = """
public class Many {
  static Object last;

  public static void main(String[] arguments) {
    for (int i = 0; i < 400_000; i++) {
      last = new int[] {i};
    }
    System.out.println("done");
  }
}
"""
# Of the boot loader, which has no class verified, and with handlers that cover themselves.
_MANAGER = "java.util.logging.LogManager"
_RESETS = """
import java.util.logging.LogManager;
import java.util.logging.Logger;

public class Resets {
  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("a.b").info("unseen");
    LogManager.getLogManager().reset();
    System.out.println(Logger.getLogger("").getHandlers().length);
  }
}
"""
_EXECUTIONS = """
    SELECT m.name, m.descriptor, b.first_offset, SUM(e.n_executions)::INT
    FROM context_block AS e JOIN basic_block AS b USING (basic_block_id)
    JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    WHERE c.name = 'java/util/logging/LogManager' GROUP BY ALL ORDER BY ALL
"""
_NOT_COUNTED = "SELECT class_name, method_name FROM exclusion WHERE reason LIKE 'cannot be %'"
# Nobody changes a class.
_SEEN_TWICE = "SELECT name FROM class GROUP BY name, loader HAVING COUNT(*) > 1"
# The former calls the latter, and nothing else does.
_ASKED = """
    SELECT c.name, SUM(x.n_calls)::INT
    FROM context AS x JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    WHERE c.name IN ('java/lang/instrument/ClassFileTransformer', 'Asking')
        AND m.name = 'transform'
    GROUP BY ALL
"""
# The VM calls no method of strings by itself, so these would be calls by the recording.
_BY_THE_VM = """
    SELECT m.name, SUM(x.n_calls)::INT FROM context AS x JOIN method AS m USING (method_id)
    JOIN class AS c USING (class_id)
    WHERE c.name = 'java/lang/String' AND x.call_site_id IS NULL GROUP BY ALL
"""


@pytest.mark.parametrize("probes", ["", "lifetimes", f"{OBJECT_PROBES},lifetimes"])
def test_a_program_with_a_transformer_ends(jdk: Jdk, tmp_path: Path, probes: str) -> None:
    recorder = Recorder.of(jdk, tmp_path, Many=_MANY)
    _make_agent(jdk, tmp_path)
    options = ["--timeout", "60s", *(["--probes", probes] if probes else [])]
    outcome = recorder.record(
        "java", "-javaagent:looking.jar", "-cp", "classes", "Many", options=options
    )

    assert (outcome.stdout, outcome.status) == ("done\n", 0), outcome.stderr
    assert outcome.manifest.status == "complete"
    with Engine(recorder.directory / outcome.run) as engine:
        assert list(engine.query(_BY_THE_VM).rows()) == []


def test_classes_that_an_agent_transforms_again_are_counted_whole(jdk: Jdk, tmp_path: Path) -> None:
    """JDK 17 has no frames of classes that it does not verify, for instrumentation or others."""
    recorder = Recorder.of(jdk, tmp_path, Resets=_RESETS)
    _make_agent(jdk, tmp_path)
    found = []
    for names in ("", f"={_MANAGER},java.util.logging.FileHandler,java.util.ArrayList"):
        agent = f"-javaagent:looking.jar{names}"
        outcome = recorder.record("java", agent, "-cp", "classes", "Resets")
        assert (outcome.stdout, outcome.status) == ("0\n", 0), outcome.stderr
        with Engine(recorder.directory / outcome.run) as engine:
            assert list(engine.query(_NOT_COUNTED).rows()) == []
            found.append(list(engine.query(_EXECUTIONS).rows()))
    assert found[0] == found[1]
    assert {name for name, *_ in found[0]} >= {"reset", "ensureLogManagerInitialized"}


@pytest.mark.parametrize("kind", ["Premain-Class", "Launcher-Agent-Class"])
@pytest.mark.parametrize("probes", ["", f"{OBJECT_PROBES},receivers,order,handlers", "lifetimes"])
def test_all_classes_can_be_transformed_again(
    jdk: Jdk, tmp_path: Path, kind: str, probes: str
) -> None:
    recorder = _asking(jdk, tmp_path, kind)
    agent = ["-javaagent:asking.jar"] if kind.startswith("Premain") else []
    outcome = recorder.record(
        "java", *agent, "-jar", "asking.jar", options=["--probes", probes] if probes else []
    )

    assert (outcome.stdout, outcome.status) == ("true\n1\n", 0), outcome.stderr
    assert outcome.manifest.status == "complete"
    with Engine(recorder.directory / outcome.run) as engine:
        assert list(engine.query(_SEEN_TWICE).rows()) == []
        asked = dict(engine.query(_ASKED).rows())
    assert len(asked) == 2
    assert len({*asked.values()}) == 1, asked


def test_a_class_that_is_left_out_and_transformed_again_is_told_once(
    jdk: Jdk, tmp_path: Path
) -> None:
    recorder = _asking(jdk, tmp_path, "Launcher-Agent-Class")
    outcome = recorder.record("java", "-jar", "asking.jar", options=["--exclude", "Asking"])

    assert (outcome.stdout, outcome.status) == ("true\n1\n", 0), outcome.stderr
    with Engine(recorder.directory / outcome.run) as engine:
        assert list(engine.query(_SEEN_TWICE).rows()) == []
        found = [name for name, *_ in engine.query("FROM exclusion").rows()]
    assert found.count("Asking") == 1


def _asking(jdk: Jdk, directory: Path, kind: str) -> Recorder:
    recorder = Recorder.of(jdk, directory, Asking=_ASKING)
    (directory / "MANIFEST.MF").write_text(
        f"Main-Class: Asking\n{kind}: Asking\nCan-Retransform-Classes: true\n"
    )
    run_tool([jdk.tool("jar"), "cfm", "asking.jar", "MANIFEST.MF", "-C", "classes", "."], directory)
    return recorder


def _make_agent(jdk: Jdk, directory: Path) -> None:
    compile_java(jdk, directory / "agent", Looking=_AGENT)
    (directory / "MANIFEST.MF").write_text(
        "Premain-Class: Looking\nCan-Retransform-Classes: true\n"
    )
    run_tool([jdk.tool("jar"), "cfm", "looking.jar", "MANIFEST.MF", "-C", "agent", "."], directory)

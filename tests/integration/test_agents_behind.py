"""Agents that are asked about classes after the recording's: each sees what it sees bare."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import run_tool
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_AGENT = """
package agents;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Arrays;

public class Behind {
  static final StringBuffer seen = new StringBuffer();

  public static void premain(String way, Instrumentation instrumentation) {
    instrumentation.addTransformer(new ClassFileTransformer() {
      @Override public byte[] transform(ClassLoader loader, String name, Class<?> type,
          ProtectionDomain domain, byte[] bytes) {
        boolean isUnnamed = name == null && loader.getClass() == Own.class;
        if (!isUnnamed && (name == null || !name.startsWith("agents/Behind$Seen"))) {
          return null;
        }
        seen.append(name).append(' ').append(way).append(' ').append(Arrays.hashCode(bytes));
        seen.append('\\n');
        switch (way) {
          case "loads":
            load();
            return null;
          case "writes":
            Arrays.fill(bytes, (byte) 0);
            return null;
          case "throws":
            throw new IllegalStateException();
          case "same":
            return bytes;
          case "changes":
            return changed(bytes.clone());
          default:
            return null;
        }
      }
    }, true);
  }

  /** More classes than the recording keeps. */
  static void load() {
    for (int k = 0; k < 40; k++) {
      new Own("agents.Behind$Loaded");
    }
  }

  static byte[] changed(byte[] bytes) {
    for (int k = 0; k < bytes.length - 11; k++) {
      if (new String(bytes, k, 11).equals("Behind.java")) {
        bytes[k]++;
      }
    }
    return bytes;
  }

  static class Own extends ClassLoader {
    final Class<?> made;

    /** The VM is told no name of a class that the program has seen already. */
    Own(String name) {
      super(null);
      byte[] bytes = bytes(name);
      made = defineClass(name.contains("Loaded") ? name : null, bytes, 0, bytes.length);
    }

    static byte[] bytes(String name) {
      String file = "/" + name.replace('.', '/') + ".class";
      try (InputStream in = Behind.class.getResourceAsStream(file)) {
        return in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public static class Loaded {
    static int add(int a) { return a; }
  }

  public static class Unnamed {
    public static int add(int a) { return a + 5; }
  }

  static class SeenFirst {
    static int add(int a) { return a < 3 ? a : add(a - 1) + 1; }
  }

  static class SeenSecond {
    static int add(int a) { return a + 2; }
  }

  public static void main(String[] arguments) throws Exception {
    Class<?> unnamed = new Own("agents.Behind$Unnamed").made;
    int sum = (Integer) unnamed.getMethod("add", int.class).invoke(null, 3);
    for (int k = 0; k < 9; k++) {
      sum += SeenFirst.add(k) + SeenSecond.add(k);
    }
    System.out.println(sum);
    System.out.print(seen);
  }
}
"""
_MANIFEST = """\
Premain-Class: agents.{}
Can-Redefine-Classes: true
Can-Retransform-Classes: true
"""
_CALLED = """
    SELECT k.name, CAST(SUM(c.n_calls) AS INTEGER)
    FROM context AS c JOIN method AS m USING (method_id) JOIN class AS k USING (class_id)
    WHERE k.name LIKE 'agents/%' AND m.name = 'add' GROUP BY k.name
"""
_ITSELF = """
package agents;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

public class Itself {
  static Instrumentation instrumentation;
  static int asked;

  public static void premain(String arguments, Instrumentation all) {
    instrumentation = all;
  }

  public static void main(String[] arguments) throws Exception {
    Class<?> type = ClassFileTransformer.class;
    if (arguments[0].equals("retransformed")) {
      instrumentation.retransformClasses(type, type);
      instrumentation.retransformClasses(type);
    } else {
      byte[] bytes = type.getResourceAsStream("ClassFileTransformer.class").readAllBytes();
      instrumentation.redefineClasses(new ClassDefinition(type, bytes));
    }
    instrumentation.addTransformer(new ClassFileTransformer() {
      @Override public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
          ProtectionDomain domain, byte[] bytes) {
        asked += name != null && name.equals("agents/Itself$Late") ? 1 : 0;
        return null;
      }
    });
    new Late();
    System.out.println(asked);
  }

  static class Late {}
}
"""
_ASKED = """
    SELECT k.name, CAST(SUM(c.n_calls) AS INTEGER)
    FROM context AS c JOIN method AS m USING (method_id) JOIN class AS k USING (class_id)
    WHERE m.name = 'transform'
    AND (k.name = 'java/lang/instrument/ClassFileTransformer' OR k.name LIKE 'agents/Itself%')
    GROUP BY k.name
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"agents-behind-{jdk.version}")
    compile_java(jdk, directory / "classes", Behind=_AGENT)
    compile_java(jdk, directory / "classes", Itself=_ITSELF)
    for name in ("Behind", "Itself"):
        (directory / "manifest").write_text(_MANIFEST.format(name))
        jar = [jdk.tool("jar"), "cfm", f"{name}.jar", "manifest", "-C", "classes", "."]
        run_tool(jar, directory)
    return Recorder(directory, jdk, warm_dump(jdk))


@pytest.mark.parametrize("way", ["looks", "loads", "writes", "throws", "same", "changes"])
def test_agents_behind_another_see_the_classes_of_the_program(recorder: Recorder, way: str) -> None:
    """GIVEN one agent of a kind before two that look, THEN all see the bare program's files."""
    agents = [f"-javaagent:Behind.jar={each}" for each in (way, "looks", "second")]
    words = [*agents, "-cp", "classes", "agents.Behind"]
    bare = subprocess.run(
        [recorder.jdk.java, *words],
        cwd=recorder.directory,
        capture_output=True,
        text=True,
        check=True,
    )

    outcome = recorder.record("java", *words, options=("--inject", "env"))

    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout == bare.stdout
    with jvmscope.open(recorder.directory / outcome.run) as opened:
        calls = dict(opened.query(_CALLED, language="sql").rows())
    counted = {"SeenFirst": 30, "SeenSecond": 9, "Unnamed": 1}
    assert calls == {f"agents/Behind${name}": n for name, n in counted.items()}


@pytest.mark.parametrize("change", ["retransformed", "redefined"])
@pytest.mark.parametrize("probes", ["", OBJECT_PROBES, "lifetimes"])
def test_classes_that_ask_agents_may_be_changed_themselves(
    recorder: Recorder, probes: str, change: str
) -> None:
    """GIVEN a class of java.instrument, which comes instrumented, THEN it counts once."""
    words = ("-javaagent:Itself.jar", "-cp", "classes", "agents.Itself", change)
    options = ("--probes", probes) if probes else ()

    outcome = recorder.record("java", *words, options=options)

    assert (outcome.status, outcome.stdout) == (0, "1\n"), outcome.stderr
    with jvmscope.open(recorder.directory / outcome.run) as opened:
        calls = dict(opened.query(_ASKED, language="sql").rows())
    n = calls["agents/Itself$1"]
    assert calls == {"agents/Itself$1": n, "java/lang/instrument/ClassFileTransformer": n}

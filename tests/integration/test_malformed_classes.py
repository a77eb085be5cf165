"""Class files that are none, or that a VM refuses: the program copes with them, and so do we."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder
from oracle.toolchain import run_tool

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_LOADER = """
class Loader extends ClassLoader {
  Loader() {
    super(Loader.class.getClassLoader());
  }

  static byte[] read(String name) throws java.io.IOException {
    try (java.io.InputStream in = Loader.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  Class<?> define(byte[] bytes) {
    return defineClass(null, bytes, 0, bytes.length);
  }
}
"""
_TARGET = """
class Target {
  @interface Mark {
    int value();
  }

  @Deprecated @Mark(7) int marked;
  static final long LONG = 1L << 40;

  static int f(int n) throws java.io.IOException {
    try {
      return switch (n) {
        case 1 -> "a".length();
        case 1000 -> new int[] {1, 2, n}[n];
        default -> 5;
      };
    } catch (IndexOutOfBoundsException e) {
      synchronized (Target.class) {
        return (int) LONG;
      }
    }
  }
}
"""
_ONE_BY_ONE = """
import java.util.Arrays;
import java.util.HexFormat;

class Malformed {
  static byte[] changed(byte[] bytes, String from, String to) {
    String text = HexFormat.of().formatHex(bytes);
    int at = text.indexOf(from);
    if (at < 0 || text.indexOf(from, at + 1) >= 0) {
      throw new IllegalStateException(from);
    }
    return HexFormat.of().parseHex(text.replace(from, to));
  }

  static void attempt(String name, byte[] bytes) {
    attempt(name, new Loader(), bytes);
  }

  static void attempt(String name, Loader loader, byte[] bytes) {
    try {
      Class<?> type = loader.define(bytes);
      var method = type.getDeclaredMethod("f");
      method.setAccessible(true);
      System.out.println(name + ": " + method.invoke(null));
    } catch (Throwable e) {
      System.out.println(name + ": " + e.getClass().getName());
    }
  }

  public static void main(String[] arguments) throws Exception {
    byte[] small = Loader.read("Small.class");
    attempt("as it is", small);
    attempt("nothing", new byte[0]);
    attempt("garbage", new byte[] {1, 2, 3});
    attempt("cut off", Arrays.copyOf(small, small.length - 20));
    attempt("longer", Arrays.copyOf(small, small.length + 1));
    attempt("no instruction", changed(small, "0000000208ac", "00000002ffac"));
    attempt("no descriptor", changed(small, "010003282949", "010003292849"));
    Loader again = new Loader();
    attempt("longer, then as it is", again, Arrays.copyOf(small, small.length + 1));
    attempt("longer, then as it is", again, small);
    attempt("no constant", changed(small, "cafebabe0000", "cafebabe0001"));
  }
}
"""
_SMALL = """
class Small {
  static int f() {
    return 5;
  }
}
"""
_EVERY_BYTE = """
class Fuzz {
  public static void main(String[] arguments) throws Exception {
    byte[] bytes = Loader.read("Target.class");
    int taken = 0;
    for (int at = 0; at < bytes.length; at++) {
      for (int change : new int[] {1, 0x7f, 0xff}) {
        byte[] changed = bytes.clone();
        changed[at] ^= change;
        try {
          taken += new Loader().define(changed).getDeclaredMethods().length > 0 ? 1 : 0;
        } catch (Throwable e) {
          continue; // what is refused
        }
      }
    }
    System.out.println(taken > 0 && taken < 3 * bytes.length);
  }
}
"""
_REDEFINING = """
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.Arrays;

class Redefining {
  static Instrumentation vm;

  public static void premain(String words, Instrumentation instrumentation) {
    vm = instrumentation;
  }

  public static void main(String[] arguments) throws Exception {
    byte[] small = Loader.read("Small.class");
    byte[] changed = Arrays.copyOf(small, small.length + 1);
    String said = Small.f() + " ";
    try {
      boolean isGarbage = arguments[0].equals("garbage");
      vm.redefineClasses(new ClassDefinition(Small.class, isGarbage ? new byte[9] : changed));
    } catch (Throwable e) {
      said += e.getClass().getName();
    }
    System.out.println(said + " " + Small.f());
  }
}
"""
_CALLS = """
    SELECT SUM(n_calls)::INTEGER
    FROM context JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    WHERE c.name = 'Small' AND m.name = 'f'
"""


@pytest.mark.parametrize("probes", ["", OBJECT_PROBES], ids=["plain", "objects"])
def test_each_is_refused_as_it_would_be(jdk: Jdk, tmp_path: Path, probes: str) -> None:
    sources = {"Loader": _LOADER, "Small": _SMALL, "Malformed": _ONE_BY_ONE}
    recorder = Recorder.of(jdk, tmp_path, **sources)
    words = ("java", "-cp", "classes", "Malformed")
    environment = {**recorder.environment, "PATH": f"{jdk.home}/bin:{os.environ['PATH']}"}
    bare = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    outcome = recorder.record(*words, options=("--probes", probes) if probes else ())

    assert outcome.stdout == bare.stdout
    assert "as it is: 5" in bare.stdout
    assert outcome.status == 0, outcome.stderr
    assert "warning" not in outcome.stderr
    assert outcome.manifest.status == "complete"
    with jvmscope.open(outcome.directory / outcome.run) as opened:
        assert list(opened.query(_CALLS, language="sql").rows()) == [(2,)]


@pytest.mark.parametrize("changed", ["garbage", "longer"])
def test_a_redefinition_that_is_refused_changes_nothing(
    jdk: Jdk, tmp_path: Path, changed: str
) -> None:
    sources = {"Loader": _LOADER, "Small": _SMALL, "Redefining": _REDEFINING}
    recorder = Recorder.of(jdk, tmp_path, **sources)
    (tmp_path / "manifest").write_text("Premain-Class: Redefining\nCan-Redefine-Classes: true\n")
    files = ("-C", "classes", "Redefining.class")
    run_tool([jdk.tool("jar"), "cfm", "redefining.jar", "manifest", *files], tmp_path)
    words = ("java", "-javaagent:redefining.jar", "-cp", "classes", "Redefining", changed)
    outcome = recorder.record(*words)

    assert outcome.stdout == "5 java.lang.ClassFormatError 5\n"
    assert outcome.status == 0, outcome.stderr
    assert outcome.manifest.status == "complete", outcome.stderr
    with jvmscope.open(outcome.directory / outcome.run) as opened:
        assert list(opened.query(_CALLS, language="sql").rows()) == [(2,)]


@pytest.mark.parametrize("probes", ["", OBJECT_PROBES], ids=["plain", "objects"])
def test_no_byte_that_is_changed_costs_the_recording(jdk: Jdk, tmp_path: Path, probes: str) -> None:
    sources = {"Loader": _LOADER, "Target": _TARGET, "Fuzz": _EVERY_BYTE}
    recorder = Recorder.of(jdk, tmp_path, **sources)
    options = ("--probes", probes) if probes else ()
    outcome = recorder.record("java", "-cp", "classes", "Fuzz", options=options)

    assert outcome.stdout == "true\n"
    assert outcome.status == 0, outcome.stderr
    assert outcome.manifest.status == "complete", outcome.stderr

"""Programs whose stacks overflow where handlers cover themselves: they end as they would."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, jdks
from support.libraries import library

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_PROBES = ["", f"{OBJECT_PROBES},lifetimes,receivers,handlers"]
_ROUNDS = 5
_ECLIPSE = "org.eclipse.jdt:ecj:3.41.0"
_PROGRAM = f"""
import java.util.Iterator;
import java.util.List;

class Deep {{
  static final Object LOCK = new Object();
  final Object own = new Object();
  static int left;
  Deep next;

  static void lock() {{
    synchronized (LOCK) {{
      lock();
    }}
  }}

  void visit() {{
    synchronized (own) {{
      next.visit();
    }}
  }}

  static void end(int depth) {{
    try {{
      end(depth + 1);
    }} finally {{
      left = depth;
    }}
  }}

  static void nest() {{
    try {{
      try {{
        nest();
      }} finally {{
        left++;
      }}
    }} catch (IllegalStateException e) {{
      left--;
    }} finally {{
      synchronized (LOCK) {{
        left++;
      }}
    }}
  }}

  static void drain(List<?> all) {{
    Iterator<?> rest = all.iterator();
    try {{
      while (rest.hasNext()) {{
        Object next = rest.next();
        if (next == null) {{
          break;
        }}
        drain(all);
      }}
    }} finally {{
      while (rest.hasNext()) {{
        rest.next();
      }}
    }}
  }}

  static void run(String name, Runnable work) {{
    for (int i = 0; i < {_ROUNDS}; i++) {{
      try {{
        work.run();
      }} catch (StackOverflowError e) {{
        System.out.println(name + " " + Thread.holdsLock(LOCK));
      }}
    }}
  }}

  public static void main(String[] arguments) throws Exception {{
    Deep one = new Deep();
    Deep other = new Deep();
    one.next = other;
    other.next = one;
    run("lock", Deep::lock);
    run("visit", one::visit);
    run("end", () -> end(0));
    System.out.println(left);
    run("nest", Deep::nest);
    run("drain", () -> drain(List.of(1, 2)));
    Thread thread = new Thread(() -> run("thread", Deep::lock));
    thread.start();
    thread.join();
    System.out.println(Thread.holdsLock(one.own));
  }}
}}
"""
_LINES = [
    *["lock false"] * _ROUNDS,
    *["visit false"] * _ROUNDS,
    *["end false"] * _ROUNDS,
    "0",
    *["nest false"] * _ROUNDS,
    *["drain false"] * _ROUNDS,
    *["thread false"] * _ROUNDS,
    "false",
]


@pytest.mark.parametrize("mode", ["-Xint", "-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"])
@pytest.mark.parametrize("probes", _PROBES, ids=["plain", "probes"])
@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_no_handler_is_entered_for_ever(jdk: Jdk, tmp_path: Path, probes: str, mode: str) -> None:
    options = ("--timeout", "100s", *(("--probes", probes) if probes else ()))
    recorder = Recorder.of(jdk, tmp_path, Deep=_PROGRAM)
    outcome = recorder.record("java", "-Xss512k", mode, "-cp", "classes", "Deep", options=options)

    assert outcome.stdout.splitlines() == _LINES, outcome.stderr


@pytest.mark.parametrize("probes", _PROBES, ids=["plain", "probes"])
@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_nor_one_that_the_compiler_of_eclipse_made(jdk: Jdk, tmp_path: Path, probes: str) -> None:
    """It leaves the exception on the stack while the monitor is left."""
    (tmp_path / "Deep.java").write_text(_PROGRAM)
    compiler = [jdk.java, "-jar", library(_ECLIPSE), "--release", "17", "-d", tmp_path / "classes"]
    subprocess.run([*compiler, tmp_path / "Deep.java"], check=True)
    options = ("--timeout", "100s", *(("--probes", probes) if probes else ()))
    program = ("java", "-Xss512k", "-Xint", "-cp", "classes", "Deep")
    outcome = Recorder(tmp_path, jdk).record(*program, options=options)

    assert outcome.stdout.splitlines() == _LINES, outcome.stderr


_TRACES = """
import java.util.Map;
import java.util.TreeMap;

class Traces {
  static volatile int last;
  Object made;

  static int deep(int n) {
    last = n;
    return 1 + deep(n + 1);
  }

  int follow(int n) {
    made = new int[3];
    synchronized (this) {
      last = made.hashCode();
    }
    return 1 + follow(n + 1);
  }

  static void tell(Runnable work) {
    Map<String, Integer> others = new TreeMap<>();
    for (int i = 0; i < 20; i++) {
      try {
        work.run();
      } catch (StackOverflowError e) {
        StackTraceElement[] trace = e.getStackTrace();
        for (int k = 0; k < trace.length; k++) {
          if (!trace[k].getClassName().startsWith("Traces")) {
            others.merge(trace[k].getClassName() + (k == 0 ? "" : " below"), 1, Integer::sum);
          }
        }
      }
    }
    System.out.println(others.keySet());
  }

  public static void main(String[] arguments) {
    tell(() -> deep(0));
    tell(() -> new Traces().follow(0));
  }
}
"""
_COUNTING = "jdk.internal.misc.Unsafe"


@pytest.mark.parametrize("probes", _PROBES, ids=["plain", "probes"])
@pytest.mark.parametrize("mode", ["-Xint", "-XX:TieredStopAtLevel=1"])
@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_traces_have_no_frame_of_ours_but_a_native_of_counting_on_top(
    jdk: Jdk, tmp_path: Path, mode: str, probes: str
) -> None:
    options = ("--timeout", "100s", *(("--probes", probes) if probes else ()))
    recorder = Recorder.of(jdk, tmp_path, Traces=_TRACES)
    outcome = recorder.record("java", "-Xss512k", mode, "-cp", "classes", "Traces", options=options)

    told = outcome.stdout.splitlines()
    assert len(told) == 2, outcome.stderr
    assert set(told) <= {"[]", f"[{_COUNTING}]"}  # compilers may come late on a busy machine

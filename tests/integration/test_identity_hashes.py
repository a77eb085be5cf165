"""Objects have the identity hash codes that they have in a bare VM, however much is instrumented.

A recording has the VM number objects by a sequence, in the order in which they are asked for
their codes. What the agent asked for would shift those of the program.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_PROGRAM = """
class Numbers {
  public static void main(String[] names) throws Exception {
    int last = next();
    for (String name : names) {
      Class.forName(name);
      int now = next();
      System.out.println(now - last - 1);
      last = now;
    }
  }

  static int next() {
    return System.identityHashCode(new Object());
  }
}
"""
# Handlers, what is allocated before a branch, monitors, switches, loops and variables in scopes.
_METHOD = """
  String work%d(int n, Object lock) {
    StringBuilder text = new StringBuilder(n > 3 ? "many" : new String(n > 1 ? "some" : "few"));
    try {
      synchronized (lock) {
        for (int i = 0; i < n; i++) {
          switch (i %% 5) {
            case 0: text.append(i); break;
            case 1: case 3: text.append(new int[i].length); break;
            default: Object seen = i > 7 ? lock : this; text.append(seen.hashCode());
          }
        }
      }
    } catch (IllegalStateException | NullPointerException e) {
      text.append(e);
    } finally {
      text.append(n);
    }
    return text.toString();
  }
"""
_JDK_CLASSES = ["java.util.logging.Logger", "org.w3c.dom.ls.LSSerializer", "javax.swing.JTable"]
_FEW = 16  # of them the VM and the agent ask once, when the first class of a kind comes


def _class_of(name: str, n_methods: int) -> str:
    return f"class {name} {{ {''.join(_METHOD % k for k in range(n_methods))} }}"


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--probes", OBJECT_PROBES),
        ("--probes", "lifetimes"),
        ("--probes", "receivers,handlers,order"),
        ("--exact-exceptions",),
    ],
    ids=lambda options: "-".join(options).lstrip("-") or "plain",
)
def test_instrumenting_takes_no_hash_codes(
    jdk: Jdk, tmp_path: Path, options: tuple[str, ...]
) -> None:
    sources = {"First": _class_of("First", 1), "Large": _class_of("Large", 150)}
    recorder = Recorder.of(jdk, tmp_path, Numbers=_PROGRAM, **sources)
    command = ["-cp", "classes", "Numbers", "First", "Large", *_JDK_CLASSES]
    numbered = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=3", "-Xshare:off"]
    bare = subprocess.run(
        [jdk.java, *numbered, *command],
        cwd=recorder.directory,
        capture_output=True,
        text=True,
        check=True,
    )
    outcome = recorder.record("java", *command, options=options)

    taken = [int(line) for line in outcome.stdout.split()]
    expected = [int(line) for line in bare.stdout.split()]
    assert len(taken) == len(expected), outcome.stderr
    assert taken[1] <= expected[1]
    for ours, theirs in zip(taken, expected, strict=True):
        assert ours <= theirs + _FEW

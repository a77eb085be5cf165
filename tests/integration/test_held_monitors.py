"""How deep monitors are nested, in whatever order they are entered and left."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from integration.recording import Outcome, Recorder, compile_java, jdks
from oracle.classwriter import ClassWriter, Code
from oracle.laboratory import BUILD
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope import cli

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

# It counts itself how often it has each lock: more locks than the recording looks through.
_NESTED = """
import java.util.Random;

public class Nested {
  static final class Lock { int held; synchronized void in(Nested nested, int left) {
    nested.entered(this); nested.go(left); held--; } }

  final Lock[] locks = new Lock[90];
  final int[] entries = new int[200];
  final Random random = new Random(7);

  void entered(Lock lock) { entries[++lock.held]++; }

  void go(int left) {
    if (left == 0) {
      return;
    }
    Lock lock = locks[random.nextInt(random.nextInt(locks.length) + 1)];
    if (random.nextBoolean()) {
      lock.in(this, left - 1);
    } else {
      synchronized (lock) {
        entered(lock);
        go(left - 1);
        lock.held--;
      }
    }
  }

  public static void main(String[] args) {
    Nested nested = new Nested();
    for (int k = 0; k < nested.locks.length; k++) {
      nested.locks[k] = new Lock();
    }
    for (int k = 0; k < 40; k++) {
      nested.go(10 + 4 * k);
    }
    for (int depth = 1; depth < nested.entries.length; depth++) {
      if (nested.entries[depth] > 0) {
        System.out.println(Math.min(depth, 100) + " " + nested.entries[depth]);
      }
    }
  }
}
"""
_TANGLES = """
public class Tangles {
  static class A {} static class B {} static class C {}
  public static void main(String[] args) { Tangled.run(new A(), new B(), new C()); }
}
"""
_WAITS = """
public class Waits {
  static class Out { synchronized void pause() throws Exception { wait(1); wait(1, 0); } }

  public static void main(String[] args) throws Exception {
    new Out().pause();
    Object lock = new int[1];
    synchronized (lock) { synchronized (lock) { lock.wait(1); } }
  }
}
"""
_DEPTHS = "SELECT type, depth, n_entries FROM lock_depth"
_OPERATIONS = """
    SELECT type, n_block_entries, n_waits, max_depth FROM object_lock
    WHERE type = 'Waits$Out' OR type = '[I'
"""


def _record(jdk: Jdk, directory: Path, main: str, *options: str) -> Outcome:
    recorder = Recorder(directory, brief_jdk(jdk, BUILD), warm_dump(brief_jdk(jdk, BUILD)))
    words = ("java", "-cp", "classes", main)
    outcome = recorder.record(*words, options=("--probes", "locking", *options))
    assert outcome.status == 0, outcome.stderr
    assert cli.run(["check", str(directory / outcome.run)]) == cli.DONE
    return outcome


def _depths(run: Path, name: str) -> dict[tuple[str, int], int]:
    with jvmscope.open(run) as opened:
        rows = opened.query(_DEPTHS, language="sql").rows()
        return {(type_, depth): n for type_, depth, n in rows if type_.startswith(name)}


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_nesting_is_what_the_program_counts(jdk: Jdk, tmp_path: Path) -> None:
    compile_java(jdk, tmp_path / "classes", Nested=_NESTED)
    outcome = _record(jdk, tmp_path, "Nested")

    counted: Counter[tuple[str, int]] = Counter()
    for line in outcome.stdout.splitlines():
        depth, n_entries = map(int, line.split())
        counted["Nested$Lock", depth] += n_entries
    assert len(counted) > 10
    assert _depths(tmp_path / outcome.run, "Nested") == counted


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
@pytest.mark.parametrize("seed", range(3))
def test_monitors_may_be_left_in_another_order(jdk: Jdk, seed: int, tmp_path: Path) -> None:
    """GIVEN bytecode that leaves what was not entered last, as no Java compiler makes it."""
    chance = random.Random(seed)  # noqa: S311
    code = Code(max_stack=1, max_locals=3)
    held: list[int] = []
    expected: Counter[tuple[str, int]] = Counter()
    while len(expected) == 0 or held:
        if sum(expected.values()) < 60 and (not held or chance.random() < 0.6):
            lock = chance.randrange(3)
            held.append(lock)
            expected[f"Tangles${'ABC'[lock]}", held.count(lock)] += 1
            code.op(f"aload_{lock}").op("monitorenter")
        else:
            lock = held.pop(chance.randrange(len(held)))
            code.op(f"aload_{lock}").op("monitorexit")
    writer = ClassWriter("Tangled", major=49)
    arguments = "".join(f"LTangles${name};" for name in "ABC")
    writer.method("run", f"({arguments})V", code.op("return"))
    parameters = ", ".join(f"Tangles.{name} {name}" for name in "ABC")
    stub = f"class Tangled {{ static void run({parameters}) {{ }} }}"
    compile_java(jdk, tmp_path / "classes", Tangles=_TANGLES, Tangled=stub)
    (tmp_path / "classes" / "Tangled.class").write_bytes(writer.to_bytes())

    outcome = _record(jdk, tmp_path, "Tangles")
    assert _depths(tmp_path / outcome.run, "Tangles$") == expected


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_a_wait_counts_with_the_entry_that_it_is_in(jdk: Jdk, tmp_path: Path) -> None:
    """GIVEN a class that is not recorded, whose monitor the JDK waits for on its behalf."""
    compile_java(jdk, tmp_path / "classes", Waits=_WAITS)
    outcome = _record(jdk, tmp_path, "Waits", "--exclude", "Waits$Out")

    with jvmscope.open(tmp_path / outcome.run) as opened:
        rows = [tuple(row) for row in opened.query(_OPERATIONS, language="sql").rows()]
    assert rows == [("[I", 2, 1, 2)]

"""A user's own class that looks at the trees of a program while it is recorded."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from integration.recording import Outcome, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.jdk_lambdas import SORTING
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope.collector import agent_jar

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_EVERY = 20_000

_PROGRAM = """
public class Looped {
  static int step(int n) { return n + 1; }  // 4 bytecodes

  public static void main(String[] args) {
    int n = 0;
    while (n < 50_000) {  // 3 bytecodes
      n = step(n);        // 4: iload, invokestatic, istore, goto
    }
    System.out.println(n);
  }
}
"""
# Notes of each look at main's tree: all bytecodes of the tree, and the calls of step so far.
_CONSUMER = """
import io.jvmscope.consumer.TreeNode;
import io.jvmscope.consumer.TreeConsumer;
import java.io.FileWriter;
import java.io.IOException;

public class Watch implements TreeConsumer {
  private long bytecodes;
  private long steps;
  private int looks;
  private final StringBuilder notes = new StringBuilder();

  @Override public synchronized void accept(TreeNode root) {
    bytecodes = 0;
    steps = -1;
    visit(root);
    if (steps >= 0) {
      notes.append(bytecodes).append(' ').append(steps).append('\\n');
      if (++looks == Integer.getInteger("fail.at", -1)) {
        throw new IllegalStateException("as it was told");
      }
    }
  }

  private void visit(TreeNode context) {
    bytecodes += context.bytecodes();
    if ("step".equals(context.methodName()) && "Looped".equals(context.className())) {
      if (!context.descriptor().equals("(I)I") || !context.parent().methodName().equals("main")) {
        throw new AssertionError();
      }
      steps = context.calls();
    }
    for (TreeNode child : context.children()) {
      visit(child);
    }
  }

  @Override public void end() throws IOException {
    try (FileWriter out = new FileWriter("notes.txt")) {
      out.write(notes.toString());
    }
  }
}
"""


def _prepare(jdk: Jdk, directory: Path) -> Recorder:
    compile_java(jdk, directory / "classes", Looped=_PROGRAM)
    interface = ("-cp", str(agent_jar()))
    compile_java(jdk, directory / "consumer", interface, Watch=_CONSUMER)
    brief = brief_jdk(jdk, BUILD)
    return Recorder(directory, brief, warm_dump(brief))


def _record(recorder: Recorder, *java: str, consumer: str = "Watch") -> Outcome:
    words = ("--consumer", consumer, "--consumer-path", "consumer", "--consumer-every", str(_EVERY))
    return recorder.record("java", *java, "-cp", "classes", "Looped", options=words)


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    return _prepare(request.param, tmp_path_factory.mktemp(f"consumer-{request.param.version}"))


@pytest.fixture(scope="module")
def outcome(recorder: Recorder) -> Outcome:
    """A recording at which the consumer looks to its end; its notes are beside the run."""
    outcome = _record(recorder)
    (recorder.directory / "notes.txt").rename(recorder.directory / "all notes.txt")
    return outcome


def test_it_sees_the_tree_every_so_many_bytecodes(recorder: Recorder, outcome: Outcome) -> None:
    assert (outcome.status, outcome.stdout) == (0, "50000\n"), outcome.stderr
    lines = (recorder.directory / "all notes.txt").read_text().splitlines()
    looks = [tuple(map(int, line.split())) for line in lines]
    # A round of the loop has 11 bytecodes, so that a look comes after 20,000 and at most those
    # that the round still adds; in that many are 1,818 or 1,819 calls.
    assert 26 <= len(looks) <= 28  # 550,000 bytecodes in the loop
    for (before, steps), (after, more) in pairwise(looks):
        assert abs(after - before - _EVERY) <= 11
        assert more - steps in {1818, 1819}


def test_its_work_is_not_in_the_run(recorder: Recorder, outcome: Outcome) -> None:
    with jvmscope.open(recorder.directory / outcome.run) as run:
        names = "SELECT name FROM class WHERE name LIKE 'Watch%' OR name LIKE 'io/jvmscope%'"
        calls = """
            SELECT m.name, SUM(c.n_calls)::INTEGER
            FROM context AS c JOIN method AS m USING (method_id)
            JOIN class AS k USING (class_id) WHERE k.name = 'Looped' GROUP BY m.name ORDER BY 1
        """
        assert list(run.query(names).rows()) == []
        assert list(run.query(calls).rows()) == [("main", 1), ("step", 50_000)]
        assert run.manifest.options["consumer"] == "Watch"


def test_what_it_throws_is_reported_and_harms_nothing(recorder: Recorder) -> None:
    outcome = _record(recorder, "-Dfail.at=3")

    assert (outcome.status, outcome.stdout) == (0, "50000\n"), outcome.stderr
    log = (recorder.directory / outcome.run / "log" / "agent.txt").read_text()
    expected = "consumer Watch is not called again: java.lang.IllegalStateException: as it was told"
    assert expected in log


def test_a_class_that_is_not_there_ends_the_vm_before_main(recorder: Recorder) -> None:
    outcome = _record(recorder, consumer="Witch")

    assert outcome.status != 0
    assert "50000" not in outcome.stdout
    assert "jvmscope: consumer Witch: java.lang.ClassNotFoundException: Witch" in outcome.stderr


_WHERE = """
import io.jvmscope.consumer.TreeNode;
import io.jvmscope.consumer.TreeConsumer;

public class Where implements TreeConsumer {
  @Override public void accept(TreeNode root) {
    boolean isSeen = false;
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      String name = frame.getClassName();
      boolean isOwn = name.matches("jdk.internal.perf.*|io.jvmscope.*|.*CallingContext|Where");
      if (!isSeen && !isOwn && !frame.getMethodName().startsWith("jvmscope$")) {
        System.err.println("in " + name);
        isSeen = true;
      }
    }
  }
}
"""


@pytest.mark.parametrize("jdk", jdks(), ids=str)
def test_it_is_never_called_inside_the_class_library(tmp_path: Path, jdk: Jdk) -> None:
    compile_java(jdk, tmp_path / "classes", Sorting=SORTING)
    compile_java(jdk, tmp_path / "consumer", ("-cp", str(agent_jar())), Where=_WHERE)
    brief = brief_jdk(jdk, BUILD)
    words = ("--consumer", "Where", "--consumer-path", "consumer", "--consumer-every", "20")
    java = ("java", "-XX:+UnlockDiagnosticVMOptions", "-XX:+ShowHiddenFrames", "-cp", "classes")

    outcome = Recorder(tmp_path, brief).record(*java, "Sorting", options=words)

    assert (outcome.status, outcome.stdout) == (0, "0\n"), outcome.stderr
    places = {line for line in outcome.stderr.splitlines() if line.startswith("in ")}
    assert {"in Sorting", "in Sorting$Named"} <= places
    assert [place for place in places if not place.startswith("in Sorting")] == []

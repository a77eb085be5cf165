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
  public static void premain(String arguments, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Looking());
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    return null;
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


def _make_agent(jdk: Jdk, directory: Path) -> None:
    compile_java(jdk, directory / "agent", Looking=_AGENT)
    (directory / "MANIFEST.MF").write_text("Premain-Class: Looking\n")
    run_tool([jdk.tool("jar"), "cfm", "looking.jar", "MANIFEST.MF", "-C", "agent", "."], directory)

"""The agent uses no lambdas before the program does: the first one costs what it does bare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, jdks

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_PROGRAM = """
class First {
  static final Object LOCK = new Object();
  static int sum;

  public static void main(String[] arguments) {
    try {
      synchronized (LOCK) {
        sum++;
      }
    } finally {
      sum++;
    }
    Runnable first = () -> sum++;
    first.run();
    System.out.println(sum);
  }
}
"""
_PROBES = ["", f"{OBJECT_PROBES},lifetimes,receivers,handlers,order"]
_INITIALISED = """
    SELECT c.name, SUM(t.n_calls) FROM thread_method AS t JOIN method AS m USING (method_id)
    JOIN class AS c USING (class_id) WHERE m.name = '<clinit>'
        AND c.name IN ('java/lang/invoke/InnerClassLambdaMetafactory', 'java/lang/invoke/CallSite')
    GROUP BY ALL ORDER BY ALL
"""


@pytest.mark.parametrize("probes", _PROBES, ids=["plain", "probes"])
@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_the_program_has_the_vm_set_up_lambdas(jdk: Jdk, tmp_path: Path, probes: str) -> None:
    options = ("--probes", probes) if probes else ()
    recorder = Recorder.of(jdk, tmp_path, First=_PROGRAM)
    outcome = recorder.record("java", "-cp", "classes", "First", options=options)

    assert outcome.stdout == "3\n"
    with Engine(outcome.directory / outcome.run) as engine:
        assert list(engine.query(_INITIALISED).rows()) == [
            ("java/lang/invoke/CallSite", 1),
            ("java/lang/invoke/InnerClassLambdaMetafactory", 1),
        ]

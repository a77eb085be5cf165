"""Executions of exception handlers by class: worked out by hand, and over a whole run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.small_jdk import brief_jdk

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_CATCHES = """
public class Catches {
  static final class Own extends RuntimeException { }

  static int read(int i) {
    try {
      switch (i) {
        case 0: throw new Own();
        case 1: throw new IllegalStateException();
        default: return i;
      }
    } catch (IllegalStateException | Own e) {  // by classes: 1 of each in a round
      return -1;
    }
  }

  static int nest(int i) {
    try {
      try {
        return 10 / i;
      } catch (ArithmeticException e) {  // in each round
        throw new Own();
      } finally {
        i++;  // after the catch it is a handler of its own, of Own
      }
    } catch (Own e) {
      return i;
    }
  }

  static void load() {
    ClassLoader loader = new ClassLoader(ClassLoader.getPlatformClassLoader()) { };
    try {
      // Catches what its parent throws, goes on, and leaves a synchronized block by a handler.
      loader.loadClass("absent.Absent");
    } catch (ClassNotFoundException e) {
      return;
    }
  }

  public static void main(String[] args) {
    load();
    for (int round = 0; round < 3; round++) {
      read(0);
      read(1);
      read(2);
      nest(0);
      nest(5);
    }
  }
}
"""
_CAUGHT = """
    SELECT m.name, t.name, CAST(SUM(h.n_executions) AS INTEGER)
    FROM context_handler AS h JOIN basic_block AS b USING (basic_block_id)
    JOIN method AS m USING (method_id) JOIN class AS c ON c.class_id = m.class_id
    JOIN class AS t ON t.class_id = h.class_id
    WHERE c.name IN ('Catches', 'java/lang/ClassLoader') GROUP BY m.name, h.basic_block_id, t.name
    ORDER BY m.name, h.basic_block_id, t.name
"""
# Contexts in which a handler's block ran another number of times than the handler.
_BLOCKS = """
    SELECT context_id, basic_block_id, h.n, b.n_executions
    FROM (SELECT context_id, basic_block_id, SUM(n_executions) AS n
          FROM context_handler GROUP BY ALL) AS h
    FULL JOIN (SELECT * FROM context_block SEMI JOIN context_handler USING (basic_block_id)) AS b
        USING (context_id, basic_block_id)
    WHERE h.n IS DISTINCT FROM b.n_executions
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    jdk: Jdk = request.param
    directory = tmp_path_factory.mktemp(f"handlers-{jdk.version}")
    compile_java(jdk, directory / "classes", Catches=_CATCHES)
    outcome = Recorder(directory, brief_jdk(jdk, BUILD)).record(
        "java", "-cp", "classes", "Catches", options=("--probes", "handlers")
    )
    assert outcome.status == 0, outcome.stderr
    return directory / outcome.run


def test_handlers_are_counted_by_what_they_catch(run: Path) -> None:
    with jvmscope.open(run) as opened:
        assert list(opened.query(_CAUGHT).rows()) == [
            ("load", "java/lang/ClassNotFoundException", 1),
            ("loadClass", "java/lang/ClassNotFoundException", 1),
            ("loadClass", "java/lang/ClassNotFoundException", 1),
            ("nest", "java/lang/ArithmeticException", 3),
            ("nest", "Catches$Own", 3),
            ("nest", "Catches$Own", 3),
            ("read", "Catches$Own", 3),
            ("read", "java/lang/IllegalStateException", 3),
        ]


def test_handlers_run_as_often_as_their_blocks(run: Path) -> None:
    with jvmscope.open(run) as opened:
        assert list(opened.query(_BLOCKS).rows()) == []

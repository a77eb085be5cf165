"""What the probes count against what the tree counts, over a whole run, class library included."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.agreement import Agreement
from support.beginnings import write_beginning
from support.long import IS_LONG
from support.small_jdk import brief_jdk
from support.vocabulary_queries import mixed, queries
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_ORDERS = """
public class Orders {
  interface Animal { int legs(); }
  static final class Bird implements Animal { public int legs() { return 2; } }
  static class Cat implements Animal { public int legs() { return 4; } }
  static final class Lion extends Cat { }

  static final class Loader extends ClassLoader {
    @Override public Class<?> loadClass(String name) throws ClassNotFoundException {
      return super.loadClass(name);
    }
  }

  static int count(Animal[] animals) {
    int legs = 0;
    for (Animal animal : animals) {
      legs += animal.legs();  // Bird, Cat, Lion, Lion, Bird, Bird: 4 receivers missed, 3 targets
    }
    return legs;
  }

  public static void main(String[] args) throws Exception {
    Animal[] animals = {
      new Bird(), new Cat(), new Lion(), new Lion(), new Bird(), new Bird()
    };
    int legs = count(animals);
    ClassLoader loader = new Loader();
    for (int i = 0; i < 3; i++) {
      loader.loadClass("java.lang.String");  // a call of the program's: 3, missed once
    }
    boolean isSame = java.util.Objects.equals(new int[1], new int[1]);  // equals on an array
    System.out.println(legs + " " + isSame);
  }
}
"""
_SITE = """
    SELECT o.n_calls, o.n_receiver_misses, o.n_target_misses
    FROM call_order AS o JOIN call_site AS s USING (call_site_id)
    JOIN method AS m ON m.method_id = s.caller_id JOIN class AS c USING (class_id)
    WHERE c.name = 'Orders' AND s.name = $name
"""
# Executions of each branch by the probe and by its block, where they differ.
_BRANCHES = """
    SELECT instruction_id, o.n, b.n
    FROM (SELECT instruction_id, SUM(n_executions) AS n FROM branch_order GROUP BY ALL) AS o
    FULL JOIN (
        SELECT i.instruction_id, SUM(t.n_executions) AS n
        FROM instruction AS i JOIN thread_block AS t USING (basic_block_id)
        WHERE starts_with(i.opcode, 'if') OR ends_with(i.opcode, 'switch') GROUP BY ALL
    ) AS b USING (instruction_id)
    WHERE o.n IS DISTINCT FROM b.n
"""
# Calls at each site by both probes, where they differ.
_CALLS = """
    SELECT call_site_id, o.n, r.n
    FROM (SELECT call_site_id, SUM(n_calls) AS n FROM call_order GROUP BY ALL) AS o
    FULL JOIN (
        SELECT c.call_site_id, SUM(r.n_calls) AS n
        FROM receiver AS r JOIN context AS c USING (context_id) GROUP BY ALL
    ) AS r USING (call_site_id)
    WHERE o.n IS DISTINCT FROM r.n
"""
# Contexts of dispatched calls whose receivers are not as many as the calls.
_RECEIVERS = """
    SELECT c.context_id, m.name, c.n_calls, r.n
    FROM context AS c
    JOIN method AS m USING (method_id)
    JOIN call_site AS s USING (call_site_id)
    LEFT JOIN (SELECT context_id, SUM(n_calls) AS n FROM receiver GROUP BY ALL) AS r
        USING (context_id)
    WHERE s.opcode IN ('invokevirtual', 'invokeinterface')
      AND m.coverage = 'full' AND NOT m.is_static AND c.n_calls IS DISTINCT FROM r.n
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"probes-{jdk.version}")
    compile_java(jdk, directory / "classes", Orders=_ORDERS)
    options = ("--probes", "receivers,order")
    outcome = Recorder(directory, jdk, warm_dump(jdk)).record(
        "java", "-cp", "classes", "Orders", options=options
    )
    assert (outcome.status, outcome.stdout) == (0, "18 false\n")
    return directory / outcome.run


def test_a_miss_is_another_class_or_target_than_the_time_before(run: Path) -> None:
    with jvmscope.open(run) as opened:
        assert list(opened.query(_SITE, params={"name": "legs"}).rows()) == [(6, 4, 3)]
        assert list(opened.query(_SITE, params={"name": "loadClass"}).rows()) == [(3, 1, 1)]


@pytest.mark.parametrize("differences", [_BRANCHES, _CALLS, _RECEIVERS])
def test_the_probes_count_what_the_tree_counts(run: Path, differences: str) -> None:
    with jvmscope.open(run) as opened:
        assert list(opened.query(differences).rows()) == []


def test_queries_agree_with_the_exported_tree(run: Path, tmp_path: Path) -> None:
    beginning = write_beginning(run, tmp_path / "beginning.run", n_classes=3, n_contexts=40)
    chance = random.Random(run.name)  # noqa: S311
    texts = chance.sample(list(queries()), 3_000 if IS_LONG else 30)
    with Agreement(beginning, tmp_path) as asked:
        differences = [found for text in texts if (found := asked.difference(text, mixed(text)))]
    assert not differences, "\n\n".join(differences[:20])


def test_arrays_are_receivers(run: Path) -> None:
    with jvmscope.open(run) as opened:
        arrays = opened.query("SELECT SUM(n_calls)::INTEGER FROM receiver WHERE class_id IS NULL")
        assert next(iter(arrays.rows()))[0] >= 1

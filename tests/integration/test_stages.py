"""One thread through all the stages: a program, its run, metrics, queries, XML, identity."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope import cli

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

JDKS = jdks()
_SHAPES = """
public class Shapes {
  interface Shape { int area(); }
  static final class Square implements Shape { public int area() { return 4; } }
  static final class Circle implements Shape { public int area() { return 3; } }

  static int total(Shape shape) { return shape.area(); }

  public static void main(String[] args) {
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += total(i % 3 == 0 ? new Square() : new Circle());
    }
    System.out.println(sum);
  }
}
"""


@pytest.fixture(scope="module", params=JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two recordings of the same program, one with receivers."""
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"stages-{jdk.version}")
    compile_java(jdk, directory / "classes", Shapes=_SHAPES)
    recorder = Recorder(directory, jdk, warm_dump(jdk))
    found = []
    for name in ("first", "second"):
        options = ("--name", name, "--probes", "receivers,order")
        outcome = recorder.record("java", "-cp", "classes", "Shapes", options=options)
        assert (outcome.status, outcome.stdout) == (0, "34\n")
        found.append(directory / outcome.run)
    return found


def _values(run: jvmscope.api.run.Run, metric: str, key: str | None = None) -> dict[Any, Any]:
    rows = run.measure(metric, scope="application").arrow().to_pylist()
    return {(row[key], row["measure"]) if key else row["measure"]: row["value"] for row in rows}


def test_the_metrics_of_the_application_are_those_of_its_source(runs: list[Path]) -> None:
    with jvmscope.open(runs[0]) as run:
        hotness = _values(run, "hotness.methods")
        targets = _values(run, "polymorphism.targets", "n_targets")
        mix = _values(run, "instructions.mix", "opcode")

    # main, total, Square.<init>, Square.area, Circle.<init>, Circle.area: 1 + 10 + 2 * 4 + 2 * 6
    assert (hotness["n_methods"], hotness["n_executions"]) == (6, 31)
    # total's call reaches two methods, 10 times in all; println's site reaches one, once
    assert (targets[2, "n_call_sites"], targets[2, "n_calls"]) == (1, 10)
    assert (targets[1, "n_call_sites"], targets[1, "n_calls"]) == (1, 1)
    executed = {name: mix[name, "n_executions"] for name in ("invokeinterface", "new", "irem")}
    assert executed == {"invokeinterface": 10, "new": 10, "irem": 10}


def test_receivers_are_counted_by_class(runs: list[Path]) -> None:
    sql = """
        SELECT c.name, SUM(r.n_calls)::INTEGER
        FROM receiver AS r
        JOIN class AS c USING (class_id)
        JOIN context AS x USING (context_id)
        JOIN method AS m USING (method_id)
        WHERE m.name = 'area'
        GROUP BY c.name ORDER BY c.name
    """
    with jvmscope.open(runs[0]) as run:
        assert list(run.query(sql).rows()) == [("Shapes$Circle", 6), ("Shapes$Square", 4)]


def test_below_main_a_program_recorded_twice_is_identical(runs: list[Path]) -> None:
    assert cli.run(["check", *map(str, runs), "--below", "main"]) == cli.DONE


def test_a_run_survives_its_xml(runs: list[Path], tmp_path: Path) -> None:
    view, copy = tmp_path / "view", tmp_path / "copy.run"
    documents = [str(view / name) for name in ("cct.xml", "classes.xml")]

    assert cli.run(["export", str(runs[0]), "xml", "-o", str(view)]) == cli.DONE
    assert cli.run(["import", *documents, "-o", str(copy)]) == cli.DONE
    assert cli.run(["check", str(copy)]) == cli.DONE
    assert cli.run(["check", str(runs[0]), str(copy)]) == cli.DONE


def test_a_run_has_a_page(runs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["report", str(runs[0]), "summary", "--scope", "application"]) == cli.DONE
    page = capsys.readouterr().out
    assert re.search(r"\| Shapes\.total\(.*\) \| area \| 2 \| 10 \| Shapes\.java:7 \|", page)

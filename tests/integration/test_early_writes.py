"""Fields that a constructor writes before it calls another one, worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, run_tool
from support.libraries import library
from support.small_jdk import brief_jdk
from support.watched_objects import unwatched_objects

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_WITH_FLEXIBLE_CONSTRUCTORS = 25

# Objects, read first, written first, immutable, mutable.
_FIELDS = {
    "EarlyWrites$Node.kids": (3, 2, 0, 0, 2),  # of the first and, by its own child, the second
    "EarlyWrites$Node.other": (3, 0, 1, 0, 1),
    "EarlyMaybe.x": (2, 1, 1, 2, 0),  # read at the end, in both
    "EarlySum.x": (1, 0, 1, 1, 0),
    "EarlySum.wide": (1, 0, 1, 1, 0),
    "EarlySum.text": (1, 0, 1, 1, 0),
    "TwoWays.own": (3, 0, 3, 1, 2),  # one is changed, as is one whose constructor throws
    "TwoWays.list": (3, 0, 2, 2, 0),
}
_OBJECTS = {"EarlyWrites$Node": 3, "EarlyMaybe": 2, "EarlySum": 1, "TwoWays": 3}
_FLEXIBLE = {
    "Flexible.sum": (2, 0, 2, 2, 0),
    "Flexible.text": (2, 0, 2, 2, 0),
    "Flexible.done": (2, 0, 2, 2, 0),
    "Flexible.chosen": (2, 0, 2, 2, 0),
    "Flexible.maybe": (2, 0, 1, 1, 0),
}
_OF_FIELDS = """
    SELECT c.name || '.' || f.name, z.n_objects, n_read_first, n_written_first, n_immutable,
           n_mutable
    FROM field_zeroing AS z JOIN field_immutability USING (field_id)
    JOIN field AS f USING (field_id) JOIN class AS c USING (class_id)
"""
_MADE = """
    SELECT c.name, SUM(n_objects) FROM allocation JOIN class AS c USING (class_id) GROUP BY ALL
"""
_LIVED = """
    SELECT c.name, SUM(n_objects) FROM object_lifetime JOIN class AS c USING (class_id)
    GROUP BY ALL
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"early-{jdk.version}")
    asm = str(library("org.ow2.asm:asm:9.11.1"))
    sources = {
        name: (PROGRAMS / "objects" / f"{name}.java").read_text("utf-8")
        for name in ("EarlyClasses", "EarlyWrites", "Flexible")
    }
    classes = directory / "classes"
    compile_java(jdk, classes, ("-cp", asm), EarlyClasses=sources["EarlyClasses"])
    run_tool([jdk.tool("java"), "-cp", f"{classes}:{asm}", "EarlyClasses", "classes"], directory)
    compile_java(jdk, classes, ("-cp", str(classes)), EarlyWrites=sources["EarlyWrites"])
    if jdk.version >= _WITH_FLEXIBLE_CONSTRUCTORS:
        compile_java(jdk, classes, Flexible=sources["Flexible"])
    return Recorder(directory, jdk)


def _record(recorder: Recorder, name: str, printed: str) -> Path:
    options = ("--probes", f"{OBJECT_PROBES},lifetimes")
    outcome = recorder.record("java", "-cp", "classes", name, options=options)
    assert (outcome.status, outcome.stdout) == (0, printed), outcome.stderr
    return recorder.directory / outcome.run


def _fields(run: Path, expected: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    with jvmscope.open(run) as opened:
        found = {row[0]: row[1:] for row in opened.query(_OF_FIELDS).rows()}
    return {name: found[name] for name in expected}


def test_what_is_written_early_is_seen(recorder: Recorder) -> None:
    """GIVEN writes to this object, on some ways only, and to others that are initialised."""
    run = _record(recorder, "EarlyWrites", "1 30305\n")
    assert _fields(run, _FIELDS) == _FIELDS
    assert unwatched_objects(run) == []
    with jvmscope.open(run) as opened:
        made, lived = (dict(opened.query(text).rows()) for text in (_MADE, _LIVED))
    assert {name: (made[name], lived[name]) for name in _OBJECTS} == {
        name: (n, n) for name, n in _OBJECTS.items()
    }


_BASE = """
public class Base {
  int x;
  Base() { x = 1; }
  void set(int y) { x = y; }
}
"""
_SUB = """
public class Sub extends Base {
  public static void main(String[] arguments) {
    new Base().set(2);
    new Base();
    new Sub().set(3);
    System.out.println("done");
  }
}
"""
_WATCHED = """
    SELECT w.n_objects, w.reason FROM watched_class AS w JOIN class USING (class_id)
    WHERE name = 'Sub'
"""


def test_an_object_whose_construction_has_no_end_is_not_watched(recorder: Recorder) -> None:
    """GIVEN a class that is left out, whose constructor does not say when it ends.

    THEN nothing is said of its objects, rather than that they stay as they were constructed.
    """
    compile_java(recorder.jdk, recorder.directory / "classes", Base=_BASE, Sub=_SUB)
    options = ("--probes", OBJECT_PROBES, "--exclude", "Sub")
    outcome = recorder.record("java", "-cp", "classes", "Sub", options=options)
    assert (outcome.status, outcome.stdout) == (0, "done\n"), outcome.stderr
    run = recorder.directory / outcome.run
    assert _fields(run, {"Base.x": ()}) == {"Base.x": (2, 0, 2, 1, 1)}
    with jvmscope.open(run) as opened:
        assert list(opened.query(_WATCHED).rows()) == [(0, "excluded by --include or --exclude")]


def test_flexible_constructors_write_early(recorder: Recorder) -> None:
    if recorder.jdk.version < _WITH_FLEXIBLE_CONSTRUCTORS:
        pytest.skip("constructors of this version of Java begin with the call")
    run = _record(recorder, "Flexible", "1\n2\n")
    assert _fields(run, _FLEXIBLE) == _FLEXIBLE
    assert unwatched_objects(run) == []

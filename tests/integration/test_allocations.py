"""Allocations: worked out by hand, and byte for byte against a VM that is not recorded."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.long import IS_LONG
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope.collector import agent_jar

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_BY_HAND = """
public class ByHand {
  static class Small { int a; }
  static class Large extends Small { long b; Object c; byte d; }

  static void objects() {
    for (int i = 0; i < 3; i++) {
      new Small();  // 12 + 4
      new Large();  // and 8 + 4 + 1, in 32
    }
  }

  static void arrays(int n) {
    for (int i = 0; i <= n; i++) {
      byte[] a = new byte[i];  // 16, from the first element on 24
    }
    int[][] b = new int[2][n];  // 24; two of 16 + 4 n
    Object[][] c = new Object[n][0];
    try {
      long[] d = new long[-n];  // makes an exception only
    } catch (NegativeArraySizeException e) {
      return;
    }
  }

  public static void main(String[] args) {
    objects();
    arrays(2);
    arrays(9);
    new int[5].clone();
  }
}
"""
# Left is excluded: its constructors call those of Above where no node is between the two.
_PARTLY = """
public class Partly {
  static class Above { int a; Above() { } Above(int a) { this.a = a; } }
  static class Left extends Above {
    Left() { }
    Left(int a) { super(); }
    Left(String a) { super(1); }
    static Above make() { return new Above(); }
  }
  static class Below extends Left { Below() { super(2); } }

  public static void main(String[] args) {
    new Left();
    for (int i = 0; i < 2; i++) new Left(i);
    new Left("a");
    for (int i = 0; i < 3; i++) new Below();
    Left.make();
  }
}
"""
_ALLOCATED = """
    SELECT m.name, i.opcode::VARCHAR, a.type, a.size_bytes, CAST(SUM(a.n_objects) AS INTEGER)
    FROM allocation AS a
    JOIN context AS c USING (context_id) JOIN method AS m ON m.method_id = c.method_id
    JOIN class AS k ON k.class_id = m.class_id LEFT JOIN instruction AS i USING (instruction_id)
    WHERE k.name SIMILAR TO '(ByHand|Partly).*' GROUP BY ALL ORDER BY ALL
"""
_EXPECTED = {
    ("objects", "new", "ByHand$Small", 16, 3),
    ("objects", "new", "ByHand$Large", 32, 3),
    ("arrays", "newarray", "[B", 16, 2),
    ("arrays", "newarray", "[B", 24, 2 + 8),
    ("arrays", "newarray", "[B", 32, 1),
    ("arrays", "multianewarray", "[[I", 24, 2),
    ("arrays", "multianewarray", "[I", 24, 2),
    ("arrays", "multianewarray", "[I", 56, 2),
    ("arrays", "multianewarray", "[[Ljava/lang/Object;", 24, 1),
    ("arrays", "multianewarray", "[[Ljava/lang/Object;", 56, 1),
    ("arrays", "multianewarray", "[Ljava/lang/Object;", 16, 2 + 9),
    ("arrays", None, "java/lang/NegativeArraySizeException", 40, 2),
    ("main", "newarray", "[I", 40, 1),
    ("main", "invokevirtual", "[I", 40, 1),
}

# Bytes below each way: its method is called by a lambda, and that by `measured`.
_BY_WAY = """
    WITH way AS (
        SELECT c.context_id, c.context_id + c.size AS behind, m.name
        FROM context AS c JOIN context AS l ON l.context_id = c.parent_id
        JOIN context AS p ON p.context_id = l.parent_id
        JOIN method AS m ON m.method_id = c.method_id JOIN method AS q ON q.method_id = p.method_id
        WHERE q.name = 'measured'
    )
    SELECT w.name, CAST(COALESCE(SUM(a.n_objects * a.size_bytes), 0) AS BIGINT)
    FROM way AS w LEFT JOIN allocation AS a
        ON a.context_id >= w.context_id AND a.context_id < w.behind
    GROUP BY w.name
"""
# What is not counted: the VM makes the texts of its exceptions' messages; and an array of arrays
# whose instruction fails at the second dimension.
_UNSEEN = {
    "failedArrays": 3 * (24 + 24) + 32,
    "exceptions": 656,
    "implicitExceptions": 24 + 40 + 24 + 32,  # java.lang.Integer, / by zero
}
# A thread asks the VM for what it may do; that makes an AccessControlContext, and an array.
_UNSEEN_BEFORE_24 = {"threads": 40 + 24}
# Without backtraces, which the VM makes for every exception and nothing counts.
_NO_BACKTRACES = "-XX:-StackTraceInThrowable"

# Of an archive of classes that does not fit the layout, on stdout.
_SAYS_NOTHING = "-Xlog:disable"

_LAYOUTS = [
    (),
    ("-XX:-UseCompressedOops", "-XX:ObjectAlignmentInBytes=16"),
    ("-XX:+UseCompactObjectHeaders",),
]
_MORE_LAYOUTS = [
    ("-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers"),
    ("-XX:ObjectAlignmentInBytes=32",),
    ("-Xshare:off", "-XX:ContendedPaddingWidth=64"),
    ("-Xshare:off", "-XX:-EnableContended"),
    ("-XX:+UseCompactObjectHeaders", "-XX:-UseCompressedOops"),
    ("-Xshare:off", "-XX:-UseEmptySlotsInSupers"),
]


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"allocations-{jdk.version}")
    ways = (PROGRAMS / "allocations" / "Ways.java").read_text(encoding="utf-8")
    options = ("-nowarn", "-XDignore.symbol.file")
    compile_java(jdk, directory / "classes", options, ByHand=_BY_HAND, Partly=_PARTLY, Ways=ways)
    return Recorder(directory, jdk, warm_dump(jdk))


def _record(recorder: Recorder, *words: str, options: tuple[str, ...] = ()) -> Path:
    outcome = recorder.record("java", "-cp", "classes", *words, options=options)
    assert outcome.status == 0, outcome.stderr
    return recorder.directory / outcome.run


@pytest.fixture(scope="module")
def ways(recorder: Recorder) -> Path:
    return _record(recorder, _NO_BACKTRACES, "Ways", options=("--probes", "allocations"))


def _by_way(run: Path) -> dict[str, int]:
    with jvmscope.open(run) as opened:
        return dict(opened.query(_BY_WAY).rows())


def test_objects_are_counted_by_site_type_and_size(recorder: Recorder) -> None:
    run = _record(recorder, "ByHand", options=("--probes", "allocations"))
    with jvmscope.open(run) as opened:
        rows = list(opened.query(_ALLOCATED).rows())
    assert len(rows) == len(_EXPECTED)
    assert set(rows) == _EXPECTED


def test_an_object_of_an_excluded_class_is_counted_once(recorder: Recorder) -> None:
    options = ("--probes", "allocations", "--exclude", "Partly$Left")
    run = _record(recorder, "Partly", options=options)
    with jvmscope.open(run) as opened:
        rows = list(opened.query(_ALLOCATED).rows())
    assert sorted(rows, key=str) == [
        ("main", "new", "Partly$Below", 16, 3),
        ("main", "new", "Partly$Left", 16, 4),
        ("main", None, "Partly$Above", 16, 1),
    ]


def test_every_way_allocates_the_bytes_that_the_vm_says(recorder: Recorder, ways: Path) -> None:
    command = [recorder.jdk.java, "-Xint", _NO_BACKTRACES, "-cp", "classes", "Ways"]
    bare = subprocess.run(
        command, cwd=recorder.directory, capture_output=True, text=True, check=True
    )
    said = {name: int(size) for name, size in map(str.split, bare.stdout.splitlines())}
    counted = _by_way(ways)
    unseen = _UNSEEN | (_UNSEEN_BEFORE_24 if recorder.jdk.version < 24 else {})
    assert {name: size - counted[name] for name, size in said.items()} == {
        name: unseen.get(name, 0) for name in said
    }


def test_folding_and_other_probes_leave_the_bytes(recorder: Recorder, ways: Path) -> None:
    options = ("--recursion", "fold", "--exact-exceptions")
    probes = ("--probes", "allocations,receivers,order,handlers")
    folded = _record(recorder, _NO_BACKTRACES, "Ways", options=(*options, *probes))
    assert _by_way(folded) == _by_way(ways)


def _layouts(jdk: Jdk) -> list[tuple[str, ...]]:
    newest = 25
    layouts = _LAYOUTS + (_MORE_LAYOUTS if IS_LONG else [])
    return [
        options
        for options in layouts
        if ("-XX:+UseCompactObjectHeaders" not in options or jdk.version >= newest)
        and ("-XX:-UseEmptySlotsInSupers" not in options or jdk.version < newest)
    ]


def test_sizes_are_those_of_a_vm_without_the_recording(recorder: Recorder, tmp_path: Path) -> None:
    # GIVEN a program that asks a VM for the sizes of all classes of java.base
    jdk, jar = recorder.jdk, agent_jar()
    source = (PROGRAMS / "allocations" / "ObjectSizes.java").read_text(encoding="utf-8")
    options = ("-nowarn", "-XDignore.symbol.file", "-cp", str(jar))
    compile_java(jdk, tmp_path / "classes", options, ObjectSizes=source)
    (tmp_path / "manifest").write_text(
        f"Premain-Class: ObjectSizes\nClass-Path: {jar.as_uri()}\n", encoding="utf-8"
    )
    jar_command = [jdk.tool("jar"), "cfm", "sizes.jar", "manifest", "-C", "classes", "."]
    subprocess.run(jar_command, cwd=tmp_path, check=True)
    for layout in _layouts(jdk):
        # WHEN it compares them with what the dump computes from the class files
        command = [jdk.java, *layout, "-javaagent:sizes.jar=ObjectSizes", "-cp", "sizes.jar"]
        done = subprocess.run(
            [*command, "-XX:+UseSerialGC", _SAYS_NOTHING, "ObjectSizes"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        # THEN they are equal
        *differences, last = done.stdout.splitlines()[1:]
        assert differences == [], layout
        assert int(last.split(",")[0].removeprefix("compared ")) > 5000, layout

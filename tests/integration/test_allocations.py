"""Allocations: worked out by hand, and byte for byte against a VM that is not recorded."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.long import IS_LONG
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump
from support.watched_objects import unwatched_objects

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
# Left is excluded, and method handles and reflection call what it has.
_HANDLED = """
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;

public class Handled {
  static class Made { int a = 1; }

  static class Left {
    Left() { }
    Left(int k) { new Made(); }
    static Object makeStatic() { return new Made(); }
    Object make() { return new Made(); }
    private Object makePrivately() { return new Made(); }
  }

  static class LeftBelow extends Made { LeftBelow() { } }
  static class LeftMaker extends Made { LeftMaker() { new Made(); } }

  public static void main(String[] args) throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Left.class, MethodHandles.lookup());
    MethodType type = MethodType.methodType(Object.class);
    MethodType none = MethodType.methodType(void.class);
    MethodHandle isStatic = lookup.findStatic(Left.class, "makeStatic", type);
    MethodHandle isVirtual = lookup.findVirtual(Left.class, "make", type);
    MethodHandle isPrivate = lookup.findVirtual(Left.class, "makePrivately", type);
    MethodHandle constructs =
        lookup.findConstructor(Left.class, MethodType.methodType(void.class, int.class));
    MethodHandle made = lookup.findConstructor(Made.class, none);
    MethodHandle below = lookup.findConstructor(LeftBelow.class, none);
    MethodHandle maker = lookup.findConstructor(LeftMaker.class, none);
    Supplier<Object> reference = Left::makeStatic;
    Left left = new Left();
    for (int k = 0; k < 7; k++) { Object o = isStatic.invokeExact(); }
    for (int k = 0; k < 11; k++) { Object o = isVirtual.invokeExact(left); }
    for (int k = 0; k < 13; k++) { Object o = isPrivate.invokeExact(left); }
    for (int k = 0; k < 17; k++) { Left o = (Left) constructs.invokeExact(k); }
    for (int k = 0; k < 19; k++) { Made o = (Made) made.invokeExact(); }
    for (int k = 0; k < 23; k++) { LeftBelow o = (LeftBelow) below.invokeExact(); }
    for (int k = 0; k < 29; k++) { LeftMaker o = (LeftMaker) maker.invokeExact(); }
    for (int k = 0; k < 31; k++) { reference.get(); }
    for (int k = 0; k < 37; k++) { Left.class.getDeclaredConstructor(int.class).newInstance(k); }
    for (int k = 0; k < 41; k++) { Left.class.getDeclaredMethod("makeStatic").invoke(null); }
  }
}
"""
_HANDLED_OBJECTS = {
    "Handled$Made": 7 + 11 + 13 + 17 + 19 + 29 + 31 + 37 + 41,
    "Handled$Left": 1 + 17 + 37,
    "Handled$LeftBelow": 23,
    "Handled$LeftMaker": 29,
}
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
    sources = {"ByHand": _BY_HAND, "Partly": _PARTLY, "Handled": _HANDLED, "Ways": ways}
    compile_java(jdk, directory / "classes", options, **sources)
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


@pytest.mark.parametrize("excluded", [(), ("--exclude", "Handled$Left*")])
def test_objects_that_are_made_behind_handles_are_counted_once(
    recorder: Recorder, excluded: tuple[str, ...]
) -> None:
    """Whether what a handle calls is instrumented or not."""
    run = _record(recorder, "Handled", options=("--probes", OBJECT_PROBES, *excluded))
    query = """
        SELECT type, CAST(SUM(n_objects) AS INTEGER) FROM allocation
        WHERE type SIMILAR TO 'Handled.(Made|Left.*)' GROUP BY type
    """
    expected = dict(_HANDLED_OBJECTS)
    if excluded and recorder.jdk.version < 18:  # a native made the first ones: no constructor tells
        expected["Handled$Left"] -= 16
    with jvmscope.open(run) as opened:
        assert dict(opened.query(query).rows()) == expected
    assert unwatched_objects(run) == []


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

"""States of fields and objects: worked out by hand, for each access of two programs."""

from __future__ import annotations

from dataclasses import dataclass
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
from jvmscope.queries import Engine, broken_invariants

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_OPTIONS = ("--probes", OBJECT_PROBES)
_DEEPEST = (
    "77a9falsefalsetruetrue3trueclass java.lang.Objectclass [Iclass [Ljava.lang.Object;"
    "class [[I41ctrue12trueclass java.lang.Objectclass [[J\n"
)
_ALL = f"{OBJECT_PROBES},lifetimes,receivers,order,handlers"
# With these, the VM does not take its modules from an archive, but links them by lambdas.
_STARTS = [
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    *(
        [
            "--add-modules=ALL-SYSTEM",
            "--enable-native-access=ALL-UNNAMED",
            "--limit-modules=java.base,java.instrument,jdk.management,jdk.unsupported",
            "-Djava.security.manager=disallow",
        ]
        if IS_LONG
        else []
    ),
]
_PRINTED = {"Fields": "9 b\nfalse\n", "Handles": "0 false0.000.0null\n0 5 7\n"}

# Objects, read first, written first, immutable, mutable, read-shared, write-shared.
_FIELDS = {
    # One object for each of 16 orders; by the constructor in upper case. Read first: R r RR RW Rr
    # Rw rr rw. Mutable: w Rw Ww rw wr ww.
    "Steps.f": (16, 8, 8, 10, 6, 0, 0),
    "Below.before": (3, 3, 0, 3, 0, 0, 0),
    "Below.within": (3, 0, 3, 3, 0, 0, 0),
    "Below.after": (3, 0, 3, 3, 0, 0, 0),
    "Below.late": (3, 0, 3, 0, 3, 0, 0),
    "Chained.first": (2, 0, 2, 2, 0, 0, 0),
    "Chained.second": (2, 0, 1, 1, 0, 0, 0),
    "Throwing.early": (2, 0, 2, 1, 1, 0, 0),
    "Throwing.late": (2, 0, 1, 1, 0, 0, 0),
    "Escaping.own": (1, 0, 1, 1, 0, 0, 0),
    "Escaping.other": (1, 0, 1, 0, 1, 0, 0),
    "Published.seen": (1, 1, 0, 1, 0, 0, 0),
    "Published.own": (1, 0, 1, 1, 0, 0, 0),
    "Published.helped": (1, 0, 1, 1, 0, 0, 0),
    "Published.late": (1, 0, 1, 0, 1, 0, 0),
    "Nested.inner": (3, 0, 2, 2, 0, 0, 0),
    "Nested.value": (3, 0, 3, 1, 2, 0, 0),
    "Inner.outer": (5, 0, 5, 5, 0, 0, 0),
    "Inner.this$0": (5, 0, 5, 5, 0, 0, 0),
    "Color.weight": (2, 0, 2, 1, 1, 0, 0),
    "Shape.sides": (2, 0, 2, 1, 1, 0, 0),
    "1.radius": (1, 0, 1, 0, 1, 0, 0),  # of the constant with a body
    "Pair.left": (1, 0, 1, 1, 0, 0, 0),
    "Pair.right": (1, 0, 1, 1, 0, 0, 0),
    # Serialisation reads the fields of one object and writes those of the other, by Unsafe.
    "Kept.number": (2, 0, 2, 1, 1, 0, 0),
    "Kept.unused": (2, 1, 1, 1, 1, 0, 0),
    "Copied.number": (6, 1, 3, 3, 1, 0, 0),
    "Copied.wide": (6, 2, 2, 4, 0, 0, 0),
    "CopiedBelow.more": (3, 0, 2, 0, 2, 0, 0),
    "Finals.f": (1, 0, 1, 0, 1, 0, 0),
    **{f"Types.{name}": (3, 1, 1, 1, 1, 0, 0) for name in "zbcsfdar"},
    "Types.i": (3, 2, 1, 2, 1, 0, 0),
    "Types.j": (3, 1, 2, 1, 2, 0, 0),
    # Five classes with this superclass, each for 1 to 4 threads.
    "Cell.x": (20, 0, 20, 12, 8, 9, 8),
    "Cell.y": (20, 0, 20, 12, 8, 3, 8),
    "ByOther.x": (4, 0, 4, 0, 4, 0, 0),
}

# The same, of a field that is read only, written only, or read and then written.
_READ = (1, 1, 0, 1, 0, 0, 0)
_WRITTEN = (1, 0, 1, 0, 1, 0, 0)
_UPDATED = (1, 1, 0, 0, 1, 0, 0)

_HANDLES = {
    **{f"Reflected.{name}": (20, 20, 0, 20, 0, 0, 0) for name in "ra"},
    **{f"Reflected.{name}": (20, 0, 20, 0, 20, 0, 0) for name in "wd"},
    **{f"ByMethodHandle.{name}": _READ for name in "ra"},
    **{f"ByMethodHandle.{name}": _WRITTEN for name in "wjz"},
    **{f"ByVarHandle.{name}": _READ for name in ("r", "c", "d")},
    **{f"ByVarHandle.{name}": _READ for name in ("opaque", "acquired", "refused", "kept")},
    **{f"ByVarHandle.{name}": _WRITTEN for name in "wh"},
    **{
        f"ByVarHandle.{name}": _UPDATED
        for name in ["set", "exchanged", "weak", "added", "or", "b", "z", "f", "j", "a"]
    },
    "ByUpdater.i": _UPDATED,
    "ByUpdater.n": _READ,
    "ByUpdater.j": _WRITTEN,
    "ByUpdater.a": _UPDATED,
    **{f"ByUnsafe.{name}": _READ for name in ("r", "refused", "b")},
    **{f"ByUnsafe.{name}": _WRITTEN for name in "wa"},
    **{f"ByUnsafe.{name}": _UPDATED for name in ("set", "j")},
    "Kept.i": (2, 0, 2, 1, 1, 0, 0),
    "Kept.a": (2, 0, 2, 1, 1, 0, 0),
    "Kept.t": (2, 0, 1, 1, 0, 0, 0),
    "Sent.number": (2, 0, 2, 2, 0, 0, 0),  # a record is deserialised by its constructor
    "Sent.text": (2, 0, 2, 2, 0, 0, 0),
    # Made by the constructor of a superclass, after whose end no constructor writes.
    "Unmade.r": (20, 20, 0, 20, 0, 0, 0),
    "Unmade.w": (20, 0, 20, 0, 20, 0, 0),
    "Begun.b": (20, 0, 20, 20, 0, 0, 0),
    "HalfMade.d": (20, 0, 20, 0, 20, 0, 0),
    "InConstructor.own": (1, 0, 1, 1, 0, 0, 0),
    "InConstructor.late": _WRITTEN,
    "Above.x": _READ,
    "Above.y": _WRITTEN,
    "Hidden.r": (2, 2, 0, 2, 0, 0, 0),  # of two hidden classes
    "Hidden.w": (2, 0, 2, 0, 2, 0, 0),
    "Shared.x": (1, 1, 0, 0, 1, 0, 1),
    **{f"{name}.r": _READ for name in ("Defined", "Nesting")},
    **{f"{name}.w": _WRITTEN for name in ("Defined", "Nesting")},
}

# Objects, all fields immutable, a mutable one; read-shared in part, fully; write-shared likewise.
_CLASSES = {
    "Below": (3, 0, 3, 0, 0, 0, 0),
    "ByOther": (4, 0, 4, 0, 0, 0, 0),
    "Chained": (2, 1, 0, 0, 0, 0, 0),
    "Copied": (3, 2, 1, 0, 0, 0, 0),
    "CopiedBelow": (3, 0, 2, 0, 0, 0, 0),
    "Empty": (1, 0, 0, 0, 0, 0, 0),
    "Escaping": (1, 0, 1, 0, 0, 0, 0),
    "Finals": (1, 0, 1, 0, 0, 0, 0),
    "Inner": (5, 5, 0, 0, 0, 0, 0),
    "Kept": (2, 1, 1, 0, 0, 0, 0),
    "Mixed": (4, 0, 4, 3, 0, 4, 0),
    "Nested": (3, 1, 2, 0, 0, 0, 0),
    "Pair": (1, 1, 0, 0, 0, 0, 0),
    "Published": (1, 0, 1, 0, 0, 0, 0),
    "Read": (4, 4, 0, 3, 0, 0, 0),
    "ReadBoth": (4, 4, 0, 0, 3, 0, 0),
    "Steps": (16, 10, 6, 0, 0, 0, 0),
    "Throwing": (2, 1, 1, 0, 0, 0, 0),
    "Types": (3, 1, 2, 0, 0, 0, 0),
    "Written": (4, 0, 4, 0, 0, 4, 0),
    "WrittenBoth": (4, 0, 4, 0, 0, 0, 4),
}

_OF_FIELDS = """
    SELECT regexp_replace(c.name, '.*[$]|[+/].*', '', 'g') || '.' || f.name, SUM(z.n_objects),
           SUM(n_read_first), SUM(n_written_first), SUM(n_immutable), SUM(n_mutable),
           SUM(n_read_shared), SUM(n_write_shared)
    FROM field_zeroing AS z JOIN field_immutability USING (field_id)
    JOIN field_sharing USING (field_id) JOIN field AS f USING (field_id)
    JOIN class AS c USING (class_id)
    WHERE (c.name LIKE 'Fields$%' OR c.name LIKE 'Handles$%') AND c.name NOT LIKE '%Lambda%'
    GROUP BY 1
"""
_OF_CLASSES = """
    SELECT c.name, i.n_objects, n_immutable, n_mutable, n_partially_read_shared,
           n_fully_read_shared, n_partially_write_shared, n_fully_write_shared
    FROM object_immutability AS i JOIN object_sharing USING (class_id)
    JOIN class AS c USING (class_id)
    WHERE c.name LIKE 'Fields$%' AND c.name NOT LIKE '%Lambda%'
"""
_RESTS = """
    SELECT COUNT(*) FROM field_zeroing AS z JOIN field_immutability AS i USING (field_id)
    WHERE z.n_read_first + z.n_written_first <> i.n_immutable + i.n_mutable
       OR z.n_read_first + z.n_written_first > z.n_objects OR z.n_objects <> i.n_objects
"""
_UNWATCHED = """
    SELECT name FROM watched_class JOIN class USING (class_id)
    WHERE reason IS NOT NULL AND n_watched_fields = 0
"""


@dataclass(frozen=True)
class Recorded:
    """The runs of the two programs."""

    fields: Path
    handles: Path


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"objects-{jdk.version}")
    sources = {
        name: (PROGRAMS / "objects" / f"{name}.java").read_text("utf-8") for name in _PRINTED
    }
    compile_java(jdk, directory / "classes", **sources)
    return Recorder(directory, jdk, warm_dump(jdk))


def _record(recorder: Recorder, name: str, *options: str) -> Path:
    outcome = recorder.record("java", "-cp", "classes", name, options=(*_OPTIONS, *options))
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout == _PRINTED[name]
    return recorder.directory / outcome.run


@pytest.fixture(scope="module")
def runs(recorder: Recorder) -> Recorded:
    return Recorded(_record(recorder, "Fields"), _record(recorder, "Handles"))


@pytest.fixture
def run(runs: Recorded) -> Path:
    return runs.fields


def _fields(run: Path) -> dict[str, tuple[int, ...]]:
    with jvmscope.open(run) as opened:
        return {row[0]: row[1:] for row in opened.query(_OF_FIELDS).rows()}


def test_each_access_changes_the_state_of_a_field_as_defined(run: Path) -> None:
    assert _fields(run) == _FIELDS


def test_accesses_by_other_means_than_bytecode_are_seen(runs: Recorded) -> None:
    assert _fields(runs.handles) == _HANDLES


@pytest.mark.parametrize("option", ["--inject=env", "--max-memory=64MiB", "--from=Fields.main"])
def test_states_are_the_same_however_it_is_recorded(recorder: Recorder, option: str) -> None:
    assert _fields(_record(recorder, "Fields", option)) == _FIELDS


def test_objects_are_what_their_fields_are(run: Path) -> None:
    with jvmscope.open(run) as opened:
        found = {
            row[0].removeprefix("Fields$"): row[1:] for row in opened.query(_OF_CLASSES).rows()
        }
    for enum in ("Color", "Shape", "Shape$1"):  # what fields Enum has depends on the JDK
        found.pop(enum)
    assert found == _CLASSES


def test_accesses_agree_in_the_whole_class_library(runs: Recorded) -> None:
    for run in (runs.fields, runs.handles):
        with jvmscope.open(run) as opened:
            assert list(opened.query(_RESTS).rows()) == [(0,)]


def test_every_allocated_object_is_watched(runs: Recorded) -> None:
    assert unwatched_objects(runs.fields) == []
    assert unwatched_objects(runs.handles) == []


@pytest.mark.parametrize("option", _STARTS)
def test_objects_of_a_longer_start_are_accounted_for(recorder: Recorder, option: str) -> None:
    """GIVEN a start that clones and links lambdas before the agent, THEN none is missing."""
    outcome = recorder.record("java", option, "-cp", "classes", "Handles", options=_OPTIONS)
    assert outcome.stdout == _PRINTED["Handles"]
    assert unwatched_objects(recorder.directory / outcome.run) == []


@pytest.mark.parametrize("probes", [OBJECT_PROBES, *(["lifetimes", _ALL] if IS_LONG else [])])
def test_code_has_room_where_the_operand_stack_is_deepest(recorder: Recorder, probes: str) -> None:
    """GIVEN methods of one instruction, THEN the VM verifies what is put around it."""
    source = (PROGRAMS / "objects" / "Deepest.java").read_text("utf-8")
    compile_java(recorder.jdk, recorder.directory / "classes", Deepest=source)
    words = ("java", "-cp", "classes", "Deepest")
    outcome = recorder.record(*words, options=("-q", "--probes", probes))
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, _DEEPEST, "")


def test_the_tables_are_whole_and_in_order(runs: Recorded) -> None:
    for run in (runs.fields, runs.handles):
        with Engine(run) as engine:
            assert broken_invariants(engine) == []


def test_what_is_not_watched_is_said(run: Path) -> None:
    with jvmscope.open(run) as opened:
        unwatched = {name for (name,) in opened.query(_UNWATCHED).rows()}
    assert {"java/lang/String", "java/lang/Thread", "java/lang/ref/Reference"} <= unwatched

"""Lifetimes: against a collector that runs at every tick of the program."""

from __future__ import annotations

import subprocess
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from integration.lives import COLLECTING, Lives, collected, record, recorded
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, agent_library
from support.generated_lives import generated_lives
from support.long import IS_LONG
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope.metrics import catalogue

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_SOURCES = PROGRAMS / "lifetimes"
_PROBE = PROGRAMS / "own_probe" / "keeping"
# What has a tick of one MiB of its own; and what has one of four, by `Watch`.
_ALONE = ("Reachable", "Endings", "Kept", "Ends", "Crowd", "Rooted", "Phases")
_FEW = ("Matrices", "Failures", "References")
_MORE = (
    "Atomics",
    "Caches",
    "Functions",
    "Loaded",
    "Recursions",
    "Shapes",
    "Texts",
    "Workers",
)
_WATCHED = (*_FEW, *_MORE) if IS_LONG else _FEW
# Objects and dead objects by context: the rows that one table has, and the other does not.
_OF_BOTH = """
    WITH present AS (
        SELECT context_id, SUM(n_born) AS n_born, SUM(n_died) AS n_died
        FROM object_presence GROUP BY ALL
    ), lived AS (
        SELECT context_id, SUM(n_objects) AS n_born,
               COALESCE(SUM(n_objects) FILTER (lifetime_bytes IS NOT NULL), 0) AS n_died
        FROM object_lifetime GROUP BY ALL
    )
    SELECT (SELECT COUNT(*) FROM (FROM present EXCEPT FROM lived)),
           (SELECT COUNT(*) FROM (FROM lived EXCEPT FROM present)),
           (SELECT COUNT(*) > 5 FROM present)
"""
_SEEDS = range(60) if IS_LONG else (6, 10, 22, 57)
# How a program may end in the middle of a call, with what makes the VM do it, and its status.
_ENDS: dict[str, tuple[tuple[str, ...], int]] = {
    "halt": ((), 5),
    "kill": ((), 137),
    "exit-on-memory": (("-Xmx64m", "-XX:+ExitOnOutOfMemoryError"), 3),
    "crash-on-memory": (
        *(("-Xmx64m", "-XX:+CrashOnOutOfMemoryError", "-XX:-CreateCoredumpOnCrash"), 1),
    ),
}
_EVERY_END = tuple(_ENDS) if IS_LONG else ("kill", "exit-on-memory")
# What else may be recorded, or said, beside lifetimes.
_OPTIONS = {
    "folded": ("--recursion", "fold", "--probes", "lifetimes"),
    "env": ("--inject", "env", "--probes", "lifetimes"),
    "objects": ("--probes", "objects,lifetimes"),
    "counts": ("--probes", "receivers,order,handlers,lifetimes"),
    "own": ("--probe", str(_PROBE), "--probes", "lifetimes"),
    "steps": ("--clock", "steps", "--probes", "lifetimes"),
}
_ALL_AT_ONCE = (
    *("--recursion", "fold", "--inject", "env", "--probe", str(_PROBE)),
    *("--probes", "objects,handlers,lifetimes"),
)
_BESIDE = {"all": _ALL_AT_ONCE} | (_OPTIONS if IS_LONG else {})
# What native code alone refers to: ticks as the collector finds them, and as they are recorded.
_OF_NATIVE = {
    "Rooted$Global": ("3", "0", 2),
    "Rooted$BehindGlobal": ("3", "0", 1),
    "Rooted$LocalOfNative": ("2", "0", 1),
    "Rooted$StoredByNative": ("2", "0", 1),
}


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"lifetimes-{jdk.version}")
    names = (*_ALONE, "Watch", *_WATCHED)
    sources = {name: (_SOURCES / f"{name}.java").read_text(encoding="utf-8") for name in names}
    sources |= {f"Made{seed}": generated_lives(f"Made{seed}", seed) for seed in _SEEDS}
    compile_java(jdk, directory / "classes", **sources)
    return Recorder(directory, jdk, warm_dump(jdk))


def _difference(
    recorder: Recorder,
    program: str,
    tick: int,
    least: int = 10,
    options: tuple[str, ...] = ("--probes", "lifetimes"),
) -> tuple[Lives, Lives]:
    """Which objects only the recording has, and which only the collector, with their ticks.

    More than ``least`` are compared.
    """
    gone = collected(recorder, program)
    lived = recorded(record(recorder, program, options=options), tick, seen=gone)
    assert lived.total() > least
    return lived - gone, gone - lived


def test_each_object_lives_as_long_as_the_collector_finds(recorder: Recorder) -> None:
    # GIVEN a program that lets go of objects in every way, and finds out itself when they are gone
    # WHEN it is recorded, without that
    more, fewer = _difference(recorder, "Reachable", 1 << 20, least=150)
    # THEN each object lives the same number of ticks
    assert more == fewer == Counter()


@pytest.mark.parametrize("program", _WATCHED)
def test_objects_of_programs_live_as_long(recorder: Recorder, program: str) -> None:
    more, fewer = _difference(recorder, program, 4 << 20)
    assert more == fewer == Counter()


@pytest.mark.parametrize("seed", _SEEDS)
def test_objects_of_generated_programs_live_as_long(recorder: Recorder, seed: int) -> None:
    # GIVEN a program made at random, with many references that only the operand stack has
    more, fewer = _difference(recorder, f"Made{seed}", 4 << 20, least=5)
    # THEN they differ only in objects that no constructor was reached for, which nobody can watch
    lost = Counter({name: count for (name, how), count in fewer.items() if how == "unconstructed"})
    assert fewer.total() == lost.total()
    unwatched: Counter[str] = Counter()
    for (name, _), count in more.items():
        unwatched[name] += count
    assert unwatched == lost


def test_a_log_that_was_packed_is_whole(recorder: Recorder) -> None:
    # GIVEN a program that keeps 300,000 objects which no frame refers to when the next one is made
    run = record(recorder, "Kept")
    with jvmscope.open(run) as opened:
        lived = "SELECT type, n_objects, sum_lifetime_bytes FROM object_lifetime"
        rows = [*opened.query(f"{lived} WHERE type LIKE 'Kept$%' ORDER BY type").rows()]
        ((n_objects, n_records, log_bytes, disk_bytes),) = opened.query("FROM lifetime_log").rows()
    entries = [row for row in rows if row[0] == "Kept$Entry"]
    # THEN they live until their array is gone, though the log is read in parts: each pair of an
    # entry and what is dropped beside it took 32 bytes, and the main method ends soon after
    assert sum(row[1] for row in entries) == 300_000
    rest = sum(row[2] for row in entries) / 300_000 - 32 * 299_999 / 2
    assert 0 < rest < 4096
    assert [row[1:] for row in rows if row[0] == "Kept$Gone"] == [(300_000, 0)]
    # AND most of the log is packed, to less than three of the sixteen bytes of a record
    assert n_objects > 600_000
    assert n_records > 900_000
    in_ring = 8 << 20
    assert log_bytes < in_ring + 3 * (n_records - in_ring // 16)
    assert disk_bytes > log_bytes + 8 * n_objects


def test_what_is_alive_is_what_the_collector_leaves(recorder: Recorder) -> None:
    # GIVEN a program that keeps more and fewer objects, and finds out itself how many bytes the
    # collector leaves of the heap at the end of each phase
    measured = recorder.directory / "phases.txt"
    # its collector leaves some garbage where it is, if it does not have to compact all
    options = (*COLLECTING, "-XX:MarkSweepAlwaysCompactCount=1", "-cp", "classes")
    command = [recorder.jdk.java, *options, "Phases", measured]
    subprocess.run(command, cwd=recorder.directory, check=True, capture_output=True)
    used = [int(line) for line in measured.read_text(encoding="utf-8").split()]
    # WHEN it is recorded without that, and allocates an array of 4 MiB instead
    run = record(recorder, "Phases")
    with jvmscope.open(run) as opened:
        values = opened.query(_OF_BOTH)
        assert [*values.rows()] == [(0, 0, True)]
        text = catalogue()["objects.live_curve"].text
        curve = [*opened.query(text, params={"parts": 1 << 30}).rows()]
        quiet = [row[6] for row in curve if row[1] == row[3] == 0]
    # THEN as many bytes are alive in the middle of each array, up to what measuring allocates
    levels = [quiet[0]] + [after for before, after in pairwise(quiet) if before != after]
    assert len(levels) == len(used) == 8
    kept = [after - before for before, after in pairwise(levels[1:])]
    left = [after - before for before, after in pairwise(used[1:])]
    assert max(abs(one - other) for one, other in zip(kept, left, strict=True)) < 512
    assert min(map(abs, kept)) > 400_000


def test_frames_that_have_not_returned_keep_their_objects(recorder: Recorder) -> None:
    run = record(recorder, "Endings", status=3)
    assert recorded(run, 1 << 20, "Endings") == {
        ("Endings$Held", "alive"): 2,  # by main, which calls exit, and by a thread that waits
        ("Endings$Gone", "1"): 3,  # the same methods have let go of them, and one that threw
        ("Endings$Thrown", "0"): 1,
    }


@pytest.mark.parametrize("how", _EVERY_END)
def test_what_a_program_held_when_it_ended_is_alive(recorder: Recorder, how: str) -> None:
    # GIVEN a program that ends in a call, while a variable, an operand and a thread wait
    options, status = _ENDS[how]
    # WHEN it is recorded
    lived = recorded(record(recorder, *options, "Ends", how, status=status), 1 << 20, "Ends")
    # THEN what they refer to is alive, and what had been let go of is not
    assert {key: n for key, n in lived.items() if key[0] != "Ends$Listed"} == {
        ("Ends$Gone", "1"): 1,
        ("Ends$Waiting", "alive"): 1,
        ("Ends$Held", "alive"): 1,
        ("Ends$Operand", "alive"): 1,
    }
    assert (lived["Ends$Listed", "alive"] > 20) == ("memory" in how)


def test_an_error_of_memory_that_nobody_catches_ends_the_frame_of_main(recorder: Recorder) -> None:
    # GIVEN a program that fills a static list with objects of a MiB until there is no memory
    # WHEN it is recorded
    lived = recorded(record(recorder, "-Xmx64m", "Ends", "fill", status=1), 1 << 20, "Ends")
    # THEN what main referred to lived until then, about as many MiB as are in the list
    n_listed = lived["Ends$Listed", "alive"]
    assert n_listed > 20
    for name in ("Ends$Held", "Ends$Operand"):
        ((ticks, n),) = ((int(ticks), n) for (held, ticks), n in lived.items() if held == name)
        assert n == 1
        assert abs(ticks - 2 - n_listed) <= 1
    # AND what a waiting thread and a static field refer to is alive
    assert lived["Ends$Waiting", "alive"] == 1
    assert lived["Ends$Gone", "1"] == 1


@pytest.mark.parametrize("kind", ["platform", "virtual"])
def test_objects_of_threads_that_allocate_at_once(recorder: Recorder, kind: str) -> None:
    # GIVEN threads that make, keep and hand over objects at the same time, between two ticks
    if kind == "virtual" and recorder.jdk.version < 21:
        pytest.skip("no virtual threads")
    gone = collected(recorder, "Crowd")
    # WHEN they are recorded
    lived = recorded(record(recorder, "Crowd", kind), 4 << 20, seen=gone)
    # THEN the objects of each thread, which are of its own classes, live as long
    assert lived.total() > 7000
    assert lived == gone


def test_what_native_code_alone_refers_to_is_apart(recorder: Recorder) -> None:
    # GIVEN objects that references, finalizers, tables of the VM and native code hold
    library = str(agent_library(recorder.jdk, "rooted", BUILD, folder=_SOURCES))
    gone = collected(recorder, "Rooted", library)
    # WHEN they are recorded
    lived = recorded(record(recorder, "Rooted", library), 4 << 20, seen=gone)
    # THEN those that native code alone refers to have died when the program let go of them
    for name, (held, let_go, n) in _OF_NATIVE.items():
        assert gone.pop((name, held)) == n
        assert lived.pop((name, let_go)) == n
    # AND all others live as long as the collector finds
    assert gone.total() == 15
    assert lived == gone


@pytest.mark.parametrize("beside", _BESIDE)
def test_lifetimes_beside_other_options(recorder: Recorder, beside: str) -> None:
    # GIVEN other probes, one of the user's own that keeps what it sees, and other ways to record
    # WHEN lifetimes are recorded beside them
    more, fewer = _difference(recorder, "Reachable", 1 << 20, 150, _BESIDE[beside])
    # THEN each object lives the same number of ticks
    assert more == fewer == Counter()


def test_a_vm_that_lifetimes_do_not_fit_has_one_error(recorder: Recorder) -> None:
    # GIVEN a VM with headers that have no room for the numbers of objects
    if recorder.jdk.version < 25:
        pytest.skip("no compact headers")
    # WHEN its program is to be recorded
    words = ("java", "-XX:+UseCompactObjectHeaders", "-cp", "classes", "Phases")
    outcome = recorder.record(*words, options=("--probes", "lifetimes"))
    # THEN the program does not start, and the reason is told in one line
    errors = [line for line in outcome.stderr.splitlines() if line.startswith("error: ")]
    assert (outcome.status, outcome.stdout, len(errors)) == (125, "", 1), outcome.stderr
    assert "numbers do not fit into the headers of objects" in errors[0]
    assert "Exception" not in outcome.stderr
    # AND nothing is kept that would have to be read
    assert "recover" not in outcome.stderr
    assert "no run was written" in outcome.stderr

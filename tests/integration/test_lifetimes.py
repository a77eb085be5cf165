"""Lifetimes: against a collector that runs at every tick of the program."""

from __future__ import annotations

import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.generated_lives import generated_lives
from support.long import IS_LONG
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_SOURCES = PROGRAMS / "lifetimes"
# What has a tick of one MiB of its own; and what has one of four, by `Watch`.
_ALONE = ("Reachable", "Endings", "Kept", "Killed")
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
_SEEDS = range(60) if IS_LONG else (6, 10)
_LIVED = """
    SELECT type, lifetime_bytes, SUM(n_objects)::INTEGER FROM object_lifetime
    WHERE (type = '{0}' OR type LIKE '{0}$%') AND type NOT LIKE '%$$Lambda%' GROUP BY ALL
"""
_COLLECTING = ("-Xint", "-XX:+UseSerialGC", "-Xmx128m")


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"lifetimes-{jdk.version}")
    names = (*_ALONE, "Watch", *_WATCHED)
    sources = {name: (_SOURCES / f"{name}.java").read_text(encoding="utf-8") for name in names}
    sources |= {f"Made{seed}": generated_lives(f"Made{seed}", seed) for seed in _SEEDS}
    compile_java(jdk, directory / "classes", **sources)
    return Recorder(directory, jdk, warm_dump(jdk))


def _record(recorder: Recorder, *words: str, status: int = 0) -> Path:
    outcome = recorder.record("java", "-cp", "classes", *words, options=("--probes", "lifetimes"))
    assert outcome.status == status, outcome.stderr
    return recorder.directory / outcome.run


def _recorded(run: Path, program: str, tick: int) -> Counter[tuple[str, str]]:
    """Objects by class and the whole ticks of their lives."""
    lived: Counter[tuple[str, str]] = Counter()
    with jvmscope.open(run) as opened:
        for name, lifetime, count in opened.query(_LIVED.format(program)).rows():
            lived[name, "alive" if lifetime is None else str(lifetime // tick)] += count
    return lived


def _collected(recorder: Recorder, program: str) -> Counter[tuple[str, str]]:
    """The same, as the collector finds it."""
    command = [recorder.jdk.java, *_COLLECTING, "-cp", "classes", program, "collected.txt"]
    subprocess.run(command, cwd=recorder.directory, check=True, capture_output=True)
    lines = (recorder.directory / "collected.txt").read_text(encoding="utf-8").splitlines()
    return Counter((name, ticks) for name, ticks in map(str.split, lines))


def _difference(
    recorder: Recorder, program: str, tick: int, least: int = 10
) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """Which objects only the recording has, and which only the collector, with their ticks.

    More than ``least`` are compared.
    """
    collected = _collected(recorder, program)
    recorded = _recorded(_record(recorder, program), program, tick)
    seen = {name for name, _ in collected}
    lived = Counter({key: count for key, count in recorded.items() if key[0] in seen})
    assert lived.total() > least
    return lived - collected, collected - lived


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
    run = _record(recorder, "Kept")
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


def test_frames_that_have_not_returned_keep_their_objects(recorder: Recorder) -> None:
    run = _record(recorder, "Endings", status=3)
    assert _recorded(run, "Endings", 1 << 20) == {
        ("Endings$Held", "alive"): 2,  # by main, which calls exit, and by a thread that waits
        ("Endings$Gone", "1"): 3,  # the same methods have let go of them, and one that threw
        ("Endings$Thrown", "0"): 1,
    }


def test_what_a_killed_program_holds_is_alive(recorder: Recorder) -> None:
    # GIVEN a program that is killed in a call, while a variable and an operand of the caller wait
    # WHEN it is recorded
    run = _record(recorder, "Killed", status=137)
    # THEN they are alive, and what had been let go of is not
    assert _recorded(run, "Killed", 1 << 20) == {
        ("Killed$Held", "alive"): 1,
        ("Killed$Operand", "alive"): 1,
        ("Killed$Gone", "1"): 1,
    }

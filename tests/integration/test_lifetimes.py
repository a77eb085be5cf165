"""Lifetimes: against a collector that runs at every tick of the program."""

from __future__ import annotations

import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.toolchain import PROGRAMS
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_TICK = 1 << 20
_LIVED = """
    SELECT type, lifetime_bytes, SUM(n_objects)::INTEGER FROM object_lifetime
    WHERE type LIKE '{}$%' AND type NOT LIKE '%$$Lambda%' GROUP BY ALL
"""
_COLLECTING = ("-Xint", "-XX:+UseSerialGC", "-Xmx64m")


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = request.param
    directory = tmp_path_factory.mktemp(f"lifetimes-{jdk.version}")
    names = ("Reachable", "Endings")
    sources = {
        name: (PROGRAMS / "lifetimes" / f"{name}.java").read_text(encoding="utf-8")
        for name in names
    }
    compile_java(jdk, directory / "classes", **sources)
    return Recorder(directory, jdk, warm_dump(jdk))


def _record(recorder: Recorder, *words: str, status: int = 0) -> Path:
    outcome = recorder.record("java", "-cp", "classes", *words, options=("--probes", "lifetimes"))
    assert outcome.status == status, outcome.stderr
    return recorder.directory / outcome.run


def _recorded(run: Path, program: str) -> Counter[tuple[str, str]]:
    """Objects by class and the whole ticks of their lives."""
    lived: Counter[tuple[str, str]] = Counter()
    with jvmscope.open(run) as opened:
        for name, lifetime, count in opened.query(_LIVED.format(program)).rows():
            lived[name, "alive" if lifetime is None else str(lifetime // _TICK)] += count
    return lived


def _collected(recorder: Recorder, program: str) -> Counter[tuple[str, str]]:
    """The same, as the collector finds it."""
    command = [recorder.jdk.java, *_COLLECTING, "-cp", "classes", program, "collected.txt"]
    subprocess.run(command, cwd=recorder.directory, check=True, capture_output=True)
    lines = (recorder.directory / "collected.txt").read_text(encoding="utf-8").splitlines()
    return Counter((name, ticks) for name, ticks in map(str.split, lines))


def test_each_object_lives_as_long_as_the_collector_finds(recorder: Recorder) -> None:
    # GIVEN a program that lets go of objects in every way, and finds out itself when they are gone
    collected = _collected(recorder, "Reachable")
    # WHEN it is recorded, without that
    recorded = _recorded(_record(recorder, "Reachable"), "Reachable")
    # THEN each object lives the same number of ticks
    seen = {name for name, _ in collected}
    lived = Counter({key: count for key, count in recorded.items() if key[0] in seen})
    assert lived - collected == Counter()
    assert collected - lived == Counter()
    assert sum(collected.values()) > 150


def test_frames_that_have_not_returned_keep_their_objects(recorder: Recorder) -> None:
    recorded = _recorded(_record(recorder, "Endings", status=3), "Endings")
    assert recorded == {
        ("Endings$Held", "alive"): 2,  # by main, which calls exit, and by a thread that waits
        ("Endings$Gone", "1"): 3,  # the same methods have let go of them, and one that threw
        ("Endings$Thrown", "0"): 1,
    }

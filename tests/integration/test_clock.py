"""`record --clock steps`: clocks by hand, every way to wait, harnesses that print times."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from integration.recording import Outcome
    from oracle.toolchain import Jdk

JDKS = jdks(with_21=True)
_STEPS = ("--clock", "steps")
_REPEATS = 10 if os.environ.get("JVMSCOPE_TEST_LONG") else 2
_BY_JDK = pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")


def _recorder(jdk: Jdk, directory: Path, name: str) -> Recorder:
    source = (PROGRAMS / "clock" / f"{name}.java").read_text(encoding="utf-8")
    compile_java(jdk, directory / "classes", options=("-encoding", "UTF-8"), **{name: source})
    return _brief(jdk, directory)


def _brief(jdk: Jdk, directory: Path) -> Recorder:
    brief = brief_jdk(jdk, BUILD)
    return Recorder(directory, brief, warm_dump(brief))


def _bare(recorder: Recorder, name: str) -> str:
    """What the program prints when nothing records it, and its threads go on as late as they do."""
    command = [recorder.jdk.java, "-cp", "classes", name, "real"]
    return subprocess.run(
        command, cwd=recorder.directory, capture_output=True, text=True, check=True, timeout=120
    ).stdout


def _digests(outcome: Outcome) -> dict[str, str]:
    return {name: facts.sha256 for name, facts in outcome.manifest.tables.items()}


@_BY_JDK
def test_clocks_by_hand(jdk: Jdk, tmp_path: Path) -> None:
    recorder = _recorder(jdk, tmp_path, "Clocks")

    outcome = recorder.record("java", "-cp", "classes", "Clocks", options=_STEPS)

    assert outcome.stdout.splitlines() == [
        "spent 0: 32",
        "spent 1000: 10032",
        "slept: true",
        "slept by a subclass: true",
        "day: 2026-01-01T00:00",
        "a thread begins when it is started: near",
        "who joins a thread goes on at its end: near",
        "it worked: true",
        "who is notified goes on when that was: near",
        "who is unparked goes on when that was: near",
        "who is interrupted goes on when that was: near",
        "side by side: 10000032 10000032",
    ]
    assert outcome.manifest.options["clock"] == "steps"


@_BY_JDK
def test_clocks_go_on_as_ever_outside_of_what_is_recorded(jdk: Jdk, tmp_path: Path) -> None:
    recorder = _recorder(jdk, tmp_path, "Stages")
    command = ("java", "-cp", "classes", "Stages")

    whole = recorder.record(*command, options=_STEPS)
    part = recorder.record(*command, options=(*_STEPS, "--from", "Stages.measured"))

    assert part.stdout == whole.stdout
    assert "loops: 9031 9031" in whole.stdout


@pytest.mark.parametrize(
    ("name", "jdk"),
    [
        (name, jdk)
        for name, oldest in (("Waits", 17), ("VirtualWaits", 21))
        for jdk in JDKS
        if jdk.version >= oldest
    ],
    ids=lambda value: value if isinstance(value, str) else f"jdk{value.version}",
)
def test_whatever_waits_or_polls_ends_as_without_recording(
    jdk: Jdk, name: str, tmp_path: Path
) -> None:
    recorder = _recorder(jdk, tmp_path, name)

    outcome = recorder.record("java", "-cp", "classes", name, options=_STEPS)

    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout.splitlines() == _bare(recorder, name).splitlines()
    assert " but " not in outcome.stdout


@pytest.mark.parametrize(
    ("words", "jdk"),
    [
        (words, jdk)
        for words, oldest in (((), 17), (("virtual",), 21))
        for jdk in JDKS
        if jdk.version >= oldest
    ],
    ids=lambda value: "-".join(value) or "platform" if isinstance(value, tuple) else value.version,
)
def test_who_takes_a_message_is_no_earlier_than_who_sent_it(
    jdk: Jdk, words: tuple[str, ...], tmp_path: Path
) -> None:
    recorder = _recorder(jdk, tmp_path, "Messages")

    outcome = recorder.record("java", "-cp", "classes", "Messages", *words, options=_STEPS)

    lines = outcome.stdout.splitlines()
    assert outcome.status == 0, outcome.stderr
    assert len(lines) > 100
    assert [line for line in lines if not line.endswith((": near", ": near, ended"))] == []


@_BY_JDK
def test_recordings_of_a_harness_that_prints_its_times_are_one_set_of_tables(
    jdk: Jdk, tmp_path: Path
) -> None:
    recorder = _recorder(jdk, tmp_path, "Harness")

    outcomes = [
        recorder.record("java", "-cp", "classes", "Harness", options=_STEPS)
        for _ in range(_REPEATS)
    ]

    assert {outcome.status for outcome in outcomes} == {0}
    assert len({outcome.stdout for outcome in outcomes}) == 1
    assert all(_digests(outcome) == _digests(outcomes[0]) for outcome in outcomes)


def test_the_clock_of_main_is_its_bytecodes(tmp_path: Path) -> None:
    """GIVEN a program that prints its first reading, THEN that is what the tables count before."""
    first = (
        "public class First { public static void main(String[] args) {"
        " long t = System.nanoTime(); System.out.println(t); } }"
    )
    compile_java(JDKS[0], tmp_path / "classes", First=first)
    recorder = _brief(JDKS[0], tmp_path)
    outcome = recorder.record("java", "-cp", "classes", "First", options=_STEPS)

    with jvmscope.open(tmp_path / outcome.run) as run:
        ((n_bytecodes, n_readings),) = run.query(
            """
            WITH here AS (
                SELECT x.context_id, x.size FROM context AS x
                JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
                WHERE c.name = 'First' AND m.name = 'main'
            )
            SELECT SUM(x.n_bytecodes)::BIGINT,
                   SUM(x.n_calls) FILTER (m.name IN ('nanoTime', 'currentTimeMillis'))::BIGINT
            FROM context AS x JOIN thread AS t USING (thread_id)
            JOIN method AS m USING (method_id), here
            WHERE t.name = 'main'
              AND x.context_id NOT BETWEEN here.context_id + 1 AND here.context_id + here.size - 1
            """
        ).rows()

    clock = int(outcome.stdout) - 10**12
    after_main = 1000  # the end of the VM
    assert 0 <= n_bytecodes + 25 * (n_readings + 1) - clock < after_main


def test_a_class_that_is_not_counted_reads_the_same_clock(tmp_path: Path) -> None:
    library = "public class Library { static long now() { return System.nanoTime(); } }"
    main = (
        "public class Main { public static void main(String[] args) {"
        " long a = System.nanoTime(), b = Library.now(), c = System.nanoTime();"
        ' System.out.println((a < b && b < c) + " " + (c - a < 1_000_000)); } }'
    )
    compile_java(JDKS[-1], tmp_path / "classes", Library=library, Main=main)
    recorder = _brief(JDKS[-1], tmp_path)
    options = (*_STEPS, "--exclude", "Library")

    outcome = recorder.record("java", "-cp", "classes", "Main", options=options)

    assert outcome.stdout == "true true\n"


@_BY_JDK
def test_an_overflow_in_a_wait_keeps_nobody_else_from_waiting(jdk: Jdk, tmp_path: Path) -> None:
    recorder = _recorder(jdk, tmp_path, "FullStackWaits")

    outcome = recorder.record("java", "-cp", "classes", "FullStackWaits", options=_STEPS)

    assert outcome.status == 0, outcome.stderr
    expected = ["notify", "notifyAll", "wait", "overflows: true", "others wait", "others notify"]
    assert outcome.stdout.splitlines() == expected

"""A watch run and a recorded run of one program: times per call and per bytecode, by hand."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import Recorder, jdks
from oracle.toolchain import PROGRAMS, Jdk
from support.forked import run_jvmscope
from support.watched_rows import write_watched

from jvmscope.errors import RunError
from jvmscope.queries import Engine
from jvmscope.schema.manifest import read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CALLS = 200
_BUSY_NS = 500_000
_LONG_S = 120.0
_PROBES = (
    "Timed.*",
    "Timed$Made.<init>",
    "Timed.count(int n) when n == 10",
    "java.io.BufferedReader.ready",
)
_COUNT = ("Timed", "count", "(I)I")


@pytest.fixture(scope="module")
def jdk() -> Jdk:
    return jdks()[0]


@pytest.fixture(scope="module")
def recorded(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One line comes in."""
    directory = tmp_path_factory.mktemp("recorded")
    source = (PROGRAMS / "watch" / "Timed.java").read_text()
    recorder = Recorder.of(jdk, directory, Timed=source)
    outcome = recorder.record("java", "-cp", "classes", "Timed", stdin="once\n")
    return directory / outcome.run


@pytest.fixture(scope="module")
def watched(recorded: Path, jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same classes, and one line comes in while they have probes."""
    run = tmp_path_factory.mktemp("watched") / "a.watch"
    classes = recorded.parents[1] / "classes"
    program = subprocess.Popen(
        [str(jdk.home / "bin" / "java"), "-cp", str(classes), "Timed"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    with program:
        assert program.stdout.readline() == "ready\n"
        probes = [word for text in _PROBES for word in ("--probe", text)]
        command = [sys.executable, "-m", "jvmscope", "watch", "-q", *probes, "-o", str(run)]
        watcher = subprocess.Popen([*command, str(program.pid)])
        ends = time.monotonic() + _LONG_S
        while watcher.poll() is None and not _has_probes(run):
            assert time.monotonic() < ends
            time.sleep(0.05)
        program.communicate("once\n", timeout=_LONG_S)
        assert watcher.wait(_LONG_S) == 0
    return run


def _has_probes(run: Path) -> bool:
    return (run / "run.json").exists() and read_manifest(run).tables["probe_method"].rows > 0


@pytest.fixture(scope="module")
def engine(watched: Path, recorded: Path) -> Iterator[Engine]:
    with Engine(watched, beside=recorded) as opened:
        yield opened


def _rows(engine: Engine, query: str) -> list[tuple[Any, ...]]:
    return list(engine.query(query).rows())


def test_counts_are_those_worked_out(engine: Engine) -> None:
    """Of main, which still runs when it gets its probe, no call is measured."""
    query = """
        SELECT name, n_calls, recorded_calls, recorded_bytecodes, reason FROM measured_method
        WHERE probe = 'Timed.*' AND name NOT IN ('busy', '<init>') ORDER BY name
    """
    of_main = """
        SELECT n_bytecodes FROM measured_method JOIN recorded.outermost USING (method_id)
        WHERE name = 'main'
    """
    ((n_main,),) = _rows(engine, of_main)

    assert _rows(engine, query) == [
        ("count", 2 * _CALLS, 2 * _CALLS, _CALLS * (909 + 99), None),
        ("main", None, 1, n_main, "no call of it was measured"),
        ("nested", _CALLS, _CALLS, _CALLS * (21 + 6 + 99), None),
        ("never", None, None, None, "the recorded run has no call of it"),
        ("overloaded", _CALLS, _CALLS, _CALLS * 6, None),
    ]


def test_classes_match_by_content(engine: Engine) -> None:
    """The VM gives the agent files with other constants than those of javac and the JDK."""
    query = """
        SELECT class_name, loader, matched_by, known_by, reason FROM class_match
        WHERE class_name IN ('Timed', 'java/io/BufferedReader') ORDER BY class_name
    """

    assert _rows(engine, query) == [
        ("Timed", "app", "content", "the VM", None),
        ("java/io/BufferedReader", "boot", "content", "the VM", None),
    ]


def test_times_are_those_of_the_program(engine: Engine) -> None:
    """An invocation that nothing has interrupted takes what the program wants it to take."""
    of_busy = """
        SELECT MIN(least_ns) FROM probe_time JOIN probe_method USING (probe_method_id)
        WHERE name = 'busy'
    """
    ((least,),) = _rows(engine, of_busy)
    divided = """
        SELECT total_ns, n_calls, ns_per_call, ns_per_bytecode, recorded_bytecodes FROM
        measured_method WHERE reason IS NULL
    """

    assert _BUSY_NS <= least < 1.02 * _BUSY_NS
    for total, n, per_call, per_bytecode, n_bytecodes in _rows(engine, divided):
        assert per_call == pytest.approx(total / n)
        assert per_bytecode == pytest.approx(total / n_bytecodes)


def test_a_conditional_probe_is_not_divided_by_counts(engine: Engine) -> None:
    query = "SELECT n_calls, ns_per_bytecode, reason FROM measured_method WHERE probe LIKE '%when%'"

    reason = "the probe has a condition, the counts have none"
    assert _rows(engine, query) == [(_CALLS, None, reason)]


def test_a_constructor_is_not_divided_by_counts(engine: Engine) -> None:
    """That of its superclass is counted, but runs before the measurement begins."""
    query = """
        SELECT n_calls, recorded_calls, recorded_bytecodes, ns_per_bytecode, reason
        FROM measured_method WHERE class_name = 'Timed$Made'
    """

    reason = "the time begins behind the call of another constructor, the counts do not"
    n_bytecodes = 8 + (5 + 3 * 101 + 7 * 100)  # of Made, and of Base with its tests and rounds
    assert _rows(engine, query) == [(_CALLS, _CALLS, _CALLS * n_bytecodes, None, reason)]


def _written(tmp_path: Path, recorded: Path, *, more_bytes: int = 0) -> Engine:
    """A watch run written by hand, of samples in `count` and a probe in it."""
    with Engine(recorded) as engine:
        query = """
            SELECT m.size_bytes, first_line, last_line FROM method AS m JOIN class USING (class_id)
            WHERE class.name = 'Timed' AND m.name = 'count'
        """
        ((code_bytes, first, last),) = _rows(engine, query)
    rows = {
        "vm_method": [(0, *_COUNT, False)],
        "stack_frame": [
            (0, 0, 0, 0, first, "Interpreted"),
            (1, 0, 0, 9, first + 2, "Interpreted"),
            (2, 0, 0, 9, last + 1, "Interpreted"),
        ],
        "execution_sample": [
            (time, 0, stack, False, "") for time, stack in enumerate((0, 1, 1, 2))
        ],
        "probe": [(0, "Timed.count", False)],
        "probe_method": [(0, 0, 0, *_COUNT, None, code_bytes + more_bytes, first, last)],
        "probe_time": [(0, 9, 0, None, False, 4, None, 2016, 500, 510)],
    }
    write_watched(tmp_path, rows=rows)
    return Engine(tmp_path, beside=recorded)


def test_nanoseconds_per_bytecode(tmp_path: Path, recorded: Path) -> None:
    """504 ns a call, which executes (909 + 99) / 2 bytecodes."""
    with _written(tmp_path, recorded) as engine:
        query = "SELECT ns_per_call, ns_per_bytecode FROM measured_method"
        assert _rows(engine, query) == [(504.0, 1.0)]


def test_other_code_of_the_same_name_is_not_joined(tmp_path: Path, recorded: Path) -> None:
    with _written(tmp_path, recorded, more_bytes=1) as engine:
        query = "SELECT ns_per_call, ns_per_bytecode, reason FROM measured_method"
        assert _rows(engine, query) == [(504.0, None, "its code is another one")]


def test_samples_are_of_blocks_with_counts(tmp_path: Path, recorded: Path) -> None:
    """The loop's body runs 110 times a round; a line outside of the method is of other code."""
    with _written(tmp_path, recorded) as engine:
        query = """
            SELECT first_offset, n_executions, form, tier, n_samples FROM sampled_block ORDER BY ALL
        """
        assert _rows(engine, query) == [
            (0, 2 * _CALLS, "Interpreted", None, 1),
            (9, 110 * _CALLS, "Interpreted", None, 2),
        ]


def test_only_a_recorded_run_stands_beside_a_watch_run(watched: Path, recorded: Path) -> None:
    with pytest.raises(RunError, match="not a recorded run"):
        Engine(watched, beside=watched)
    with pytest.raises(RunError, match="not a watch run, so no recorded run"):
        Engine(recorded, beside=recorded)


def test_the_command_line_has_it(watched: Path, recorded: Path) -> None:
    query = "SELECT COUNT(*) AS n FROM measured_method, recorded.class WHERE FALSE"
    words = ["query", str(watched), "--with", str(recorded), query, "--format", "csv"]
    asked = run_jvmscope(
        words, directory=recorded.parent, environment=os.environ, timeout_s=_LONG_S
    )

    assert (asked.returncode, asked.stdout.split()) == (0, [b"n", b"0"])

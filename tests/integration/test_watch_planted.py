"""A planted bottleneck is found, and none where there is none; input and output are counted."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from integration.recording import compile_java, jdks
from oracle.toolchain import PROGRAMS, Jdk
from support.forked import run_jvmscope
from support.stepped_program import JVMSCOPE, running

from jvmscope.queries import Engine
from jvmscope.reports.faces.blocks import Grid
from jvmscope.reports.watched.locks import lock_blocks
from jvmscope.schema.manifest import MANIFEST_NAME, read_manifest

_LONG_S = 120.0
_POLL_S = 0.05
_MOST_ROUNDS = 80
_READS, _WRITES, _BYTES = 5, 7, 1000


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def planted(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path, dict[str, int]]:
    """A watch of the bottleneck, one while nothing is scarce, and the waits the program knows."""
    jdk: Jdk = request.param
    directory = tmp_path_factory.mktemp("planted")
    source = (PROGRAMS / "watch" / "Planted.java").read_text(encoding="utf-8")
    classes = compile_java(jdk, directory, Planted=source)
    busy, calm = directory / "busy.watch", directory / "calm.watch"
    command = [str(jdk.home / "bin" / "java"), "-cp", str(classes), "Planted"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        waits = _watched(process, busy, ["files", "sockets", "lock", "lock"], "--io")
        _watched(process, calm, ["calm"], "--refine")
        process.communicate(timeout=_LONG_S)
    return busy, calm, waits


def _steps(run: Path) -> list[tuple[Any, ...]]:
    """The steps of the search so far, also while the run grows."""
    if not (run / MANIFEST_NAME).exists():
        return []
    with Engine(run) as engine:
        query = "SELECT name, depth, caller, time_share, outcome FROM probe_step ORDER BY depth"
        return list(engine.query(query).rows())


def _searched(jdk: Jdk, tmp_path: Path, last: str, *refining: str) -> list[tuple[Any, ...]]:
    """The steps of a search while threads pass a gate, and hold it while they mix."""
    run = tmp_path / "a.watch"
    source = (PROGRAMS / "watch" / "Planted.java").read_text(encoding="utf-8")
    classes = compile_java(jdk, tmp_path, Planted=source)
    command = [str(jdk.home / "bin" / "java"), "-cp", str(classes), "Planted"]
    words = ["watch", *refining, "--refine-probes", "8", "-o", str(run)]
    with (
        (tmp_path / "said").open("w", encoding="utf-8") as said,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        watcher = subprocess.Popen(
            [sys.executable, "-m", "jvmscope", *words, str(process.pid)], stderr=said
        )
        process.stdin.write("lock\n" * _MOST_ROUNDS)  # more than a second each
        process.stdin.flush()
        for _ in range(_MOST_ROUNDS):
            process.stdout.readline()
            if last in {step[0] for step in _steps(run)}:
                break
        watcher.send_signal(signal.SIGINT)
        assert watcher.wait(_LONG_S) == 0
        process.kill()
    steps = _steps(run)
    told = (tmp_path / "said").read_text(encoding="utf-8")
    assert f"probes followed {refining[1] if refining[1:] else 'samples'}; " in told
    assert all(f"Planted.{name}: {outcome}\n" in told for name, *_, outcome in steps)
    return steps


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_probes_follow_the_search(jdk: Jdk, tmp_path: Path) -> None:
    """Callers come before callees, and the hidden classes of lambdas between are passed over."""
    found = _searched(jdk, tmp_path, "mixed", "--refine")
    steps = {name: (depth, caller, outcome) for name, depth, caller, _, outcome in found}
    shares = {name: share for name, _, _, share, outcome in found if outcome == "matters"}

    assert steps["lambda$lock$0"][:2] == (0, None)
    assert steps["lambda$lock$0"][2] in {"matters", "no call ended"}
    assert steps["pass"] == (1, "Planted.lambda$lock$0", "matters")
    assert steps["held"] == (2, "Planted.pass", "matters")
    assert steps["mixed"] == (3, "Planted.held", "matters")
    assert shares["pass"] > shares["held"] > 0.2  # one thread waits while the other one holds


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_probes_follow_waits_for_locks(jdk: Jdk, tmp_path: Path) -> None:
    """Threads wait in ``pass``; what they do with the lock is on no stack of a wait."""
    found = _searched(jdk, tmp_path, "pass", "--refine", "lock_wait_time")

    assert [(name, depth, caller) for name, depth, caller, _, _ in found] == [
        ("lambda$lock$0", 0, None),
        ("pass", 1, "Planted.lambda$lock$0"),
    ]
    assert found[1][4] == "matters"


def test_a_search_that_had_nothing_to_follow_says_so(jdk: Jdk, tmp_path: Path) -> None:
    source = (PROGRAMS / "watch" / "Planted.java").read_text(encoding="utf-8")
    classes = compile_java(jdk, tmp_path, Planted=source)
    with running(jdk, classes, "Planted") as process:
        words = [*JVMSCOPE, "watch", "--for", "1s", "--refine", "--refine-probes", "3"]
        said = subprocess.run(
            [*words, "-o", str(tmp_path / "a.watch"), str(process.pid)],
            stderr=subprocess.PIPE, text=True, check=True, timeout=_LONG_S,
        ).stderr  # fmt: skip

    assert "warning: no probe followed samples: 0 with methods of the program, and a" in said


def _watched(
    process: subprocess.Popen[str],
    run: Path,
    words: list[str],
    *options: str,
) -> dict[str, int]:
    """Watches the program while it does something; returns the waits that it has measured."""
    assert process.stdin is not None
    assert process.stdout is not None
    command = [sys.executable, "-m", "jvmscope", "watch", "-o", str(run), *options]
    messages = (run.parent / "said").open("w", encoding="utf-8")
    with messages, subprocess.Popen([*command, str(process.pid)], stderr=messages) as watcher:
        ends = time.monotonic() + _LONG_S
        while not (run / MANIFEST_NAME).exists():
            assert time.monotonic() < ends
            assert watcher.poll() is None
            time.sleep(_POLL_S)
        waits: dict[str, int] = {}
        for word in words:
            process.stdin.write(f"{word}\n")
            process.stdin.flush()
            waits[word] = waits.get(word, 0) + int(process.stdout.readline())
        watcher.send_signal(signal.SIGINT)
        assert watcher.wait(_LONG_S) == 0
    return waits


def _refined(run: Path, *options: str) -> list[dict[str, Any]]:
    words = ("report", str(run), "--refine", *options, "--format", "csv")
    ended = run_jvmscope(words, directory=Path.cwd(), environment=os.environ, timeout_s=_LONG_S)
    assert ended.returncode == 0, ended.stderr
    return list(csv.DictReader(ended.stdout.decode().splitlines()))


def test_the_planted_lock_is_found(planted: tuple[Path, Path, dict[str, int]]) -> None:
    busy, _, _ = planted
    rows = _refined(busy, "lock_wait_time", "--refine-threshold", "0.05")
    ends = [set(row["focus"].split(", ")) for row in rows if row["is_end"] == "true"]
    most = next(row for row in rows if row["depth"] == "3")

    assert {"/APCode/Planted/pass", "/APSyncObj/Planted$Gate"} <= ends[0]
    assert float(most["share"]) > 0.9 * float(rows[0]["share"])


def test_no_bottleneck_is_found_where_none_is(planted: tuple[Path, Path, dict[str, int]]) -> None:
    _, calm, _ = planted
    rows = _refined(calm)

    assert [row["depth"] for row in rows] == [""] * 4
    assert all(row["reason"] for row in rows)
    assert "No bottleneck: nothing takes 20 %." in (calm.parent / "said").read_text()


def test_waits_for_the_lock_are_those_of_the_program(
    planted: tuple[Path, Path, dict[str, int]],
) -> None:
    busy, _, waits = planted
    of_gate = """
        SELECT SUM(duration_ns)::BIGINT,
            SUM(duration_ns) FILTER (WHERE owner_id <> thread_id)::BIGINT
        FROM monitor_enter WHERE class_name = 'Planted$Gate'
    """
    with Engine(busy) as engine:
        ((waited, in_turn),) = engine.query(of_gate).rows()
        (grid,) = (block for block in lock_blocks(engine) if isinstance(block, Grid))

    # The program's clock also sees entries that did not wait, and what surrounds the event.
    assert 0.98 * waits["lock"] <= waited <= waits["lock"]
    # A VM that gives the monitor to a thread that did not queue yet has not noted who had it.
    shown = [row[:3] for row in grid.rows if row[0] == "Planted$Gate"]
    assert set(shown[:2]) == {
        ("Planted$Gate", "worker-0", "worker-1"),
        ("Planted$Gate", "worker-1", "worker-0"),
    }
    assert in_turn > 0.98 * waited


def test_input_and_output_are_counted(planted: tuple[Path, Path, dict[str, int]]) -> None:
    busy, calm, waits = planted
    in_file = "SELECT COUNT(*), SUM(size_bytes)::BIGINT FROM {} WHERE path LIKE '%planted%.bin'"
    by = (
        "SELECT COUNT(*), SUM(size_bytes)::BIGINT, SUM(duration_ns)::BIGINT FROM {} "
        "JOIN vm_thread ON vm_thread_id = thread_id WHERE name = '{}'"
    )
    with Engine(busy) as engine:
        read, written = (
            list(engine.query(in_file.format(table)).rows())
            for table in ("file_read", "file_write")
        )
        ((n, size, waited),) = engine.query(by.format("socket_read", "main")).rows()
        ((n_sent, size_sent, _),) = engine.query(by.format("socket_write", "sender")).rows()
    with Engine(calm) as engine:
        unseen = dict(engine.query("FROM unseen").rows())

    assert (read, written) == ([(_READS, _READS * _BYTES)], [(_WRITES, _WRITES * _BYTES)])
    assert (n, size, n_sent, size_sent) == (_READS, _READS, _READS, _READS)
    assert 0.98 * waits["sockets"] <= waited <= waits["sockets"]
    assert read_manifest(calm).options["io"] is False
    assert unseen["rows of file_read"] == "not asked for: --io"

"""JVMs that no shim saw are noticed by what they announce, and told from those of others."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from jvmscope.collector.launch.unreached import JvmWatch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_WAITS = "import sys; print(flush=True); sys.stdin.read()"


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes that end with the test."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait()
        process.stdout.close()


def _start(processes: list[subprocess.Popen[bytes]], workspace: Path, *words: str) -> int:
    """Starts a process that waits, with shims of a workspace in its environment."""
    process = subprocess.Popen(
        [sys.executable, "-c", _WAITS, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PATH": f"{workspace}/bin:/usr/bin"},
    )
    processes.append(process)
    assert process.stdout is not None
    process.stdout.readline()  # by now its words and environment are there to be read
    return process.pid


def test_what_runs_below_the_command_and_was_not_reached(
    tmp_path: Path, processes: list[subprocess.Popen[bytes]]
) -> None:
    announced, workspace = tmp_path / "hsperfdata", tmp_path / "ours"
    announced.mkdir()
    before = _start(processes, workspace)
    (announced / str(before)).touch()
    watch = JvmWatch(str(workspace), announced)

    reached, unreached = _start(processes, workspace), _start(processes, workspace)
    foreign = _start(processes, tmp_path / "theirs")
    for name in (reached, unreached, foreign, 2**22 + 5):
        (announced / str(name)).touch()
    watch.look()
    (announced / str(unreached)).unlink()
    watch.look()

    assert watch.unreached({reached}) == [f"{sys.executable} {_WAITS}"]
    assert watch.unreached({reached, unreached}) == []


def test_programs_of_one_name_are_counted(
    tmp_path: Path, processes: list[subprocess.Popen[bytes]]
) -> None:
    watch = JvmWatch(str(tmp_path / "ours"), tmp_path)
    for _ in range(3):
        (tmp_path / str(_start(processes, tmp_path / "ours"))).touch()
    watch.look()

    (told,) = watch.unreached(set())
    assert told.endswith(" (3 times)")


def test_without_announcements_nothing_is_told(tmp_path: Path) -> None:
    watch = JvmWatch(str(tmp_path), tmp_path / "nowhere")
    watch.look()

    assert watch.unreached({os.getpid()}) == []

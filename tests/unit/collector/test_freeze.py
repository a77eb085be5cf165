"""A JVM that goes on running while its recording is copied."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector import freeze as module
from jvmscope.collector.freeze import freeze
from jvmscope.collector.launch.launch_notes import LaunchNote
from jvmscope.collector.launch.machine import process_start_ticks

if TYPE_CHECKING:
    import pytest

# Threads that have work without end, most of them in system calls, as those of a busy JVM.
_BUSY = """
import os, threading
def work():
    with open(os.devnull, "wb", buffering=0) as sink:
        while True:
            sink.write(b"x" * 4096)
for _ in range(8):
    threading.Thread(target=work, daemon=True).start()
print(flush=True)
input()
"""


def note_of(pid: int, directory: Path) -> LaunchNote:
    ticks = process_start_ticks(pid)
    assert ticks is not None
    return LaunchNote(directory, 1, pid, ticks, "", "", "p.Main", "", [], [], [], "")


def states(pid: int) -> set[str]:
    """The states of a process's threads."""
    texts = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/stat")]
    return {text[text.rindex(")") + 2] for text in texts}


def test_no_thread_runs_while_its_files_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    for number in range(20):
        (raw / str(number)).write_bytes(b"content")
    command = [sys.executable, "-c", _BUSY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seen = []
        copy = module.copy_sparsely

        def observed(source: Path, target: Path) -> None:
            seen.append(states(process.pid))
            copy(source, target)

        monkeypatch.setattr(module, "copy_sparsely", observed)
        for _ in range(5):
            freeze(note_of(process.pid, tmp_path))
        assert seen == [{"T"}] * 100
        assert "T" not in states(process.pid)  # and it goes on
        process.kill()
    assert {path.read_bytes() for path in raw.iterdir()} == {b"content"}

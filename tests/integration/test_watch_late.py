"""Probes meet classes that come late or never, and threads that forget what they know."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from integration.recording import compile_java
from oracle.toolchain import PROGRAMS, Jdk
from support.stepped_program import act, calls, end, rows, running, watch

if TYPE_CHECKING:
    from pathlib import Path

_HEAP = "-Xmx48m"
_CALLS = 1_000
_TASKS = 30_000  # each with statistics of 4 KB: more than the heap has
_LONG_S = 60.0
_POOL = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2"  # on one processor, too


@pytest.fixture(scope="module")
def classes(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = (PROGRAMS / "watch" / "Late.java").read_text(encoding="utf-8")
    return compile_java(jdk, tmp_path_factory.mktemp("late"), Late=source)


def _wait_for(run: Path, query: str) -> None:
    ends = time.monotonic() + _LONG_S
    while not rows(run, query):
        assert time.monotonic() < ends, query
        time.sleep(0.2)


def test_classes_and_workers_that_come_late_are_measured(
    jdk: Jdk, classes: Path, tmp_path: Path
) -> None:
    """Each call counts, and no class is changed more than once, and once more at the end.

    GIVEN a class that is being loaded while probes are put in, one whose definition fails, and
    workers of the common pool, which forget their thread locals.
    """
    run, log = tmp_path / "a.watch", tmp_path / "log"
    options = [_HEAP, f"-Xlog:redefine+class+load=info:file={log}", _POOL]
    with running(jdk, classes, "Late", *options) as process:
        watcher = watch(process, run, "Late.task", "Late$Slow.run", "Late$Optional.<init>")
        assert act(process) == "loaded"
        _wait_for(run, "SELECT * FROM probe_method WHERE class_name = 'Late$Slow'")
        assert act(process) == "called"
        assert act(process) == "done"
        end(watcher)
        assert process.poll() is None

    assert calls(run) == {"Late.task": _TASKS, "Late$Slow.run": _CALLS}
    assert not rows(run, "SELECT * FROM unseen WHERE reason LIKE '%room%'")
    counts = re.findall(r"redefined (?:name=)?(Late[^ ,]*), count=(\d+)", log.read_text())
    changed = {name: int(count) for name, count in counts}
    assert set(changed) >= {"Late", "Late$Slow"}
    assert max(changed.values()) <= 2

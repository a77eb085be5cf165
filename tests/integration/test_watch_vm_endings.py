"""However a watched VM ends, the watch run says whether its last events are there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import compile_java
from support.forked import run_jvmscope

from jvmscope.queries import Engine
from jvmscope.schema.manifest import MANIFEST_NAME, read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from oracle.toolchain import Jdk

_LONG_S = 120.0
_POLL_S = 0.05
_PROGRAM = """
    import java.util.ArrayList;

    class Ends {
      static void exit() {
        System.exit(3);
      }

      public static void main(String[] arguments) throws Exception {
        System.out.println("ready");
        String way = "";
        for (int c; (c = System.in.read()) != '\\n'; ) way += (char) c;
        switch (way) {
          case "exit" -> exit();
          case "throw" -> throw new Exception("thrown");
          case "halt" -> Runtime.getRuntime().halt(4);
          case "fill" -> {
            for (var kept = new ArrayList<byte[]>(); ; ) kept.add(new byte[1 << 20]);
          }
          case "wait" -> Thread.sleep(1_000_000);
          default -> {}
        }
      }
    }
"""

_IN_ORDER = {
    "return": (None, "No remaining non-daemon Java threads"),
    "throw": (None, "No remaining non-daemon Java threads"),
    "exit": (None, "Shutdown requested from Java"),
    "SIGTERM": (signal.SIGTERM, "Shutdown requested from Java"),
}
_AT_ONCE = {"halt": None, "fill": None, "SIGKILL": signal.SIGKILL, "SIGSEGV": signal.SIGSEGV}


@pytest.fixture(scope="module")
def classes(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_java(jdk, tmp_path_factory.mktemp("classes"), Ends=_PROGRAM)


@pytest.fixture
def running(jdk: Jdk, classes: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The program, which ends in the way that it reads."""
    options = (f"-Djava.io.tmpdir={tmp_path}", "-Xmx64m", "-XX:+ExitOnOutOfMemoryError")
    command = [str(jdk.home / "bin" / "java"), *options, "-XX:-CreateCoredumpOnCrash"]
    with subprocess.Popen(
        [*command, "-cp", str(classes), "Ends"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        yield program
        program.kill()


@pytest.mark.parametrize("way", _IN_ORDER)
def test_a_vm_that_ends_in_order_leaves_a_complete_run(
    running: subprocess.Popen[str], tmp_path: Path, way: str
) -> None:
    number, reason = _IN_ORDER[way]

    run, said = _watched(running, tmp_path, way, number)

    manifest = read_manifest(run)
    assert (manifest.status, manifest.limits, "warning" in said) == ("complete", [], False)
    assert _rows(run, "SELECT reason FROM shutdown") == [(reason,)]
    assert _rows(run, "FROM lapse") == []
    ((why,),) = _rows(run, "SELECT reason FROM unseen WHERE subject LIKE 'compiled code that %'")
    assert why.startswith("the VM had ended before its code list was read")
    callers = """
        SELECT class_name, m.name FROM shutdown JOIN stack_frame USING (stack_id)
        JOIN vm_method AS m USING (vm_method_id) WHERE class_name = 'Ends' ORDER BY position
    """
    expected = [("Ends", "exit"), ("Ends", "main")] if way == "exit" else []
    assert _rows(run, callers) == expected


@pytest.mark.parametrize("way", _AT_ONCE)
def test_a_vm_that_ends_at_once_leaves_a_run_that_says_what_it_lacks(
    running: subprocess.Popen[str], tmp_path: Path, way: str
) -> None:
    run, said = _watched(running, tmp_path, way, _AT_ONCE[way])

    manifest = read_manifest(run)
    (limit,) = manifest.limits
    assert (manifest.status, manifest.limit_codes) == ("truncated", ["killed"])
    assert limit.startswith("the VM was killed, crashed or halted: events of the last ")
    assert f"warning: {limit}" in said
    assert _rows(run, "FROM shutdown") == []
    lapse = "SELECT start_ns, end_ns, (SELECT MAX(at_ns) FROM cpu_load) FROM lapse"
    ((start_ns, end_ns, last_ns),) = _rows(run, lapse)
    assert last_ns <= start_ns <= end_ns <= time.time_ns()
    assert _jvmscope("check", run)[0] == 0
    assert limit in _jvmscope("report", run)[1]


def _watched(
    running: subprocess.Popen[str], directory: Path, way: str, number: signal.Signals | None
) -> tuple[Path, str]:
    """Watches the program while it ends; returns the run and what the watcher has said."""
    run = directory / "a.watch"
    command = [sys.executable, "-m", "jvmscope", "watch", "-o", str(run), str(running.pid)]
    watcher = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + _LONG_S
    while not (run / MANIFEST_NAME).exists() or not _rows(run, "FROM cpu_load"):
        assert time.monotonic() < until
        time.sleep(_POLL_S)
    if number is None:
        assert running.stdin is not None
        running.stdin.write(f"{way}\n")
        running.stdin.flush()
    else:
        running.send_signal(number)
    _, said = watcher.communicate(timeout=_LONG_S)
    assert (watcher.returncode, "the VM ended" in said) == (0, True), said
    return run, said


def _rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    with Engine(run) as engine:
        return engine.connect().execute(query).fetchall()


def _jvmscope(command: str, run: Path) -> tuple[int, str]:
    """Runs a command on a run; returns its status and output, each blank as one space."""
    ended = run_jvmscope(
        [command, str(run)], directory=run.parent, environment=os.environ, timeout_s=_LONG_S
    )
    return ended.returncode, " ".join(ended.stdout.decode().split())

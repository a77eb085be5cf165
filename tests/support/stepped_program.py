"""Programs that go on line by line, and what watches them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jvmscope.queries import Engine
from jvmscope.schema.manifest import MANIFEST_NAME, read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from oracle.toolchain import Jdk

__all__ = ["JVMSCOPE", "act", "calls", "end", "line", "rows", "running", "stop", "watch"]

JVMSCOPE = [sys.executable, "-m", "jvmscope"]
_LONG_S = 120.0


@contextmanager
def running(jdk: Jdk, classes: Path, main: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A program that has said that it is ready; it is killed at the end."""
    java = [str(jdk.home / "bin" / "java"), "-XX:+UseSerialGC", *options, "-cp", str(classes)]
    process = subprocess.Popen(
        [*java, main], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert line(process) == "ready"
        yield process
    finally:
        process.kill()
        process.communicate()


def stop(pid: int) -> None:
    """Stops a child of this process; returns when all its threads stand still."""
    os.kill(pid, signal.SIGSTOP)
    os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOWAIT)


def line(process: subprocess.Popen[str]) -> str:
    """The program's next line; what the VM itself says is left out."""
    assert process.stdout is not None
    text = process.stdout.readline()
    while text.startswith(("[", "OpenJDK", "WARNING", "***")):
        text = process.stdout.readline()
    return text.rstrip("\n")


def act(process: subprocess.Popen[str]) -> str:
    """Has the program go on; returns its next line."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return line(process)


def watch(process: subprocess.Popen[str], run: Path, *probes: str) -> subprocess.Popen[str]:
    """Starts to watch; returns when the probes are in."""
    asked = [word for probe in probes for word in ("--probe", probe)]
    command = [*JVMSCOPE, "watch", "-o", str(run), *asked, str(process.pid)]
    watcher = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    ends = time.monotonic() + _LONG_S
    while not (run / MANIFEST_NAME).exists() or not read_manifest(run).tables["probe_method"].rows:
        assert time.monotonic() < ends
        assert watcher.poll() is None
        time.sleep(0.05)
    return watcher


def end(watcher: subprocess.Popen[str]) -> str:
    """Ends a watch as Ctrl-C does; returns what it said."""
    watcher.send_signal(signal.SIGINT)
    _, said = watcher.communicate(timeout=_LONG_S)
    assert watcher.returncode == 0, said
    return said


def rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    """What a query finds in a watch run."""
    with Engine(run) as engine:
        return list(engine.query(query).rows())


def calls(run: Path) -> dict[str, int]:
    """The calls that each probe has counted."""
    query = """
        SELECT p.text, SUM(n_calls) FROM probe_time JOIN probe_method USING (probe_method_id)
        JOIN probe AS p USING (probe_id) GROUP BY ALL
    """
    return dict(rows(run, query))

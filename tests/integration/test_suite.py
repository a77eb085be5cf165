"""Suites of real programs: recorded, killed and resumed, on this machine and on a cluster."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from integration.recording import compile_java, jdks

from jvmscope import cli
from jvmscope.schema import verify_run
from jvmscope.schema.manifest import read_manifest
from jvmscope.suite import open_suite

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.suite import Row

_JDK = jdks()[0]
_PROGRAM = """
public class Main {
    public static void main(String[] words) throws Exception {
        System.out.println("hello " + words[0]);
        System.err.println("to stderr");
        switch (words[0]) {
            case "throw" -> throw new IllegalStateException("as told");
            case "sleep" -> Thread.sleep(1_000_000_000L);
            case "write" -> java.nio.file.Files.writeString(java.nio.file.Path.of("x"), "y");
            // A program may remove its directory, if nothing is in it.
            case "you" -> new java.io.File(System.getProperty("user.dir")).delete();
            default -> { }
        }
    }
}
"""
_SUITE = """
schema = 1
name = "real"
[defaults]
java = "{java}"
jvm_args = ["-Xmx64m"]
expect = {{ stdout = "hello.txt" }}
[[benchmark]]
name = "good"
command = ["-cp", "{{suite}}/classes", "Main", "you"]
directory = "{{scratch}}"
"""
_BAD = """
[[benchmark]]
name = "bad"
command = ["-cp", "{suite}/classes", "Main", "throw"]
[[benchmark]]
name = "other"
command = ["-cp", "{suite}/classes", "Main", "write"]
directory = "{scratch}"
[[benchmark]]
name = "slow"
command = ["-cp", "{suite}/classes", "Main", "sleep"]
timeout = "3s"
[[benchmark]]
name = "tool"
program = "sh"
command = ["-c", "echo hello you"]
"""
_WAIT_S = 240.0


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite file with one benchmark."""
    compile_java(_JDK, tmp_path / "classes", Main=_PROGRAM)
    (tmp_path / "hello.txt").write_text("hello you\n")
    path = tmp_path / "suite.toml"
    path.write_text(_SUITE.format(java=_JDK.tool("java")))
    return path


def _rows(folder: Path) -> dict[str, Row]:
    return {row.benchmark: row for row in open_suite(folder).rows}


def test_real_programs_end_as_they_do(suite: Path, tmp_path: Path) -> None:
    suite.write_text(suite.read_text() + _BAD)
    out = tmp_path / "out"

    assert cli.run(["suite", "run", str(suite), "-o", str(out), "--jobs", "2"]) == cli.NO

    rows = _rows(out)
    assert {name: row.status for name, row in rows.items()} == {
        "good": "recorded",
        "bad": "failed",
        "other": "invalid",
        "slow": "timeout",
        "tool": "failed",
    }
    assert rows["bad"].reason == (
        'exit status 1, expected 0: Exception in thread "main" '
        "java.lang.IllegalStateException: as told"
    )
    assert "line 1: 'hello write', expected 'hello you'" in str(rows["other"].reason)
    assert rows["slow"].reason == "not done after 3 s"
    assert "no run was written" in str(rows["tool"].reason)
    good = rows["good"]
    assert good.run is not None
    assert good.log is not None
    assert verify_run(good.run) == []
    assert read_manifest(good.run).tags["benchmark"] == "good"
    assert (good.log / "stderr.txt").read_text() == "to stderr\n"
    assert good.is_validated
    assert not (tmp_path / "x").exists()


def test_killed_while_a_jvm_is_recorded(suite: Path, tmp_path: Path) -> None:
    """Whatever kills the suite, its JVM goes with it, and what was finished stays."""
    sleeper = _BAD[_BAD.index('[[benchmark]]\nname = "slow"') : _BAD.index("timeout")]
    suite.write_text(suite.read_text() + sleeper)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "jvmscope", "suite", "run", str(suite), "-o", str(out)]
    ends = {signal.SIGKILL: -signal.SIGKILL, signal.SIGTERM: 143, signal.SIGINT: cli.INTERRUPTED}
    recorded = set()
    for number, status in ends.items():
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                _until(lambda: any(jvm.endswith("Main sleep") for jvm in _jvms(tmp_path)))
            finally:
                os.kill(process.pid, number)
        assert process.returncode == status
        _until(lambda: not _jvms(tmp_path))
        rows = _rows(out)
        assert {name: row.status for name, row in rows.items()} == {
            "good": "recorded",
            "slow": "missing",
        }
        recorded.add((rows["good"].recorded, rows["good"].duration_s))

    assert len(recorded) == 1
    suite.write_text(suite.read_text().replace('"sleep"', '"you"'))
    assert cli.run(["suite", "run", str(suite), "-o", str(out), "--retry-failed"]) == cli.DONE
    assert {row.status for row in _rows(out).values()} == {"recorded"}


# A cluster leaves sockets to the garbage collector where the machine is slow.
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_a_cluster_records_real_programs(suite: Path, tmp_path: Path) -> None:
    from distributed import LocalCluster

    out = tmp_path / "out"
    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address="127.0.0.1:0",
    ) as cluster:
        engine = cluster.scheduler_address.replace("tcp://", "dask://")
        assert cli.run(["suite", "run", str(suite), "-o", str(out), "--engine", engine]) == 0
    gc.collect()

    run = _rows(out)["good"].run
    assert run is not None
    assert verify_run(run) == []


def _jvms(folder: Path) -> list[str]:
    """Returns the command lines of JVMs that run classes of a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_text().split("\0")
        except (OSError, UnicodeDecodeError):
            continue
        if words[0].endswith("java") and f"{folder}/classes" in words:
            found.append(" ".join(words).strip())
    return found


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)

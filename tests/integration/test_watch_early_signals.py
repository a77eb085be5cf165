"""A signal comes when a watch has just begun: there is a whole run, or none and a word about it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from integration.recording import compile_java
from support.stepped_program import stop

from jvmscope.schema import read_manifest
from jvmscope.watch import find_vms

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_WAITS_S = (0.0, 0.07, 0.3)
_PATIENCE_S = 60
_TICKING = """
class Ticking {
  static int work(int n) {
    return n + 1;
  }

  public static void main(String[] arguments) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.err.println("ends in order")));
    System.err.println("has begun");
    long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000;
    for (int n = 0; System.nanoTime() < end; n = work(n)) {
      Thread.sleep(1);
    }
  }
}
"""


@pytest.fixture(scope="module")
def classes(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_java(jdk, tmp_path_factory.mktemp("ticking"), Ticking=_TICKING)


def _watch(run: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "jvmscope", "watch", "-o", str(run), *words]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("probes", [(), ("--probe", "Ticking.work")], ids=["plain", "probe"])
def test_an_early_signal_leaves_a_whole_run_or_none(
    jdk: Jdk, classes: Path, tmp_path: Path, probes: tuple[str, ...], number: signal.Signals
) -> None:
    """SIGINT reaches the watch alone here; SIGTERM is passed on to the command."""
    seconds = "2" if number == signal.SIGINT else str(2 * _PATIENCE_S)
    for wait_s in _WAITS_S:
        run, said = tmp_path / f"{wait_s}.watch", tmp_path / f"{wait_s}.said"
        program = (f"{jdk.home}/bin/java", "-cp", str(classes), "Ticking", seconds)
        with said.open("wb") as file:
            command = _watch(run, *probes, "--", *program)
            watcher = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
        ends = time.monotonic() + _PATIENCE_S
        while not all(each in said.read_text() for each in ("watching Ticking", "has begun")):
            assert time.monotonic() < ends
            time.sleep(0.005)
        time.sleep(wait_s)
        watcher.send_signal(number)
        status = watcher.wait(_PATIENCE_S)
        text = said.read_text()

        assert "Exception" not in text
        assert "Agent failed" not in text
        assert text.count("ends in order") == 1, text
        if (run / "run.json").exists():
            assert read_manifest(run).status == "complete"
            assert status in (0, 128 + number), text
        else:
            assert "Next:" not in text
            assert status == 128 + number, text
            assert number == signal.SIGTERM or "no watch run: interrupted" in text


def test_a_vm_that_is_stopped_is_refused_untouched(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    program = [f"{jdk.home}/bin/java", "-cp", str(classes), "Ticking", "3"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        while process.pid not in {vm.pid for vm in find_vms() if vm.build is not None}:
            time.sleep(0.05)
        stop(process.pid)
        run = tmp_path / "a.watch"
        began = time.monotonic()
        done = subprocess.run(
            _watch(run, str(process.pid)), capture_output=True, text=True, check=False
        )
        took_s = time.monotonic() - began
        os.kill(process.pid, signal.SIGCONT)
        out, _ = process.communicate(timeout=_PATIENCE_S)

    assert done.returncode == 2
    assert "the VM is stopped" in done.stderr
    assert "kill -CONT" in done.stderr
    assert took_s < 20
    assert out == ""
    assert not run.exists()

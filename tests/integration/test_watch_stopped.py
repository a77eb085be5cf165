"""A VM that is stopped, as by SIGSTOP, does not keep a watch from its end."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import compile_java, jdks
from oracle.toolchain import PROGRAMS, Jdk
from support.stepped_program import JVMSCOPE, running, stop

from jvmscope.schema.manifest import MANIFEST_NAME, read_manifest
from jvmscope.watch import JavaVm, View, WatchOptions, find_vm, watch
from jvmscope.watch.code_cache import CodeCache
from jvmscope.watch.lease import Lease

if TYPE_CHECKING:
    from pathlib import Path

_LONG_S = 120.0
_SOON_S = 50.0  # the VM alone would keep it for 60 s
_PATIENCE_S = 3.0
_POLL_S = 0.02


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
@pytest.mark.parametrize("probes", [(), ("--probe", "Coming$Work.run")], ids=["plain", "probes"])
@pytest.mark.parametrize("number", [None, signal.SIGINT, signal.SIGTERM])
def test_a_watch_of_a_stopped_vm_ends(
    jdk: Jdk, tmp_path: Path, probes: tuple[str, ...], number: signal.Signals | None
) -> None:
    source = (PROGRAMS / "watch" / "Coming.java").read_text(encoding="utf-8")
    classes = compile_java(jdk, tmp_path / "classes", Coming=source)
    run = tmp_path / "a.watch"
    with running(jdk, classes, "Coming") as program:
        words = ["watch", "-q", "-o", str(run), *probes, *(() if number else ("--for", "2s"))]
        watcher = subprocess.Popen([*JVMSCOPE, *words, str(program.pid)])
        _await_run(run, watcher)
        stop(program.pid)
        stopped = time.monotonic()
        if number is not None:
            watcher.send_signal(number)
        status = watcher.wait(_LONG_S)
        took = time.monotonic() - stopped
        os.kill(program.pid, signal.SIGCONT)

    assert took < _SOON_S
    assert status == (128 + number if number == signal.SIGTERM else 0)
    manifest = read_manifest(run)
    assert manifest.status == "truncated"
    assert any("the VM did not answer within" in limit for limit in manifest.limits)
    assert "unfinished" not in manifest.limit_codes


def test_a_vm_that_is_seen_to_be_stopped_late_is_waited_for_once(
    jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its threads stop one by one, so that a loaded machine tells of it after a while."""
    waits: list[float] = []
    looks: list[JavaVm] = []

    def seen(vm: JavaVm) -> bool:
        looks.append(vm)
        return len(looks) > 1

    def noted(part: type[CodeCache | Lease]) -> None:
        end = part.end

        def ended(self: Any, patience_s: float) -> None:
            waits.append(patience_s)
            end(self, patience_s)

        monkeypatch.setattr(part, "end", ended)

    noted(CodeCache)
    noted(Lease)
    monkeypatch.setattr("jvmscope.watch.session._PATIENCE_S", _PATIENCE_S)
    source = (PROGRAMS / "watch" / "Coming.java").read_text(encoding="utf-8")
    classes = compile_java(jdk, tmp_path / "classes", Coming=source)
    run = tmp_path / "a.watch"
    with running(jdk, classes, "Coming") as program:
        vm = find_vm(program.pid)
        assert vm is not None
        monkeypatch.setattr(JavaVm, "is_stopped", property(seen))

        def stop_it(_: View) -> None:
            stop(program.pid)

        assert watch(vm, WatchOptions(run, seconds=1.0, on_view=stop_it)) == "time"
        os.kill(program.pid, signal.SIGCONT)

    assert waits[:2] == [_PATIENCE_S, 1.0]
    assert read_manifest(run).status == "truncated"


@pytest.mark.parametrize("probes", [(), ("--probe", "Coming$Work.run")], ids=["plain", "probes"])
def test_a_stopped_vm_that_was_watched_before_is_refused_at_once(
    jdk: Jdk, tmp_path: Path, probes: tuple[str, ...]
) -> None:
    source = (PROGRAMS / "watch" / "Coming.java").read_text(encoding="utf-8")
    classes = compile_java(jdk, tmp_path / "classes", Coming=source)
    run = tmp_path / "a.watch"
    with running(jdk, classes, "Coming") as program:
        words = [*JVMSCOPE, "watch", "-q", "-o", str(run), *probes, "--for", "1s"]
        subprocess.run([*words, str(program.pid)], check=True, timeout=_LONG_S)
        before = (run / MANIFEST_NAME).read_bytes()
        stop(program.pid)
        stopped = time.monotonic()
        again = subprocess.run(
            [*words, "--force", str(program.pid)], stderr=subprocess.PIPE, text=True, check=False
        )
        took = time.monotonic() - stopped
        os.kill(program.pid, signal.SIGCONT)

    assert (again.returncode, "the VM is stopped" in again.stderr) == (2, True)
    assert took < _SOON_S
    assert (run / MANIFEST_NAME).read_bytes() == before


def _await_run(run: Path, watcher: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + _LONG_S
    while not (run / MANIFEST_NAME).exists():
        assert time.monotonic() < ends
        assert watcher.poll() is None
        time.sleep(_POLL_S)

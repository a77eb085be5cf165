"""Probes where the heap is full: the program does not notice, and what is missing is said."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import compile_java, jdks
from oracle.toolchain import PROGRAMS, Jdk

from jvmscope.queries import Engine
from jvmscope.schema.manifest import MANIFEST_NAME, read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_JVMSCOPE = [sys.executable, "-m", "jvmscope"]
_LONG_S = 120.0
_CALLS = 1_000
_CONDITIONS = {
    'Full.compared(Object value, Integer n) when value == "text"': 2 * _CALLS // 5,
    'Full.compared(Object value, Integer n) when value != "text"': 3 * _CALLS // 5,
    'Full.compared(Object value, Integer n) when "other" == value': _CALLS // 5,
}


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def jdk(request: pytest.FixtureRequest) -> Jdk:
    found: Jdk = request.param
    return found


@pytest.fixture(scope="module")
def classes(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = (PROGRAMS / "watch" / "Full.java").read_text(encoding="utf-8")
    return compile_java(jdk, tmp_path_factory.mktemp("full"), Full=source)


@contextmanager
def _program(jdk: Jdk, classes: Path) -> Iterator[subprocess.Popen[str]]:
    java = [str(jdk.home / "bin" / "java"), "-Xmx32m", "-XX:+UseSerialGC", "-cp", str(classes)]
    process = subprocess.Popen(
        [*java, "Full"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert _line(process) == "ready"
        yield process
    finally:
        process.kill()
        process.communicate()


def _line(process: subprocess.Popen[str]) -> str:
    """The program's next line; what the VM itself says is left out."""
    assert process.stdout is not None
    line = process.stdout.readline()
    while line.startswith(("[", "OpenJDK", "WARNING", "***")):
        line = process.stdout.readline()
    return line.rstrip("\n")


def _act(process: subprocess.Popen[str]) -> str:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return _line(process)


def _watch(process: subprocess.Popen[str], run: Path, *probes: str) -> subprocess.Popen[str]:
    """Starts to watch; returns when the probes are in."""
    asked = [word for probe in probes for word in ("--probe", probe)]
    command = [*_JVMSCOPE, "watch", "-o", str(run), *asked, str(process.pid)]
    watcher = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    ends = time.monotonic() + _LONG_S
    while not (run / MANIFEST_NAME).exists() or not read_manifest(run).tables["probe_method"].rows:
        assert time.monotonic() < ends
        assert watcher.poll() is None
        time.sleep(0.05)
    return watcher


def _end(watcher: subprocess.Popen[str]) -> str:
    watcher.send_signal(signal.SIGINT)
    _, said = watcher.communicate(timeout=_LONG_S)
    assert watcher.returncode == 0, said
    return said


def _rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    with Engine(run) as engine:
        return list(engine.query(query).rows())


def _calls(run: Path) -> dict[str, int]:
    query = """
        SELECT p.text, SUM(n_calls) FROM probe_time JOIN probe_method USING (probe_method_id)
        JOIN probe AS p USING (probe_id) GROUP BY ALL
    """
    return dict(_rows(run, query))


def test_a_full_heap_is_the_watchers_business_alone(
    jdk: Jdk, classes: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.watch", tmp_path / "second.watch"
    with _program(jdk, classes) as process:
        watcher = _watch(process, first, "Full.called", "Full.full")
        assert _act(process) == "called"
        assert _act(process) == "0"  # threads to which the probe threw something
        said = _end(watcher)
        watcher = _watch(process, second, "Full.called")
        assert _act(process) == "done"
        _end(watcher)

    unseen = _rows(first, "SELECT * FROM unseen WHERE subject LIKE '%probe%'")
    assert unseen or _calls(first).get("Full.called") == _CALLS
    assert ("warning: process" in said) == (read_manifest(first).status == "truncated")
    assert _calls(second) == {"Full.called": 1}


def test_texts_are_compared_by_their_content(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    """Whatever the type of the parameter is, and also if the pattern is for any class."""
    run = tmp_path / "a.watch"
    with _program(jdk, classes) as process:
        watcher = _watch(process, run, *_CONDITIONS, "*.called", "Full.none")
        assert _act(process) == "called"
        _end(watcher)

    assert _calls(run) == {**_CONDITIONS, "*.called": _CALLS}
    assert _rows(run, "SELECT * FROM unseen WHERE subject LIKE '%probe%'") == [
        ("probe Full.none", "no method of a class that was loaded has it")
    ]


def test_a_text_is_not_compared_with_what_is_none(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    probe = 'Full.compared(Object value, Integer n) when n == "text"'
    with _program(jdk, classes) as process:
        command = [*_JVMSCOPE, "watch", "-o", str(tmp_path / "a.watch"), "--probe", probe]
        ended = subprocess.run(
            [*command, str(process.pid)], capture_output=True, text=True, check=False
        )

    assert ended.returncode == 2
    assert "cannot compare of type java.lang.Integer with of type java.lang.String" in ended.stderr

"""Probes where the heap is full: the program does not notice, and what is missing is said."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import compile_java
from oracle.toolchain import PROGRAMS, Jdk
from support.stepped_program import JVMSCOPE, act, calls, end, rows, running, watch

from jvmscope.schema.manifest import read_manifest

if TYPE_CHECKING:
    from pathlib import Path

_HEAP = "-Xmx32m"
_CALLS = 1_000
_THREADS = 20
_NEEDS_ROOM = "Full.full(int i) when thread.id > 0"  # on Java 17, to ask for the number
_CONDITIONS = {
    'Full.compared(Object value, Integer n) when value == "text"': 2 * _CALLS // 5,
    'Full.compared(Object value, Integer n) when value != "text"': 3 * _CALLS // 5,
    'Full.compared(Object value, Integer n) when "other" == value': _CALLS // 5,
}


@pytest.fixture(scope="module")
def classes(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = (PROGRAMS / "watch" / "Full.java").read_text(encoding="utf-8")
    return compile_java(jdk, tmp_path_factory.mktemp("full"), Full=source)


def test_a_full_heap_is_the_watchers_business_alone(
    jdk: Jdk, classes: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.watch", tmp_path / "second.watch"
    with running(jdk, classes, "Full", _HEAP) as process:
        watcher = watch(process, first, "Full.called", "Full.full", _NEEDS_ROOM)
        assert act(process) == "called"
        assert act(process) == "0"  # threads to which the probe threw something
        said = end(watcher)
        watcher = watch(process, second, "Full.called")
        assert act(process) == "done"
        end(watcher)

    counted = calls(first)
    assert counted["Full.called"] == _CALLS  # before the heap was full
    unseen = rows(first, "SELECT * FROM unseen WHERE subject LIKE '%probe%'")
    is_whole = all(counted.get(each) == _THREADS * _CALLS for each in ("Full.full", _NEEDS_ROOM))
    assert is_whole or (unseen != [] and read_manifest(first).status == "truncated")
    assert ("warning: " in said) == (read_manifest(first).status == "truncated")
    assert ("were not measured: the VM had no room" in said) == any(
        "invocations of probes" in subject for subject, _ in unseen
    )
    assert "has gone" not in said  # without saying why
    assert calls(second) == {"Full.called": 1}


def test_texts_are_compared_by_their_content(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    """Whatever the type of the parameter is, and also if the pattern is for any class."""
    run = tmp_path / "a.watch"
    with running(jdk, classes, "Full", _HEAP) as process:
        watcher = watch(process, run, *_CONDITIONS, "*.called", "Full.none")
        assert act(process) == "called"
        end(watcher)

    assert calls(run) == {**_CONDITIONS, "*.called": _CALLS}
    assert rows(run, "SELECT * FROM unseen WHERE subject LIKE '%probe%'") == [
        ("probe Full.none", "no method of a class that was loaded could get it")
    ]


def test_a_text_is_not_compared_with_what_is_none(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    probe = 'Full.compared(Object value, Integer n) when n == "text"'
    with running(jdk, classes, "Full", _HEAP) as process:
        command = [*JVMSCOPE, "watch", "-o", str(tmp_path / "a.watch"), "--probe", probe]
        ended = subprocess.run(
            [*command, str(process.pid)], capture_output=True, text=True, check=False
        )

    assert ended.returncode == 2
    integer, text = ("a value of type java.lang." + name for name in ("Integer", "String"))
    assert f"cannot compare {integer} with {text}" in ended.stderr

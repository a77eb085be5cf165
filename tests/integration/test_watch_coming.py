"""Probes meet classes that come and go."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from integration.recording import compile_java, jdks
from oracle.toolchain import PROGRAMS, Jdk
from support.stepped_program import act, calls, rows, running

from jvmscope.collector import agent_jar
from jvmscope.watch import View, WatchOptions, find_vm, parse_probe, watch
from jvmscope.watch.tally import Tally

if TYPE_CHECKING:
    from pathlib import Path


_CLASSES = 301  # with the one that is there before the probes
_CALLS = 1_000
_MOST_LEFT = 20  # that the VM has not unloaded, or of which the agent has not told it
_LONG_S = 120.0


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_a_class_that_is_gone_leaves_its_calls_and_nothing_else(
    jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (PROGRAMS / "watch" / "Coming.java").read_text(encoding="utf-8")
    classes = compile_java(jdk, tmp_path / "classes", Coming=source)
    forgotten, views = set[int](), list[View]()
    is_in, is_gone = threading.Event(), threading.Event()
    forget = Tally.forget_method

    def noted(tally: Tally, number: int) -> None:
        forget(tally, number)
        forgotten.add(number)
        if len(forgotten) >= _CLASSES - _MOST_LEFT:
            is_gone.set()

    def seen(view: View) -> None:
        views.append(view)
        if view.probes:
            is_in.set()

    monkeypatch.setattr(Tally, "forget_method", noted)
    with running(jdk, classes, "Coming") as process:

        def go_on() -> None:
            assert is_in.wait(_LONG_S)
            assert act(process) == "done"
            is_gone.wait(_LONG_S)
            process.kill() if not is_gone.is_set() else act(process)

        going_on = threading.Thread(target=go_on)
        going_on.start()
        vm = find_vm(process.pid)
        assert vm is not None
        probes, run = [parse_probe("Coming$Work.run")], tmp_path / "a.watch"
        options = WatchOptions(run, probes=probes, agent=agent_jar(), on_view=seen)
        assert watch(vm, options) == "vm"
        going_on.join()

    assert is_gone.is_set(), len(forgotten)
    assert calls(run) == {"Coming$Work.run": (_CLASSES - 1) * _CALLS}
    assert rows(run, "SELECT COUNT(*) FROM probe_method") in ([(_CLASSES,)], [(_CLASSES - 1,)])
    (probe,) = views[-1].probes
    assert (probe.name, probe.n_calls) == ("Coming$Work.run", (_CLASSES - 1) * _CALLS)

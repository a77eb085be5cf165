"""The recordings of a watch, in a VM that answers, and in one that does not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from jvmscope.watch import lease as lease_module
from jvmscope.watch.attach import NoAnswerError
from jvmscope.watch.lease import Lease
from jvmscope.watch.machines import JavaVm

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("is_stopped", [False, True])
def test_recordings_that_should_be_over_are_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_stopped: bool
) -> None:
    """A VM that was stopped meanwhile may still have them; one that is stopped is asked once."""
    asked = list[str]()
    me = os.getpid()
    vm = JavaVm(me, me, os.geteuid(), "17", "Main", None, None, None)

    def answer(_vm: JavaVm, command: str, seconds: float) -> str:
        asked.append(command)
        if is_stopped:
            raise NoAnswerError(vm, seconds)
        return ""

    monkeypatch.setattr(lease_module, "TERM_S", 0)
    monkeypatch.setattr(lease_module, "start_recording", lambda *_: None)
    monkeypatch.setattr(lease_module, "repository_path", lambda _: tmp_path)
    monkeypatch.setattr(lease_module, "run_in_vm", answer)
    lease = Lease(vm, "", lambda *_: None)
    lease.begin()
    lease.end()
    lease.end()

    assert asked == [f"JFR.stop name=jvmscope-{me}-1"]
    failure = f"process {me}: the VM did not answer within 4 s; is it stopped?"
    assert str(lease.failure) == (failure if is_stopped else "None")

"""Recordings of the flight recorder: what the VM writes its event stream for."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError
from jvmscope.watch.attach import run_in_vm
from jvmscope.watch.vm_files import removing

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.watch.machines import JavaVm

__all__ = ["repository_path", "start_recording"]


def start_recording(vm: JavaVm, name: str, settings: str, *options: str) -> None:
    """Starts a recording.

    Args:
        vm: the VM.
        name: what the recording is called.
        settings: which events it has, in the form of the JDK's ``.jfc`` files.
        options: more options of ``JFR.start``, such as ``duration=8s``.

    Raises:
        AgentError: the VM refuses it, or the file of settings cannot be written.
    """
    own = f".{name}-{secrets.token_hex(8)}.jfc"
    inside = f"/tmp/{own}"  # noqa: S108 - as the VM sees it
    try:
        with removing(vm, own) as file:
            with file.open("x", encoding="utf-8") as opened:  # new, and no link of another user
                opened.write(settings)
                if os.geteuid() != vm.uid:
                    os.fchown(opened.fileno(), vm.uid, -1)
            run_in_vm(vm, " ".join(("JFR.start", f"name={name}", f"settings={inside}", *options)))
    except OSError as error:
        vm.expect_alive()
        raise AgentError(f"{vm.root}{inside}: cannot be written: {error.strerror}") from None


def repository_path(vm: JavaVm) -> Path:
    """Returns the directory of the VM's event stream, as seen from here.

    Raises:
        AgentError: the VM does not say.
    """
    answer = run_in_vm(vm, "JFR.configure")
    label = "Repository path: "
    found = [line for line in answer.splitlines() if line.startswith(label)]
    if not found:
        raise AgentError(
            f"process {vm.pid}: the VM does not say where its event stream is; it has none "
            "if it was started with -XX:-FlightRecorder"
        )
    return vm.root / found[0].removeprefix(label).lstrip("/")

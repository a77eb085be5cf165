"""VMs that run here, as far as no VM is needed."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from jvmscope.errors import AgentError
from jvmscope.watch import attach
from jvmscope.watch.attach import run_in_vm
from jvmscope.watch.machines import JavaVm, find_vm
from jvmscope.watch.perf_data import read_perf_data

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _counters(**texts: bytes) -> bytes:
    """A file of counters as a VM writes it."""
    entries = b""
    for name, text in texts.items():
        words = name.encode() + b"\0" + text
        content = struct.pack("<iiibBBBi", 20 + len(words), 20, len(text), ord("B"), 0, 0, 0, 0)
        values = 20 + len(name) + 1
        entries += content[:16] + struct.pack("<i", values) + words
    return struct.pack("<IBBBBiiqii", 0xC0C0FECA, 1, 2, 0, 1, 0, 0, 0, 32, len(texts)) + entries


def test_counters_are_read(tmp_path: Path) -> None:
    path = tmp_path / "1"
    path.write_bytes(_counters(version=b"17.0.1\0\0", command=b"p.Main x"))

    assert read_perf_data(path) == {"version": "17.0.1", "command": "p.Main x"}


@pytest.mark.parametrize("n_bytes", [0, 3, 31, 32, 40, 60])
def test_a_cut_file_has_no_counters(tmp_path: Path, n_bytes: int) -> None:
    path = tmp_path / "1"
    path.write_bytes(_counters(version=b"17.0.1\0\0")[:n_bytes])

    assert set(read_perf_data(path)) <= {"version"}
    assert read_perf_data(tmp_path / "absent") == {}


def test_a_process_without_a_vm_is_none() -> None:
    assert find_vm(os.getpid()) is None
    assert find_vm(1 << 30) is None


def test_a_vm_that_refuses_is_not_asked() -> None:
    vm = JavaVm(os.getpid(), os.getpid(), 0, None, None, None, None, "it is shy")

    with pytest.raises(AgentError, match="cannot be watched: it is shy"):
        run_in_vm(vm, "JFR.check")


@pytest.mark.parametrize("ask", [lambda vm: run_in_vm(vm, "JFR.check"), attach._open_socket])
def test_a_vm_that_nobody_has_waited_for_yet_has_ended(ask: Callable[[JavaVm], object]) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        vm = JavaVm(ended.pid, ended.pid, os.geteuid(), None, None, None, None, None)

        with pytest.raises(AgentError, match=f"^process {ended.pid}: the VM has ended$"):
            ask(vm)


@pytest.mark.parametrize("is_waited_for", [False, True])
def test_a_vm_that_ends_without_an_answer_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_waited_for: bool
) -> None:
    path = tmp_path / "socket"
    code = (
        "import socket, sys, time\n"
        "listening = socket.socket(socket.AF_UNIX)\n"
        "listening.bind(sys.argv[1])\n"
        "listening.listen()\n"
        "connection = listening.accept()[0]\n"
        "connection.recv(1000)\n"
        "connection.close()\n"
        "time.sleep(0.2)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)]) as process:
        while not path.exists():
            time.sleep(0.01)
        monkeypatch.setattr(attach, "_open_socket", lambda _vm: path)
        vm = JavaVm(process.pid, process.pid, os.geteuid(), None, None, None, None, None)
        if is_waited_for:
            threading.Thread(target=process.wait).start()

        with pytest.raises(AgentError, match=r"the VM has ended$"):
            run_in_vm(vm, "JFR.check")


def test_a_request_follows_no_link(tmp_path: Path) -> None:
    other, request = tmp_path / "other", tmp_path / ".attach_pid1"
    other.write_text("secret")
    request.symlink_to(other)

    attach._create(request, os.geteuid())

    assert not request.is_symlink()
    assert (request.read_text(), other.read_text()) == ("", "secret")

"""The connection to the agent, where the VM stands still."""

from __future__ import annotations

import os
import socket
import struct
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from jvmscope.watch.machines import JavaVm
from jvmscope.watch.probes import link as link_module
from jvmscope.watch.probes import probing as probing_module
from jvmscope.watch.probes.link import AgentLink, _message
from jvmscope.watch.probes.probing import Probing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.watch.store import Store

_LENGTH = struct.Struct(">i")


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """What is connected with the link, says that it is ready, and reads nothing."""
    connection = socket.socket(socket.AF_UNIX)

    def load(_vm: JavaVm, _jar: str, path: str) -> None:
        connection.connect(path)
        connection.sendall(_message(["ready", link_module._PROTOCOL]))

    monkeypatch.setattr(link_module, "load_agent", load)
    monkeypatch.setattr(link_module, "_ALIVE_S", 0.0001)
    monkeypatch.setattr(link_module, "_SENT_S", 1)
    with connection:
        yield connection


def test_a_failure_that_comes_twice_is_told_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As of an agent without room, which begins its end again."""
    (tmp_path / "agent.jar").touch()
    connection = socket.socket(socket.AF_UNIX)
    said = (
        ["ready", link_module._PROTOCOL],
        ["checked"],
        ["failed", "no room"],
        ["failed", "no room"],
    )

    def load(_vm: JavaVm, _jar: str, path: str) -> None:
        connection.connect(path)
        connection.sendall(b"".join(_message(message) for message in said))
        connection.close()

    monkeypatch.setattr(link_module, "load_agent", load)
    me, rows = os.getpid(), list[tuple[str, ...]]()
    vm = JavaVm(me, me, os.geteuid(), "17", "Main", None, None, None)
    store = SimpleNamespace(append=lambda _, row: rows.append(row))
    jar = tmp_path / "agent.jar"
    probing = Probing(vm, jar, (), has_callers=False, has_samples=False)
    failure = probing.remove(cast("Store", store), lambda: True)

    assert rows == [("probes", "the agent in the VM failed: no room")]
    assert str(failure).endswith("the agent in the VM failed: no room")


def _probing(directory: Path) -> Probing:
    """Probes in a VM that has said so far that they are checked."""
    (directory / "agent.jar").touch()
    me = os.getpid()
    vm = JavaVm(me, me, os.geteuid(), "17", "Main", None, None, None)
    probing = Probing(vm, directory / "agent.jar", (), has_callers=False, has_samples=False)
    probing._n_probes = 1
    return probing


def _checked(monkeypatch: pytest.MonkeyPatch) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)

    def load(_vm: JavaVm, _jar: str, path: str) -> None:
        connection.connect(path)
        connection.sendall(_message(["ready", link_module._PROTOCOL]) + _message(["checked"]))

    monkeypatch.setattr(link_module, "load_agent", load)
    return connection


def test_a_vm_that_ends_before_its_agent_has_told_all_leaves_a_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a VM that crashes: its event stream is whole, and the last calls are not counted."""
    rows = list[tuple[str, ...]]()
    store = SimpleNamespace(append=lambda _, row: rows.append(row))
    with _checked(monkeypatch) as connection:
        probing = _probing(tmp_path)
        connection.close()
        failure = probing.remove(cast("Store", store), lambda: True)

    assert failure is None
    assert ("the last invocations of probes", "the VM ended before its agent had told them") in rows
    (limit,) = probing.limits()
    assert limit.code == "killed"
    assert limit.text.startswith("the last invocations of methods with probes may be missing")


def test_an_agent_that_does_not_answer_is_not_said_to_be_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = list[tuple[str, ...]]()
    store = SimpleNamespace(append=lambda _, row: rows.append(row))
    monkeypatch.setattr(probing_module, "_REMOVED_S", 0.2)
    with _checked(monkeypatch):
        failure = _probing(tmp_path).remove(cast("Store", store), lambda: False)

    assert str(failure).endswith("the VM did not say that the probes are out")
    assert rows == [("the last invocations of probes", "the VM did not tell them in time")]


def test_nobody_waits_for_a_vm_that_stands_still(agent: socket.socket, tmp_path: Path) -> None:
    jar = tmp_path / "agent.jar"
    jar.touch()
    me = os.getpid()
    vm = JavaVm(me, me, os.geteuid(), "17", "Main", None, None, None)
    link = AgentLink(vm, jar)
    time.sleep(1)  # the agent has more to read than there is room for
    began = time.monotonic()
    link.send(["remove"])
    assert time.monotonic() - began < 10
    assert link.is_over

    agent.settimeout(10)
    received = agent.recv(1 << 20)
    link.close()
    while part := agent.recv(1 << 20):
        received += part
    assert len(received) > 1_000
    while received:  # whole messages, one behind the other
        (length,) = _LENGTH.unpack_from(received)
        message, received = received[: 4 + length], received[4 + length :]
        assert message == _message(["alive"])

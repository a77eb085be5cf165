"""The attach interface of a HotSpot VM: a socket that takes one command a connection.

The VM opens the socket when it is asked to: a file ``.attach_pidN`` exists and it gets SIGQUIT.
A VM that does not expect that prints its threads, or dies; so ``JavaVm.refusal`` is asked first.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError
from jvmscope.watch.machines import is_stopped
from jvmscope.watch.vm_files import removing

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.watch.machines import JavaVm

__all__ = ["NoAnswerError", "expect_running", "load_agent", "run_in_vm"]

_OPEN_S = 30.0
_ASK_S = 10.0  # until it is asked once more
_ANSWER_S = 60.0
_POLL_S = 0.02
_ENDS_S = 1.0  # how long a VM that no longer answers may take to be gone
_LONGEST_COMMAND = 1_000  # bytes; the first protocol takes 1,024


class NoAnswerError(AgentError):
    """A VM has not answered in time: it is stopped, or has no processor time."""

    def __init__(self, vm: JavaVm, seconds: float) -> None:
        message = f"the VM did not answer within {seconds:.0f} s; is it stopped?"
        super().__init__(f"process {vm.pid}: {message}")


def expect_running(vm: JavaVm) -> None:
    """Refuses a VM that stands still, before it is asked something.

    One that was attached to before still takes connections then, and does not answer.

    Raises:
        AgentError: it is stopped; with what to do.
    """
    if is_stopped(vm.pid):
        raise AgentError(
            f"process {vm.pid}: the VM is stopped: continue it first, as by kill -CONT {vm.pid}"
        )


def run_in_vm(vm: JavaVm, command: str, answer_s: float = _ANSWER_S) -> str:
    """Returns what a VM answers to a diagnostic command, as ``jcmd`` would show it.

    Args:
        vm: the VM.
        command: the command with its options, such as ``JFR.check``.
        answer_s: how long the VM may take to answer.

    Raises:
        NoAnswerError: the VM did not answer in time.
        AgentError: the VM refuses to be attached to, ended, or refused the command.
    """
    if len(command.encode()) > _LONGEST_COMMAND:
        raise ValueError(f"a command has at most {_LONGEST_COMMAND} bytes")
    answer = _ask(vm, "jcmd", command, "", "", answer_s=answer_s)
    status, _, text = answer.partition("\n")
    if status != "0":
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        found = lines[-1] if lines else f"status {status}" if status else "no answer"
        raise AgentError(f"process {vm.pid}: {command.split(' ', maxsplit=1)[0]} failed: {found}")
    return text


def load_agent(vm: JavaVm, jar: str, option: str) -> None:
    """Has a VM load an agent, and waits until that has begun.

    Args:
        vm: the VM.
        jar: the agent's jar, as the VM sees it.
        option: what the agent is told.

    Raises:
        AgentError: the VM cannot be attached to, or does not take agents.
    """
    answer = _ask(vm, "load", "instrument", "false", f"{jar}={option}")
    if "EnableDynamicAgentLoading" in answer:
        raise AgentError(
            f"process {vm.pid}: the VM takes no probes, since it was started with "
            "-XX:-EnableDynamicAgentLoading: start it without that option, or watch without --probe"
        )
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if not lines or lines[-1].removeprefix("return code:").strip() != "0":
        found = lines[-1] if lines else "no answer"
        raise AgentError(f"process {vm.pid}: the VM does not take the agent for probes: {found}")


def _ask(vm: JavaVm, *words: str, answer_s: float = _ANSWER_S) -> str:
    """Sends a version, a command and three arguments, each ended by a null byte."""
    path = _open_socket(vm)
    message = b"".join(word.encode() + b"\0" for word in ("1", *words))
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(answer_s)
            connection.connect(str(path))
            connection.sendall(message)
            parts = []
            while part := connection.recv(1 << 16):
                parts.append(part)
    except TimeoutError:
        raise NoAnswerError(vm, answer_s) from None
    except OSError as error:
        raise _not_attached(vm, error) from None
    if not parts:
        _expect_alive_for_a_while(vm)
    return b"".join(parts).decode(errors="replace")


def _expect_alive_for_a_while(vm: JavaVm) -> None:
    """Says that the VM has ended if that is why it did not answer: it closes the socket first.

    Raises:
        AgentError: it has ended.
    """
    ends = time.monotonic() + _ENDS_S
    while time.monotonic() < ends:
        vm.expect_alive()
        time.sleep(_POLL_S)


def _open_socket(vm: JavaVm) -> Path:
    """Returns the path of the VM's socket, after having it opened."""
    vm.expect_watchable()
    path = vm.root / "tmp" / f".java_pid{vm.inner_pid}"
    if path.exists():
        return path
    expect_running(vm)
    try:
        with removing(vm, f".attach_pid{vm.inner_pid}") as request:
            _create(request, vm.uid)
            _await(vm, path)
    except OSError as error:
        raise _not_attached(vm, error) from None
    return path


def _not_attached(vm: JavaVm, error: OSError) -> AgentError:
    vm.expect_alive()
    return AgentError(f"process {vm.pid}: cannot be attached to: {error.strerror}")


def _create(request: Path, uid: int) -> None:
    """Makes an empty file of a user, and follows no link that somebody has put in its place."""
    with suppress(FileNotFoundError):
        request.unlink()
    file = os.open(request, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        if os.geteuid() != uid:
            os.fchown(file, uid, -1)
    finally:
        os.close(file)


def _await(vm: JavaVm, path: Path) -> None:
    """Asks the VM until it has the socket: one that is still starting may not hear it."""
    now = time.monotonic()
    ends, asks = now + _OPEN_S, now
    while not path.exists():
        now = time.monotonic()
        vm.expect_alive()  # a child that nobody has waited for still takes signals
        asks_now = now >= asks and not is_stopped(vm.pid)
        os.kill(vm.pid, signal.SIGQUIT if asks_now else 0)
        asks = now + _ASK_S if asks_now else asks
        if now > ends:
            raise AgentError(
                f"process {vm.pid}: the VM did not open its attach interface within "
                f"{_OPEN_S:.0f} s; is it stopped?"
            )
        time.sleep(_POLL_S)

"""The connection between the watcher and its agent in the VM.

The agent takes its probes out when the connection ends, or when it hears nothing for eight seconds;
so a thread says every second that we live.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import struct
import threading
from collections import deque
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError
from jvmscope.watch.attach import load_agent
from jvmscope.watch.vm_files import removing

if TYPE_CHECKING:
    from jvmscope.watch.machines import JavaVm

__all__ = ["AgentLink"]

_PROTOCOL = "4"
_JAR = "jvmscope-agent.jar"  # as Boot-Class-Path of its manifest has it
_ANSWER_S = 60.0
_ALIVE_S = 1.0
_MOST_WAITING = 1_000
"""As many messages wait at most; then the agent has to, which loses samples in the VM."""
_LENGTH = struct.Struct(">i")
_SENT_S = 5
"""So long a message waits for room; the agent of a VM that stands still makes none."""

_TIMEVAL = struct.Struct("@ll")


class AgentLink:
    """The agent in a VM, from its loading to ``close``.

    Args:
        vm: the VM.
        jar: the agent's jar.

    Raises:
        AgentError: the VM does not take the agent, or it does not answer.
    """

    def __init__(self, vm: JavaVm, jar: Path) -> None:
        self._vm = vm
        self._files = ExitStack()
        self._received: deque[list[str]] = deque()
        self._came = threading.Condition()
        self._is_over = threading.Event()
        self._is_closed = False
        self._sending = threading.Lock()
        self._directory = self._prepared(jar)
        try:
            self._socket = self._connected()
        except BaseException:
            self._files.close()
            raise
        try:
            self._reading = threading.Thread(target=self._read, name="probes", daemon=True)
            self._living = threading.Thread(target=self._live, name="probes alive", daemon=True)
            self._reading.start()
            self._living.start()
            self._greet()
            # The VM has the jar open; whoever ends us leaves no file behind.
            self._files.close()
        except BaseException:
            self.close()
            raise

    @property
    def is_over(self) -> bool:
        """Whether the agent has closed the connection, or its VM has ended."""
        return self._is_over.is_set()

    def send(self, fields: list[str]) -> None:
        """Sends a message; an agent that is gone gets none, and one that reads nothing is gone."""
        with self._sending:
            try:
                self._socket.sendall(_message(fields))
            except BlockingIOError:  # maybe in the middle of it
                self._is_over.set()
                self._shut_down()
            except OSError:
                return

    def received(self) -> list[list[str]]:
        """Returns the messages that came since this was last called."""
        with self._came:
            found = list(self._received)
            self._received.clear()
            self._came.notify_all()
        return found

    def wait(self, seconds: float) -> None:
        """Waits until a message has come, the connection has ended, or the time is over."""
        with self._came:
            # A part of a message wakes this, too.
            self._came.wait_for(lambda: self._received or self._is_over.is_set(), seconds)

    def answer(self, *kinds: str) -> list[str]:
        """Returns the next message of some kinds; others before it are for nobody.

        Raises:
            AgentError: none came in time.
        """
        while True:
            self.wait(_ANSWER_S)
            with self._came:
                if not self._received:
                    said = "has gone" if self.is_over else "does not answer"
                    raise AgentError(f"process {self._vm.pid}: the agent in the VM {said}")
                message = self._received.popleft()
                self._came.notify_all()
            if message[0] == "failed":
                raise AgentError(
                    f"process {self._vm.pid}: the agent in the VM failed: {message[1]}"
                )
            if message[0] in kinds:
                return message

    def close(self) -> None:
        """Ends the connection, and removes the files of an agent that did not get ready."""
        self._is_over.set()
        with self._came:
            self._is_closed = True
            self._came.notify_all()
        self._shut_down()
        self._socket.close()
        self._files.close()

    def _shut_down(self) -> None:
        """Ends the connection, at which the agent takes its probes out."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _prepared(self, jar: Path) -> Path:
        """Returns a directory that the VM sees, too, with a copy of the agent."""
        try:
            name = f".jvmscope-{secrets.token_hex(8)}"
            directory = self._files.enter_context(removing(self._vm, name))
            directory.mkdir(mode=0o700)
            shutil.copyfile(jar, directory / _JAR)
            if os.geteuid() != self._vm.uid:
                os.chown(directory / _JAR, self._vm.uid, -1)
                os.chown(directory, self._vm.uid, -1)
        except OSError as error:
            self._files.close()
            self._vm.expect_alive()
            raise AgentError(f"{error.filename}: cannot be written: {error.strerror}") from None
        return directory

    def _connected(self) -> socket.socket:
        inside = Path("/tmp", self._directory.name)  # noqa: S108 - as the VM sees it
        path = self._directory / "socket"
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
            if os.geteuid() != self._vm.uid:
                os.chown(path, self._vm.uid, -1)
            listening.listen(1)
            listening.settimeout(_ANSWER_S)
            load_agent(self._vm, f"{inside}/{_JAR}", f"{inside}/socket")
            try:
                connection, _ = listening.accept()
            except TimeoutError:
                raise AgentError(
                    f"process {self._vm.pid}: the agent in the VM does not answer"
                ) from None
        connection.settimeout(None)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _TIMEVAL.pack(_SENT_S, 0))
        return connection

    def _greet(self) -> None:
        kind, *rest = self.answer("ready", "busy")
        if kind == "busy":
            raise AgentError(
                f"process {self._vm.pid}: another jvmscope has probes in this VM: wait for its end"
            )
        if rest != [_PROTOCOL]:
            raise AgentError(
                f"process {self._vm.pid}: the VM has the agent of another version of jvmscope, "
                "which stays until it ends: watch it with that version, or without probes"
            )

    def _read(self) -> None:
        """Takes what the agent sends, until one of the two is over."""
        pending = bytearray()
        with suppress(OSError):
            while part := self._socket.recv(1 << 16):
                pending += part
                messages = _split(pending)
                with self._came:
                    self._received.extend(messages)
                    self._came.notify_all()
                    self._came.wait_for(self._has_room)
        self._is_over.set()
        with self._came:
            self._came.notify_all()

    def _has_room(self) -> bool:
        return self._is_closed or len(self._received) < _MOST_WAITING

    def _live(self) -> None:
        alive = _message(["alive"])
        while not self._is_over.wait(_ALIVE_S):
            # A VM that stands still reads nothing: what it has not read says enough. A message so
            # short is sent as a whole, or not at all.
            with self._sending, suppress(OSError):
                self._socket.send(alive, socket.MSG_DONTWAIT)


def _message(fields: list[str]) -> bytes:
    texts = [field.encode("utf-8", "surrogatepass") for field in fields]
    body = b"".join(_LENGTH.pack(len(text)) + text for text in texts)
    return _LENGTH.pack(len(body)) + body


def _split(pending: bytearray) -> list[list[str]]:
    """Takes the whole messages out of what has come.

    >>> _split(bytearray(bytes([0, 0, 0, 5, 0, 0, 0, 1, 97, 0])))
    [['a']]
    """
    messages = []
    while len(pending) >= _LENGTH.size:
        (size,) = _LENGTH.unpack_from(pending)
        end = _LENGTH.size + size
        if len(pending) < end:
            break
        at, fields = _LENGTH.size, []
        while at < end:
            (length,) = _LENGTH.unpack_from(pending, at)
            at += _LENGTH.size
            fields.append(pending[at : at + length].decode("utf-8", "replace"))
            at += length
        messages.append(fields)
        del pending[:end]
    return messages

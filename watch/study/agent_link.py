"""The connection to the agent of static probes, which the VM opens before the program's main.

A message is the number of its fields, and each field behind its length in bytes
(``io.jvmscope.study.DriverLink``). We ask, and the agent answers; when we are gone it ends the VM.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jvmscope.errors import AgentError

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    import numpy.typing as npt

__all__ = ["StaticAgent", "StudiedMethod"]

_ANSWER_S = 60.0
_NUMBER = struct.Struct(">i")
_FIELDS = 4
"""A sample in the agent's file: number of the method, thread, entry, exit."""


class StudiedMethod(NamedTuple):
    """A method: its class in the form of the VM, its name and its descriptor."""

    class_name: str
    name: str
    descriptor: str

    def __str__(self) -> str:
        return f"{self.class_name.replace('/', '.')}.{self.name}{self.descriptor}"


class StaticAgent:
    """The agent in a VM that was launched for a study.

    Args:
        connection: the agent's connection.

    Raises:
        AgentError: the agent does not greet us; so do the methods if it ends or fails.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.settimeout(_ANSWER_S)
        self._stream = connection.makefile("rb")
        self.pid = int(self._answer("ready")[0])
        """The process of the VM."""
        self.n_unmeasured = 0
        """Methods in threads for whose samples there was no memory, as far as was told."""

    def close(self) -> None:
        """Ends the connection, and with it the VM."""
        self._stream.close()
        self._connection.close()

    def calls(self) -> dict[StudiedMethod, tuple[int, int]]:
        """Returns each method with static probes: its number in this VM, and its calls so far.

        Of a recursion only the outermost invocation is a call, and only when it has ended.
        """
        fields = self._ask("calls")
        methods = zip(fields[::4], fields[1::4], fields[2::4], strict=True)
        numbered = enumerate(zip(methods, map(int, fields[3::4]), strict=True))
        return {StudiedMethod(*method): (number, n) for number, (method, n) in numbered}

    def samples(self, file: Path, since_ns: int, numbers: list[int]) -> npt.NDArray[np.int64]:
        """Returns the samples that began at a time or later and that the buffers still hold.

        Args:
            file: where the agent writes them for a moment; it does not exist.
            since_ns: the time, by CLOCK_MONOTONIC.
            numbers: the methods that are wanted.

        Returns:
            A row each: number of the method, thread, entry and exit.
        """
        try:
            found = self._ask("samples", str(file), str(since_ns), *map(str, numbers))
            self.n_unmeasured = int(found[0])
            return np.fromfile(file, "<i8").astype(np.int64, copy=False).reshape(-1, _FIELDS)
        finally:
            file.unlink(missing_ok=True)

    def failures(self) -> dict[str, str]:
        """Returns the classes that could not be given static probes, with the reasons."""
        fields = self._ask("failures")
        return dict(zip(fields[::2], fields[1::2], strict=True))

    def _ask(self, *fields: str) -> list[str]:
        texts = [field.encode("utf-8", "surrogatepass") for field in fields]
        parts = [_NUMBER.pack(len(text)) + text for text in texts]
        try:
            self._connection.sendall(_NUMBER.pack(len(parts)) + b"".join(parts))
        except OSError:
            raise AgentError("the VM has ended") from None
        return self._answer(fields[0])

    def _answer(self, kind: str) -> list[str]:
        try:
            (n_fields,) = _NUMBER.unpack(self._read(_NUMBER.size))
            fields = []
            for _ in range(n_fields):
                (length,) = _NUMBER.unpack(self._read(_NUMBER.size))
                fields.append(self._read(length).decode("utf-8", "replace"))
        except TimeoutError:
            raise AgentError("the agent of static probes does not answer") from None
        except OSError:
            raise AgentError("the VM has ended") from None
        if fields[0] != kind:
            raise AgentError(f"the agent of static probes failed: {' '.join(fields[1:])}")
        return fields[1:]

    def _read(self, n_bytes: int) -> bytes:
        found = self._stream.read(n_bytes)
        if len(found) < n_bytes:
            raise AgentError("the VM has ended")
        return found

"""Messages from a worker to its caller: a word for the kind, a length, and so many bytes."""

from __future__ import annotations

import json
import os
import select
import struct
import time
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FrameReader", "TooLarge", "send"]

READY, COLUMNS, TABLE, TEXT, ERROR = b"redy", b"cols", b"tabl", b"text", b"erro"
_HEAD = struct.Struct("<4sQ")
_CHUNK_BYTES = 1 << 16


class TooLarge(Exception):
    """A frame is larger than its reader accepts."""


def send(stream: IO[bytes], kind: bytes, content: bytes | Mapping[str, Any] | list[Any]) -> None:
    """Writes a frame; what is not bytes goes as JSON."""
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    stream.write(_HEAD.pack(kind, len(data)))
    stream.write(data)
    stream.flush()


class FrameReader:
    """Reads frames from a pipe until a deadline.

    Args:
        stream: the reading end, unbuffered.
        max_bytes: the length of the largest frame to accept.
    """

    def __init__(self, stream: IO[bytes], max_bytes: int) -> None:
        self._descriptor = stream.fileno()
        self._max_bytes = max_bytes

    def read(self, deadline: float) -> tuple[bytes, bytes] | None:
        """Returns kind and content of the next frame; None where the stream has ended.

        Args:
            deadline: when to give up, by ``time.monotonic``.

        Raises:
            TimeoutError: the deadline came first.
            TooLarge: the frame is larger than accepted.
        """
        head = self._exactly(_HEAD.size, deadline)
        if head is None:
            return None
        kind, length = _HEAD.unpack(head)
        if length > self._max_bytes:
            raise TooLarge
        content = self._exactly(length, deadline)
        return None if content is None else (kind, content)

    def _exactly(self, n_bytes: int, deadline: float) -> bytes | None:
        read = bytearray()
        while len(read) < n_bytes:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._descriptor], [], [], left)[0]:
                raise TimeoutError
            chunk = os.read(self._descriptor, min(_CHUNK_BYTES, n_bytes - len(read)))
            if not chunk:
                return None
            read += chunk
        return bytes(read)

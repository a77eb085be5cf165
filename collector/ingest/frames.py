"""The frames in which the dump writes a recording; ``schema/dump-frames.md`` defines them."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import RunError

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

__all__ = ["VERSION", "Frame", "FrameKind", "read_frames"]

VERSION = 1

_MAGIC = b"JVSCFRM1"
_START = struct.Struct("<8sII")
_HEAD = struct.Struct("<IIQ")
_MOST_PAYLOAD_BYTES = 1 << 30


class FrameKind(IntEnum):
    """What a frame holds."""

    TABLE = 1
    BATCH = 2
    END_TABLE = 3
    PROGRESS = 4
    CLASS_FILE = 5
    RESULT = 6
    ERROR = 7


_KINDS = frozenset(FrameKind)


@dataclass(frozen=True)
class Frame:
    """One frame: its kind, the number of the table that it belongs to, and its payload."""

    kind: FrameKind
    table: int
    payload: pa.Buffer

    def json(self) -> Any:
        """Returns the payload as JSON."""
        return json.loads(self.payload.to_pybytes())


def read_frames(stream: io.RawIOBase) -> Iterator[Frame]:
    """Yields the frames of a stream up to its end, payloads in memory of their own.

    Raises:
        RunError: the stream is of another version, is damaged, or ends inside a frame.
    """
    magic, version, _ = _START.unpack(_read(stream, _START.size, "the stream's start"))
    if magic != _MAGIC or version != VERSION:
        raise RunError(f"dump: frames of version {version}, expected {VERSION}; run `make agent`")
    while head := _read(stream, _HEAD.size, "a frame's head", may_end=True):
        kind, table, size = _HEAD.unpack(head)
        if kind not in _KINDS or size > _MOST_PAYLOAD_BYTES or size % 8:
            raise RunError(f"dump: frame of kind {kind} with {size} bytes")
        payload = pa.allocate_buffer(size)
        _read_into(stream, memoryview(payload), "a frame")
        yield Frame(FrameKind(kind), table, payload)


def _read(stream: io.RawIOBase, size: int, what: str, *, may_end: bool = False) -> bytes:
    data = bytearray(size)
    first = stream.readinto(data)
    if not first and may_end:
        return b""
    _read_into(stream, memoryview(data)[first or 0 :], what)
    return bytes(data)


def _read_into(stream: io.RawIOBase, view: memoryview, what: str) -> None:
    at = 0
    while at < len(view):
        read = stream.readinto(view[at:])
        if not read:
            raise RunError(f"dump: ended inside {what}")
        at += read

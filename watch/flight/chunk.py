"""One chunk of the event stream: a file that the VM appends to, and how it is read while it grows.

The header of a chunk says how much of it is whole; the VM moves that on at each flush. What lies
between two flushes, a segment, has the types, constants and events of that time, and the events of
a segment refer only to constants of it and of those before, also in the chunk before. A chunk
without more to come is finished.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, Any, NamedTuple

from jvmscope.errors import AgentError
from jvmscope.watch.flight.constants import Constants
from jvmscope.watch.flight.encoding import read_unsigned
from jvmscope.watch.flight.metadata import Types, read_types

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Chunk", "Event"]

_HEADER = struct.Struct(">4sHHqqqqqqqBxxx")
_MAGIC = b"FLR\0"
_UNWRITTEN = bytes(4)
_MAJORS = (1, 2)
_UPDATING = 255
_FINISHED = 0
_METADATA, _CHECKPOINT = 0, 1
_NANOS_PER_S = 1_000_000_000


class Event(NamedTuple):
    """One event: the name of its type, its fields, and the chunk that its references are in.

    Times are nanoseconds since 1970, and durations nanoseconds.
    """

    name: str
    fields: dict[str, Any]
    chunk: Chunk


class Chunk:
    """A chunk that is open, and stays so when the VM removes its file.

    Args:
        path: its file.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._types = Types()
        self.constants = Constants(self._types)
        self._read_to = _HEADER.size
        self.is_finished = False
        self.caches: dict[str, dict[Any, Any]] = {}
        """What readers of events remember about the chunk's constants, by their purpose."""
        self._start_ns, self._duration_ns, self._start_ticks, self._ticks_per_s = 0, 0, 0, 1
        self.is_begun = False
        """Whether the VM has written the header."""

    def close(self) -> None:
        """Closes the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @property
    def start_ns(self) -> int:
        """When the chunk began, in nanoseconds since 1970; 0 before it is begun."""
        self._extent()
        return self._start_ns

    @property
    def end_ns(self) -> int:
        """When the chunk was flushed last, or ended if it is finished; nanoseconds since 1970."""
        return self._start_ns + self._duration_ns

    @property
    def event_names(self) -> frozenset[str]:
        """The names of the types of events that the VM has; none before the first flush."""
        return self._types.event_names

    def events(self, wanted: frozenset[str]) -> Iterator[Event]:
        """Yields what the VM has flushed since the last call, of the wanted types of events.

        Raises:
            AgentError: the file is not a chunk, or of a version that cannot be read.
        """
        extent = self._extent()
        if extent is None or extent <= self._read_to:
            return
        data = os.pread(self._file, extent - self._read_to, self._read_to)
        if len(data) < extent - self._read_to:
            return  # the file is shorter than its header says: the machine stopped
        self._read_to = extent
        yield from self._events_of(data, wanted)

    def _extent(self) -> int | None:
        """Returns how many bytes are whole; None if the VM is just changing that."""
        header = os.pread(self._file, _HEADER.size, 0)
        if len(header) < _HEADER.size:
            return None
        (magic, major, _minor, size, _constants, metadata, start, duration, ticks, rate, state) = (
            _HEADER.unpack(header)
        )
        if magic == _UNWRITTEN:
            return None
        if magic != _MAGIC or major not in _MAJORS:
            raise AgentError(f"{self.path}: not a chunk of flight recorder 1 or 2")
        self._start_ns, self._duration_ns = start, duration
        self._start_ticks, self._ticks_per_s = ticks, rate
        self.is_begun = True
        if state == _UPDATING or metadata == 0:
            return None
        if _HEADER.unpack(os.pread(self._file, _HEADER.size, 0)) != _HEADER.unpack(header):
            return None
        self.is_finished = state == _FINISHED
        return int(size)

    def _events_of(self, data: bytes, wanted: frozenset[str]) -> Iterator[Event]:
        events = []
        checkpoints = []
        at = 0
        while at < len(data):
            size, content = read_unsigned(data, at)
            type_id, content = read_unsigned(data, content)
            if type_id == _METADATA:
                self._types.add(read_types(data, _behind_numbers(data, content)))
            elif type_id == _CHECKPOINT:
                checkpoints.append(content)
            else:
                events.append((type_id, content))
            if size == 0:
                raise AgentError(f"{self.path}: an event without a size")
            at += size
        for content in checkpoints:
            self.constants.add(data, content)
        for type_id, content in events:
            kind = self._types.get(type_id)
            if kind is not None and kind.name in wanted:
                fields, _ = self._types.reader(type_id)(data, content)
                yield Event(kind.name, self._timed(fields, kind.ticks), self)

    def _timed(self, fields: dict[str, Any], ticks: frozenset[str]) -> dict[str, Any]:
        """Returns the fields of an event, with nanoseconds for the ticks of the VM's clock."""
        for name in ticks & fields.keys():
            if name == "startTime":
                passed = self._nanos(fields[name] - self._start_ticks)
                fields[name] = self._start_ns + passed
            else:
                fields[name] = self._nanos(fields[name])
        return fields

    def _nanos(self, ticks: int) -> int:
        return ticks * _NANOS_PER_S // self._ticks_per_s


def _behind_numbers(data: bytes, at: int) -> int:
    """Returns where the strings of a metadata event begin: behind time, duration and number."""
    for _ in range(3):
        _, at = read_unsigned(data, at)
    return at

"""The directory in which a VM keeps the chunks of its event stream.

The VM begins a new chunk when a recording starts or stops, and removes a chunk when no recording
needs it any more. Every chunk is opened as soon as it is seen, so that its removal loses nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.watch.flight.chunk import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.watch.flight.chunk import Event

__all__ = ["Repository"]


class Repository:
    """The chunks of a VM from a time on.

    Args:
        path: the directory.
        since_ns: when the first chunk of interest began at the earliest, nanoseconds since 1970.
        wanted: the names of the types of events that are read.
    """

    def __init__(self, path: Path, since_ns: int, wanted: frozenset[str]) -> None:
        self.path = path
        self._since_ns = since_ns
        self._wanted = wanted
        self._open: list[Chunk] = []
        self._seen: set[str] = set()
        self.event_names: frozenset[str] = frozenset()
        """The names of the types of events that the VM has, once it has flushed some."""

    @property
    def is_drained(self) -> bool:
        """Whether every chunk was read to its end."""
        return not self._open

    def look(self) -> None:
        """Opens the chunks that are new."""
        try:
            names = {path.name: path for path in self.path.glob("*.jfr")}
        except OSError:  # the VM has ended, and removed the directory
            names = {}
        self._seen &= names.keys() | {chunk.path.name for chunk in self._open}
        for name in sorted(names.keys() - self._seen):
            try:
                chunk = Chunk(names[name])
            except FileNotFoundError:
                continue
            self._seen.add(name)
            self._open.append(chunk)

    def events(self, *, is_over: bool = False) -> Iterator[Event]:
        """Yields what the VM has flushed since the last call, an older chunk's events first.

        Args:
            is_over: whether chunks that are new are of no interest any more.
        """
        if not is_over:
            self.look()
        for chunk in sorted(self._open, key=lambda chunk: (chunk.start_ns, chunk.path.name)):
            if chunk.is_begun and chunk.start_ns < self._since_ns:
                self._drop(chunk)
                continue
            yield from chunk.events(self._wanted)
            self.event_names = chunk.event_names or self.event_names
            if chunk.is_finished:
                self._drop(chunk)

    def close(self) -> None:
        """Closes the chunks."""
        for chunk in list(self._open):
            self._drop(chunk)

    def _drop(self, chunk: Chunk) -> None:
        chunk.close()
        self._open.remove(chunk)

"""The directory in which a VM keeps the chunks of its event stream.

The VM begins a new chunk when a recording starts or stops, and removes a chunk when no recording
needs it any more. Every chunk is opened as soon as it is seen, so that its removal loses nothing;
a thread looks for new ones, as whoever reads may be late. A chunk begins where the one before has
ended; where one does not, some were not seen.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from jvmscope.watch.flight.chunk import Chunk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from jvmscope.watch.flight.chunk import Event
    from jvmscope.watch.flight.constants import Constants

__all__ = ["Repository"]

_LOOK_S = 1.0
"""A chunk stays for some seconds."""

_MOST_OPEN = 64
"""As many chunks wait at most; the VM has no room on its disk for any number."""

_LEAST_GAP_NS = 1_000_000


class Repository:
    """The chunks of a VM from a time on.

    Args:
        path: the directory.
        since_ns: when the first chunk of interest began at the earliest, nanoseconds since 1970.
        wanted: the names of the types of events that are read.
        on_gap: called with the beginning and end of a time of which chunks were not seen.
    """

    def __init__(
        self,
        path: Path,
        since_ns: int,
        wanted: frozenset[str],
        on_gap: Callable[[int, int], None] = lambda _start, _end: None,
    ) -> None:
        self.path = path
        self._since_ns = since_ns
        self._wanted = wanted
        self._on_gap = on_gap
        self._open: list[Chunk] = []
        self._taken: list[Chunk] = []  # of these, those that are read
        self._lock = threading.RLock()  # of both lists
        self._seen: set[str] = set()
        self._constants: Constants | None = None  # of the chunk that was begun last
        self._ended_ns: int | None = None
        self._flushed_ns = since_ns
        self._is_over = threading.Event()
        self.event_names: frozenset[str] = frozenset()
        """The names of the types of events that the VM has, once it has flushed some."""

    @property
    def is_drained(self) -> bool:
        """Whether every chunk was read to its end."""
        return not self._open

    @property
    def flushed_ns(self) -> int:
        """When the VM flushed the last events that were read, in nanoseconds since 1970."""
        return self._flushed_ns

    def follow(self) -> None:
        """Looks for new chunks in a thread, until nobody wants them any more."""
        threading.Thread(target=self._follow, name="chunks", daemon=True).start()

    def _follow(self) -> None:
        while not self._is_over.wait(_LOOK_S):
            with suppress(OSError):  # who reads looks, too, and is told
                self.look()

    def look_once_more(self) -> None:
        """Opens the chunks that are new; no later one is opened any more."""
        with self._lock:
            self.look()
            self._is_over.set()

    def look(self) -> None:
        """Opens the chunks that are new."""
        with self._lock:
            if self._is_over.is_set():
                return
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
            self._give_up()

    def _give_up(self) -> None:
        """Gives up the oldest chunks that nobody reads, where there are very many."""
        waiting = [chunk for chunk in self._open if chunk not in self._taken]
        for chunk in waiting[: max(0, len(waiting) - _MOST_OPEN)]:
            chunk.close()
            self._open.remove(chunk)

    def events(self, *, is_over: bool = False) -> Iterator[Event]:
        """Yields what the VM has flushed since the last call, an older chunk's events first.

        Args:
            is_over: whether chunks that are new are of no interest any more.
        """
        if is_over:
            self._is_over.set()
        else:
            self.look()
        with self._lock:
            chunks = sorted(self._open, key=lambda chunk: (chunk.start_ns, chunk.path.name))
        for chunk in chunks:
            if self._take(chunk):
                yield from chunk.events(self._wanted)
                self.event_names = chunk.event_names or self.event_names
                self._flushed_ns = max(self._flushed_ns, chunk.end_ns)
                if chunk.is_finished:
                    self._note_gap(chunk)
                    self._ended_ns = chunk.end_ns
                    self._drop(chunk)

    def _take(self, chunk: Chunk) -> bool:
        """Tells whether a chunk is to be read: it is open, and not from before."""
        with self._lock:
            if chunk not in self._open:
                return False
            # A clock that is set back later makes no chunk old.
            is_first = self._ended_ns is None
            if is_first and chunk.is_begun and chunk.start_ns < self._since_ns:
                self._drop(chunk)
                return False
            if chunk not in self._taken:
                self._taken.append(chunk)
                if self._constants is not None:
                    chunk.constants.follow(self._constants)
                self._constants = chunk.constants
            return True

    def _note_gap(self, chunk: Chunk) -> None:
        if self._ended_ns is not None and chunk.start_ns - self._ended_ns >= _LEAST_GAP_NS:
            self._on_gap(self._ended_ns, chunk.start_ns)

    def close(self) -> None:
        """Closes the chunks."""
        self._is_over.set()
        with self._lock:
            left = sorted(self._open, key=lambda chunk: chunk.start_ns)
        if left and left[0].is_begun:
            self._note_gap(left[0])
        for chunk in left:
            self._drop(chunk)

    def _drop(self, chunk: Chunk) -> None:
        chunk.close()
        with self._lock:
            if chunk in self._open:
                self._open.remove(chunk)
            if chunk in self._taken:
                self._taken.remove(chunk)

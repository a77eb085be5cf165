"""pprof's format: a sample for each context, with its stack of places and its weight.

A place is a method and a line: of a caller the line of the call, of the last method its first line.
The thread is a label of the sample (``go tool pprof -tagroot thread``).
https://github.com/google/pprof/blob/main/proto/profile.proto
"""

from __future__ import annotations

import gzip
from datetime import datetime
from typing import TYPE_CHECKING

from jvmscope.reports.exports.formats.registry import TreeFormat, register, tool
from jvmscope.reports.exports.path import Path
from jvmscope.reports.exports.protobuf import bytes_field, number_field, varint
from jvmscope.reports.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from jvmscope.reports.exports.forest import Forest, Method, Node
    from jvmscope.reports.exports.weights import Weight
    from jvmscope.schema import Manifest

__all__ = ["write_pprof"]

_BUFFER_BYTES = 1 << 20


class _Strings:
    """The table of strings, whose first is empty, as the format asks."""

    def __init__(self) -> None:
        self._indices = {"": 0}

    def index(self, text: str | None) -> int:
        return self._indices.setdefault(text or "", len(self._indices))

    def fields(self) -> Iterator[bytes]:
        return (bytes_field(6, text.encode()) for text in self._indices)


class _Places:
    """The places that samples name, by method and line; their keys begin at 1."""

    def __init__(self, methods: tuple[Method, ...]) -> None:
        self._methods = methods
        self._keys: dict[tuple[int, int | None], int] = {}
        self._encoded: dict[tuple[int, int | None], bytes] = {}

    def leaf(self, frame: int) -> bytes:
        return self.call(frame, self._methods[frame].first_line)

    def call(self, frame: int, line: int | None) -> bytes:
        place = (frame, line)
        found = self._encoded.get(place)
        if found is None:
            self._keys[place] = key = len(self._keys) + 1
            self._encoded[place] = found = varint(key)
        return found

    def fields(self, strings: _Strings) -> Iterator[bytes]:
        """Yields the locations and then the functions."""
        for (frame, line), key in self._keys.items():
            content = bytes_field(4, number_field(1, frame + 1) + number_field(2, line or 0))
            yield bytes_field(4, number_field(1, key) + content)
        for frame in sorted({frame for frame, _ in self._keys}):
            method = self._methods[frame]
            name = strings.index(method.name)
            content = number_field(1, frame + 1) + number_field(2, name) + number_field(3, name)
            content += number_field(4, strings.index(method.source_file))
            yield bytes_field(5, content + number_field(5, method.first_line or 0))


def write_pprof(forest: Forest, out: BinaryIO) -> None:
    """Writes the profile, compressed; contexts without weight are left out."""
    strings, places = _Strings(), _Places(forest.methods)
    kind = _kind(forest.weight, strings)
    thread_key = strings.index("thread")
    # Neither the file's name nor the time is kept, so that the same run gives the same bytes.
    with gzip.GzipFile("", mode="wb", compresslevel=6, fileobj=out, mtime=0) as file:
        pending = bytearray(bytes_field(1, kind))
        for thread, nodes in forest.threads():
            label = number_field(1, thread_key) + number_field(2, strings.index(thread.label))
            for sample in _samples(nodes, places, bytes_field(3, label)):
                pending += sample
                if len(pending) >= _BUFFER_BYTES:
                    file.write(pending)
                    pending.clear()
        for field in places.fields(strings):
            pending += field
        pending += _facts(forest.engine.manifest, strings) + bytes_field(11, kind)
        pending += number_field(12, 1)
        for field in strings.fields():
            pending += field
        file.write(pending)


def _kind(weight: Weight, strings: _Strings) -> bytes:
    """Returns the type of the samples: what is counted, or the bytes or time of what."""
    is_known = weight.unit in {"byte", "nanosecond"}
    units = plural(weight.unit)
    name, unit = (weight.name, units) if is_known else (units, "count")
    return number_field(1, strings.index(name)) + number_field(2, strings.index(unit))


def _samples(nodes: Iterator[Node], places: _Places, label: bytes) -> Iterator[bytes]:
    """Yields the samples of a thread; stacks begin with the method that was called last."""
    callers = Path(b"")  # backwards, to the last byte: reversed, it is the stack of callers
    frames = [-1]
    for level, frame, line, weight, *_ in nodes:
        del frames[level:]
        frames.append(frame)
        above = b""
        if level > 1:
            above = callers.at(level - 1, places.call(frames[level - 1], line)[::-1])[::-1]
        if weight:
            stack = bytes_field(1, places.leaf(frame) + above)
            yield bytes_field(2, stack + bytes_field(2, varint(weight)) + label)


def _facts(manifest: Manifest, strings: _Strings) -> bytes:
    """Returns when the program ran, for how long, and comments."""
    facts = b""
    if manifest.started is not None:
        started = datetime.fromisoformat(manifest.started).timestamp()
        facts += number_field(9, int(started) * 1_000_000_000)
    if manifest.duration_s is not None:
        facts += number_field(10, int(manifest.duration_s * 1e9))
    comments = [varint(strings.index(text)) for text in (tool(), manifest.command_line) if text]
    return facts + bytes_field(13, b"".join(comments))


register(
    TreeFormat(
        name="pprof",
        write=write_pprof,
        rank=3,
        is_binary=True,
        contains="a sample for each context, with the lines of calls and the thread as a label; "
        "compressed with gzip",
        opened_by="`go tool pprof`, Grafana Pyroscope, Speedscope",
    )
)

"""The Firefox Profiler's processed format, version 57: a thread's tree, and a sample a context.

A sample weighs what its context costs, and lies on the time axis where the weights of those before
it end, so that the stack chart is as wide as the weights. Newer versions of the Profiler upgrade
what they open. A thread at a time is held, column by column.
https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md
"""

from __future__ import annotations

import json
from array import array
from datetime import datetime
from typing import TYPE_CHECKING, Any

from jvmscope.reports.exports.formats.registry import TreeFormat, register, tool
from jvmscope.reports.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from jvmscope.reports.exports.forest import Forest, Method, Node, Thread
    from jvmscope.schema import Manifest

__all__ = ["write_firefox"]

_VERSION = 57
_GECKO_VERSION = 30  # of the format that the processed one was made of; the Profiler wants one
_JAVA = 0  # the only category
_CHUNK = 1 << 16


def write_firefox(forest: Forest, out: BinaryIO) -> None:
    """Writes the profile; the strings of all threads come last."""
    strings: dict[str, int] = {}
    head = {"meta": _meta(forest), "libs": [], "pages": [], "counters": []}
    out.write(json.dumps(head).removesuffix("}").encode() + b', "threads": [')
    for number, (thread, nodes) in enumerate(forest.threads()):
        out.write(b",\n" if number else b"\n")
        tree = _Tree(nodes)
        facts = _thread(thread, is_main=number == 0)
        facts |= _frames(tree.methods, forest.methods, strings)
        out.write(json.dumps(facts).removesuffix("}").encode())
        _write_columns(out, "stackTable", {"frame": tree.frames, "prefix": tree.prefixes})
        samples = {"stack": tree.stacks, "time": tree.times, "weight": tree.weights}
        shown = "bytes" if forest.weight.unit == "byte" else "samples"
        _write_columns(out, "samples", samples, f'"weightType": "{shown}", ')
        out.write(b"}")
    out.write(f'], "shared": {{"stringArray": {json.dumps(list(strings))}}}}}\n'.encode())


class _Tree:
    """The columns of one thread: a stack for each node, a sample for each that has weight.

    Attributes:
        frames: of each stack its method, by position in ``methods``.
        prefixes: of each stack that of its caller; -1: none.
        stacks: of each sample its stack.
        times: of each sample the weights before it.
        weights: of each sample its weight.
        methods: the methods that occur, each with its position.
    """

    def __init__(self, nodes: Iterator[Node]) -> None:
        self.frames, self.prefixes, self.stacks = array("i"), array("i"), array("i")
        self.times, self.weights = array("q"), array("q")
        self.methods: dict[int, int] = {}
        path = [-1]
        at = 0
        for stack, (level, frame, _line, weight, *_) in enumerate(nodes):
            self.frames.append(self.methods.setdefault(frame, len(self.methods)))
            self.prefixes.append(path[level - 1])
            del path[level:]
            path.append(stack)
            if weight:
                self.stacks.append(stack)
                self.times.append(at)
                self.weights.append(weight)
                at += weight


def _meta(forest: Forest) -> dict[str, Any]:
    manifest = forest.engine.manifest
    unit = plural(forest.weight.unit)
    return {
        "categories": [{"name": "Java", "color": "yellow", "subcategories": ["Other"]}],
        "importedFrom": tool(),
        "interval": 1,
        "markerSchema": [],
        "preprocessedProfileVersion": _VERSION,
        "processType": 0,
        "product": f"{forest.engine.run_id} ({unit})",
        "stackwalk": 1,
        "startTime": _started_ms(manifest),
        "symbolicated": True,
        "version": _GECKO_VERSION,
    }


def _started_ms(manifest: Manifest) -> float:
    if manifest.started is None:
        return 0
    return datetime.fromisoformat(manifest.started).timestamp() * 1000


def _thread(thread: Thread, *, is_main: bool) -> dict[str, Any]:
    return {
        "name": thread.label,
        "isMainThread": is_main,
        "pid": "0",
        "tid": thread.thread_id,
        "processType": "default",
        "processStartupTime": 0,
        "processShutdownTime": None,
        "registerTime": 0,
        "unregisterTime": None,
        "pausedRanges": [],
        "markers": _table("data", "name", "startTime", "endTime", "phase", "category"),
        "resourceTable": _table("lib", "name", "host", "type"),
        "nativeSymbols": _table("libIndex", "address", "name", "functionSize"),
    }


def _table(*columns: str) -> dict[str, Any]:
    return {"length": 0, **{column: [] for column in columns}}


def _frames(
    used: dict[int, int], methods: tuple[Method, ...], strings: dict[str, int]
) -> dict[str, Any]:
    """Returns a thread's functions and frames: one of each for each method."""
    n = len(used)
    found = [methods[frame] for frame in used]
    files = [method.source_file for method in found]

    def index(text: str) -> int:
        return strings.setdefault(text, len(strings))

    functions = {
        "length": n,
        "name": [index(method.name) for method in found],
        "isJS": [False] * n,
        "relevantForJS": [False] * n,
        "resource": [-1] * n,
        "fileName": [None if file is None else index(file) for file in files],
        "lineNumber": [method.first_line for method in found],
        "columnNumber": [None] * n,
    }
    frames = {
        "length": n,
        "address": [-1] * n,
        "inlineDepth": [0] * n,
        "category": [_JAVA] * n,
        "subcategory": [0] * n,
        "func": list(range(n)),
        "nativeSymbol": [None] * n,
        "innerWindowID": [None] * n,
        "line": [None] * n,
        "column": [None] * n,
    }
    return {"funcTable": functions, "frameTable": frames}


def _write_columns(
    out: BinaryIO, name: str, columns: dict[str, array[int]], before: str = ""
) -> None:
    """Writes a table of whole numbers, where -1 is null."""
    length = len(next(iter(columns.values())))
    out.write(f', "{name}": {{{before}"length": {length}'.encode())
    for column, values in columns.items():
        out.write(f', "{column}": ['.encode())
        for start in range(0, length, _CHUNK):
            chunk = (
                "null" if value == -1 else str(value) for value in values[start : start + _CHUNK]
            )
            out.write((("," if start else "") + ",".join(chunk)).encode())
        out.write(b"]")
    out.write(b"}")


register(
    TreeFormat(
        name="firefox",
        write=write_firefox,
        rank=4,
        row_bytes=40,
        contains="the tree of each thread, with a sample for each context; processed profile "
        f"format {_VERSION}",
        opened_by="profiler.firefox.com, which upgrades it",
        note="profiler.firefox.com",
    )
)

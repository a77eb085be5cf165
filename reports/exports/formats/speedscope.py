"""Speedscope's own format: for each thread the openings and closings of its calls.

The axis is the weight, so a frame is as wide as what it and its callees cost. It shows no times:
contexts are drawn in the order of the tree, each once, whenever their calls were made. What costs
nothing is not drawn. https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from jvmscope.reports.exports.formats.registry import TreeFormat, register, tool
from jvmscope.reports.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from jvmscope.reports.exports.forest import Forest, Node

__all__ = ["write_speedscope"]

_SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def write_speedscope(forest: Forest, out: BinaryIO) -> None:
    """Writes one profile for each thread that has weight; the frames come last."""
    name = f"{forest.engine.run_id} ({plural(forest.weight.unit)})"
    head = {"$schema": _SCHEMA, "exporter": tool(), "name": name, "activeProfileIndex": 0}
    out.write(json.dumps(head).removesuffix("}").encode() + b', "profiles": [')
    indices: dict[int, int] = {}
    n_profiles = 0
    for thread, nodes in forest.threads():
        before, end = _opening(thread.label, forest.weight.unit, is_first=not n_profiles), 0
        for event, at in _events(nodes, indices):
            out.write(f"{before}{event}".encode())
            before, end = ",\n", at
        if end:
            out.write(f'], "endValue": {end}}}'.encode())
            n_profiles += 1
    methods = forest.methods
    frames = [
        {"name": methods[frame].name}
        | ({"file": file} if (file := methods[frame].source_file) else {})
        | ({"line": line} if (line := methods[frame].first_line) else {})
        for frame in indices
    ]
    out.write(f'], "shared": {{"frames": {json.dumps(frames)}}}}}\n'.encode())


def _opening(name: str, unit: str, *, is_first: bool) -> str:
    shown = plural(unit) if unit in {"byte", "nanosecond"} else "none"
    profile = {"type": "evented", "name": name, "unit": shown, "startValue": 0}
    separator = "" if is_first else ",\n"
    return f'{separator}{json.dumps(profile).removesuffix("}")}, "events": [\n'


def _events(nodes: Iterator[Node], indices: dict[int, int]) -> Iterator[tuple[str, int]]:
    """Yields each event, and the weight up to it.

    A frame is opened when something below it, or itself, has weight.

    Args:
        nodes: the nodes of a thread.
        indices: the frames that were used, by method; more are added.
    """
    path: list[int] = []
    n_open = at = 0
    for level, frame, _line, weight, *_ in nodes:
        while n_open >= level:
            n_open -= 1
            yield _event("C", indices[path[n_open]], at), at
        del path[level - 1 :]
        path.append(frame)
        if weight:
            while n_open < level:
                opened = indices.setdefault(path[n_open], len(indices))
                yield _event("O", opened, at), at
                n_open += 1
            at += weight
    while n_open:
        n_open -= 1
        yield _event("C", indices[path[n_open]], at), at


def _event(kind: str, frame: int, at: int) -> str:
    return f'{{"type":"{kind}","frame":{frame},"at":{at}}}'


register(
    TreeFormat(
        name="speedscope",
        write=write_speedscope,
        rank=2,
        row_bytes=90,
        contains="for each thread, where frames open and close on an axis of weight",
        opened_by="speedscope.app",
    )
)

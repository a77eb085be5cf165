"""Collapsed stacks: a line for each context, its path and its weight; every tool reads them.

    main;app.Main.main(java.lang.String[]);java.util.ArrayList.size() 1200

The first frame is the thread. Semicolons, white space and control characters in names, and ``%``
itself, are percent-encoded, since a semicolon ends a frame and a blank the stack.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.reports.exports.formats.registry import TreeFormat, register
from jvmscope.reports.exports.path import Path

if TYPE_CHECKING:
    from typing import BinaryIO

    from jvmscope.reports.exports.forest import Forest

__all__ = ["escape_frame", "write_collapsed"]

_SPECIAL = re.compile(r"[%;\s\x00-\x1f\x7f-\x9f]")


def write_collapsed(forest: Forest, out: BinaryIO) -> None:
    """Writes the stacks, those without weight left out; the same stack may come back."""
    frames = [b";" + escape_frame(method.name).encode() for method in forest.methods]
    for thread, nodes in forest.threads():
        path = Path(escape_frame(thread.label).encode())
        for level, frame, _line, weight, *_ in nodes:
            stack = path.at(level, frames[frame])
            if weight:
                out.write(b"%b %d\n" % (stack, weight))


def escape_frame(name: str) -> str:
    """Returns a name that is one frame; ``urllib.parse.unquote`` is its inverse.

    >>> escape_frame("pool 1;x"), escape_frame("a.B.f(int, long)")
    ('pool%201%3Bx', 'a.B.f(int,%20long)')
    >>> escape_frame("\\x7f\\x9b1m")
    '%7F%C2%9B1m'
    """
    return _SPECIAL.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)


register(
    TreeFormat(
        name="collapsed",
        write=write_collapsed,
        rank=1,
        has_paths=True,
        is_sparse=True,
        row_bytes=10,
        contains="a line for each context, with its stack and weight",
        opened_by="flamegraph.pl, inferno, speedscope, Firefox Profiler, async-profiler's "
        "converter, `awk`",
        note="for flame graphs",
    )
)

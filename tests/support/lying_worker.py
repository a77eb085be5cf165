"""Run in place of a worker: answers what no worker does, as one that was taken over might."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmscope.queries.locked import frames

if TYPE_CHECKING:
    from jvmscope.confinement import Barriers

__all__ = ["main"]


def main(barriers: Barriers) -> None:
    """Answers with what the query names: a wrong head, no table, or text beyond its buffer."""
    lie = json.loads(sys.stdin.buffer.readline())["text"]
    out = sys.stdout.buffer
    head = {"columns": [["a", "VARCHAR", None]], "is_truncated": False}
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema([("a", pa.string())])) as writer:
        writer.write_batch(pa.record_batch([pa.array(["xyz"])], names=["a"]))
    table = sink.getvalue().to_pybytes()
    if lie == "offset":  # the text's end, which stands before the text
        at = table.rindex(b"xyz") - 4
        table = table[:at] + (1 << 20).to_bytes(4, "little") + table[at + 4 :]
    frames.send(out, frames.READY, asdict(barriers))
    frames.send(out, frames.COLUMNS, {"columns": 1} if lie == "head" else head)
    frames.send(out, frames.TABLE, b"no table" if lie == "table" else table)

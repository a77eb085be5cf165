"""CSV: one table of contexts, each with its path, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from jvmscope.reports.exports.collapsed import escape_frame

if TYPE_CHECKING:
    from typing import BinaryIO

    from jvmscope.reports.exports.forest import Forest

__all__ = ["write_table"]

_COLUMNS = ("context_id", "parent_id", "thread_id", "thread", "level", "method", "line")


def write_table(forest: Forest, out: BinaryIO) -> None:
    """Writes one row for each node, in pre-order.

    ``context_id`` is empty where a row stands for contexts that were folded, ``line`` where the
    line of the call is not known. The path has the frames of collapsed stacks. The weights are
    the node's own and, ``_inclusive``, those of its subtree.
    """
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=False)
    writer = csv.writer(text, lineterminator="\n")
    column = forest.weight.column
    writer.writerow((*_COLUMNS, column, f"{column}_inclusive", "n_contexts", "path"))
    names = [method.name for method in forest.methods]
    frames = [";" + escape_frame(name) for name in names]
    for thread, nodes in forest.threads():
        paths = [escape_frame(thread.name)]
        for level, frame, line, weight, inclusive, context_id, parent_id, n_contexts in nodes:
            path = paths[level - 1] + frames[frame]
            del paths[level:]
            paths.append(path)
            writer.writerow(
                (
                    *(context_id, parent_id, *thread, level, names[frame], line),
                    *(weight, inclusive, n_contexts, path),
                )
            )
    text.detach()

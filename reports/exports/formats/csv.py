"""CSV: one table of contexts, each with its path, for spreadsheets and data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.exports.formats.collapsed import escape_frame
from jvmscope.reports.exports.formats.registry import TreeFormat, register
from jvmscope.reports.exports.path import Path

if TYPE_CHECKING:
    from typing import BinaryIO

    from jvmscope.reports.exports.forest import Forest

__all__ = ["write_csv"]

_KEYS = "context_id,parent_id,thread_id,thread,level,method,line"


def write_csv(forest: Forest, out: BinaryIO) -> None:
    """Writes one row for each node, in pre-order.

    ``context_id`` is empty where a row stands for contexts that were folded, ``parent_id`` where
    these were called by the thread, ``line`` where the line of the call is not known. The weights
    are the node's own and, ``_inclusive``, those of its subtree. The path has the frames of
    collapsed stacks.
    """
    column = forest.weight.column
    out.write(f"{_KEYS},{column},{column}_inclusive,n_contexts,path\n".encode())
    methods = [_quoted(method.name) for method in forest.methods]
    frames = [f";{_inside(escape_frame(method.name))}".encode() for method in forest.methods]
    for thread, nodes in forest.threads():
        head = f"{thread.thread_id},{_quoted(thread.name)}"
        paths = Path(_inside(escape_frame(thread.label)).encode())
        for level, frame, line, weight, inclusive, context_id, parent_id, n_contexts in nodes:
            row = (
                f"{_number(context_id)},{_number(parent_id)},{head},{level},{methods[frame]},"
                f"{_number(line)},{weight},{inclusive},{n_contexts}"
            )
            out.write(b'%b,"%b"\n' % (row.encode(), paths.at(level, frames[frame])))


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _quoted(text: str) -> str:
    """Returns a text as a cell.

    >>> _quoted('a "b", c')
    '"a ""b"", c"'
    """
    return f'"{_inside(text)}"'


def _inside(text: str) -> str:
    return text.replace('"', '""')


register(
    TreeFormat(
        name="csv",
        write=write_csv,
        rank=5,
        has_paths=True,
        row_bytes=120,
        has_sums=True,
        contains="a row for each context: keys, method, own weight, weight of the subtree, path",
        opened_by="spreadsheets, data frames",
        note="one row for each context",
    )
)

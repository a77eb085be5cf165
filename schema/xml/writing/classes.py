"""The static part of a run as elements, a few classes at a time."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa

from jvmscope.errors import RunError
from jvmscope.schema.definitions import facts_of
from jvmscope.schema.xml.arrow import Column
from jvmscope.schema.xml.arrow import compute as pc
from jvmscope.schema.xml.vocabulary import CLASSES_ROOT, elements
from jvmscope.schema.xml.writing.row_markup import (
    concatenate,
    count,
    grouped,
    leaves,
    start_tags,
    utf8,
)
from jvmscope.schema.xml.writing.table_cursor import Cursor, read_batches

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.schema.xml.writing.run import RunTables

__all__ = ["write_classes"]

_CLASSES_AT_ONCE = 16
_KEYED = ("class", "field", "method", "basic_block", "instruction", "call_site", "block_segment")


def write_classes(run: RunTables, out: BinaryIO, report: Callable[[int], None]) -> None:
    """Writes every class with its members, and the tables of facts behind them."""
    writer = _Writer(run)
    n_classes = run.n_rows["class"]
    for first in range(0, n_classes, _CLASSES_AT_ONCE):
        n = min(_CLASSES_AT_ONCE, n_classes - first)
        out.write(utf8(writer.classes(first, n)))
        report(first + n)
    writer.finish()
    for name in facts_of(CLASSES_ROOT):
        if name in run.n_rows:
            for batch in read_batches(run.path(name), name):
                rows = pa.Table.from_batches([batch])
                out.write(utf8(concatenate(leaves(elements()[name], rows), "\n")))


class _Writer:
    """Open tables, each read once, and the sums of the counts."""

    def __init__(self, run: RunTables) -> None:
        self._run = run
        self._cursors = {name: _by_owner(run, name) for name in _KEYED if name in run.n_rows}
        n_methods, n_blocks = run.n_rows["method"], run.n_rows["basic_block"]
        path = run.path("thread_method")
        self._calls = _sums(path, "thread_method", "n_calls", n_methods)
        self._bytecodes = _sums(path, "thread_method", "n_bytecodes", n_methods)
        path = run.path("thread_block")
        self._executions = _sums(path, "thread_block", "n_executions", n_blocks)
        self._first = dict.fromkeys(_KEYED, 0)

    def classes(self, first: int, n: int) -> Column:
        rows = self._take("class", first, n)
        fields = self._grouped_leaves("field", first, n)
        methods, owners = self._methods(first, n)
        return concatenate(
            start_tags(elements()["class"], rows),
            ">\n",
            _interfaces(rows),
            fields,
            grouped(owners, methods, first, n),
            "</dcg:class>\n",
        )

    def finish(self) -> None:
        for name, cursor in self._cursors.items():
            owner = elements()[name].owner
            limit = self._run.n_rows[_OWNERS[owner] if owner else name]
            cursor.finish(limit)
            if self._first[name] != self._run.n_rows[name]:
                raise RunError(f"{self._run.path(name)}: the rows changed while they were read")

    def _take(self, name: str, first: int, n: int) -> pa.Table:
        """Returns the rows that belong to the owners from ``first``; their keys are dense."""
        rows = self._cursors[name].below(first + n)
        key = rows.column(f"{name}_id")
        start = self._first[name]
        if rows.num_rows:
            ends = (key[0].as_py(), key[-1].as_py())
            steps = pc.min_max(pc.subtract(key.slice(1), key.slice(0, len(key) - 1))).as_py()
            if ends != (start, start + rows.num_rows - 1) or steps["min"] not in (1, None):
                raise RunError(f"{self._run.path(name)}: the keys do not count 0, 1, 2, …")
        self._first[name] = start + rows.num_rows
        return rows

    def _grouped_leaves(self, name: str, first: int, n: int) -> Column:
        if name not in self._cursors:
            return pa.repeat("", n)
        rows = self._take(name, first, n)
        owner = elements()[name].owner or ""
        texts = concatenate(leaves(elements()[name], rows), "" if name in _INLINE else "\n")
        return grouped(rows.column(owner).combine_chunks(), texts, first, n)

    def _methods(self, first_class: int, n_classes: int) -> tuple[Column, Column]:
        first = self._first["method"]
        rows = self._take("method", first_class, n_classes)
        n = rows.num_rows
        coverage = rows.column("coverage").combine_chunks().cast(pa.string())
        blocks, owners = self._blocks(first, n, coverage)
        calls = self._calls.slice(first, n)
        # Not counted is not zero: a method that was excluded has no counts.
        is_counted = pc.or_(pc.not_equal(coverage, "none"), pc.greater(calls, 0))
        texts = concatenate(
            start_tags(elements()["method"], rows),
            ">",
            count("callCount", _only(is_counted, calls)),
            count("bytecodeCount", _only(is_counted, self._bytecodes.slice(first, n))),
            "\n",
            grouped(owners, blocks, first, n),
            self._grouped_leaves("call_site", first, n),
            "</dcg:method>\n",
        )
        return texts, rows.column("class_id").combine_chunks()

    def _blocks(self, first_method: int, n_methods: int, coverage: Column) -> tuple[Column, Column]:
        first = self._first["basic_block"]
        rows = self._take("basic_block", first_method, n_methods)
        n = rows.num_rows
        owners = rows.column("method_id").combine_chunks()
        executions = self._executions.slice(first, n)
        covered = pc.equal(coverage.take(pc.subtract(owners, first_method)), "full")
        is_counted = pc.or_(covered, pc.greater(executions, 0))
        texts = concatenate(
            start_tags(elements()["basic_block"], rows),
            ">",
            count("executionCount", _only(is_counted, executions)),
            self._grouped_leaves("instruction", first, n),
            self._grouped_leaves("block_segment", first, n),
            "</dcg:basicBlock>\n",
        )
        return texts, owners


_OWNERS = {"class_id": "class", "method_id": "method", "caller_id": "method"}
_OWNERS["basic_block_id"] = "basic_block"
_INLINE = frozenset({"instruction", "block_segment"})  # on the line of their block


def _by_owner(run: RunTables, name: str) -> Cursor:
    owner = elements()[name].owner
    return Cursor(run.path(name), name, owner or f"{name}_id", is_key=owner is None)


def _only(are_there: Column, values: Column) -> Column:
    """Returns the values, null where they are not there."""
    return pc.if_else(are_there, values, pa.scalar(None, pa.int64()))


def _interfaces(rows: pa.Table) -> Column:
    """Returns the interface elements of each class."""
    lists: Column = rows.column("interface_ids").combine_chunks()
    references = concatenate('<dcg:interface ref="', lists.flatten().cast(pa.string()), '"/>\n')
    return grouped(pc.list_parent_indices(lists), references, 0, rows.num_rows)


def _sums(path: Path, table: str, column: str, n: int) -> Column:
    """Returns the column's sum over the threads for each key of the table's second column."""
    sums = array("q", bytes(8 * n))
    for batch in read_batches(path, table):
        keys: list[Any] = batch.column(1).to_pylist()
        values: list[Any] = batch.column(column).to_pylist()
        for key, value in zip(keys, values, strict=True):
            if not 0 <= key < n:
                raise RunError(f"{path}: {batch.schema.names[1]} {key} is not there")
            sums[key] += value
    return pa.Array.from_buffers(pa.int64(), n, [None, pa.py_buffer(sums)])

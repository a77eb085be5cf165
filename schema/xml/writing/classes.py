"""The static part of a run as elements, a few classes at a time."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa

from jvmscope.errors import RunError
from jvmscope.schema.definitions import tables_within
from jvmscope.schema.xml.arrow import Column
from jvmscope.schema.xml.arrow import compute as pc
from jvmscope.schema.xml.vocabulary import CLASSES_ROOT, SUMMED_COUNTS, elements, tables_in
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

_ROWS_AT_ONCE = 16  # classes, or what else the document holds with parts of its own
_WITH_LINES = frozenset({CLASSES_ROOT, "class", "method"})  # what these hold begins lines


def write_classes(run: RunTables, out: BinaryIO, report: Callable[[int], None]) -> None:
    """Writes every class with its members, and the other tables of the document."""
    writer = _Writer(run)
    for table in tables_within(CLASSES_ROOT):
        if table not in run.n_rows:
            continue
        if not elements()[table].has_key:
            for batch in read_batches(run.path(table), table):
                rows = pa.Table.from_batches([batch])
                out.write(utf8(concatenate(leaves(elements()[table], rows), "\n")))
            continue
        n_rows = run.n_rows[table]
        for first in range(0, n_rows, _ROWS_AT_ONCE):
            n = min(_ROWS_AT_ONCE, n_rows - first)
            out.write(utf8(writer.top(table, first, n)))
            if table == "class":
                report(first + n)
    writer.finish()


class _Writer:
    """Open tables, each read once, and the sums of the counts."""

    def __init__(self, run: RunTables) -> None:
        self._run = run
        self._cursors = {
            name: _by_owner(run, name)
            for name in tables_in(CLASSES_ROOT)
            if name in run.n_rows and (elements()[name].has_key or elements()[name].owner)
        }
        self._first = dict.fromkeys(self._cursors, 0)  # rows that were taken already
        n_methods, n_blocks = run.n_rows["method"], run.n_rows["basic_block"]
        path = run.path("thread_method")
        self._calls = _sums(path, "thread_method", "n_calls", n_methods)
        self._bytecodes = _sums(path, "thread_method", "n_bytecodes", n_methods)
        path = run.path("thread_block")
        self._executions = _sums(path, "thread_block", "n_executions", n_blocks)

    def top(self, table: str, first: int, n: int) -> Column:
        """Returns rows that the document itself holds, given by their keys."""
        return self._elements(table, None, first, n)[0]

    def finish(self) -> None:
        for name, cursor in self._cursors.items():
            element = elements()[name]
            cursor.finish(self._run.n_rows[element.within if element.owner else name])
            if self._first[name] != self._run.n_rows[name]:
                raise RunError(f"{self._run.path(name)}: the rows changed while they were read")

    def _elements(
        self, name: str, holders: pa.Table | None, first: int, n: int
    ) -> tuple[Column, pa.Table]:
        """Returns rows with all that they hold, and the rows themselves.

        Args:
            name: the table.
            holders: the rows that hold these; None: the document does.
            first: the key of the first of them; without them, that of the first row.
            n: how many there are.
        """
        element = elements()[name]
        key = self._first[name]
        rows = self._take(name, first + n)
        end = "\n" if element.within in _WITH_LINES else ""
        parts = [part for part in tables_within(name) if part in self._cursors]
        if not parts:
            return concatenate(leaves(element, rows), end), rows
        texts = concatenate(
            start_tags(element, rows),
            ">",
            *self._counts(name, rows, key, holders, first),
            "\n" if name in _WITH_LINES else "",
            *([_interfaces(rows)] if name == "class" else []),
            *(self._parts(part, rows, key) for part in parts),
            f"</dcg:{element.name}>{end}",
        )
        return texts, rows

    def _parts(self, name: str, holders: pa.Table, first: int) -> Column:
        """Returns for each of some rows the elements of a table that it holds."""
        texts, rows = self._elements(name, holders, first, holders.num_rows)
        owners = rows.column(elements()[name].owner or "").combine_chunks()
        return grouped(owners, texts, first, holders.num_rows)

    def _take(self, name: str, limit: int) -> pa.Table:
        """Returns the rows up to those of the owner ``limit``; keys are dense."""
        rows = self._cursors[name].below(limit)
        start = self._first[name]
        if rows.num_rows and elements()[name].has_key:
            key = rows.column(f"{name}_id")
            ends = (key[0].as_py(), key[-1].as_py())
            steps = pc.min_max(pc.subtract(key.slice(1), key.slice(0, len(key) - 1))).as_py()
            if ends != (start, start + rows.num_rows - 1) or steps["min"] not in (1, None):
                raise RunError(f"{self._run.path(name)}: the keys do not count 0, 1, 2, …")
        self._first[name] = start + rows.num_rows
        return rows

    def _counts(
        self, name: str, rows: pa.Table, first: int, holders: pa.Table | None, first_holder: int
    ) -> list[Column]:
        """Returns the sums of a method or block, none where it was not counted: that is not 0."""
        n = rows.num_rows
        if name == "method":
            coverage = _coverage(rows)
            calls, bytecodes = self._calls.slice(first, n), self._bytecodes.slice(first, n)
            is_counted = pc.or_(pc.not_equal(coverage, "none"), pc.greater(calls, 0))
            sums = [calls, bytecodes]
        elif name == "basic_block" and holders is not None:
            executions = self._executions.slice(first, n)
            owners = rows.column("method_id").combine_chunks()
            coverage = _coverage(holders).take(pc.subtract(owners, first_holder))
            is_counted = pc.or_(pc.equal(coverage, "full"), pc.greater(executions, 0))
            sums = [executions]
        else:
            return []
        names = SUMMED_COUNTS[name]
        return [count(n, _only(is_counted, s)) for n, s in zip(names, sums, strict=True)]


def _by_owner(run: RunTables, name: str) -> Cursor:
    owner = elements()[name].owner
    return Cursor(run.path(name), name, owner or f"{name}_id", is_key=owner is None)


def _coverage(methods: pa.Table) -> Column:
    return methods.column("coverage").combine_chunks().cast(pa.string())


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

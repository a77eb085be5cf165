"""The calling context trees as elements, a few thousand contexts at a time.

One renderer serves the writer, and the reader's fast path, which renders what it understood and
compares that with what it read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import pyarrow as pa

from jvmscope.errors import RunError
from jvmscope.schema.definitions import facts_of
from jvmscope.schema.xml.arrow import Column
from jvmscope.schema.xml.arrow import compute as pc
from jvmscope.schema.xml.vocabulary import MAX_NESTED_DEPTH, elements
from jvmscope.schema.xml.writing.row_markup import (
    concatenate,
    count,
    grouped,
    integers,
    leaves,
    start_tags,
    utf8,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.schema.xml.writing.run import Form, RunTables
    from jvmscope.schema.xml.writing.table_cursor import Cursor

__all__ = ["context_bodies", "context_tags", "nested_ends", "write_threads"]

_CONTEXTS_AT_ONCE = 8192
_END = "</dcg:context>"
_THREAD_END = "</dcg:thread>\n"
_IMPLIED = {"nested": ("parent",), "flat": ()}


def context_tags(rows: pa.Table, form: Form) -> Column:
    """Returns the start tag of each context without its closing ``>``."""
    return start_tags(elements()["context"], rows, without=_IMPLIED[form])


def context_bodies(rows: pa.Table, parts: dict[str, pa.Table], first: int) -> Column:
    """Returns what each context holds but its children: counts, blocks, edges.

    Args:
        rows: contexts with dense keys.
        parts: the rows of the tables that belong to these contexts.
        first: the key of the first context.
    """
    bodies = [
        count(name, rows.column(column).combine_chunks())
        for name, column in elements()["context"].counts
    ]
    for table, part in parts.items():
        if part.num_rows:
            keys = part.column("context_id").combine_chunks()
            bodies.append(grouped(keys, leaves(elements()[table], part), first, rows.num_rows))
    return concatenate(*bodies)


def nested_ends(depths: Column, before: int) -> Column:
    """Returns what ends the line before each context: the end tags of those that it is not in.

    Args:
        depths: the depth of each context.
        before: the depth of the context before the first; -1 where there is none.

    >>> nested_ends(pa.array([0, 1, 1], pa.int32()), -1).to_pylist()
    ['', '\\n', '</dcg:context>\\n']
    """
    previous = pa.concat_arrays([integers(before, 1), depths.slice(0, len(depths) - 1)])
    n_ends = pc.max_element_wise(pc.subtract(pc.add(previous, 1), depths), 0)
    ends = concatenate(pc.binary_repeat(_END, n_ends), "\n")
    return ends if before >= 0 else pa.concat_arrays([pa.array([""]), ends.slice(1)])


def write_threads(run: RunTables, out: BinaryIO, form: Form, report: Callable[[int], None]) -> None:
    """Writes every thread with its contexts."""
    _Writer(run, out, form).write(report)


class _Writer:
    def __init__(self, run: RunTables, out: BinaryIO, form: Form) -> None:
        self._run = run
        self._out = out
        self._form: Form = form
        self._contexts = run.cursor("context")
        self._threads = run.cursor("thread")
        self._parts = _cursors(run, "context")
        self._thread_parts = _cursors(run, "thread")
        self._n_threads = 0
        self._depth = -1

    def write(self, report: Callable[[int], None]) -> None:
        n_contexts = self._run.n_rows["context"]
        for first in range(0, n_contexts, _CONTEXTS_AT_ONCE):
            n = min(_CONTEXTS_AT_ONCE, n_contexts - first)
            self._out.write(utf8(self._slice(first, n)))
            report(first + n)
        if n_contexts:
            if self._form == "nested":
                self._out.write(_END.encode() * (self._depth + 1) + b"\n")
            self._out.write(_THREAD_END.encode())
        self._finish(n_contexts)

    def _slice(self, first: int, n: int) -> Column:
        rows = self._contexts.below(first + n)
        parts = {name: cursor.below(first + n) for name, cursor in self._parts.items()}
        depths = rows.column("depth").combine_chunks()
        self._check(rows, first, depths)
        texts = concatenate(
            self._before(rows, depths, first),
            context_tags(rows, self._form),
            ">",
            context_bodies(rows, parts, first),
            "" if self._form == "nested" else f"{_END}\n",
        )
        self._depth = depths[-1].as_py()
        return texts

    def _before(self, rows: pa.Table, depths: Column, first: int) -> Column:
        """Returns the text before each context: ends of other contexts, the start of its thread."""
        n = len(depths)
        ends = nested_ends(depths, self._depth) if self._form == "nested" else pa.repeat("", n)
        roots = pc.equal(depths, 0)
        indices = pc.indices_nonzero(roots)
        if not len(indices):
            return ends
        starts = self._thread_starts(pc.add(indices.cast(pa.int64()), first), rows, indices)
        starts = pc.replace_with_mask(pa.repeat("", n), roots, starts)
        return concatenate(ends, starts)

    def _thread_starts(self, roots: Column, rows: pa.Table, indices: Column) -> Column:
        first = self._n_threads
        n = len(roots)
        threads = self._threads.below(first + n)
        named = rows.column("thread_id").combine_chunks().take(indices)
        expected = integers(first, n)
        given = threads.column("root_context_id").combine_chunks()
        if not (named.equals(expected) and given.cast(pa.int64()).equals(roots)):
            raise RunError(
                f"{self._run.path('thread')}: the threads are not those of the contexts of depth 0"
            )
        self._n_threads += n
        bodies = []
        for name, cursor in self._thread_parts.items():
            part = cursor.below(first + n)
            keys = part.column("thread_id").combine_chunks()
            texts = concatenate(leaves(elements()[name], part), "\n")
            bodies.append(grouped(keys, texts, first, n))
        tags = start_tags(elements()["thread"], threads)
        ends = pa.array(["" if first == 0 else _THREAD_END, *[_THREAD_END] * (n - 1)])
        return concatenate(ends, tags, ">\n", *bodies)

    def _check(self, rows: pa.Table, first: int, depths: Column) -> None:
        path = self._run.path("context")
        if rows.num_rows == 0 or rows.column("context_id")[0].as_py() != first:
            raise RunError(f"{path}: the rows are not in order of context_id")
        bounds = pc.min_max(depths).as_py()
        if first == 0 and depths[0].as_py() != 0:
            raise RunError(f"{path}: the first context is not the root of a thread")
        before = pa.concat_arrays([integers(self._depth, 1), depths.slice(0, rows.num_rows - 1)])
        if bounds["min"] < 0 or pc.max(pc.subtract(depths, before)).as_py() > 1:
            raise RunError(f"{path}: a context is more than one level below the one before")
        if self._form == "nested" and bounds["max"] > MAX_NESTED_DEPTH:
            raise RunError(
                f"{path}: a context has depth {bounds['max']}, the nested form holds at most "
                f"{MAX_NESTED_DEPTH}; use the flat form"
            )

    def _finish(self, n_contexts: int) -> None:
        self._contexts.finish(n_contexts)
        self._threads.finish(self._n_threads)
        for cursor in self._parts.values():
            cursor.finish(n_contexts)
        for cursor in self._thread_parts.values():
            cursor.finish(self._n_threads)


def _cursors(run: RunTables, holder: str) -> dict[str, Cursor]:
    return {name: run.cursor(name) for name in facts_of(holder) if name in run.n_rows}

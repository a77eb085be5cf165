"""``cct.xml`` as tables: contexts and what belongs to them, in either form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.schema.definitions import tables
from jvmscope.schema.xml.arrow import to_array
from jvmscope.schema.xml.parsing import Document, Node, children, shown
from jvmscope.schema.xml.read_properties import Properties
from jvmscope.schema.xml.rows import TooLargeError
from jvmscope.schema.xml.tables_list import TablesList
from jvmscope.schema.xml.tree import Contexts, Tree
from jvmscope.schema.xml.vocabulary import AGGREGATES, CCT_ROOT, DYNAMIC_TABLES, elements
from jvmscope.schema.xml.write_cct import MAX_NESTED_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.schema.xml.read_classes import Classes
    from jvmscope.schema.xml.rows import TableRows

__all__ = ["CctDocument"]

_BATCH_CONTEXTS = 8192
_BATCH_ROWS = 65_536  # a batch ends early when its contexts have many blocks
_OUTER_NODES = 4  # document, cct, thread, and the context of depth 0
_PARTS = ("context_block", "context_segment", "receiver", "back_edge")
_THREAD_PARTS = ("call_order", "branch_order")


class CctDocument(Document):
    """The reader of one ``cct.xml``.

    Args:
        path: the file.
        classes: what it refers to.
        open_rows: opens a table of the run that is being made.
        report: called with the bytes read so far.
    """

    def __init__(
        self,
        path: Path,
        classes: Classes,
        open_rows: Callable[[str], TableRows],
        report: Callable[[int], None],
    ) -> None:
        super().__init__(path, report)
        self.properties = Properties(self)
        self._classes = classes
        self._open_rows = open_rows
        self._listed = TablesList(self, (*DYNAMIC_TABLES, *AGGREGATES))
        self._rows: dict[str, TableRows] = {}
        self._batch = Contexts()
        self._lines: list[int] = []
        self._parts = {table: _Part(table) for table in (*_PARTS, *_THREAD_PARTS)}
        self._counts: list[int] = []
        self._thread: list[Any] = []
        self._n_threads = 0
        self._is_flat = False
        self._edge_target = (-1, 0)
        self._element = elements()["context"]
        self._context = self._new_context()
        self._tree: Tree = self._new_tree()

    def read(self) -> dict[str, Any]:
        """Returns the manifest's values; the tables' rows are written.

        Raises:
            RunError: the file is not a right ``cct.xml`` for its ``classes.xml``.
        """
        self.parse(self._grammar())
        self._tree.check_sums()
        return self.properties.values or {}

    def _new_tree(self) -> Tree:
        return Tree(
            self._classes, is_flat=self._is_flat, reject=self.reject, open_rows=self._rows_of
        )

    def _grammar(self) -> Node:
        root = Node(CCT_ROOT, self._start_root, self._end_root)
        thread = Node("thread", self._start_thread, self._end_thread)
        children(root, (self._listed.node, "*"), (self.properties.node, "?"), (thread, "*"))
        children(
            thread, *((self._part(table), "*") for table in _THREAD_PARTS), (self._context, "*")
        )
        return root

    def _new_context(self) -> Node:
        """Returns the node of a context; the nested form's own children are added when known."""
        return Node("context", self._start_context)

    def _context_steps(self) -> list[tuple[Node, str]]:
        names = [name for name, _ in self._element.counts]
        targets = (self._batch_calls, self._batch_bytecodes)
        counts = [
            Node(name, end=self._count(name, target), has_text=True)
            for name, target in zip(names, targets, strict=True)
        ]
        return [(node, "1") for node in counts] + [(self._part(table), "*") for table in _PARTS]

    def _batch_calls(self, n: int) -> None:
        self._batch.calls.append(n)

    def _batch_bytecodes(self, n: int) -> None:
        self._batch.bytecodes.append(n)

    def _count(self, name: str, take: Callable[[int], None]) -> Callable[[str], None]:
        what = f"<dcg:{name}>"
        return lambda text: take(self.number(what, text))

    def _part(self, table: str) -> Node:
        element = elements()[table]
        part = self._parts[table]

        def start(attributes: dict[str, str]) -> None:
            part.values = self.values(element, attributes)

        def end(_text: str) -> None:
            self._end_part(part)

        node = Node(element.name, start, end)
        counts = [
            (Node(name, end=self._count(name, part.take), has_text=True), "1")
            for name, _ in element.counts
        ]
        children(node, *counts)
        return node

    def _start_root(self, attributes: dict[str, str]) -> None:
        found = self.plain(CCT_ROOT, attributes, ["schemaVersion", "form"], ["run"])
        self._listed.check_version(found["schemaVersion"])
        if found["form"] not in ("nested", "flat"):
            self.reject(f'the form is {shown(found["form"])}, expected "nested" or "flat"')
        run = found.get("run")
        if None not in (run, self._classes.run) and run != self._classes.run:
            self.reject(f"this is not of the same run as {self._classes.path}")
        self._is_flat = found["form"] == "flat"
        self._tree = self._new_tree()
        steps = self._context_steps()
        children(self._context, *steps, *([] if self._is_flat else [(self._context, "*")]))

    def _rows_of(self, table: str) -> TableRows:
        if table not in self._rows:
            self._listed.check(table)
            self._rows[table] = self._open_rows(table)
        return self._rows[table]

    def _start_thread(self, attributes: dict[str, str]) -> None:
        values: list[Any] = self.values(elements()["thread"], attributes)
        if values[0] != self._n_threads:
            self.reject(f"the thread has the id {values[0]}, expected {self._n_threads}")
        if values[4] != self._tree.n_contexts:
            self.reject(
                f"the thread has the root context {values[4]}, expected "
                f"{self._tree.n_contexts}, the next one"
            )
        try:
            self._rows_of("thread").append(tuple(values))
        except TooLargeError as error:
            self.reject(str(error))

    def _end_thread(self, _text: str) -> None:
        for table in _THREAD_PARTS:
            self._flush_thread_part(self._parts[table])
        is_empty = not self._batch.keys and self._tree.n_contexts == self._thread_first()
        if is_empty:
            self.reject("the thread has no context, expected its root")
        self._flush()
        self._tree.end_thread(self.line)
        self._n_threads += 1
        self._first = self._tree.n_contexts

    _first = 0

    def _thread_first(self) -> int:
        return self._first

    def _start_context(self, attributes: dict[str, str]) -> None:
        batch = self._batch
        if len(batch.keys) >= _BATCH_CONTEXTS or self._n_part_rows() >= _BATCH_ROWS:
            self._flush()
            batch = self._batch
        values: list[Any] = self.values(self._element, attributes)
        key, parent, method, site, depth, size, ancestor, folded = values
        if not self._is_flat:
            level = len(self._nodes) - _OUTER_NODES
            if depth != level:
                self.reject(f"the context {key} has the depth {depth}, expected {level}")
            if level > MAX_NESTED_DEPTH:
                self.reject(
                    f"contexts are nested more than {MAX_NESTED_DEPTH} deep; use the flat form"
                )
        if (depth == 0) != (not batch.keys and self._tree.n_contexts == self._first):
            where = "only the first" if depth == 0 else "the first"
            self.reject(f"the context {key} has depth {depth}, {where} of a thread has depth 0")
        batch.keys.append(key)
        batch.parents.append(parent)
        batch.methods.append(method)
        batch.sites.append(site)
        batch.depths.append(depth)
        batch.sizes.append(size)
        batch.ancestors.append(ancestor)
        batch.folded.append(folded)
        self._lines.append(self.line)

    def _n_part_rows(self) -> int:
        return len(self._parts["context_block"].rows)

    def _end_part(self, part: _Part) -> None:
        line = self.line
        owner = self._n_threads if part.table in _THREAD_PARTS else self._batch.keys[-1]
        part.rows.append((owner, *part.values, *part.counts))
        part.lines.append(line)
        part.values = []
        part.counts.clear()
        if part.table in _THREAD_PARTS and len(part.rows) >= _BATCH_ROWS:
            self._flush_thread_part(part)

    def _flush_thread_part(self, part: _Part) -> None:
        limit = self._classes.n_rows["call_site" if part.table == "call_order" else "instruction"]
        name = elements()[part.table].name
        for row, line in zip(part.rows, part.lines, strict=True):
            if row[1] >= limit:
                self.reject(f"<dcg:{name}> refers to {row[1]}, which is not there", line)
            if row[:2] <= part.last:
                self.reject(f"<dcg:{name}> occurs twice or out of order", line)
            part.last = row[:2]
        self._write_part(part)

    def _write_part(self, part: _Part) -> None:
        if part.rows:
            self._rows_of(part.table).write(part.batch())
            part.rows.clear()
            part.lines.clear()

    def _flush(self) -> None:
        """Checks and writes the contexts that were read whole, and what belongs to them."""
        batch = self._batch
        if not batch.keys:
            return
        batch.lines = self._lines
        self._tree.add(batch)
        self._rows_of("context").write(_context_batch(batch, self._n_threads))
        self._check_parts(batch)
        for table in _PARTS:
            self._write_part(self._parts[table])
        self._batch = Contexts()
        self._lines = []

    def _check_parts(self, batch: Contexts) -> None:
        first = batch.keys[0]
        for table, of, what in (
            ("context_block", self._classes.method_of_block, "basic block"),
            ("context_segment", self._classes.method_of_segment, "block segment"),
        ):
            part = self._parts[table]
            if part.rows:
                owners, keys, counts = zip(*part.rows, strict=True)
                self._tree.check_parts(
                    owners, keys, batch.methods, first, part.lines.__getitem__, of, what
                )
                if 0 in counts:
                    line = part.lines[counts.index(0)]
                    self.reject(f"the {what} has the executionCount 0, expected at least 1", line)
                if table == "context_block":
                    self._tree.sum_blocks(keys, counts)
        self._check_receivers()
        self._check_edges(batch, first)

    def _check_receivers(self) -> None:
        part = self._parts["receiver"]
        n_classes = self._classes.n_rows["class"]
        last: tuple[int, int] = (-1, -1)
        for (owner, key, _n), line in zip(part.rows, part.lines, strict=True):
            if key >= n_classes:
                self.reject(f"the receiver's class {key} is not there", line)
            if (owner, key) <= last:
                self.reject(f"the receiver {key} occurs twice or out of order", line)
            last = (owner, key)

    def _check_edges(self, batch: Contexts, first: int) -> None:
        part = self._parts["back_edge"]
        callers = self._classes.caller_of_site
        for (owner, site, target, _n), line in zip(part.rows, part.lines, strict=True):
            method = batch.methods[owner - first]
            if site is not None and (site >= len(callers) or callers[site] != method):
                self.reject(
                    f"the back edge has the call site {site}, which is not one of the method of "
                    f"the context {owner}",
                    line,
                )
            if target > self._edge_target[0]:
                self._edge_target = (target, line)

    def _end_root(self, _text: str) -> None:
        target, line = self._edge_target
        if target >= self._tree.n_contexts:
            self.reject(f"the back edge has the target context {target}, which is not there", line)
        n_rows = {
            table: self._rows_of(table).n_rows
            for table in (*DYNAMIC_TABLES, *AGGREGATES)
            if self._listed.is_recorded(table)
        }
        self._listed.check_rows(n_rows)


class _Part:
    """The rows of one table that belong to contexts or threads, not yet written."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.rows: list[tuple[Any, ...]] = []
        self.lines: list[int] = []
        self.values: list[Any] = []
        self.counts: list[int] = []
        self.take = self.counts.append
        self.last: tuple[int, int] = (-1, -1)

    def batch(self) -> pa.RecordBatch:
        schema = tables()[self.table].arrow_schema
        columns = [
            to_array(values, kind)
            for values, kind in zip(zip(*self.rows, strict=True), schema.types, strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, names=schema.names)


def _context_batch(batch: Contexts, thread: int) -> pa.RecordBatch:
    schema = tables()["context"].arrow_schema
    values = {
        "context_id": batch.keys,
        "parent_id": batch.parents,
        "thread_id": [thread] * len(batch.keys),
        "method_id": batch.methods,
        "call_site_id": batch.sites,
        "depth": batch.depths,
        "size": batch.sizes,
        "n_calls": batch.calls,
        "n_bytecodes": batch.bytecodes,
        "ancestor_id": batch.ancestors,
        "is_folded": batch.folded,
    }
    columns = [to_array(values[field.name], field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, names=schema.names)

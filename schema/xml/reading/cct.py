"""``cct.xml`` as tables: contexts and what belongs to them, in either form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.schema.definitions import facts_of, sums
from jvmscope.schema.xml.reading.context_lines import read_lines
from jvmscope.schema.xml.reading.context_tree import Contexts, Tree
from jvmscope.schema.xml.reading.fact_rows import Part, PartChecks, context_batch
from jvmscope.schema.xml.reading.grammar import Node, children, shown
from jvmscope.schema.xml.reading.line_switch import LineSwitch
from jvmscope.schema.xml.reading.properties import Properties
from jvmscope.schema.xml.reading.table_files import TooLargeError
from jvmscope.schema.xml.reading.tables_list import TablesList
from jvmscope.schema.xml.vocabulary import (
    CCT_ROOT,
    MAX_NESTED_DEPTH,
    NAMESPACE,
    elements,
    tables_in,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.schema.xml.reading.classes import Classes
    from jvmscope.schema.xml.reading.table_files import TableRows

__all__ = ["CctDocument"]

_BATCH_CONTEXTS = 8192
_BATCH_ROWS = 65_536  # a batch ends early when its contexts have many blocks
_CONTEXT_NAME = f"{NAMESPACE} context"
_LEAST_BYTES = 1 << 14  # below that, the parser is as fast
_OUTER_NODES = 4  # document, cct, thread, and the context of depth 0


class CctDocument(LineSwitch):
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
        self._listed = TablesList(self, (*tables_in(CCT_ROOT), *sums()))
        self._rows: dict[str, TableRows] = {}
        self._batch = Contexts()
        self._parts = {table: Part(table) for table in facts_of("context")}
        self._thread_parts = {table: Part(table) for table in facts_of("thread")}
        self._n_threads = 0
        self._first = 0  # first context of the thread
        self._is_flat = False
        self._checks = PartChecks(classes, self.reject)
        self._element = elements()["context"]
        self._context = self._new_context()
        self._tree: Tree = self._new_tree()
        self._thread = Node("thread", self._start_thread, self._end_thread)
        self._level = 0  # contexts that are open after the lines

    def read(self) -> dict[str, Any]:
        """Returns the manifest's values; the tables' rows are written.

        Raises:
            RunError: the file is not a right ``cct.xml`` for its ``classes.xml``.
        """
        self.parse(self._grammar())
        self._tree.check_sums()
        return self.properties.values or {}

    def _may_read_lines(self) -> bool:
        return (
            self._is_between_tags() and self._nodes[-1] is self._thread and self._is_before_root()
        )

    def _read_lines(self, end: int) -> bool:
        if end <= _LEAST_BYTES and self._is_before_root():
            return False
        found = read_lines(
            self._kept[:end],
            is_flat=self._is_flat,
            level=self._level,
            is_first=self._is_before_root(),
        )
        if found is None or found.level > MAX_NESTED_DEPTH:
            return False
        first = self.line
        self._batch = found.contexts
        self._batch.lines = range(first, first + len(self._batch.keys))
        for table, columns in found.parts.items():
            self._parts[table].put(columns)
        self._flush()
        self._n_lines_skipped += len(found.contexts.keys)
        self._level = found.level
        self._kept = self._kept[end:]
        return True

    def _leave_lines(self) -> None:
        if self._tree.n_contexts > self._first:
            self._places[-1] = self._thread.steps[_CONTEXT_NAME].place
        place = self._context.steps[_CONTEXT_NAME].place if self._level else 0
        for _ in range(self._level):
            self._nodes.append(self._context)
            self._places.append(place)
        if self._level:
            self._give_silently(b"<dcg:context>" * self._level)
        self._level = 0

    def _new_tree(self) -> Tree:
        return Tree(
            self._classes, is_flat=self._is_flat, reject=self.reject, open_rows=self._rows_of
        )

    def _grammar(self) -> Node:
        root = Node(CCT_ROOT, self._start_root, self._end_root)
        thread = self._thread
        children(root, (self._listed.node, "*"), (self.properties.node, "?"), (thread, "*"))
        parts = [self._part(part) for part in self._thread_parts.values()]
        children(thread, *((part, "*") for part in parts), (self._context, "*"))
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
        return [(node, "1") for node in counts] + [
            (self._part(part), "*") for part in self._parts.values()
        ]

    def _batch_calls(self, n: int) -> None:
        self._batch.calls.append(n)

    def _batch_bytecodes(self, n: int) -> None:
        self._batch.bytecodes.append(n)

    def _count(self, name: str, take: Callable[[int], None]) -> Callable[[str], None]:
        what = f"<dcg:{name}>"
        return lambda text: take(self.number(what, text))

    def _part(self, part: Part) -> Node:
        element = elements()[part.table]

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
        self._rows_of("thread").append(tuple(values))

    def _end_thread(self, _text: str) -> None:
        for part in self._thread_parts.values():
            self._flush_part(part)
        if self._is_before_root():
            self.reject("the thread has no context, expected its root")
        self._flush()
        self._tree.end_thread(self.line)
        self._n_threads += 1
        self._first = self._tree.n_contexts

    def _is_before_root(self) -> bool:
        """Says whether the thread has no context yet."""
        return not self._batch.keys and self._tree.n_contexts == self._first

    def _start_context(self, attributes: dict[str, str]) -> None:
        batch = self._batch
        if len(batch.keys) >= _BATCH_CONTEXTS:
            self._flush()
            batch = self._batch
        values: list[Any] = self.values(self._element, attributes)
        key, parent, method, site, depth, size, ancestor, folded = values
        expected = self._tree.n_contexts + len(batch.keys)
        if key != expected:
            self.reject(f"the context has the id {key}, expected {expected}")
        if not self._is_flat:
            level = len(self._nodes) - _OUTER_NODES
            if depth != level:
                self.reject(f"the context {key} has the depth {depth}, expected {level}")
            if level > MAX_NESTED_DEPTH:
                self.reject(
                    f"contexts are nested more than {MAX_NESTED_DEPTH} deep; use the flat form"
                )
        if (depth == 0) != self._is_before_root():
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
        batch.lines.append(self.line)

    def _end_part(self, part: Part) -> None:
        is_of_thread = part.table in self._thread_parts
        owner = self._n_threads if is_of_thread else self._batch.keys[-1]
        part.add(owner, self.line)
        if len(part.lines) >= _BATCH_ROWS:
            self._flush_part(part)

    def _flush_part(self, part: Part) -> None:
        """Checks and writes the rows of one table, whose contexts may not be complete."""
        if part.columns[0]:
            self._checks.check(part, self._batch)
            if part.table == "context_block":
                self._tree.sum_blocks(part.columns[1], part.columns[2])
            self._rows_of(part.table).write(part.batch())
            part.clear()

    def _flush(self) -> None:
        """Checks and writes the contexts that were read whole, and what belongs to them."""
        batch = self._batch
        if not batch.keys:
            return
        self._tree.add(batch)
        self._rows_of("context").write(context_batch(batch, self._n_threads))
        for part in self._parts.values():
            self._flush_part(part)
        self._batch = Contexts()

    def _relieve(self) -> None:
        if "thread" in self._rows:
            try:
                self._rows["thread"].relieve()
            except TooLargeError as error:
                self.reject(str(error))

    def _end_root(self, _text: str) -> None:
        self._checks.check_contexts(self._tree.n_contexts)
        n_rows = {
            table: self._rows_of(table).n_rows
            for table in (*tables_in(CCT_ROOT), *sums())
            if self._listed.is_recorded(table)
        }
        self._listed.check_rows(n_rows)

"""A run as trees: its documents, and the variables that queries find in them.

The documents are those that ``jvmscope export RUN xml`` writes in the nested form, read by a
processor that drops white space between elements; no XML is written or parsed for them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.parquet as pq

from jvmscope.errors import RunError
from jvmscope.queries.xquery.syntax.expanded_names import DCG
from jvmscope.queries.xquery.trees.run.columns import TableReader
from jvmscope.queries.xquery.trees.run.documents import Document
from jvmscope.queries.xquery.trees.run.shapes import Contexts, Interfaces, Shape
from jvmscope.schema.definitions import facts_of, sums, tables_within
from jvmscope.schema.local_paths import local
from jvmscope.schema.manifest import (
    SCHEMA_VERSION,
    manifest_of,
    read_document,
    tables_digest,
)
from jvmscope.schema.xml.vocabulary import elements, tables_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["RunTree"]


class RunTree:
    """The trees of one run; tables are opened when a query comes to them.

    Args:
        run: the run's directory.
        number: the number of the tree among those of a query, for document order.
        document: what the run's manifest says, or what may be known of it; None: it is read.

    Raises:
        RunError: it is not a run; reading its nodes raises it, too, where a table is damaged.
    """

    def __init__(
        self, run: Path, number: int = 0, *, document: Mapping[str, Any] | None = None
    ) -> None:
        self._run = run
        self._entries: Mapping[str, Any] = read_document(run) if document is None else document
        self._manifest = manifest_of(self._entries, run)
        self._number = number
        self._readers: dict[str, TableReader] = {}

    @cached_property
    def classes(self) -> Document:
        """The classes as they were loaded, counts summed over contexts."""
        document = self._document("classes", 0, {}, tables_in("classes"), None)
        executions = _Sums(self, "thread_block", "basic_block_id", "n_executions")
        calls = _Sums(self, "thread_method", "method_id", "n_calls")
        bytecodes = _Sums(self, "thread_method", "method_id", "n_bytecodes")
        coverage = self._reader("method").column("coverage")
        block_methods = self._reader("basic_block").column("method_id")

        # Not counted is not zero: what was not covered has no count.
        def method_count(sums: _Sums) -> Callable[[int], int | None]:
            return lambda row: sums[row] if coverage[row] != "none" or calls[row] else None

        def block_count(row: int) -> int | None:
            n = executions[row]
            return n if n or coverage[block_methods[row]] == "full" else None

        counts: dict[str, Any] = {
            "method": [
                ("callCount", method_count(calls)),
                ("bytecodeCount", method_count(bytecodes)),
            ],
            "basic_block": [("executionCount", block_count)],
        }
        shapes: dict[str, Shape] = {}
        for name in tables_in("classes"):
            if name in self._manifest.tables:
                within = elements()[name].within
                group = _FIRST_GROUP + tables_within(within).index(name)
                shapes[name] = self._shape(document, name, shapes.get(within), group, counts)
        interfaces = Interfaces(shapes["class"])
        shapes["class"].parts.insert(0, interfaces)
        document.add(interfaces)
        document.top = [shapes[name] for name in tables_within("classes") if name in shapes]
        return document

    @cached_property
    def cct(self) -> Document:
        """The calling context trees, in the nested form."""
        document = self._document(
            "cct", 1, {"form": "nested"}, (*tables_in("cct"), *sums()), self._properties
        )
        threads = self._shape(document, "thread", None, _FIRST_GROUP, {})
        for group, name in enumerate(facts_of("thread"), 1):
            if name in self._manifest.tables:
                self._shape(document, name, threads, group, {})
        table, element = self._reader("context"), elements()["context"]
        contexts = Contexts(table, element, _counts(table, "context"), threads, document.root)
        threads.parts.append(contexts)
        document.add(contexts)
        for group, name in enumerate(facts_of("context"), _FIRST_GROUP):
            if name in self._manifest.tables:
                self._shape(document, name, contexts, group, {})
        document.top = [threads]
        return document

    @cached_property
    def variables(self) -> Mapping[str, Callable[[], list[Node]]]:
        """What ``$cct``, ``$classes``, ``$methods``, … stand for, by name."""

        def rows(document: str, local: str) -> Callable[[], list[Node]]:
            tag = f"Q{{{DCG}}}{local}"
            return lambda: list(getattr(self, document).shapes[tag][0].all())

        return {
            "cct": lambda: [self.cct.node],
            "classes": lambda: [self.classes.node],
            "methods": rows("classes", "method"),
            "threads": rows("cct", "thread"),
        }

    def document(self, uri: str) -> Node | None:
        """Returns the document that ``doc(uri)`` finds, or None."""
        return {"cct": lambda: self.cct.node, "classes": lambda: self.classes.node}.get(
            uri, lambda: None
        )()

    def sums(self, table: str, key: str, column: str, n: int) -> np.ndarray[Any, Any]:
        """Returns the sum of a column over the rows of each key from 0 to n - 1."""
        totals = np.zeros(n, np.int64)
        path = self._run / "tables" / f"{table}.parquet"
        for batch in pq.ParquetFile(local(path)).iter_batches(columns=[key, column]):
            np.add.at(totals, batch.column(0).to_numpy(), batch.column(1).to_numpy())
        return totals

    def n_rows(self, table: str) -> int:
        """Returns the number of a table's rows."""
        return self._manifest.tables[table].rows

    def _reader(self, name: str) -> TableReader:
        if name not in self._manifest.tables:
            has_failed = self._manifest.status == "failed"
            why = "the recording failed" if has_failed else "run.json does not list it"
            raise RunError(f"{self._run}: there is no table {name}: {why}")
        if name not in self._readers:
            path = self._run / "tables" / f"{name}.parquet"
            self._readers[name] = TableReader(path, elements()[name].owner)
        return self._readers[name]

    def _shape(
        self,
        document: Document,
        name: str,
        owner: Shape | None,
        group: int,
        counts: Mapping[str, Any],
    ) -> Shape:
        table = self._reader(name)
        values = counts.get(name) or _counts(table, name)
        shape = Shape(
            table, elements()[name], counts=values, owner=owner, root=document.root, group=group
        )
        if owner is not None:
            owner.parts.append(shape)
        document.add(shape)
        return shape

    def _document(
        self,
        name: str,
        place: int,
        attributes: Mapping[str, str],
        names: tuple[str, ...],
        properties: Callable[[], Mapping[str, Any]] | None,
    ) -> Document:
        digest = tables_digest(self._manifest)
        root = {"schemaVersion": str(SCHEMA_VERSION), "run": digest, **attributes}
        rows = {n: self.n_rows(n) for n in names if n in self._manifest.tables}
        unrecorded = frozenset(
            f"Q{{{DCG}}}{elements()[n].name}" for n in names if n in elements() and n not in rows
        )
        return Document(
            name,
            (self._number, place),
            root,
            table_rows=rows,
            unrecorded=unrecorded,
            properties=properties,
        )

    def _properties(self) -> Mapping[str, Any]:
        hidden = {"schema", "tables", "files"}
        return {name: value for name, value in self._entries.items() if name not in hidden}


_FIRST_GROUP = 3
"""The group of the first table among the children of an element: others come before it."""


class _Sums:
    """Sums by key, computed when the first is asked for."""

    def __init__(self, tree: RunTree, table: str, key: str, column: str) -> None:
        self._tree = tree
        self._source = (table, key, column)
        self._values: memoryview | None = None

    def __getitem__(self, row: int) -> int:
        if self._values is None:
            table, key, column = self._source
            n = self._tree.n_rows(key.removesuffix("_id"))
            sums: Any = self._tree.sums(table, key, column, n)
            self._values = memoryview(sums)
        value: int = self._values[row]
        return value


def _counts(table: TableReader, name: str) -> list[tuple[str, Callable[[int], int | None]]]:
    return [(local, table.column(column).__getitem__) for local, column in elements()[name].counts]

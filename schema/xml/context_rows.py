"""Rows that belong to contexts or threads: gathered, checked, and made a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import pyarrow as pa

from jvmscope.schema.definitions import tables
from jvmscope.schema.xml.arrow import to_array
from jvmscope.schema.xml.vocabulary import elements

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

    from jvmscope.schema.xml.read_classes import Classes
    from jvmscope.schema.xml.tree import Contexts

__all__ = ["THREAD_PARTS", "Part", "PartChecks", "context_batch"]

THREAD_PARTS = ("call_order", "branch_order")
"""The tables whose rows are inside threads, in the order of the elements."""


class Part:
    """The rows of one table that belong to contexts or threads, not yet written."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.columns: list[list[Any]] = [[] for _ in tables()[table].columns]
        self.lines: list[int] = []  # of each row, where they were read one by one
        self.values: list[Any] = []
        self.counts: list[int] = []
        self.take = self.counts.append
        self.last: tuple[int, int] = (-1, -1)

    def batch(self) -> pa.RecordBatch:
        """Returns the rows."""
        schema = tables()[self.table].arrow_schema
        columns = list(map(to_array, self.columns, schema.types))
        return pa.RecordBatch.from_arrays(columns, names=schema.names)

    def clear(self) -> None:
        """Forgets the rows."""
        self.columns = [[] for _ in self.columns]
        self.lines.clear()

    def line_of(self, batch: Contexts) -> Callable[[int], int]:
        """Returns what gives the line of a row: its own, or that of its context."""
        if self.lines:
            return self.lines.__getitem__
        owners = self.columns[0]
        return lambda index: batch.lines[owners[index] - batch.keys[0]]


class PartChecks:
    """The checks of rows, a table at a time; the contexts of the rows are those of a batch.

    Args:
        classes: what the rows refer to.
        reject: raises the error of the file, given a reason and a line.
    """

    def __init__(self, classes: Classes, reject: Callable[[str, int], NoReturn]) -> None:
        self.edge_target = (-1, 0)  # largest target of a back edge, and its line
        self._classes = classes
        self._reject = reject
        n_rows = classes.n_rows
        self._limits = {
            "receiver": n_rows["class"],
            "call_order": n_rows["call_site"],
            "branch_order": n_rows["instruction"],
        }

    def check(self, part: Part, batch: Contexts) -> None:
        """Rejects a row that refers to what is not there, or that is out of order."""
        if part.table == "context_block":
            self._check_blocks(part, batch, self._classes.method_of_block)
        elif part.table == "context_segment":
            self._check_blocks(part, batch, self._classes.method_of_segment)
        elif part.table == "back_edge":
            self._check_edges(part, batch)
        elif part.table == "method_cache":
            self._check_owners(part, batch)
        else:
            self._check_keys(part, batch)

    def _check_blocks(self, part: Part, batch: Contexts, of: array[int]) -> None:
        owners, keys, counts = part.columns
        n = len(of)
        first = batch.keys[0]
        methods = batch.methods
        last_owner, last_key = part.last
        name = elements()[part.table].name
        for index, (owner, key) in enumerate(zip(owners, keys, strict=True)):
            if key >= n or of[key] != methods[owner - first]:
                self._reject(
                    f"<dcg:{name}> refers to {key}, which is not of the method of the context "
                    f"{owner}",
                    part.line_of(batch)(index),
                )
            if owner == last_owner and key <= last_key:
                self._reject_order(part, batch, index)
            last_owner, last_key = owner, key
        part.last = (last_owner, last_key)
        if 0 in counts:
            line = part.line_of(batch)(counts.index(0))
            self._reject(f"<dcg:{name}> has the executionCount 0, expected at least 1", line)

    def _check_keys(self, part: Part, batch: Contexts) -> None:
        limit = self._limits[part.table]
        name = elements()[part.table].name
        for index, (owner, key) in enumerate(zip(*part.columns[:2], strict=True)):
            if key is not None and key >= limit:
                line = part.line_of(batch)(index)
                self._reject(f"<dcg:{name}> refers to {key}, which is not there", line)
            row = (owner, limit if key is None else key)  # an absent key comes last
            if row <= part.last:
                self._reject_order(part, batch, index)
            part.last = row

    def _check_owners(self, part: Part, batch: Contexts) -> None:
        for index, owner in enumerate(part.columns[0]):
            if (owner, 0) <= part.last:
                self._reject(
                    f"<dcg:{elements()[part.table].name}> occurs twice in the context {owner}",
                    part.line_of(batch)(index),
                )
            part.last = (owner, 0)

    def _check_edges(self, part: Part, batch: Contexts) -> None:
        callers = self._classes.caller_of_site
        for index, (owner, site, target) in enumerate(zip(*part.columns[:3], strict=True)):
            method = batch.methods[owner - batch.keys[0]]
            if site is not None and (site >= len(callers) or callers[site] != method):
                self._reject(
                    f"<dcg:backEdge> has the call site {site}, which is not one of the method of "
                    f"the context {owner}",
                    part.line_of(batch)(index),
                )
            if target > self.edge_target[0]:
                self.edge_target = (target, part.line_of(batch)(index))

    def _reject_order(self, part: Part, batch: Contexts, index: int) -> NoReturn:
        name = elements()[part.table].name
        key = part.columns[1][index]
        line = part.line_of(batch)(index)
        self._reject(f"<dcg:{name}> {key} occurs twice or out of order", line)


def context_batch(batch: Contexts, thread: int) -> pa.RecordBatch:
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

"""Rows that belong to contexts or threads: gathered, checked, and made a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import pyarrow as pa

from jvmscope.schema.definitions import tables
from jvmscope.schema.xml.arrow import to_array
from jvmscope.schema.xml.vocabulary import counted_as, elements

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

    from jvmscope.schema.definitions import Column
    from jvmscope.schema.xml.reading.classes import Classes
    from jvmscope.schema.xml.reading.context_tree import Contexts

__all__ = ["Part", "PartChecks", "context_batch"]

_FIRST, _LAST = -1, 1  # before and behind what is there


class Part:
    """The rows of one table that belong to contexts or threads, not yet written."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.columns: list[list[Any]] = [[] for _ in tables()[table].columns]
        self._places = _places(table)
        self.lines: list[int] = []  # of each row, where they were read one by one
        self.values: list[Any] = []
        self.counts: list[int] = []
        self.take = self.counts.append
        self.last: tuple[int, ...] = ()  # of the row before, what the table is sorted by

    def add(self, owner: int, line: int) -> None:
        """Takes a row of what was read of its element."""
        read = (owner, *self.values, *self.counts)
        for place, value in zip(self._places, read, strict=True):
            self.columns[place].append(value)
        self.lines.append(line)
        self.counts.clear()

    def put(self, columns: list[list[Any]]) -> None:
        """Has the rows of these columns: the owners, the attributes and the counts."""
        for place, values in zip(self._places, columns, strict=True):
            self.columns[place] = values

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


def _places(table: str) -> list[int]:
    """Returns where what an element says stands in its table: the owner, attributes, counts."""
    names = [column.name for column in tables()[table].columns]
    element = elements()[table]
    counts = [column for _name, column in element.counts]
    read = [*(attribute.column for attribute in element.attributes), *counts]
    return [0, *map(names.index, read)]


class PartChecks:
    """The checks of rows, a table at a time; the contexts of the rows are those of a batch.

    Args:
        classes: what the rows refer to.
        reject: raises the error of the file, given a reason and a line.
    """

    def __init__(self, classes: Classes, reject: Callable[[str, int], NoReturn]) -> None:
        self._latest = (-1, 0, "")  # context that rows refer to: the largest, its line, the error
        self._classes = classes
        self._reject = reject
        self._method_of = classes.method_of

    def check(self, part: Part, batch: Contexts) -> None:
        """Rejects a row that refers to what is not there, or that is out of order."""
        definition = tables()[part.table]
        is_of_context = definition.columns[0].references == "context"
        for column, values in list(zip(definition.columns, part.columns, strict=True))[1:]:
            if column.references == "context":
                self._keep_latest(part, batch, column.name, values)
            elif column.references in self._method_of and is_of_context:
                self._check_code(part, batch, values, self._method_of[column.references])
            elif column.references is not None:
                self._check_keys(part, batch, values, self._classes.n_rows[column.references])
            elif column.is_positive and 0 in values:
                line = part.line_of(batch)(values.index(0))
                element = elements()[part.table]
                named = {attribute.column: attribute.name for attribute in element.attributes}
                count = named.get(column.name) or counted_as(column.name)
                self._reject(f"<dcg:{element.name}> has the {count} 0, expected at least 1", line)
        self._check_order(part, batch)

    def check_contexts(self, n_contexts: int) -> None:
        """Rejects what refers to a context that did not come: it may be later in the file."""
        key, line, error = self._latest
        if key >= n_contexts:
            self._reject(error, line)

    def _check_code(
        self, part: Part, batch: Contexts, values: list[int | None], of: array[int]
    ) -> None:
        """Rejects what is not of the method of the row's context."""
        n, methods, first = len(of), batch.methods, batch.keys[0]
        for index, (owner, key) in enumerate(zip(part.columns[0], values, strict=True)):
            if key is not None and (key >= n or of[key] != methods[owner - first]):
                self._reject(
                    f"<dcg:{elements()[part.table].name}> refers to {key}, which is not of the "
                    f"method of the context {owner}",
                    part.line_of(batch)(index),
                )

    def _check_keys(
        self, part: Part, batch: Contexts, values: list[int | None], n_rows: int
    ) -> None:
        for index, key in enumerate(values):
            if key is not None and key >= n_rows:
                name = elements()[part.table].name
                line = part.line_of(batch)(index)
                self._reject(f"<dcg:{name}> refers to {key}, which is not there", line)

    def _keep_latest(
        self, part: Part, batch: Contexts, column: str, values: list[int | None]
    ) -> None:
        for index, key in enumerate(values):
            if key is not None and key > self._latest[0]:
                what = f"<dcg:{elements()[part.table].name}> refers to the {_words(column)} {key}"
                self._latest = (key, part.line_of(batch)(index), f"{what}, which is not there")

    def _check_order(self, part: Part, batch: Contexts) -> None:
        definition = tables()[part.table]
        places = {column.name: place for place, column in enumerate(definition.columns)}
        keys = [
            _sortable(definition.columns[places[name]], part.columns[places[name]], is_null_first)
            for name, is_null_first in definition.sorted_by
        ]
        last = part.last
        for index, row in enumerate(zip(*keys, strict=True)):
            if row <= last:
                self._reject_order(part, batch, index)
            last = row
        part.last = last

    def _reject_order(self, part: Part, batch: Contexts, index: int) -> NoReturn:
        name = elements()[part.table].name
        owner, key = part.columns[0][index], part.columns[1][index]
        line = part.line_of(batch)(index)
        if len(tables()[part.table].sorted_by) == 1:
            self._reject(f"<dcg:{name}> occurs twice in the context {owner}", line)
        self._reject(f"<dcg:{name}> {key} occurs twice or out of order", line)


def _words(column: str) -> str:
    """Returns what a column refers to in words, as ``target context``."""
    return column.removesuffix("_id").replace("_", " ")


def _sortable(column: Column, values: list[Any], is_null_first: bool) -> list[Any]:
    """Returns what sorts as the rows do by a column: numbers, or texts or null among others."""
    of = column.collation
    if of is not None:
        values = [value if value is None else of(value) for value in values]
    if not column.is_nullable:
        return values
    place = _FIRST if is_null_first else _LAST
    return [(place,) if value is None else (0, value) for value in values]


def context_batch(batch: Contexts, thread: int) -> pa.RecordBatch:
    """Returns contexts of a thread as rows of ``context``."""
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

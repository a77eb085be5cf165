"""Random access to a run's tables, a row group's column at a time, in bounded memory."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.errors import RunError
from jvmscope.schema.local_paths import local
from jvmscope.schema.xml.escaping import escape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Column", "TableReader"]

_CHUNKS_KEPT = 128  # of 131,072 rows each: 64 MiB of 4-byte numbers
_ABSENT = -1  # keys, offsets and numbers of a run are never negative


class _Chunk(Protocol):
    def __getitem__(self, row: int, /) -> Any: ...


class TableReader:
    """One table's file, whose columns are decoded when they are asked for.

    Args:
        path: the Parquet file.
        owner: the column by which the rows are sorted and found, if any.

    Raises:
        RunError: the file cannot be read.
    """

    def __init__(self, path: Path, owner: str | None) -> None:
        self.path = path
        try:
            self._file = pq.ParquetFile(local(path))
        except (OSError, pa.ArrowException) as error:
            raise RunError(f"{path}: cannot be read: {error}") from None
        metadata = self._file.metadata
        sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        self.n_rows: int = metadata.num_rows
        self._starts = array("q", [0])
        for size in sizes:
            self._starts.append(self._starts[-1] + size)
        self._chunks: OrderedDict[tuple[str, int], _Chunk] = OrderedDict()
        self._columns: dict[str, Column] = {}
        self._owner = owner
        self._last_owners: list[int] = []

    def column(self, name: str) -> Column:
        """Returns a column of the table."""
        if name not in self._columns:
            self._columns[name] = Column(self, name)
        return self._columns[name]

    def owned(self, owner: int) -> range:
        """Returns the rows whose owner is the given key; they lie together."""
        if self._owner is None:
            return range(self.n_rows)
        # Of each row group the last row's owner is kept, so a look-up decodes one or two groups.
        if not self._last_owners:
            column = self.column(self._owner)
            self._last_owners = [self._last_owner(column, group) for group in range(self._n_groups)]
        return range(self._boundary(owner, bisect_left), self._boundary(owner, bisect_right))

    @property
    def _n_groups(self) -> int:
        return len(self._starts) - 1

    def _last_owner(self, column: Column, group: int) -> int:
        index = self._file.schema_arrow.get_field_index(column.name)
        statistics = self._file.metadata.row_group(group).column(index).statistics
        if statistics is not None and statistics.has_min_max:
            return int(statistics.max or 0)
        last: int = column[self._starts[group + 1] - 1]
        return last

    def _boundary(self, owner: int, side: Any) -> int:
        assert self._owner is not None
        group = side(self._last_owners, owner)
        if group == self._n_groups:
            return self.n_rows
        start: int = self._starts[group]
        chunk = self.chunk(self._owner, group)
        return start + int(side(chunk, owner))

    def place(self, row: int) -> tuple[int, int, int]:
        """Returns a row's row group, and the group's first row and the one after its last."""
        group = bisect_right(self._starts, row) - 1
        return group, self._starts[group], self._starts[group + 1]

    def chunk(self, name: str, group: int) -> _Chunk:
        """Returns a column's values in a row group; the least recently used ones are dropped."""
        key = (name, group)
        chunk = self._chunks.get(key)
        if chunk is None:
            try:
                column = self._file.read_row_group(group, columns=[name]).column(0)
            except (OSError, pa.ArrowException, KeyError) as error:
                raise RunError(f"{self.path}: cannot be read: {error}") from None
            chunk = self._chunks[key] = _decoded(column.combine_chunks())
            if len(self._chunks) > _CHUNKS_KEPT:
                self._chunks.popitem(last=False)
        else:
            self._chunks.move_to_end(key)
        return chunk


class Column:
    """A column as a sequence: ``column[row]`` is a str, int, bool, list of int, or None."""

    __slots__ = ("_held", "_table", "name")

    def __init__(self, table: TableReader, name: str) -> None:
        self._table = table
        self.name = name
        self._held: tuple[int, int, _Chunk] = (0, 0, ())

    def __getitem__(self, row: int) -> Any:
        """Returns the value in a row; None where it is null."""
        first, limit, chunk = self._held
        if not first <= row < limit:
            group, first, limit = self._table.place(row)
            chunk = self._table.chunk(self.name, group)
            self._held = first, limit, chunk  # at once: a query that is stopped leaves no half
        return chunk[row - first]


class _Numbers:
    """Whole numbers of which some are null."""

    __slots__ = ("_values",)

    def __init__(self, values: memoryview) -> None:
        self._values = values

    def __getitem__(self, row: int) -> int | None:
        value = self._values[row]
        return None if value == _ABSENT else value


class _Words:
    """Strings that repeat, each decoded once; as the XML view writes them."""

    __slots__ = ("_indices", "_words")

    def __init__(self, words: Sequence[str], indices: memoryview) -> None:
        self._words = words
        self._indices = indices

    def __getitem__(self, row: int) -> str | None:
        index = self._indices[row]
        return None if index == _ABSENT else self._words[index]


def _decoded(column: Any) -> _Chunk:
    kind = column.type
    if pa.types.is_integer(kind):
        return _numbers(column)
    if pa.types.is_boolean(kind) or pa.types.is_list(kind):
        values: list[Any] = column.to_pylist()
        return values
    if not pa.types.is_dictionary(kind):
        column = column.cast(pa.binary()).dictionary_encode()
    words = [_text(word) for word in column.dictionary.to_pylist()]
    return _Words(words, _memory(column.indices.cast(pa.int32())))


def _numbers(column: Any) -> _Chunk:
    values = _memory(column)
    return _Numbers(values) if column.null_count else values


def _memory(column: Any) -> memoryview:
    filled = column.fill_null(_ABSENT) if column.null_count else column
    values: Any = np.ascontiguousarray(filled.to_numpy(zero_copy_only=False))
    return memoryview(values)


def _text(word: str | bytes) -> str:
    """Returns a table's string as the XML view has it; lone surrogates are kept till then."""
    return escape(word.decode("utf-8", "surrogatepass") if isinstance(word, bytes) else word)

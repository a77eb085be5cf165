"""Rows that arrive one at a time, written to a table's file a batch at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.schema.definitions import tables
from jvmscope.schema.parquet import ROW_GROUP_ROWS, TableWriter
from jvmscope.schema.xml.arrow import Column, to_array

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from jvmscope.schema.table_facts import TableFacts

__all__ = ["TableRows", "TooLargeError"]

_BATCH_ROWS = 16_384
_GROUP_BYTES = 192 << 20


class TooLargeError(ValueError):
    """The rows of one row group hold more text than memory should."""


class TableRows:
    """One table being written.

    Args:
        tables_dir: where the table's file goes.
        table: the table's name.
    """

    def __init__(self, tables_dir: Path, table: str) -> None:
        self.table = table
        self.schema = tables()[table].arrow_schema
        self.n_rows = 0
        self._writer = TableWriter(tables_dir / f"{table}.parquet", self.schema)
        self._pending: list[tuple[Any, ...]] = []
        self._group_bytes = 0

    def append(self, row: tuple[Any, ...]) -> None:
        """Adds a row, its values in the table's order."""
        self._pending.append(row)
        self.n_rows += 1
        if len(self._pending) >= _BATCH_ROWS:
            self._flush()

    def write(self, batch: pa.RecordBatch) -> None:
        """Adds a batch of rows."""
        self._flush()
        self.n_rows += batch.num_rows
        self._writer.write(batch)

    def close(self) -> TableFacts:
        """Returns the facts of the finished file."""
        self._flush()
        return self._writer.close()

    def __enter__(self) -> TableRows:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.__exit__(kind, error, trace)

    def relieve(self) -> None:
        """Gives the pending rows to the file's writer; call it before they are too many.

        Raises:
            TooLargeError: the text of the last rows is too long to be a real run's.
        """
        self._flush()
        if self._group_bytes > _GROUP_BYTES:
            raise TooLargeError(f"{ROW_GROUP_ROWS} rows of {self.table} hold too much text")

    def _flush(self) -> None:
        if not self._pending:
            return
        columns = [
            _column(field.type, values)
            for field, values in zip(self.schema, zip(*self._pending, strict=True), strict=True)
        ]
        batch = pa.RecordBatch.from_arrays(columns, names=self.schema.names)
        if (self.n_rows - batch.num_rows) // ROW_GROUP_ROWS != self.n_rows // ROW_GROUP_ROWS:
            self._group_bytes = 0
        self._group_bytes += batch.nbytes
        self._pending = []
        self._writer.write(batch)


def _column(kind: pa.DataType, values: tuple[Any, ...]) -> Column:
    if pa.types.is_string(kind):
        encoded = [None if v is None else v.encode("utf-8", "surrogatepass") for v in values]
        return to_array(encoded, pa.binary()).view(pa.string())
    return to_array(values, kind.value_type if pa.types.is_dictionary(kind) else kind)

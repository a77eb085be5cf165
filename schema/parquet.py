"""How every table of a run is written: one place, so that equal content gives equal bytes.

The bytes of a Parquet file depend on the codec, the row groups and the dictionaries; here all
three are fixed by the content: zstd at one level, row groups of ``ROW_GROUP_ROWS`` rows whatever
the sizes of the batches that came in, and dictionaries in order of first use in their row group.

Numbers are split into byte streams and not looked up in dictionaries, since few of the counts of
contexts repeat: files are half as large, and writing them takes half the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.schema.local_paths import local
from jvmscope.schema.table_facts import TableFacts, file_sha256

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

__all__ = ["ROW_GROUP_ROWS", "TableWriter"]

ROW_GROUP_ROWS = 131_072
_COMPRESSION_LEVEL = 1


class TableWriter:
    """Writes one table to one Parquet file in bounded memory.

    Args:
        path: the file to write; replaced if it exists.
        schema: the table's Arrow schema; batches must have its columns in its order.

    As a context manager it closes at the end of the block; after an error the file is
    incomplete and its directory is the caller's to remove.
    """

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.path = path
        self.schema = schema
        self._writer = pq.ParquetWriter(
            local(path),
            schema,
            compression="zstd",
            compression_level=_COMPRESSION_LEVEL,
            use_dictionary=cast(  # the stubs do not know that it may be a list
                "bool", [field.name for field in schema if not _is_number(field.type)]
            ),
            column_encoding={
                field.name: "BYTE_STREAM_SPLIT" for field in schema if _is_number(field.type)
            },
            write_statistics=True,
            version="2.6",
            data_page_version="1.0",
        )
        self._pending: list[pa.RecordBatch] = []
        self._n_pending = 0
        self._n_rows = 0
        self._closed = False

    def write(self, rows: pa.RecordBatch | pa.Table) -> None:
        """Appends rows; they reach the file one full row group at a time."""
        batches = rows.to_batches() if isinstance(rows, pa.Table) else [rows]
        for batch in batches:
            if batch.num_rows == 0:
                continue
            self._pending.append(_plain(batch, self.schema))
            self._n_pending += batch.num_rows
            if self._n_pending >= ROW_GROUP_ROWS:
                self._write_full_groups()

    def close(self) -> TableFacts:
        """Writes what is left and returns the facts of the finished file."""
        if self._n_pending:
            self._write_group(pa.Table.from_batches(self._pending))
        self._abandon()
        return TableFacts(
            rows=self._n_rows,
            bytes=self.path.stat().st_size,
            sha256=file_sha256(self.path),
            columns=tuple(self.schema.names),
        )

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._closed:
            return
        if kind is None:
            self.close()
        else:
            self._abandon()

    def _abandon(self) -> None:
        self._pending = []
        self._n_pending = 0
        if not self._closed:
            self._closed = True
            self._writer.close()

    def _write_full_groups(self) -> None:
        table = pa.Table.from_batches(self._pending)
        start = 0
        while table.num_rows - start >= ROW_GROUP_ROWS:
            self._write_group(table.slice(start, ROW_GROUP_ROWS))
            start += ROW_GROUP_ROWS
        rest = table.slice(start)
        self._pending = rest.to_batches()
        self._n_pending = rest.num_rows

    def _write_group(self, table: pa.Table) -> None:
        columns = [
            _canonical(table.column(index), field.type) for index, field in enumerate(self.schema)
        ]
        group = pa.Table.from_arrays(columns, schema=self.schema)
        self._writer.write_table(group, row_group_size=ROW_GROUP_ROWS)
        self._n_rows += group.num_rows


def _is_number(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind)


def _plain(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Returns the batch with the schema's types, dictionaries decoded, so that all batches fit."""
    if batch.schema.names != schema.names:
        raise ValueError(f"columns {batch.schema.names}, expected {schema.names}")
    columns = []
    for column, field in zip(batch.columns, schema, strict=True):
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        columns.append(column if column.type.equals(kind) else column.cast(kind))
    return pa.RecordBatch.from_arrays(columns, names=schema.names)


def _canonical(column: pa.ChunkedArray[Any], kind: pa.DataType) -> Any:
    """Returns the column as one array, a dictionary's values in order of first use."""
    array = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return array.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else array

"""Parquet: the columns with their Arrow types."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from jvmscope.formats.registry import Format, register

if TYPE_CHECKING:
    from jvmscope.queries import Result

__all__ = ["write_parquet"]


def write_parquet(result: Result, stream: BinaryIO) -> None:
    """Writes a file that says in its metadata if there are more rows."""
    import pyarrow.parquet as pq

    with pq.ParquetWriter(stream, result.arrow_schema, compression="zstd") as writer:
        for batch in result.batches():
            writer.write_batch(batch)
        if result.is_truncated:
            writer.add_key_value_metadata({"jvmscope.truncated": "true"})


register(Format("parquet", write_parquet, rank=4, is_binary=True, takes_rows=False))

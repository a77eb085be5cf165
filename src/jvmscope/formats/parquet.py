"""Parquet: the columns with their Arrow types."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from jvmscope.formats.registry import Format, register

if TYPE_CHECKING:
    from jvmscope.queries import Result

__all__ = ["write_parquet"]

_INTERVAL = "month_day_nano_interval"  # which Parquet's writer does not know


def write_parquet(result: Result, stream: BinaryIO) -> None:
    """Writes a file that says in its metadata if there are more rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from jvmscope.queries import texts

    kinds = [field.type for field in result.arrow_schema]
    are_texts = [_INTERVAL in str(kind) for kind in kinds]
    schema = pa.schema(
        [
            (name, pa.string() if is_text else kind)
            for name, kind, is_text in zip(result.arrow_schema.names, kinds, are_texts, strict=True)
        ]
    )
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for batch in result.batches():
            columns = [
                pa.array(texts(column), pa.string()) if is_text else column
                for column, is_text in zip(batch.columns, are_texts, strict=True)
            ]
            writer.write_batch(pa.record_batch(columns, schema=schema))
        if result.is_truncated:
            writer.add_key_value_metadata({"jvmscope.truncated": "true"})


register(Format("parquet", write_parquet, rank=4, is_binary=True, takes_rows=False))

"""The Arrow types of SQL's plain types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.queries.result import ResultColumn

__all__ = ["ARROW_TYPES", "arrow_schema"]

ARROW_TYPES: dict[str, pa.DataType] = {
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "VARCHAR": pa.string(),
    "BOOLEAN": pa.bool_(),
}


def arrow_schema(columns: Iterable[ResultColumn]) -> pa.Schema:
    """Returns the Arrow schema of columns of plain values."""
    return pa.schema([pa.field(column.name, ARROW_TYPES[column.type]) for column in columns])

"""Values of columns as Python's, as texts and as JSON, whatever their type.

Python's dates end in 9999 and its times have no nanoseconds; infinite dates, intervals and unions
have no counterpart in it. DuckDB writes the values of all types but numbers, texts and truth.
"""

from __future__ import annotations

import json
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["has_own_text", "json_values", "python_values", "rows_of_texts", "texts"]


def has_own_text(kind: pa.DataType) -> bool:
    """Whether every format writes values of a type by itself: numbers, texts, and truth."""
    if pa.types.is_dictionary(kind):
        return bool(pa.types.is_string(kind.value_type))
    known = (
        pa.types.is_boolean, pa.types.is_integer, pa.types.is_float64, pa.types.is_decimal,
        pa.types.is_string, pa.types.is_large_string, pa.types.is_null,
    )  # fmt: skip
    return any(is_known(kind) for is_known in known)


def texts(column: pa.Array[Any]) -> list[str | None]:
    """Returns the values as DuckDB writes them, and reads them again."""
    return _computed("CAST(value AS VARCHAR)", column)


def json_values(column: pa.Array[Any]) -> list[Any]:
    """Returns the values as JSON has them: lists and objects, and numbers with all digits."""
    if pa.types.is_float32(column.type):
        return _floats(column)
    written = _computed("CAST(to_json(value) AS VARCHAR)", column)
    return [None if text is None else _read(text) for text in written]


def python_values(column: pa.Array[Any]) -> list[Any]:
    """Returns the values as Python's, or all as texts if Python has nothing for one of them."""
    try:
        return column.to_pylist()
    except (ValueError, OverflowError):  # nanoseconds without pandas; dates beyond year 9999
        return texts(column)


def rows_of_texts(batch: pa.RecordBatch | pa.Table) -> Iterator[tuple[Any, ...]]:
    """Yields the rows, where values are texts unless every format writes them by itself."""
    columns: list[Any] = batch.columns
    return zip(*map(_written_values, columns), strict=True)


def _written_values(column: pa.Array[Any]) -> list[Any]:
    if pa.types.is_float32(column.type):
        return _floats(column)
    return column.to_pylist() if has_own_text(column.type) else texts(column)


def _floats(column: pa.Array[Any]) -> list[float | None]:
    """Returns numbers of single precision with their digits, not those of the doubles they are."""
    return [None if text is None else float(text) for text in texts(column)]


def _computed(expression: str, column: pa.Array[Any]) -> list[str | None]:
    rows = _database().cursor().from_arrow(pa.table({"value": column}))
    return [text for (text,) in rows.project(expression).fetchall()]


@lru_cache(maxsize=1)
def _database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})


def _read(text: str) -> Any:
    """Returns what DuckDB wrote; infinities and NaN, which JSON has not, as texts.

    >>> _read('{"a": [1, 0.10, Infinity, NaN]}')
    {'a': [1, Decimal('0.10'), 'inf', 'nan']}
    """
    return json.loads(text, parse_float=Decimal, parse_constant=_constant)


def _constant(word: str) -> str:
    return {"Infinity": "inf", "-Infinity": "-inf"}.get(word, "nan")

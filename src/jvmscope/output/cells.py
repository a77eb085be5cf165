"""Rows of an Arrow batch as texts; the text of a repeated value is made once.

Values of metrics come in Arrow batches, in which runs, metrics, measures and units are the same for
millions of rows, and few numbers are distinct.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.queries import has_own_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["joined_rows"]


_ROWS = 1 << 13  # at a time; their texts are held twice


def joined_rows(
    batch: pa.RecordBatch,
    text: Callable[[Any], str],
    between: Sequence[str],
    values: Callable[[pa.Array[Any]], Iterable[Any]],
) -> Iterator[str]:
    """Yields the rows of a batch as texts.

    Args:
        batch: rows of at least one column.
        text: writes a value.
        between: what stands before the first cell, between cells, and after the last one.
        values: returns the values of a column that are neither numbers nor texts nor truth.

    >>> batch = pa.record_batch({"a": [1, 2], "b": ["x", None]})
    >>> list(joined_rows(batch, repr, ("<", " ", ">"), iter))
    ["<1 'x'>", '<2 None>']
    """
    fixed = [pa.scalar(each, pa.large_string()) for each in (*between, "")]
    for start in range(0, batch.num_rows, _ROWS):
        parts: list[Any] = [fixed[0]]
        for column, after in zip(batch.slice(start, _ROWS).columns, fixed[1:-1], strict=True):
            known = has_own_text(column.type)
            parts += [_texts(column, text) if known else _array(values(column), text), after]
        lines: Any = pc.binary_join_element_wise(*parts, fixed[-1])
        yield from lines.to_pylist()


def _texts(column: Any, text: Callable[[Any], str]) -> pa.Array[Any]:
    if pa.types.is_dictionary(column.type):
        return _array(column.to_pylist(), text)
    encoded = column.dictionary_encode("encode")
    distinct = [text(value) for value in encoded.dictionary.to_pylist()]
    return pa.array(distinct, pa.large_string()).take(encoded.indices)


def _array(values: Iterable[Any], text: Callable[[Any], str]) -> pa.Array[Any]:
    return pa.array([text(value) for value in values], pa.large_string())

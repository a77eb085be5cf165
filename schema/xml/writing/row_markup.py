"""Rows as markup, a batch at a time: Arrow joins the strings, Python sees no row."""

from __future__ import annotations

from array import array
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import RunError
from jvmscope.schema.xml.arrow import Column
from jvmscope.schema.xml.arrow import compute as pc
from jvmscope.schema.xml.escaping import markup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.schema.xml.vocabulary import Attribute, Element

__all__ = [
    "concatenate",
    "count",
    "grouped",
    "integers",
    "leaves",
    "non_null",
    "start_tags",
    "text_values",
    "utf8",
]


def concatenate(*parts: str | Column) -> Column:
    """Returns the parts of each row joined; a null part makes the row null."""
    values = [_literal(part) if isinstance(part, str) else part for part in parts]
    return pc.binary_join_element_wise(*values, _literal(""))


def integers(first: int, n: int) -> Column:
    """Returns n whole numbers from the first.

    >>> integers(3, 2).to_pylist()
    [3, 4]
    """
    values = array("i", range(first, first + n))
    return pa.Array.from_buffers(pa.int32(), n, [None, pa.py_buffer(values)])


def utf8(texts: Column) -> memoryview:
    """Returns the texts one after the other, as they lie in the array's buffer.

    >>> bytes(utf8(pa.array(["a", "b", "c"]).slice(1)))
    b'bc'
    """
    _, offsets, data = texts.buffers()
    if data is None:
        return memoryview(b"")
    ends = memoryview(offsets).cast("i")
    return memoryview(data)[ends[texts.offset] : ends[texts.offset + len(texts)]]


def non_null(texts: Column) -> Column:
    """Returns the texts with "" where they are null."""
    return pc.coalesce(texts, _literal("")) if texts.null_count else texts


def start_tags(element: Element, rows: pa.Table, without: Sequence[str] = ()) -> Column:
    """Returns each row's start tag without its closing ``>``."""
    parts: list[str | Column] = [f"<dcg:{element.name}"]
    for attribute in element.attributes:
        if attribute.name not in without:
            column = rows.column(attribute.column).combine_chunks()
            parts += _attribute(attribute, column)
    return concatenate(*parts)


def count(name: str, values: Column) -> Column:
    """Returns a count element for each value, nothing where it is null."""
    text = concatenate(f"<dcg:{name}>", values.cast(pa.string()), f"</dcg:{name}>")
    return non_null(text)


def leaves(element: Element, rows: pa.Table) -> Column:
    """Returns each row as an element that holds its counts and nothing else."""
    tags = start_tags(element, rows)
    if not element.counts:
        return concatenate(tags, "/>")
    counts = [count(name, rows.column(column).combine_chunks()) for name, column in element.counts]
    return concatenate(tags, ">", *counts, f"</dcg:{element.name}>")


def grouped(keys: Column, texts: Column, first: int, n: int) -> Column:
    """Returns for each key from ``first`` its texts joined, "" where it has none.

    Args:
        keys: one key a text, in order.
        texts: the texts.
        first: the first key.
        n: the number of keys.

    >>> keys = pa.array([3, 3, 5], pa.int32())
    >>> grouped(keys, pa.array(["a", "b", "c"]), 3, 4).to_pylist()
    ['ab', '', 'c', '']
    """
    if len(keys) == 0:
        return pa.repeat(_literal(""), n)
    runs = pc.run_end_encode(keys, run_end_type=pa.int32())
    offsets = pa.concat_arrays([integers(0, 1), runs.run_ends])
    joined = pc.binary_join(pa.ListArray.from_arrays(offsets, texts), _literal(""))
    wanted = integers(first, n).cast(keys.type)
    return non_null(joined.take(pc.index_in(wanted, value_set=runs.values)))


def text_values(column: Column) -> list[str | None]:
    """Returns a string column's values; lone surrogates are kept.

    Raises:
        RunError: a value is not a string.
    """
    try:
        return [
            None if value is None else value.decode("utf-8", "surrogatepass")
            for value in column.cast(pa.binary()).to_pylist()
        ]
    except UnicodeDecodeError as error:
        raise RunError(f"a name or constant of the run is not UTF-8: {error}") from None


@cache
def _literal(text: str) -> pa.StringScalar:
    """Returns the text as a scalar: making one looks for optional modules, which takes long."""
    return pa.scalar(text)


def _attribute(attribute: Attribute, column: Column) -> list[str | Column]:
    begin = f' {attribute.name}="'
    if attribute.kind == "flag":
        return [pc.if_else(column, _literal(f'{begin}true"'), _literal(""))]
    value = _value(attribute, column)
    if not column.null_count:
        return [begin, value, '"']
    return [non_null(concatenate(begin, value, '"'))]


def _value(attribute: Attribute, column: Any) -> Column:
    if attribute.kind != "text":
        return column.cast(pa.string())
    encoded = column.dictionary_encode()
    values = [markup(value or "") for value in text_values(encoded.dictionary)]
    return pa.array(values, pa.string()).take(encoded.indices)

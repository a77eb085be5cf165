"""Rows as markup, a batch at a time: Arrow joins the strings, Python sees no row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.errors import RunError
from jvmscope.schema.xml.escaping import markup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.schema.xml.vocabulary import Attribute, Element

__all__ = ["concatenate", "count", "grouped", "leaves", "start_tags", "text_values"]


def concatenate(*parts: str | pa.Array) -> pa.Array:
    """Returns the parts of each row joined; a null part makes the row null."""
    return pc.binary_join_element_wise(*parts, "")


def start_tags(element: Element, rows: pa.Table, without: Sequence[str] = ()) -> pa.Array:
    """Returns each row's start tag without its closing ``>``."""
    parts: list[str | pa.Array] = [f"<dcg:{element.name}"]
    for attribute in element.attributes:
        if attribute.name not in without:
            column = rows.column(attribute.column).combine_chunks()
            parts += _attribute(attribute, column)
    return concatenate(*parts)


def count(name: str, values: pa.Array) -> pa.Array:
    """Returns a count element for each value, nothing where it is null."""
    text = concatenate(f"<dcg:{name}>", values.cast(pa.string()), f"</dcg:{name}>")
    return pc.coalesce(text, "") if values.null_count else text


def leaves(element: Element, rows: pa.Table) -> pa.Array:
    """Returns each row as an element that holds its counts and nothing else."""
    tags = start_tags(element, rows)
    if not element.counts:
        return concatenate(tags, "/>")
    counts = [count(name, rows.column(column).combine_chunks()) for name, column in element.counts]
    return concatenate(tags, ">", *counts, f"</dcg:{element.name}>")


def grouped(keys: pa.Array, texts: pa.Array, first: int, n: int) -> pa.Array:
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
        return pa.repeat("", n)
    runs = pc.run_end_encode(keys, run_end_type=pa.int32())
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), runs.run_ends])
    joined = pc.binary_join(pa.ListArray.from_arrays(offsets, texts), "")
    wanted = pa.array(range(first, first + n), keys.type)
    return pc.coalesce(joined.take(pc.index_in(wanted, value_set=runs.values)), "")


def text_values(column: pa.Array) -> list[str | None]:
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


def _attribute(attribute: Attribute, column: pa.Array) -> list[str | pa.Array]:
    begin = f' {attribute.name}="'
    if attribute.kind == "flag":
        return [pc.if_else(column, f'{begin}true"', "")]
    value = _value(attribute, column)
    if not column.null_count:
        return [begin, value, '"']
    return [pc.coalesce(concatenate(begin, value, '"'), "")]


def _value(attribute: Attribute, column: Any) -> pa.Array:
    if attribute.kind != "text":
        return column.cast(pa.string())
    encoded = column.dictionary_encode()
    values = [markup(value or "") for value in text_values(encoded.dictionary)]
    return pa.array(values, pa.string()).take(encoded.indices)

"""Whether the rows of a table are in the order that its definition declares.

A tree walk finds rows by binary search, and SQL by joins; they agree only if the rows are sorted.
The rows are read once, in batches, each compared with the one before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from jvmscope.schema.definitions import word_sets
from jvmscope.schema.local_paths import local
from jvmscope.schema.parquet import ROW_GROUP_ROWS

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.schema.definitions import Table, WordSet

__all__ = ["misplaced_row"]


def misplaced_row(path: Path, table: Table) -> int | None:
    """Returns the first row, from 0, that does not come after the row before it; None: all do.

    Rows may be equal in the columns of the order if these do not tell rows apart.

    Args:
        path: the Parquet file.
        table: the definition.
    """
    orders = [(table.sorted_by, table.is_sorted_by_key)]
    if table.has_dense_key:
        orders.append((((table.key[0], False),), True))
    names = list(dict.fromkeys(name for order, _ in orders for name, _ in order))
    words = {column.name: word_sets().get(column.sql_type) for column in table.columns}
    first = 0  # the row of the file that is the first of the columns
    last: dict[str, Any] = {}
    with pq.ParquetFile(local(path)) as file:
        for batch in file.iter_batches(ROW_GROUP_ROWS, columns=names):
            columns = {name: _comparable(batch.column(name), words.get(name)) for name in names}
            if last:
                columns = {name: pa.concat_arrays([last[name], columns[name]]) for name in names}
            places = [_misplaced(columns, *order) for order in orders]
            if found := [place for place in places if place is not None]:
                return first + min(found)
            n_rows = len(columns[names[0]])
            first += n_rows - 1
            last = {name: column.slice(n_rows - 1) for name, column in columns.items()}
    return None


def _comparable(column: Any, words: WordSet | None) -> Any:
    """Returns values that Arrow compares as the dump does.

    Texts are compared by their UTF-16 units, words of a closed set by their number, as in SQL.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if words is not None:
        return pc.index_in(column, pa.array(words.words))
    if not pa.types.is_string(column.type):
        return column
    texts = column.to_pylist()
    return pa.array(
        [None if text is None else text.encode("utf-16-be", "surrogatepass") for text in texts],
        pa.binary(),
    )


def _misplaced(
    columns: dict[str, Any], order: tuple[tuple[str, bool], ...], is_strict: bool
) -> int | None:
    """Returns the first row that does not come after the row before it, None if all do."""
    n_pairs = len(columns[order[0][0]]) - 1
    is_sorted: Any = pa.repeat(not is_strict, n_pairs)  # of rows that are equal
    for name, is_null_first in reversed(order):
        before, after = columns[name].slice(0, n_pairs), columns[name].slice(1)
        is_less = pc.less(before, after)
        is_equal = pc.equal(before, after)
        if columns[name].null_count:
            absent = pc.is_null(before), pc.is_null(after)
            least, other = absent if is_null_first else reversed(absent)
            is_less = pc.if_else(pc.or_(*absent), pc.and_not(least, other), is_less)
            is_equal = pc.if_else(pc.or_(*absent), pc.and_(*absent), is_equal)
        is_sorted = pc.or_(is_less, pc.and_(is_equal, is_sorted))
    place = pc.index(is_sorted, False).as_py()
    return None if place < 0 else place + 1

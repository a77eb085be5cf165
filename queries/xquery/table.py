"""Items as a table: a map is a row whose columns are its keys, any other item a ``value``."""

from __future__ import annotations

from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import QueryError
from jvmscope.queries.result import Result, ResultColumn
from jvmscope.queries.xquery.items.functions import MapItem
from jvmscope.queries.xquery.serialization import Parameters, serialize
from jvmscope.queries.xquery.trees.node import Kind, Node
from jvmscope.queries.xquery.typed_columns import typed_array

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from jvmscope.queries.query_file import QueryFile

__all__ = ["result_of_items"]

_AS_CELL = Parameters(omit_xml_declaration=True)
_SQL_TYPES = {
    pa.int64(): "BIGINT",
    pa.float64(): "DOUBLE",
    pa.string(): "VARCHAR",
    pa.bool_(): "BOOLEAN",
}


def result_of_items(
    items: Iterable[Any],
    file: QueryFile,
    *,
    is_truncated: bool = False,
    refusals: Sequence[str] = (),
) -> Result:
    """Returns items as a table in memory.

    The columns are those that the file declares, with their types, and the keys of the maps in
    the order in which they come. A column that is not declared has one type if its values have;
    else all of them are text.

    Raises:
        QueryError: a value is not of its column's declared type.
    """
    declared = {column.name: column.type for column in file.columns}
    rows = [_row(item, declared) for item in items]
    names = list(declared)
    names += [name for name in dict.fromkeys(chain.from_iterable(rows)) if name not in declared]
    names = names or ["value"]
    arrays = []
    for name in names:
        values = [row.get(name) for row in rows]
        type_ = declared.get(name)
        arrays.append(typed_array(values, type_, name, file) if type_ else _array(values))
    table = pa.Table.from_arrays(arrays, names=names)
    units = {column.name: column.unit for column in file.columns}
    columns = [
        ResultColumn(name, _SQL_TYPES.get(array.type, str(array.type).upper()), units.get(name))
        for name, array in zip(names, arrays, strict=True)
    ]
    return Result.of_table(table, columns, is_truncated=is_truncated, refusals=refusals)


def _row(item: Any, declared: Container[str]) -> dict[str, Any]:
    """Returns an item's columns; a node in a declared one is its string value."""

    def value_of(name: str, value: Any) -> Any:
        is_atomized = name in declared and isinstance(value, Node)
        return value.string_value if is_atomized else _value(value)

    if not isinstance(item, MapItem):
        return {"value": value_of("value", item)}
    row = {}
    for key, value in item.items():
        if len(value) > 1:
            raise QueryError(
                f"a row's column {key} has {len(value)} items, expected at most one",
                code="XPTY0004",
            )
        row[str(key)] = value_of(str(key), value[0]) if value else None
    return row


def _value(item: Any) -> Any:
    """Returns an item as a plain value: numbers and truth values stay, all else is text."""
    if isinstance(item, bool) or type(item) is float:
        return item
    if isinstance(item, int):
        return int(item)
    if isinstance(item, Decimal):
        return float(item)
    if isinstance(item, str):
        return str(item)
    if isinstance(item, Node) and item.kind not in {Kind.ELEMENT, Kind.DOCUMENT}:
        return item.string_value
    return serialize([item], _AS_CELL)


def _array(values: list[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int}:
        if all(value is None or -(1 << 63) <= value < 1 << 63 for value in values):
            return pa.array(values, pa.int64() if kinds else pa.string())
    elif kinds <= {int, float}:
        return pa.array([None if v is None else float(v) for v in values], pa.float64())
    elif kinds in ({str}, {bool}):
        return pa.array(values)
    return pa.array([None if v is None else _text(v) for v in values], pa.string())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else serialize([value], _AS_CELL)

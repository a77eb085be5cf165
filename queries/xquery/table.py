"""Items as a table: a map is a row whose columns are its keys, any other item a ``value``."""

from __future__ import annotations

from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import QueryError
from jvmscope.queries.result import Result, ResultColumn
from jvmscope.queries.xquery.items.functions import MapItem
from jvmscope.queries.xquery.items.types import Float
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
    pa.float32(): "FLOAT",
    pa.float64(): "DOUBLE",
    pa.string(): "VARCHAR",
    pa.bool_(): "BOOLEAN",
}
_NUMBERS = {int, float, Float, Decimal}
_MOST_DIGITS = 38


def result_of_items(
    items: Iterable[Any],
    file: QueryFile,
    *,
    is_truncated: bool = False,
    refusals: Sequence[str] = (),
) -> Result:
    """Returns items as a table in memory.

    The columns are those that the file declares, with their types, and the keys of the maps in
    the order in which they come. A column that is not declared has one type if its values have,
    or if it has all digits of its numbers; else all of them are text.

    Raises:
        QueryError: a value is not of its column's declared type, or two keys are one as text.
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
        ResultColumn(name, _sql_type(array.type), units.get(name))
        for name, array in zip(names, arrays, strict=True)
    ]
    return Result.of_table(table, columns, is_truncated=is_truncated, refusals=refusals)


def _row(item: Any, declared: Container[str]) -> dict[str, Any]:
    """Returns an item's columns; a node in a declared one is its string value."""

    def value_of(name: str, value: Any) -> Any:
        if name not in declared:
            return _value(value)
        if isinstance(value, Node):
            return value.string_value
        return _text(value) if isinstance(value, Float) else _value(value)

    if not isinstance(item, MapItem):
        return {"value": value_of("value", item)}
    row: dict[str, Any] = {}
    for key, value in item.items():
        if str(key) in row:
            raise QueryError(f"a row has two columns that are called {key}", code="SERE0022")
        if len(value) > 1:
            raise QueryError(
                f"a row's column {key} has {len(value)} items, expected at most one",
                code="XPTY0004",
            )
        row[str(key)] = value_of(str(key), value[0]) if value else None
    return row


def _value(item: Any) -> Any:
    """Returns an item as a plain value: numbers and truth values stay, all else is text."""
    if isinstance(item, bool | float | Decimal):
        return item
    if isinstance(item, int):
        return int(item)
    if isinstance(item, str):
        return str(item)
    if isinstance(item, Node) and item.kind not in {Kind.ELEMENT, Kind.DOCUMENT}:
        return item.string_value
    return serialize([item], _AS_CELL)


def _array(values: list[Any]) -> Any:
    """Returns values in the type that keeps all of them as they are, at last as texts."""
    found = [value for value in values if value is not None]
    kinds = {type(value) for value in found}
    if kinds in ({str}, {bool}):
        return pa.array(values)
    type_ = _number_type(kinds, found) if found and kinds <= _NUMBERS else None
    if type_ is None:
        return pa.array([None if v is None else _text(v) for v in values], pa.string())
    turn = Decimal if pa.types.is_decimal(type_) else int if pa.types.is_integer(type_) else float
    return pa.array([None if v is None else turn(v) for v in values], type_)


def _number_type(kinds: set[type], numbers: list[Any]) -> pa.DataType | None:
    """Returns the type that has all digits of numbers, None if no type has."""
    if kinds == {Float}:
        return pa.float32()
    if kinds == {int}:
        return pa.int64() if all(-(1 << 63) <= each < 1 << 63 for each in numbers) else None
    if all(map(_is_double, numbers)):
        return pa.float64()
    return _decimal_type(numbers) if kinds <= {int, Decimal} else None


def _is_double(number: int | float | Decimal) -> bool:
    """Tells whether a number is written with the same digits where it is a double.

    >>> _is_double(2**53), _is_double(2**53 + 1), _is_double(Decimal("0.1")), _is_double(10**400)
    (True, False, True, False)
    """
    if isinstance(number, float):
        return True
    try:
        return Decimal(repr(float(number))) == number
    except OverflowError:
        return False


def _decimal_type(numbers: list[int | Decimal]) -> pa.DataType | None:
    """Returns the type of decimals that has all digits, None if there are too many.

    >>> _decimal_type([12345, Decimal("0.25")])
    Decimal128Type(decimal128(7, 2))
    """
    decimals = [Decimal(number) for number in numbers]
    scale = max(max(0, -int(each.as_tuple().exponent)) for each in decimals)
    n_digits = scale + max(max(0, each.adjusted() + 1) for each in decimals)
    return pa.decimal128(n_digits, scale) if n_digits <= _MOST_DIGITS else None


def _sql_type(type_: pa.DataType) -> str:
    if pa.types.is_decimal(type_):
        return f"DECIMAL({type_.precision},{type_.scale})"
    return _SQL_TYPES[type_]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else serialize([value], _AS_CELL)

"""Values in the types that a query's header declares."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.queries.query_parts import convert

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries.query_file import QueryFile

__all__ = ["SQL_TYPES", "typed_array"]

SQL_TYPES = {"integer": "BIGINT", "number": "DOUBLE", "text": "VARCHAR", "boolean": "BOOLEAN"}
_PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "number": (int, float),
    "text": (str,),
    "boolean": (bool,),
}


def typed_array(values: Sequence[Any], type_: str, name: str, file: QueryFile) -> Any:
    """Returns the values of a column as its declared type; None stays null.

    A text is converted, as the untyped value of a node is; nothing else is.

    Args:
        values: numbers, truth values, texts, None.
        type_: ``integer``, ``number``, ``text`` or ``boolean``.
        name: the column.
        file: the query, for messages.

    Raises:
        QueryError: a value is not of the type.
    """
    import pyarrow as pa

    types: dict[str, pa.DataType] = {
        "integer": pa.int64(),
        "number": pa.float64(),
        "text": pa.string(),
        "boolean": pa.bool_(),
    }
    try:
        typed = [None if value is None else _typed(value, type_) for value in values]
        return pa.array(typed, types[type_])
    except (ValueError, OverflowError) as error:
        message = f"the column {name} is declared {type_}: {error}"
        raise QueryError(message, path=file.path, code="XPTY0004") from None


def _typed(value: Any, type_: str) -> Any:
    if isinstance(value, str):
        return convert(value.strip() if type_ != "text" else value, type_)
    if isinstance(value, Decimal):
        value = float(value)
    is_right = isinstance(value, _PYTHON_TYPES[type_])
    if not is_right or (isinstance(value, bool) and type_ != "boolean"):
        raise ValueError(f"{value!r} is not of this type")
    return value

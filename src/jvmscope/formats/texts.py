"""Values as texts: what the formats that are text have in common."""

from __future__ import annotations

import contextlib
import io
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any, BinaryIO

from jvmscope.control_characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries import Result

__all__ = ["TRUNCATED", "column_titles", "plain", "shown", "text_stream"]

TRUNCATED = "truncated: more rows exist"


@contextlib.contextmanager
def text_stream(stream: BinaryIO) -> Iterator[io.TextIOWrapper]:
    """Yields a stream of text over one of bytes, which stays open."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
    try:
        yield text
        text.flush()
    finally:
        with contextlib.suppress(ValueError, BrokenPipeError):
            text.detach()


def column_titles(result: Result) -> list[str]:
    """Returns the columns' names with their units; pure numbers have none worth a word."""
    return [
        visible(column.name if column.unit in (None, "1") else f"{column.name} [{column.unit}]")
        for column in result.columns
    ]


def plain(value: Any) -> Any:
    """Returns a value as csv and json write it: whole numbers without a point, all digits.

    Infinities and NaN, which are not JSON, are the texts that DuckDB reads as such.

    >>> [plain(value) for value in (Decimal(3), Decimal("0.5"), 2.0, 0.5, float("nan"), "x")]
    [3, 0.5, 2, 0.5, 'nan', 'x']
    >>> plain(Decimal("12345678901234567890.125"))
    Decimal('12345678901234567890.125')
    """
    if isinstance(value, Decimal):
        return _plain_decimal(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value


def _plain_decimal(value: Decimal) -> int | float | Decimal:
    if value == value.to_integral_value():
        return int(value)
    nearest = float(value)
    return nearest if Decimal(repr(nearest)) == value else value


def shown(value: Any) -> str:
    """Returns a value as a table shows it: fractions with six digits, nothing for null.

    What would control a terminal is escaped.

    >>> [shown(value) for value in (None, 1 / 3, 12.0, "a", [1, 2], True)]
    ['', '0.333333', '12', 'a', '[1, 2]', 'true']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    value = plain(value) if isinstance(value, float | Decimal) else value
    if isinstance(value, float | Decimal):
        return f"{float(value):.6g}"
    return visible(str(value))

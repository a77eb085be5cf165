"""Numbers and small drawings as people read them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["percent", "rounded", "share", "shown", "spark"]

_HEIGHTS = "▁▂▃▄▅▆▇█"


def shown(value: float | str | None, digits: int = 4) -> str:
    """Returns a value for a table: whole numbers, and others with so many digits, all with commas.

    Numbers with as many digits before the point have none behind it, rather than a power of ten.

    >>> [shown(value) for value in (None, 1234567, 3.0, 0.25, 12345.678, 0.000123456, "x")]
    ['', '1,234,567', '3', '0.25', '12,346', '0.0001235', 'x']
    >>> [shown(value) for value in (999.94, 999.96, 9370.4, 9999.9)]
    ['999.9', '1,000', '9,370', '10,000']
    >>> [shown(value, 6) for value in (2 / 3, 99999.96, 1234567.5)]
    ['0.666667', '100,000', '1,234,568']
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return str(value)
    if float(value).is_integer():
        return f"{int(value):,}"
    is_long = abs(value) >= 10 ** (digits - 1)
    return f"{value:,.0f}" if is_long else f"{value:,.{digits}g}"


def rounded(value: float, digits: int) -> str:
    """Returns a number rounded to so many digits, also before the point, with commas.

    >>> [rounded(value, 3) for value in (12345.6, 999.7, 2 / 3)]
    ['12,300', '1,000', '0.667']
    """
    return shown(float(f"{value:.{digits}g}"), digits)


def percent(share: float) -> str:
    """Returns a share in percent, with two digits at least.

    >>> [percent(share) for share in (1.0, 0.978, 0.0213, 0.00004, 0.0)]
    ['100', '98', '2.1', '0.004', '0']
    """
    value = 100 * share
    if value == 0 or value >= 10:
        return f"{value:.0f}"
    return f"{value:.2g}"


def share(value: float | None) -> str:
    """Returns a share in percent, with four digits.

    >>> share(0.123456), share(0), share(None)
    ('12.35 %', '0 %', '')
    """
    return "" if value is None else f"{shown(100 * value)} %"


def spark(heights: Sequence[float | None]) -> str:
    """Returns a row of blocks as high as the numbers, which are from 0 to 1; null leaves a gap.

    >>> spark([0, 0.5, None, 0.9, 1])
    '▁▅ ▇█'
    """
    top = len(_HEIGHTS) - 1
    return "".join(
        " " if height is None else _HEIGHTS[round(min(max(height, 0.0), 1.0) * top)]
        for height in heights
    )

"""Numbers of a study as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.numbers import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["labels", "shown_p", "shown_value"]

_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))
_DIGITS = 4
_MOST_DIGITS = 9


def shown_value(value: float, unit: str, digits: int = _DIGITS) -> str:
    """Returns a value with its unit; of a time, the unit that suits it.

    >>> shown_value(-1342.0, "ns"), shown_value(166.09e6, "ns"), shown_value(0.25, "1")
    ('-1.342 µs', '166.1 ms', '0.25')
    >>> shown_value(999_999.0, "ns")  # not 1,000 µs
    '1 ms'
    """
    if unit != "ns":
        return rounded(value, digits)
    if value == 0:
        return "0 s"
    near = abs(float(f"{value:.{digits}g}"))
    scale, name = next((each for each in _UNITS if near >= each[0]), _UNITS[-1])
    return f"{rounded(value / scale, digits)} {name}"


def labels(values: Sequence[float], unit: str) -> list[str]:
    """Returns values in ascending order with as many digits as tell different ones apart.

    >>> labels([0.998, 0.999, 1.0], "1"), labels([1e3, 1.5e6], "ns")
    (['0.998', '0.999', '1'], ['1 µs', '1.5 ms'])
    """
    for digits in range(3, _MOST_DIGITS):
        found = [shown_value(value, unit, digits) for value in values]
        if len(set(found)) == len(set(values)):
            return found
    return [shown_value(value, unit, _MOST_DIGITS) for value in values]


def shown_p(p: float | None) -> str:
    """Returns a probability; of a very small one, a bound.

    >>> shown_p(0.03046629), shown_p(1e-20), shown_p(None)
    ('0.0305', '< 1e-12', '')
    """
    if p is None:
        return ""
    return f"{p:.3g}" if p >= 1e-12 else "< 1e-12"

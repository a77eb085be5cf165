"""Times and other amounts as the page shows them."""

from __future__ import annotations

from jvmscope.reports.faces.numbers import shown

__all__ = ["NS_PER_S", "shown_amount", "shown_time"]

NS_PER_S = 1e9


def shown_time(ns: float) -> str:
    """Returns a time in the unit that suits it.

    >>> [shown_time(ns) for ns in (0, 42, 1_500, 20_079_582, 61_200_000_000)]
    ['0 s', '42 ns', '1.5 µs', '20.1 ms', '61.2 s']
    >>> [shown_time(ns) for ns in (999.7, 999_970, 999_970_000)]  # not 1000 of the unit below
    ['1.0 µs', '1.0 ms', '1 s']
    """
    if ns >= 0.99995e9 or ns == 0:
        return f"{shown(round(ns / 1e9, 1))} s"
    if ns < 999.5:
        return f"{shown(round(ns))} ns"
    return f"{ns / 1e6:.1f} ms" if ns >= 0.99995e6 else f"{ns / 1e3:.1f} µs"


def shown_amount(value: float, unit: str) -> str:
    """Returns a total for a table: a time in the unit that suits it, bytes, or a count.

    >>> shown_amount(1_500, "ns"), shown_amount(3 << 20, "byte"), shown_amount(1234, "sample")
    ('1.5 µs', '3 MiB', '1,234')
    """
    if unit == "ns":
        return shown_time(value)
    if unit == "byte":
        for power, name in ((3, "GiB"), (2, "MiB"), (1, "KiB")):
            if value >= 1 << (10 * power):
                return f"{shown(round(value / (1 << (10 * power)), 1))} {name}"
    return shown(round(value))

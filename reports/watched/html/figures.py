"""Figures as SVG, which are as wide as the page lets them be; their texts stand beside them.

Every value is also in a title, which a browser shows at the pointer and a screen reader reads.
"""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from jvmscope.reports.faces.numbers import percent, shown
from jvmscope.reports.watched.times import NS_PER_S, shown_amount

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.watched.histogram import Bins

__all__ = ["histogram", "layers", "lines"]

_HEIGHT = 100


def histogram(values: Sequence[float | None], unit: str, bins: Bins) -> str:
    """Returns a bar for each bin, below the greatest value and above the time."""
    most = max(filter(None, values), default=0.0)
    bars = []
    for number, value in enumerate(values):
        height = _HEIGHT * (value or 0.0) / most if most else 0.0
        title = f"{_from(number, bins)}: {_amount(value, unit)}"
        bars.append(
            f'<g><rect class="catch" x="{number}" y="0" width="1" height="{_HEIGHT}"/>'
            f'<rect class="bar-of" x="{number}" y="{_HEIGHT - height:.2f}" width="0.92" '
            f'height="{height:.2f}"/><title>{escape(title)}</title></g>'
        )
    told = f"at most {shown_amount(most, unit)} in a bin"
    return _framed("".join(bars), _per_bin(most, unit, bins), bins, told)


def lines(curves: Sequence[tuple[str, Sequence[float | None]]], bins: Bins) -> str:
    """Returns curves of times in one frame, in processors or threads: time per time.

    Args:
        curves: a name and a value for each bin, in nanoseconds; null: not seen.
        bins: the bins.
    """
    most = max((value or 0.0 for _, values in curves for value in values), default=0.0) or 1.0
    drawn = []
    for index, (name, values) in enumerate(curves, 1):
        drawn += [
            f'<polyline class="curve category-{index}" points="{points}">'
            f"<title>{escape(name)}</title></polyline>"
            for points in _points(values, most)
        ]
    for number in range(bins.n):
        told = "\n".join(f"{name}: {_amount(values[number], 'ns')}" for name, values in curves)
        drawn.append(
            f'<rect class="catch" x="{number}" y="0" width="1" height="{_HEIGHT}">'
            f"<title>{escape(_from(number, bins))}\n{escape(told)}</title></rect>"
        )
    key = _legend([name for name, _ in curves])
    top = _threads(most, bins)
    return key + _framed("".join(drawn), top, bins, f"at most {top} at a time", is_tall=True)


def layers(names: Sequence[str], values: Sequence[Sequence[float]], bins: Bins) -> str:
    """Returns the shares of several values in each bin, one upon another.

    Args:
        names: what is shared.
        values: for each name a value for each bin.
        bins: the bins.
    """
    drawn = []
    for number in range(bins.n):
        whole = sum(each[number] for each in values)
        if not whole:
            continue
        told, top = [_from(number, bins)], 0.0
        stacked = []
        for index, (name, each) in enumerate(zip(names, values, strict=True), 1):
            height = _HEIGHT * each[number] / whole
            stacked.append(
                f'<rect class="category-{index}" x="{number}" y="{top:.2f}" width="0.95" '
                f'height="{height:.2f}"/>'
            )
            told.append(f"{name}: {percent(each[number] / whole)} % ({shown(each[number])})")
            top += height
        drawn.append(f"<g>{''.join(stacked)}<title>{escape(chr(10).join(told))}</title></g>")
    return _legend(names) + _framed("".join(drawn), "100 %", bins, "shares over time", is_tall=True)


def _points(values: Sequence[float | None], most: float) -> Iterator[str]:
    """Yields the points of each part of a curve without a gap."""
    for is_gap, part in groupby(enumerate(values), key=lambda bin_: bin_[1] is None):
        if not is_gap:
            yield " ".join(
                f"{number + side},{_HEIGHT * (1 - (value or 0.0) / most):.2f}"
                for number, value in part
                for side in (0, 1)
            )


def _amount(value: float | None, unit: str) -> str:
    return "not seen" if value is None else shown_amount(value, unit)


def _legend(names: Sequence[str]) -> str:
    """Returns the colours of the categories, by name."""
    entries = "".join(
        f'<span><svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">'
        f'<rect class="category-{index}" width="1" height="1"/></svg>{escape(name)}</span>'
        for index, name in enumerate(names, 1)
    )
    return f'<p class="key">{entries}</p>'


def _framed(drawn: str, top: str, bins: Bins, told: str, *, is_tall: bool = False) -> str:
    size = "frame tall" if is_tall else "frame"
    end = f"{shown(round(bins.n * bins.width_ns / NS_PER_S, 3))} s"
    return (
        f'<div class="{size}"><p class="top">{escape(top)}</p>'
        f'<svg viewBox="0 0 {bins.n} {_HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(told)}">{drawn}</svg>'
        f'<p class="times"><span>0 s</span><span>{escape(end)}</span></p></div>'
    )


def _per_bin(most: float, unit: str, bins: Bins) -> str:
    """Returns the greatest value: of a time, how many threads that are; else a count."""
    if unit == "ns":
        return _threads(most, bins)
    return f"{shown_amount(most, unit)} in a bin"


def _threads(most: float, bins: Bins) -> str:
    """Returns a time of a bin as the number of threads that it is, with two digits."""
    number = shown(float(f"{most / bins.width_ns:.2g}"))
    return f"{number} {'thread' if number == '1' else 'threads'}"


def _from(number: int, bins: Bins) -> str:
    low = number * bins.width_ns / NS_PER_S
    return f"{shown(round(low, 3))} s to {shown(round(low + bins.width_ns / NS_PER_S, 3))} s"

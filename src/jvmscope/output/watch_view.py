"""What a watch shows while it goes on: lines that fit a terminal of any size."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from jvmscope.reports.faces.numbers import percent, shown
from jvmscope.reports.faces.text import harmless
from jvmscope.reports.watched.probes import SHARES, percentiles
from jvmscope.reports.watched.times import shown_amount, shown_time

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console as RichConsole
    from rich.live import Live

    from jvmscope.output.console import Console
    from jvmscope.watch import ProbeView, View

__all__ = ["WatchScreen", "view_lines"]

_WIDE = 90
_NARROW = (0, 2, 4)
"""The columns of probes where lines have little room: calls, mean, 90 %."""

_MOST_LISTED = 10
_BAR = 20
_LEAST_QUANTITIES = 3
_TITLES = ("calls", "a second", "mean", *(f"{share * 100:.0f} %" for share in SHARES), "longest")


class WatchScreen:
    """Takes the terminal for as long as a watch goes on, and leaves the last view on it.

    Args:
        console: whose choice of colours is heeded.
        title: what is watched.
    """

    def __init__(self, console: Console, title: str) -> None:
        self._console = console
        self._title = title
        self._last: View | None = None

    def __enter__(self) -> WatchScreen:
        from rich.console import Console as RichConsole
        from rich.live import Live

        has_colors = self._console.uses_color(sys.stderr)
        self._rich: RichConsole = RichConsole(file=sys.stderr, no_color=not has_colors)
        self._live: Live = Live(console=self._rich, screen=True, auto_refresh=False)
        self._live.start()
        self._draw([f"{self._title} …"])
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):  # the terminal is gone
            self._live.stop()
            if self._last is not None:
                for line in view_lines(self._last, self._title, self._rich.width):
                    self._rich.print(line, markup=False, highlight=False, no_wrap=True, crop=True)

    def show(self, view: View) -> None:
        """Shows what is known now, as much of it as there are lines for."""
        self._last = view
        size = self._rich.size
        title = f"{self._title}  (Ctrl-C ends the watch)"
        self._draw(view_lines(view, title, size.width, size.height))

    def _draw(self, lines: list[str]) -> None:
        from rich.text import Text

        self._live.update(Text("\n".join(lines), no_wrap=True, overflow="crop"), refresh=True)


def view_lines(view: View, title: str, width: int, height: int | None = None) -> list[str]:
    """Returns the lines of a view; what is most telling comes first.

    Args:
        view: what is shown.
        title: the first line.
        width: characters in a line; none is longer.
        height: how many lines there are at most; None: as many as it takes.
    """
    rest = height if height is not None else 1000
    lines = [f"{title}  {view.seconds:.0f} s"]
    lines += _quantities(view)[: max(_LEAST_QUANTITIES, rest - 6) + 1]
    lines += [_forms(view)]
    rest -= len(lines)
    probes, methods = _probes(view, width), _methods(view, width)
    probes = _listed(probes, rest // 2 if methods else rest)
    lines += probes
    lines += _listed(methods, rest - len(probes))
    return [_fitted(line, width) for line in lines[:height]]


def _listed(lines: list[str], n: int) -> list[str]:
    """Returns the first lines of a list; a title alone says nothing."""
    return lines[:n] if n > 1 else []


def _quantities(view: View) -> list[str]:
    rows = [("", "a second", "in all")]
    rows += [
        (
            each.name,
            shown_amount(each.per_second, each.unit)
            if each.unit
            else shown(round(each.per_second, 1)),
            shown_amount(each.total, each.unit),
        )
        for each in view.quantities
    ]
    return [f"{name:<17}{now:>10}{total:>12}" for name, now, total in rows]


def _forms(view: View) -> str:
    whole = sum(view.forms.values())
    if not whole:
        return "forms: no samples in the last 10 s"
    shares = (f"{form} {percent(n / whole)} %" for form, n in view.forms.items())
    return f"forms: {', '.join(shares)}"


def _methods(view: View, width: int) -> list[str]:
    whole = sum(n for _, n in view.methods)
    if not whole:
        return []
    lines = ["methods by samples of the last 10 s, without native code"]
    for name, n in view.methods[:_MOST_LISTED]:
        bar = "█" * round(_BAR * n / whole) if width >= 4 * _BAR else ""
        lead = f"{percent(n / whole):>5} % {bar:<{_BAR if width >= 4 * _BAR else 0}} "
        lines.append(lead + _end_of(name, width - len(lead)))
    return lines


def _probes(view: View, width: int) -> list[str]:
    if not view.probes:
        return []
    is_wide = width >= _WIDE
    chosen = range(len(_TITLES)) if is_wide else _NARROW
    room = max(10, width - 10 * len(chosen))
    lines = [f"{'probes':<{room}}" + "".join(f"{_TITLES[at]:>10}" for at in chosen)]
    for probe in view.probes[:_MOST_LISTED]:
        cells = _probe_cells(probe)
        name = _end_of(probe.name, room - 1)
        lines.append(f"{name:<{room}}" + "".join(f"{cells[at]:>10}" for at in chosen))
    return lines


def _probe_cells(probe: ProbeView) -> list[str]:
    if not probe.n_calls:
        return ["0", "0", *[""] * (len(_TITLES) - 2)]
    times = (min(time, probe.most_ns) for time in percentiles(probe.buckets))
    return [
        shown(probe.n_calls),
        shown(round(probe.per_second, 1)),
        shown_time(probe.total_ns / probe.n_calls),
        *map(shown_time, times),
        shown_time(probe.most_ns),
    ]


def _end_of(name: str, room: int) -> str:
    """Returns the end of a name that is too long, where the method is.

    >>> _end_of("app.Service.handle", 10), _end_of("app.A.b", 10)
    ('…ce.handle', 'app.A.b')
    """
    name = harmless(name)
    return name if len(name) <= room else f"…{name[len(name) - max(1, room) + 1 :]}"


def _fitted(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[: max(0, width - 1)]}…"

"""What a watch has seen so far, in bounded memory: for whoever looks on while it goes on.

Rows are counted as they come. What is recent is from the last ten seconds, by when the rows came.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from jvmscope.schema.watched import watch_tables
from jvmscope.watch.recent import Recent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Row = tuple[Any, ...]
    _Method = tuple[int, str, str, str]  # probe, class, name, descriptor
    _Cells = Mapping[str, Any]

__all__ = ["ProbeView", "Quantity", "Tally", "View"]

_MOST_KNOWN = 50_000
_MOST_PROBED = 1_000
"""As many methods are shown, and those beyond of which more may come."""

_FORMS = {
    "Interpreted": "interpreter",
    "JIT compiled": "compiled",
    "Inlined": "inlined",
    "Native": "native",
}


@dataclass(frozen=True)
class Quantity:
    """A count, or a time or bytes: how much a second of late, and in all.

    Attributes:
        name: what it is.
        unit: ``ns``, ``byte``, or empty for a count.
        per_second: of the last ten seconds.
        total: since the watch began.
    """

    name: str
    unit: str
    per_second: float
    total: int


@dataclass(frozen=True)
class ProbeView:
    """The invocations of one method with a probe.

    Attributes:
        name: the method.
        n_calls: those that have ended.
        per_second: how many of them in a second of late.
        total_ns: the sum of their durations.
        most_ns: the longest.
        buckets: least duration, that of the next bucket, and count, in the order of durations.
    """

    name: str
    n_calls: int
    per_second: float
    total_ns: int
    most_ns: int
    buckets: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class View:
    """What is known at one moment.

    Attributes:
        seconds: how long the watch has been going on.
        quantities: in the order in which they are shown.
        forms: recent samples by the form in which the topmost method ran.
        methods: topmost methods of recent samples that are not of native code, most first.
        probes: in the order in which their methods were found; a method that several class loaders
            have is one. Of very many those whose classes are gone are left out, the oldest first.
    """

    seconds: float
    quantities: tuple[Quantity, ...]
    forms: Mapping[str, int]
    methods: tuple[tuple[str, int], ...]
    probes: tuple[ProbeView, ...]


_QUANTITIES = (
    ("processor time", "ns"),
    ("allocated", "byte"),
    ("collections", ""),
    ("collection pauses", "ns"),
    ("compilations", ""),
    ("compile time", "ns"),
    ("deoptimizations", ""),
    ("classes defined", ""),
    ("lock waits", ""),
    ("lock wait time", "ns"),
)
"""Their names and units, in the order in which they are shown."""


_ADDED: dict[str, tuple[tuple[str, str | None], ...]] = {
    "allocation_sample": (("allocated", "weight_bytes"),),
    "collection": (("collections", None), ("collection pauses", "pauses_ns")),
    "compilation": (("compilations", None), ("compile time", "duration_ns")),
    "deoptimization": (("deoptimizations", None),),
    "class_define": (("classes defined", None),),
    "monitor_enter": (("lock waits", None), ("lock wait time", "duration_ns")),
}
"""What a row of a table adds to quantities: a column, or one."""


class Tally:
    """Counts rows of a watch run.

    Args:
        clock: returns the seconds that have passed since some moment.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._recent = Recent(clock)
        self._totals: Counter[str] = Counter()
        self._tops: dict[int, tuple[int, str]] = {}
        self._names: dict[int, str] = {}
        self._probes: dict[_Method, _Probed] = {}
        self._probed: dict[int, _Method] = {}
        self._used_ns: int | None = None
        self._rules: dict[str, Callable[[_Cells], None]] = {
            "stack_frame": self._frame,
            "vm_method": self._method,
            "execution_sample": self._sample,
            "process_usage": self._usage,
            "probe_method": self._probe_method,
            "probe_time": self._probe_time,
            "probe_histogram": self._probe_bucket,
        }

    def add(self, table: str, row: Row) -> None:
        """Counts a row of a table, if it says something of the moment."""
        rule, added = self._rules.get(table), _ADDED.get(table)
        if rule is None and added is None:
            return
        cells = dict(zip(_columns(table), row, strict=True))
        if rule is not None:
            rule(cells)
        for name, column in added or ():
            self._count(name, 1 if column is None else cells[column] or 0)

    def view(self) -> View:
        """Returns what is known now."""
        recent, span = self._recent.counts(), self._recent.span_s
        methods = [(str(key[1]), n) for key, n in recent.items() if key[0] == "method"]
        return View(
            seconds=self._recent.passed_s,
            quantities=tuple(
                Quantity(name, unit, recent["quantity", name] / span, self._totals[name])
                for name, unit in _QUANTITIES
            ),
            forms={form: recent["form", form] for form in _FORMS.values()},
            methods=tuple(sorted(methods, key=lambda found: (-found[1], found[0]))),
            probes=tuple(
                probed.view(recent["probe", method] / span)
                for method, probed in self._probes.items()
            ),
        )

    def _count(self, name: str, amount: int) -> None:
        self._totals[name] += amount
        self._recent.add(("quantity", name), amount)

    def _frame(self, cells: _Cells) -> None:
        if cells["position"] == 0:
            _make_room(self._tops)
            self._tops[cells["stack_id"]] = (cells["vm_method_id"], cells["form"])

    def _method(self, cells: _Cells) -> None:
        _make_room(self._names)
        self._names[cells["vm_method_id"]] = _named(cells)

    def _sample(self, cells: _Cells) -> None:
        method, form = self._tops.get(cells["stack_id"], (-1, ""))
        if form in _FORMS:
            self._recent.add(("form", _FORMS[form]))
            if form != "Native" and method in self._names:
                self._recent.add(("method", self._names[method]))

    def _usage(self, cells: _Cells) -> None:
        used = cells["user_ns"] + cells["system_ns"]
        if self._used_ns is not None:
            self._count("processor time", used - self._used_ns)
        self._used_ns = used

    def _probe_method(self, cells: _Cells) -> None:
        method = (cells["probe_id"], cells["class_name"], cells["name"], cells["descriptor"])
        self._probed[cells["probe_method_id"]] = method
        self._probes.setdefault(method, _Probed(_named(cells))).n_classes += 1

    def forget_method(self, number: int) -> None:
        """Takes note that nothing comes any more of a method with a probe.

        Args:
            number: its ``probe_method_id``.
        """
        method = self._probed.pop(number, None)
        if method is None:
            return
        self._probes[method].n_classes -= 1
        if len(self._probes) > _MOST_PROBED:
            over = (each for each, probed in self._probes.items() if not probed.n_classes)
            for each in list(islice(over, 1)):
                del self._probes[each]

    def _probe_time(self, cells: _Cells) -> None:
        method = self._probed[cells["probe_method_id"]]
        probed = self._probes[method]
        probed.n_calls += cells["n_calls"]
        probed.total_ns += cells["total_ns"]
        probed.most_ns = max(probed.most_ns, cells["most_ns"])
        self._recent.add(("probe", method), cells["n_calls"])

    def _probe_bucket(self, cells: _Cells) -> None:
        bounds = cells["low_ns"], cells["high_ns"]
        method = self._probed[cells["probe_method_id"]]
        self._probes[method].buckets[bounds] += cells["n_calls"]


@dataclass
class _Probed:
    """The invocations of a method so far; it has as many buckets as the agent's histogram."""

    name: str
    n_classes: int = 0  # those that are there still
    n_calls: int = 0
    total_ns: int = 0
    most_ns: int = 0
    buckets: Counter[tuple[int, int]] = field(default_factory=Counter)

    def view(self, per_second: float) -> ProbeView:
        """Returns what is known of it."""
        buckets = tuple((low, high, n) for (low, high), n in sorted(self.buckets.items()))
        return ProbeView(self.name, self.n_calls, per_second, self.total_ns, self.most_ns, buckets)


@cache
def _columns(table: str) -> tuple[str, ...]:
    return tuple(column.name for column in watch_tables()[table].columns)


def _named(cells: _Cells) -> str:
    """Returns a method as programmers write it, without its parameters."""
    return f"{cells['class_name'].replace('/', '.')}.{cells['name']}"


def _make_room(known: dict[int, Any]) -> None:
    """Leaves out the oldest entry if there are very many: stacks and methods come anew."""
    if len(known) >= _MOST_KNOWN:
        del known[next(iter(known))]

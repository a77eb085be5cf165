"""What is counted for those who look on while a watch goes on, second by second."""

from __future__ import annotations

from typing import Any

from support.watched_rows import ROWS

from jvmscope.watch.recent import Recent
from jvmscope.watch.tally import Tally

_MS = 1_000_000


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _tally(clock: _Clock) -> Tally:
    tally = Tally(clock)
    for table, rows in ROWS.items():
        for row in rows:
            tally.add(table, row)
    return tally


def test_the_rows_of_a_watch_are_counted() -> None:
    """As tests/support/watched_rows.py has them."""
    clock = _Clock()
    tally = _tally(clock)
    clock.now += 4
    view = tally.view()
    found = {each.name: (each.total, each.per_second) for each in view.quantities}

    assert view.seconds == 4
    assert found == {
        "processor time": (500 * _MS, 125 * _MS),
        "allocated": (1500, 375),
        "collections": (1, 0.25),
        "collection pauses": (50 * _MS, 12.5 * _MS),
        "compilations": (2, 0.5),
        "compile time": (40 * _MS, 10 * _MS),
        "deoptimizations": (1, 0.25),
        "classes defined": (1, 0.25),
        "lock waits": (2, 0.5),
        "lock wait time": (301 * _MS, 75.25 * _MS),
    }
    assert view.forms == {"interpreter": 1, "compiled": 1, "inlined": 1, "native": 0}
    assert view.methods == (("app.Work.work", 2), ("app.Workshop.open", 1))
    assert view.probes == ()


def test_what_is_recent_is_forgotten_and_totals_stay() -> None:
    clock = _Clock()
    tally = _tally(clock)
    clock.now += 10
    view = tally.view()

    assert {each.per_second for each in view.quantities} == {0}
    assert next(each.total for each in view.quantities if each.name == "allocated") == 1500
    assert (set(view.forms.values()), view.methods) == ({0}, ())


def test_probes_are_summed() -> None:
    clock = _Clock()
    tally = Tally(clock)
    tally.add("probe_method", (7, 0, 0, "app/Cache", "get", "()V", None, 9, None, None))
    for start, is_thrown in ((0, False), (0, True), (1, False)):
        times: tuple[Any, ...] = (start, start + 1, 7, None, is_thrown, 3, None, 30, 8, 12)
        tally.add("probe_time", times)
        tally.add("probe_histogram", (start + 1, 7, None, is_thrown, 12, 13, 1))
        tally.add("probe_histogram", (start + 1, 7, None, is_thrown, 8, 9, 2))
    clock.now += 3
    (probe,) = tally.view().probes

    assert (probe.name, probe.n_calls, probe.per_second) == ("app.Cache.get", 9, 3.0)
    assert (probe.total_ns, probe.most_ns) == (90, 12)
    assert probe.buckets == ((8, 9, 6), (12, 13, 3))


def test_counts_of_the_last_ten_seconds() -> None:
    clock = _Clock()
    recent = Recent(clock)
    for _ in range(30):
        recent.add(("a", 0))
        clock.now += 1

    assert recent.counts() == {("a", 0): 9}  # the tenth second has just begun
    assert recent.span_s == 10


def _method(number: int, name: str) -> tuple[Any, ...]:
    return (number, 0, 0, name, "run", "()V", None, 9, None, None)


def _call(tally: Tally, number: int) -> None:
    tally.add("probe_time", (0, 1, number, None, False, 1, None, 5, 5, 5))
    tally.add("probe_histogram", (1, number, None, False, 5, 6, 1))


def test_a_method_of_several_class_loaders_is_one() -> None:
    tally = Tally(_Clock())
    for number in range(3):
        tally.add("probe_method", _method(number, "app/Script"))
        _call(tally, number)
        tally.forget_method(number)
        tally.forget_method(number)  # told twice
    (probe,) = tally.view().probes

    assert (probe.name, probe.n_calls, probe.buckets) == ("app.Script.run", 3, ((5, 6, 3),))


def test_of_very_many_methods_those_of_classes_that_are_there_stay() -> None:
    tally = Tally(_Clock())
    for number in range(3_000):
        tally.add("probe_method", _method(number, f"app/Script{number}"))
        if number:
            tally.forget_method(number)
    _call(tally, 0)
    probes = tally.view().probes

    assert len(probes) == 1_000
    assert probes[0].name == "app.Script0.run"
    assert probes[-1].name == "app.Script2999.run"

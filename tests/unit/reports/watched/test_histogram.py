"""Values of metric-focus pairs, and each rule of charging, on rows written by hand.

The watch begins at 0 and takes two seconds: sixteen bins of 125 ms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.watched_rows import ROWS, write_watched

from jvmscope.errors import QueryError
from jvmscope.queries import Engine
from jvmscope.reports.faces.blocks import Sparks
from jvmscope.reports.watched import (
    DEFAULT_PAIRS,
    METRIC_FUNCTIONS,
    bins_of,
    parse_pair,
    series_of,
    watch_page,
)
from jvmscope.reports.watched.histogram import MOST_BINS
from jvmscope.reports.watched.html import render_watch
from jvmscope.reports.watched.plain import _NOT_SEEN, pairs_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MS = 1_000_000
_BIN = 125 * _MS


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run = tmp_path_factory.mktemp("watched")
    write_watched(run)
    with Engine(run) as opened:
        yield opened


def _values(engine: Engine, text: str) -> dict[int, float]:
    """The bins of a pair that are not zero."""
    series = series_of(engine, parse_pair(text), bins_of(engine))
    assert series.reason is None
    return {number: value for number, value in enumerate(series.values) if value}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("samples", {0: 2, 2: 1}),
        ("collections", {1: 1}),  # it counts at its end, at 150 ms
        ("collection_pauses", {0: 25 * _MS, 1: 25 * _MS}),  # a level below is not added
        ("safepoint_time", {0: 2 * _MS}),  # a handshake is not one
        ("compilations", {0: 2}),
        ("deoptimizations", {0: 1}),
        ("class_definitions", {0: 1}),
        ("lock_waits", {0: 1, 3: 1}),
        ("lock_wait_time", {0: 26 * _MS, 1: _BIN, 2: _BIN, 3: 25 * _MS}),
        ("allocated_bytes", {0: 1500}),
        ("cpu_time", dict.fromkeys(range(8), 62.5 * _MS)),  # between two readings, evenly
        ("page_faults", dict.fromkeys(range(8), 201 / 8)),
        ("park_time", {}),
    ],
)
def test_values_stand_in_their_bins(engine: Engine, text: str, values: dict[int, float]) -> None:
    assert _values(engine, text) == pytest.approx(values)


@pytest.fixture(scope="module")
def half_read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A watch of two seconds, in whose second one the process was not read."""
    run = tmp_path_factory.mktemp("half-read")
    write_watched(run, rows={**ROWS, "process_usage": ROWS["process_usage"][:2]})
    with Engine(run) as opened:
        yield opened


def test_time_without_readings_has_no_values(half_read: Engine) -> None:
    """GIVEN readings of the first of two seconds, THEN of the second nothing is known."""
    bins = bins_of(half_read)
    for name, metric in METRIC_FUNCTIONS.items():
        series = series_of(half_read, parse_pair(name), bins)
        if series.reason is not None:
            continue
        unread = 8 if metric.source == "process_usage" else 0
        assert [number for number, value in enumerate(series.values) if value is None] == [
            *range(16 - unread, 16)
        ], name
        assert series.span_ns == (16 - unread) * _BIN, name


def test_events_before_the_vm_told_of_them_are_not_known(tmp_path: Path) -> None:
    """GIVEN a VM that tells of events from 0.3 s on, THEN two bins have what ended later."""
    write_watched(tmp_path, opened_ns=300 * _MS)
    with Engine(tmp_path) as opened:
        bins = bins_of(opened)
        for name, metric in METRIC_FUNCTIONS.items():
            series = series_of(opened, parse_pair(name), bins)
            if series.reason is not None:
                continue
            is_read = metric.source == "process_usage"
            assert all(value is not None for value in series.values[2:]), name
            assert all(value != 0 for value in series.values[:2]), name
            assert series.span_ns == (2_000 - (0 if is_read else 300)) * _MS, name


@pytest.mark.parametrize("n", [0, 1])
def test_a_process_that_was_not_read_twice_has_no_values(tmp_path: Path, n: int) -> None:
    write_watched(tmp_path, rows={**ROWS, "process_usage": ROWS["process_usage"][:n]})
    with Engine(tmp_path) as opened:
        series = series_of(opened, parse_pair("cpu_time"), bins_of(opened))
    assert (series.values, series.reason) == ((), "the process was not read twice")


def test_pages_say_what_was_not_read(half_read: Engine) -> None:
    """Half a second of processor time in the second that was read is half of the time."""
    told = next(block for block in watch_page(half_read, ["cpu_time"]) if isinstance(block, Sparks))
    assert told.rows == (("cpu_time", (1.0,) * 8 + (None,) * 8, "500.0 ms, 50.0 % of the time"),)
    rows = pairs_table(half_read, ["cpu_time"]).head().to_pylist()
    assert [row["value"] for row in rows] == [62.5 * _MS] * 8 + [None] * 8
    assert {row["reason"] for row in rows[8:]} == {_NOT_SEEN}
    page = render_watch(half_read, ["cpu_time"])
    assert page.count(": not seen<") == 8
    assert "50.0 % of the time" in page


def test_shares_of_a_watch_are_of_the_time_watched(tmp_path: Path) -> None:
    """GIVEN a watch that ends within its last bin, THEN the rest of the bin does not count."""
    write_watched(tmp_path, 2.01)
    with Engine(tmp_path) as opened:
        bins = bins_of(opened)
        assert (bins.n, bins.span_ns) == (17, 2_010 * _MS)
        assert series_of(opened, parse_pair("samples"), bins).span_ns == 2_010 * _MS


@pytest.mark.parametrize(
    ("text", "total"),
    [
        # A stack charges every method on it, and so everything above these.
        ("samples{/APCode}", 3),
        ("samples{/APCode/app}", 3),
        ("samples{/APCode/app/Main}", 2),
        ("samples{/APCode/app/Work/work}", 2),
        ("samples{/APCode/app/Work}", 2),  # not app/Workshop
        ("deoptimizations{/APCode/app/Main/main}", 1),
        ("allocated_bytes{/APCode/app/Workshop}", 500),
        # A sample has the form of the method that ran.
        ("samples{/Code/interpreter}", 1),
        ("samples{/Code/compiled, /APCode/app/Main}", 1),
        ("samples{/Code/inlined, /APCode/app/Main}", 0),
        # A compilation charges its method, and no caller.
        ("compile_time{/APCode/app/Work/work}", 10 * _MS),
        ("compile_time{/APCode/app/Main}", 0),
        ("compile_time{/Code/compiler}", 40 * _MS),
        ("compile_time{/Code/compiler/c2}", 30 * _MS),
        # Loading within loading counts once; threads count apart.
        ("class_load_time", 65 * _MS),
        ("class_load_time{/APThreads/main}", 45 * _MS),
        ("class_load_time{/APThreads/helper\\, 1}", 20 * _MS),
        # A wait charges the thread that waits, its stack, and the class of the object.
        ("lock_waits{/APThreads/main}", 1),
        ("lock_wait_time{/APSyncObj/app/Lock}", 300 * _MS),
        ("lock_wait_time{/APSyncObj/app/Lock, /APThreads/helper\\, 1}", 0),
        ("lock_wait_time{/APSyncObj/app}", 301 * _MS),
        ("lock_wait_time{/APCode/app/Workshop/open}", 1 * _MS),
        # OR counts what is of both once; AND takes two methods of one stack.
        ("samples{/APCode/app/Main OR /APCode/app/Work}", 2),
        ("samples{/APCode/app/Main OR /APCode/app/Workshop}", 3),
        ("samples{/APCode/app/Main AND /APCode/app/Work}", 2),
        ("samples{/APCode/app/Main AND /APCode/app/Workshop}", 0),
        ("samples{/Code/interpreter OR /Code/compiled AND /APThreads/main}", 2),
        ("samples{/Code/inlined OR /Code/interpreter, /APThreads/main}", 1),
        ("samples{/Code/interpreter OR /APThreads}", 3),  # a root constrains nothing
        ("lock_wait_time{/APSyncObj/app/Lock OR /APThreads/helper\\, 1}", 301 * _MS),
    ],
)
def test_each_rule_of_charging(engine: Engine, text: str, total: float) -> None:
    assert sum(_values(engine, text).values()) == pytest.approx(total)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("collections{/APCode/app}", "no values by APCode: the event stream has no stack for it"),
        ("cpu_time{/APThreads/main}", "no values by APThreads: the operating system knows it of"),
        ("lock_waits{/Code/gc}", "no values by Code: the program does it, not the VM"),
        ("file_wait_time", "the watch did not record it: --io was not given"),
        ("socket_bytes", "the watch did not record it: --io was not given"),
        ("samples{/APSyncObj/app}", "no values by APSyncObj: it is not about an object"),
        ("compilations{/APThreads/main}", "no values by APThreads: the VM does it in threads of"),
    ],
)
def test_what_cannot_be_charged_is_null_with_a_reason(
    engine: Engine, text: str, reason: str
) -> None:
    series = series_of(engine, parse_pair(text), bins_of(engine))

    assert series.values == ()
    assert series.reason is not None
    assert series.reason.startswith(reason)


def test_every_function_is_charged_or_says_why_not(engine: Engine) -> None:
    foci = ("/APCode/app", "/APThreads/main", "/APSyncObj/app", "/Code/gc")
    for name in METRIC_FUNCTIONS:
        for focus in foci:
            series = series_of(engine, parse_pair(f"{name}{{{focus}}}"), bins_of(engine))
            assert (series.reason is None) == (len(series.values) == 16)


@pytest.mark.parametrize(
    ("text", "column", "hint"),
    [
        ("samples{/APCode/app/Wrk}", 9, 'did you mean "app/Work"?'),
        ("samples{/Code/gc, /APThreads/mian}", 19, 'did you mean "main"?'),
        ("cpu_time{/Code/zzz}", 10, "all: SELECT path FROM resource"),
    ],
)
def test_a_resource_that_is_not_there_is_an_error(
    engine: Engine, text: str, column: int, hint: str
) -> None:
    with pytest.raises(QueryError, match="the watch run has no resource") as caught:
        series_of(engine, parse_pair(text), bins_of(engine))

    assert caught.value.column == column
    assert (caught.value.hint or "").startswith(hint)


@pytest.mark.parametrize("seconds", [0.01, 2.0, 8.0, 8.1, 3600.0])
def test_bins_halve_their_resolution(tmp_path: Path, seconds: float) -> None:
    """So no total changes, and there are never more than so many."""
    write_watched(tmp_path, seconds)
    with Engine(tmp_path) as engine:
        bins = bins_of(engine)
        width = bins.width_ns // _BIN
        assert bins.n <= MOST_BINS
        assert width & (width - 1) == 0
        assert bins.n > MOST_BINS // 2 or width == 1
        assert sum(_values(engine, "lock_wait_time").values()) == pytest.approx(301 * _MS)
        assert sum(_values(engine, "samples").values()) == 3


def test_the_page_has_a_curve_for_each_pair(engine: Engine) -> None:
    text = "\n".join(map(str, watch_page(engine, ())))

    assert "Watch of app.Main" in text
    assert [pair for pair in DEFAULT_PAIRS if repr(pair) not in text] == []
    assert "Forms in which" in text
    assert "no samples" in text
    assert "Forms in which" not in "\n".join(map(str, watch_page(engine, ["samples"])))

"""Invocations of methods with probes as metric-focus pairs, on rows written by hand.

``work`` is called four times in the first half second, in 80 ms, and ``open`` once, from 600 ms on
for 200 ms by the thread ``helper``. Bins have 125 ms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.watched_rows import write_watched

from jvmscope.queries import Engine
from jvmscope.reports.faces.blocks import Grid
from jvmscope.reports.watched import bins_of, parse_pair, series_of
from jvmscope.reports.watched.probes import probe_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MS = 1_000_000
_ROWS = {
    "vm_thread": [(0, "main", 1, 11, None), (1, "helper", 2, None, None), (2, "once", 2, 12, None)],
    "process_usage": [(0, 0, 0, 0, 0, None, 0, 9)],
    "probe": [(0, "app.*.*", False)],
    "probe_method": [
        (0, 0, 0, "app/Work", "work", "()V", None, 9, None, None),
        (1, 0, 0, "app/Workshop", "open", "()V", None, 9, None, None),
    ],
    "probe_time": [
        (0, 500 * _MS, 0, None, False, 3, 3, 60 * _MS, 20 * _MS, 20 * _MS),
        (0, 500 * _MS, 0, None, True, 1, 1, 20 * _MS, 20 * _MS, 20 * _MS),
        (500 * _MS, 1000 * _MS, 1, None, False, 1, 1, 200 * _MS, 200 * _MS, 200 * _MS),
    ],
    "probe_sample": [
        *((n * 40 * _MS, 20 * _MS, 0, None, 1, n == 0, n * 40 * _MS + 7) for n in range(4)),
        (600 * _MS, 200 * _MS, 1, None, 2, False, 600 * _MS + 7),
    ],
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run = tmp_path_factory.mktemp("probed")
    write_watched(run, rows=_ROWS, probes=["app.*.*"], samples=True)
    with Engine(run) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("calls{/APCode/app/Work}", dict.fromkeys(range(4), 1)),
        ("call_time{/APCode/app/Work/work}", dict.fromkeys(range(4), 20 * _MS)),
        ("call_time{/APCode/app/Workshop}", dict.fromkeys(range(4, 8), 50 * _MS)),
        ("calls", dict.fromkeys(range(4), 1) | dict.fromkeys(range(4, 8), 0.25)),
        ("sampled_calls{/APCode/app/Work}", {0: 3, 1: 1}),
        ("sampled_calls{/APThreads/helper}", {6: 1}),
        ("sampled_call_time{/APThreads/main}", {0: 65 * _MS, 1: 15 * _MS}),
        (
            "sampled_call_time{/APThreads/helper, /APCode/app}",
            {4: 25 * _MS, 5: 125 * _MS, 6: 50 * _MS},
        ),
    ],
)
def test_invocations_are_charged_to_method_and_thread(
    engine: Engine, text: str, values: dict[int, float]
) -> None:
    series = series_of(engine, parse_pair(text), bins_of(engine))

    assert series.reason is None
    found = {number: value for number, value in enumerate(series.values) if value}
    assert found == pytest.approx(values)


def test_counts_of_all_threads_are_not_charged_to_one(engine: Engine) -> None:
    series = series_of(engine, parse_pair("calls{/APThreads/main}"), bins_of(engine))

    assert series.values == ()
    assert series.reason is not None
    assert "sampled_" in series.reason


@pytest.mark.parametrize(("text", "option"), [("calls", "--probe"), ("sampled_calls", "--samples")])
def test_a_watch_without_probes_has_the_reason(tmp_path: Path, text: str, option: str) -> None:
    write_watched(tmp_path)
    with Engine(tmp_path) as engine:
        series = series_of(engine, parse_pair(text), bins_of(engine))

    assert series.reason == f"the watch did not record it: {option} was not given"


def test_methods_of_one_name_in_several_classes_are_one_in_a_report(tmp_path: Path) -> None:
    """GIVEN a class that three loaders define, the last with an overload, in two probes."""
    rows = {
        **_ROWS,
        "probe": [(0, "app.*.*", False), (1, "app.*.* when thread.isVirtual", False)],
        "probe_method": [
            *((n, 0, n, "app/Work", "work", "()V", None, 9, None, None) for n in range(3)),
            (3, 0, 2, "app/Work", "work", "(I)V", None, 9, None, None),
            (4, 1, 0, "app/Work", "work", "()V", None, 9, None, None),
        ],
        "probe_time": [
            (0, 500 * _MS, n, None, False, 2, 2, (5 - n) * _MS, (2 - n // 3) * _MS, 3 * _MS)
            for n in range(5)
        ],
        "probe_histogram": [(_MS, n, None, False, _MS, 2 * _MS, 2) for n in range(5)],
        "probe_sample": [],
    }
    write_watched(tmp_path, rows=rows, probes=["app.*.*"])
    with Engine(tmp_path) as engine:
        (grid,) = [block for block in probe_blocks(engine) if isinstance(block, Grid)]

    assert [row[:5] for row in grid.rows] == [
        ("app.Work.work() (of 3 classes)", "6", "0", "12.0 ms", "2.0 ms"),
        ("app.Work.work(int)", "2", "0", "2.0 ms", "1.0 ms"),
        ("app.Work.work() when thread.isVirtual", "2", "0", "1.0 ms", "500.0 µs"),
    ]

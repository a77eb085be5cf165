"""A long watch: every table stays small, and no total changes when its rows become bins."""

from __future__ import annotations

import io
import random
import tracemalloc
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from jvmscope import cli
from jvmscope.queries import Engine
from jvmscope.queries.watch_invariants import broken_watch_invariants
from jvmscope.reports.faces import print_page
from jvmscope.reports.faces.blocks import Grid
from jvmscope.reports.watched import DEFAULT_PAIRS, bins_of, parse_pair, series_of
from jvmscope.reports.watched.constraints import HIERARCHIES
from jvmscope.reports.watched.html import render_watch
from jvmscope.reports.watched.locks import lock_blocks
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS
from jvmscope.reports.watched.page import resolution_notes, watch_page
from jvmscope.reports.watched.totals import totals_by
from jvmscope.schema import Manifest, read_manifest, verify_run, watch_tables, write_manifest
from jvmscope.schema.watched import BINNED
from jvmscope.watch.probes import MovedMethods
from jvmscope.watch.rows import EventRows
from jvmscope.watch.store import Limits, Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from jvmscope.reports.watched.metric_functions import MetricFunction
    from jvmscope.schema.watched import WatchTable

_START = 1_000_000_000_000
_STEP = 50_000_000
_N, _PER_FLUSH = 2_000, 250
_AGAIN = 5_000
_LIMITS = Limits(events=400, bins=700)
_MOST_BINS = 700
"""More than the rest takes: 66 bins, and in each at most 8 combinations of truth values."""
_UNKNOWN = "do not know which rows lie within another one"
_OF_NAMES = {"vm_thread", "vm_method", "stack_frame"}
_FEW = {"probe", "probe_method", "probe_caller", "class_content", "probe_step", "unseen", "lapse",
        "shutdown"}  # fmt: skip
"""Tables of a row for each probe, each of its methods and callers, each class, and each failure."""

_OPTIONS = {"started_ns": _START, "probes": ["x"], "io": True, "samples": True}
_GROWING = Manifest(kind="watch", status="truncated", tables={}, options=_OPTIONS)
_BINNED = {name: each for name, each in watch_tables().items() if each.binning is not None}
_APART = {name: each for name, each in _BINNED.items() if each.binning and not each.binning.is_here}
_NAMES: dict[str, tuple[Any, ...]] = {
    "vm_thread": ("main", 1, 1, None),
    "vm_method": ("app/A", "f", "()V", False),
    "stack_frame": (0, 0, None, None, "Inlined"),
    "probe": ("app.A.f", False),
    "probe_method": (0, _START, "app/A", "f", "()V", None, 1, None, None),
    "probe_caller": ("app/A", "g"),
}


def test_every_table_is_bounded_or_small() -> None:
    bins = {f"{name}{BINNED}" for name in _APART}
    assert watch_tables().keys() == _BINNED.keys() | bins | _OF_NAMES | _FEW


def _rows(table: WatchTable, n_values: int, chance: random.Random) -> Iterator[tuple[Any, ...]]:
    """Rows in the order of time; some of the first began before the watch."""
    sums = {name for name, _ in table.binning.functions} if table.binning else set()
    for number in range(_N):
        now = _START + number * _STEP
        row: list[Any] = []
        for column in table.columns:
            if column.name in {"at_ns", "end_ns"}:
                row.append(now)
            elif column.name == "start_ns":
                row.append(now - chance.randrange(5_000_000_000))
            elif column.name == "duration_ns":
                row.append(min(now - row[0], chance.choice((0, 10, 3_000_000_000))))
            elif column.is_nullable and chance.random() < 0.1 and column.name not in sums:
                row.append(None)
            elif column.sql_type == "VARCHAR":
                row.append(f"v{chance.randrange(n_values)}")
            elif column.sql_type == "BOOLEAN":
                row.append(chance.random() < 0.5)
            elif column.sql_type == "DOUBLE":
                row.append(float(chance.randrange(4)) / 4)
            else:
                row.append(chance.randrange(n_values))
        yield tuple(row)


@dataclass(frozen=True)
class _Watched:
    """A watch run with many rows of each table, and these rows."""

    run: Path
    store: Store
    rows: Mapping[str, list[tuple[Any, ...]]]
    limits: Limits

    def column(self, table: WatchTable, name: str) -> list[Any]:
        place = [each.name for each in table.columns].index(name)
        return [row[place] for row in self.rows[table.name]]


def _watched(run: Path, n_values: int, limits: Limits) -> _Watched:
    chance = random.Random(7)  # noqa: S311
    store = Store(run, _GROWING, limits=limits)
    for name, values in _NAMES.items():
        for number in range(n_values):
            store.append(name, (number, *values))
    rows = {name: list(_rows(table, n_values, chance)) for name, table in _BINNED.items()}
    for at in range(0, _N, _PER_FLUSH):
        for name in _BINNED:
            for row in rows[name][at : at + _PER_FLUSH]:
                store.append(name, row)
        store.flush()
    return _Watched(run, store, rows, limits)


@pytest.fixture(scope="module", params=[3, 1_000], ids=["few", "many"])
def watched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> _Watched:
    """Tables with few and with very many different values."""
    return _watched(tmp_path_factory.mktemp("watched"), request.param, _LIMITS)


@pytest.fixture(scope="module")
def opened(watched: _Watched) -> Iterator[Engine]:
    with Engine(watched.run) as engine:
        yield engine


def test_the_run_is_whole_while_it_grows(watched: _Watched, opened: Engine) -> None:
    assert verify_run(watched.run) == []
    assert broken_watch_invariants(opened) == []


@pytest.mark.parametrize("table", _BINNED.values(), ids=[*_BINNED])
def test_a_table_has_a_limited_number_of_rows(watched: _Watched, table: WatchTable) -> None:
    facts = read_manifest(watched.run).tables
    if table.name in _APART:
        assert facts[table.name].rows <= _LIMITS.events
        assert 0 < facts[f"{table.name}{BINNED}"].rows <= _MOST_BINS
    else:
        assert table.binning is not None
        columns = [watched.column(table, name) for name in table.binning.by]
        n_combinations = len(set(zip(*columns, strict=True))) + 1
        assert facts[table.name].rows <= _LIMITS.events + max(_LIMITS.bins, n_combinations)


@pytest.mark.parametrize("table", _APART.values(), ids=[*_APART])
def test_bins_and_rows_have_the_totals_of_all_rows(
    watched: _Watched, opened: Engine, table: WatchTable
) -> None:
    assert table.binning is not None
    sums = [name for name, _ in table.binning.functions]
    found = _fetched(
        opened,
        f"SELECT COUNT(*){''.join(f', SUM({name})' for name in sums)} FROM {table.name}",
        f"SELECT SUM(n_events){''.join(f', SUM(total_{name})' for name in sums)} "
        f"FROM {table.name}{BINNED}",
    )
    of = f"WHERE table_name = '{table.name}'"
    ((n_events, n_binned, width),) = _fetched(
        opened, f"SELECT n_events, n_binned, bin_ns FROM resolution {of}"
    )

    expected = [_N, *(sum(each or 0 for each in watched.column(table, name)) for name in sums)]
    assert [sum(each or 0 for each in column) for column in zip(*found, strict=True)] == expected
    assert (n_events + n_binned, width % 125_000_000) == (_N, 0)


@pytest.mark.parametrize("table", [_BINNED[name] for name in ("probe_time", "probe_histogram")])
def test_counts_of_intervals_are_summed_where_they_are(
    watched: _Watched, opened: Engine, table: WatchTable
) -> None:
    assert table.binning is not None
    of = {"sum": sum, "min": min, "max": max}
    for name, how in table.binning.functions:
        found = _fetched(opened, f"SELECT {how}({name}) FROM {table.name}")
        values = [each for each in watched.column(table, name) if each is not None]
        assert found == [(of[how](values),)], name


def test_readings_stay_at_both_ends(watched: _Watched, opened: Engine) -> None:
    rows = _fetched(opened, "SELECT * FROM process_usage ORDER BY at_ns")

    assert (rows[0], rows[-1]) == (
        watched.rows["process_usage"][0],
        watched.rows["process_usage"][-1],
    )
    assert set(rows) <= set(watched.rows["process_usage"])


def _fetched(engine: Engine, *queries: str) -> list[tuple[Any, ...]]:
    return [row for query in queries for row in engine.connect().execute(query).fetchall()]


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[_Watched, Engine]]:
    """A run with room for all combinations of values."""
    limits = Limits(events=400, bins=1_000_000)
    watched = _watched(tmp_path_factory.mktemp("apart"), 2, limits)
    with Engine(watched.run) as engine:
        yield watched, engine


@pytest.mark.parametrize("table", _APART.values(), ids=[*_APART])
def test_what_is_kept_apart_has_its_own_totals(
    apart: tuple[_Watched, Engine], table: WatchTable
) -> None:
    """Also by time: each bin has the rows that ended in it, and the times that lie in it."""
    assert table.binning is not None
    watched, engine = apart
    names = [column.name for column in table.columns]
    ((width,),) = _fetched(
        engine, f"SELECT bin_ns FROM resolution WHERE table_name = '{table.name}'"
    )
    ((n_left,),) = _fetched(engine, f"SELECT COUNT(*) FROM {table.name}")
    expected: dict[tuple[Any, ...], list[int]] = {}
    for row in watched.rows[table.name][: _N - n_left]:
        values = dict(zip(names, row, strict=True))
        start = values[names[0]] - _START
        end = start + values.get("duration_ns", 0)
        key = tuple(values[name] for name in table.binning.by)
        is_time = "total_duration_ns" in watch_tables()[f"{table.name}{BINNED}"].ddl
        expected.setdefault((max(0, end // width), *key), [0, 0])[0] += 1
        last = max(-1, max(end - 1, start) // width)
        for number in range(max(-1, start // width), last + 1) if is_time else ():
            low = start if number < 0 else max(start, number * width)
            sums = expected.setdefault((number, *key), [0, 0])
            sums[1] += min(end, (number + 1) * width) - low
    time = "total_duration_ns" if is_time else "0"
    found = _fetched(
        engine,
        f"SELECT (start_ns - {_START}) // {width}, "
        f"{''.join(f'{name}, ' for name in table.binning.by)}n_events, {time} "
        f"FROM {table.name}{BINNED}",
    )
    assert {row[:-2]: [*row[-2:]] for row in found} == expected


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The same rows, of which none became bins."""
    watched = _watched(tmp_path_factory.mktemp("raw"), 2, Limits())
    with Engine(watched.run) as engine:
        yield engine


@pytest.mark.parametrize("metric", METRIC_FUNCTIONS.values(), ids=[*METRIC_FUNCTIONS])
def test_pairs_have_the_values_of_the_rows(
    apart: tuple[_Watched, Engine], raw: Engine, metric: MetricFunction
) -> None:
    """Over time, and by resource; bins of a report are several of those in the run."""
    engine, pair = apart[1], parse_pair(metric.name)
    bins = bins_of(raw)
    expected, found = series_of(raw, pair, bins), series_of(engine, pair, bins)
    if metric.unbinned:
        assert _UNKNOWN in (found.reason or "")
        return
    assert found.reason is None
    if "probe_time" in metric.rows:
        return  # its intervals are longer than the steps by which they end
    assert found.total == pytest.approx(expected.total)
    if metric.source == "process_usage":
        return  # between two readings the values are spread evenly
    assert found.values == pytest.approx(expected.values)
    for hierarchy in HIERARCHIES:
        if hierarchy not in metric.absent:
            sums = totals_by(raw, pair, bins, hierarchy)
            assert totals_by(engine, pair, bins, hierarchy) == pytest.approx(sums)


def test_a_report_says_the_resolution(apart: tuple[_Watched, Engine]) -> None:
    notes = [note.text for note in resolution_notes(apart[1])]

    assert len(notes) == len(_APART)
    assert all("rows of" in note and "sums in bins of" in note for note in notes)
    assert any(isinstance(block, Grid) for block in lock_blocks(apart[1]))


@pytest.mark.parametrize("watched", [3], ids=["few"], indirect=True)
@pytest.mark.parametrize("words", ["html", "--format markdown", "--format csv", "--format jsonl"])
def test_every_face_shows_a_run_with_bins(
    watched: _Watched, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    """What is shown by itself, and each metric alone; what has no values says why."""
    for names in ([], *([name] for name in METRIC_FUNCTIONS)):
        asked = [f"--metric={name}" for name in names]
        assert cli.run(["report", str(watched.run), *words.split(), *asked]) == cli.DONE
        is_unknown = any(METRIC_FUNCTIONS[name].unbinned for name in names or DEFAULT_PAIRS[-2:])
        assert (_UNKNOWN in capsys.readouterr().out) == is_unknown, names


@pytest.mark.parametrize("watched", [3], ids=["few"], indirect=True)
def test_a_terminal_shows_a_run_with_bins(opened: Engine) -> None:
    stream = io.StringIO()
    print_page([*watch_page(opened, ())], stream, is_colored=False, width=1_000)

    assert _UNKNOWN in stream.getvalue()


@pytest.mark.parametrize("watched", [3], ids=["few"], indirect=True)
def test_the_page_says_which_time_is_not_drawn(opened: Engine) -> None:
    _, _, after = render_watch(opened, ()).partition('id="times"')
    times = after.partition("</section>")[0]

    assert times.count("class load time") == 1
    assert f"class load time: the bins of class_load {_UNKNOWN}" in times
    assert times.count("lock wait time") > 1


def _park(start_ns: int, duration_ns: int) -> tuple[Any, ...]:
    return (start_ns, duration_ns, None, None, None)


def test_of_a_burst_the_newest_stay(tmp_path: Path) -> None:
    """Many more events between two flushes than are kept, as of a program that parks often."""
    store = Store(tmp_path, _GROWING, limits=_LIMITS)
    for burst in range(3):
        for number in range(_N):
            store.append("park", _park(_START + (burst * _N + number) * _STEP, 10))
        store.flush()
        with Engine(tmp_path) as engine:
            found = _fetched(engine, "SELECT start_ns FROM park ORDER BY ALL")
            ((n_binned,),) = _fetched(engine, "SELECT SUM(n_events) FROM park_bin")
        n = (burst + 1) * _N
        assert found == [(_START + each * _STEP,) for each in range(n - len(found), n)]
        assert (len(found), n_binned) == (_LIMITS.events // 2, n - len(found))


def test_a_long_wait_among_many_short_ones_stays_apart(tmp_path: Path) -> None:
    """One row with nearly all the time, and so many others that most of them become the rest."""
    wait = 61_234_567_890
    store = Store(tmp_path, _GROWING, limits=_LIMITS)
    store.append("park", (_START, wait, None, None, "app/Long"))
    for number in range(_AGAIN):
        name = f"app/Short{number % 7 if number % 2 else number}"
        store.append("park", (_START + number * _STEP, 10, None, None, name))
        if number % _PER_FLUSH == 0:
            store.flush()
    with Engine(tmp_path) as engine:
        ((n, ns),) = _fetched(
            engine,
            "SELECT SUM(n_events), SUM(total_duration_ns) FROM park_bin "
            "WHERE class_name = 'app/Long'",
        )
        ((n_rest,),) = _fetched(engine, "SELECT SUM(n_events) FROM park_bin WHERE is_rest")
    assert n_rest > _AGAIN // 2
    assert (n, ns) == (1, wait)


def test_a_long_wait_after_fine_bins_takes_little_memory(tmp_path: Path) -> None:
    """A day is 691,200 of the bins that a burst at the beginning made."""
    day = 86_400_000_000_000
    store = Store(tmp_path, _GROWING, limits=_LIMITS)
    for number in range(_N):
        store.append("park", _park(_START + number, 10))
    store.flush()
    tracemalloc.start()
    for _ in range(_N):
        store.append("park", _park(_START, day))
    store.flush()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert most < 100_000_000
    with Engine(tmp_path) as engine:
        assert _fetched(
            engine,
            "SELECT SUM(n), SUM(ns) FROM (SELECT n_events AS n, total_duration_ns AS ns FROM "
            "park_bin UNION ALL SELECT 1, duration_ns FROM park)",
        ) == [(2 * _N, _N * day + _N * 10)]


class _Constants:
    """What an event refers to stands in it, here."""

    def at(self, value: Any, *path: str) -> Any:
        for name in path:
            value = value.get(name) if value is not None else None
        return value

    def value(self, reference: Any) -> Any:
        made = {"thread": _thread, "stack": _stack, "method": _method}
        return made[reference[0]](reference[1])


def _method(number: int) -> dict[str, Any]:
    return {"type": {"name": f"app/C{number}"}, "name": "f", "hidden": False}


def _thread(number: int) -> dict[str, Any]:
    return {"javaName": f"thread {number}", "javaThreadId": number + 1, "osThreadId": 1}


def _stack(number: int) -> dict[str, Any]:
    method = ("method", number)
    frame = {"type": "Interpreted", "bytecodeIndex": 0, "lineNumber": number + 1, "method": method}
    return {"frames": [frame, frame]}


def test_names_that_are_not_used_are_left_out(tmp_path: Path) -> None:
    """Each event has a thread and a stack of its own, which come again much later."""
    store = Store(tmp_path, _GROWING, limits=Limits(events=400, bins=300, names=500))
    rows = EventRows(store, MovedMethods())
    chunk = SimpleNamespace(constants=_Constants(), caches={})
    for number in range(3 * _N):
        again = number % _AGAIN
        fields = {
            "startTime": _START + number * _STEP,
            "sampledThread": ("thread", again),
            "stackTrace": ("stack", again),
            "state": "STATE_RUNNABLE",
        }
        rows.append(SimpleNamespace(name="jdk.ExecutionSample", fields=fields, chunk=chunk))  # type: ignore[arg-type]
        if number % 100 == 99:
            store.flush()
            assert max(read_manifest(tmp_path).tables[name].rows for name in _OF_NAMES) <= 3_500
    with Engine(tmp_path) as engine:
        assert broken_watch_invariants(engine) == []
        found = _fetched(
            engine,
            "SELECT at_ns, t.name, m.class_name, line FROM execution_sample JOIN vm_thread AS t "
            "ON vm_thread_id = thread_id JOIN stack_frame USING (stack_id) JOIN vm_method AS m "
            "USING (vm_method_id) WHERE position = 1 ORDER BY at_ns",
        )
        ((n_binned,),) = _fetched(engine, "SELECT SUM(n_events) FROM execution_sample_bin")
    assert n_binned + len(found) == 3 * _N
    assert found == [
        (_START + n * _STEP, f"thread {n % _AGAIN}", f"app/C{n % _AGAIN}", n % _AGAIN + 1)
        for n in range(3 * _N - len(found), 3 * _N)
    ]


_LATER = {"file_read", "file_write", "socket_read", "socket_write"}
"""Tables that the first watch runs did not have."""


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A run of an older jvmscope without probes, with a row of each other table that it has."""
    store = Store(tmp_path, _GROWING)
    chance = random.Random(7)  # noqa: S311
    for name, values in _NAMES.items():
        store.append(name, (0, *values))
    for name in _APART.keys() - _LATER:
        store.append(name, next(_rows(_BINNED[name], 1, chance)))
    store.flush()
    manifest = read_manifest(tmp_path)
    kept = {
        name: each
        for name, each in manifest.tables.items()
        if not name.endswith(BINNED) and name not in _LATER
    }
    write_manifest(tmp_path, replace(manifest, tables=kept, options={"started_ns": _START}))
    return tmp_path


def test_an_older_run_has_no_bins(older: Path) -> None:
    with Engine(older) as engine:
        found = _fetched(engine, "SELECT table_name, n_events, n_binned, bin_ns FROM resolution")
        assert {*found} == {(name, 1, 0, None) for name in _APART.keys() - _LATER}
        assert broken_watch_invariants(engine) == []
        assert any(isinstance(block, Grid) for block in lock_blocks(engine))
        assert [*watch_page(engine, ())]
        for name, metric in METRIC_FUNCTIONS.items():
            series = series_of(engine, parse_pair(name), bins_of(engine))
            is_read_once = metric.source == "process_usage"
            assert (series.reason is not None) == (bool(metric.asked) or is_read_once), name


def test_the_finished_run_has_the_same_rows(apart: tuple[_Watched, Engine]) -> None:
    watched, engine = apart
    names = [*_BINNED, *(f"{name}{BINNED}" for name in _APART)]
    before = {name: _fetched(engine, f"FROM {name}") for name in names}
    watched.store.finish(replace(_GROWING, status="complete", duration_s=_N * _STEP / 1e9))

    assert verify_run(watched.run) == []
    with Engine(watched.run) as finished:
        assert {name: _fetched(finished, f"FROM {name}") for name in names} == before

"""A search that puts in probes: rows of a watch come by hand, and what it wants is worked out.

``main`` never returns. It calls ``busy`` (60 % of samples) and ``idle`` (30 %), and these call
``inner`` (50 %) and ``leaf`` (25 %). Calls of ``idle`` take 10 % of the time.
"""

from __future__ import annotations

from typing import Any

import pytest

from jvmscope.reports.watched import METRIC_FUNCTIONS
from jvmscope.schema.watched import watch_tables
from jvmscope.watch import FOLLOWED
from jvmscope.watch.probes import Following, ProbeSearch

_S = 1_000_000_000
_NAMES = ("main", "busy", "idle", "inner", "leaf")
_JDK, _MAIN, _BUSY, _IDLE, _INNER, _LEAF = range(6)
_STACKS = {
    0: [_JDK, _INNER, _BUSY, _MAIN],
    1: [_BUSY, _MAIN],
    2: [_LEAF, _JDK, _IDLE, _MAIN],
    3: [_IDLE, _MAIN],
    4: [_MAIN],
    5: [_JDK],
}
_N_SAMPLES = {0: 50, 1: 10, 2: 25, 3: 5, 4: 10, 5: 40}


def _search(budget: int = 10) -> ProbeSearch:
    search = ProbeSearch(Following(budget, 0.2))
    _know_stacks(search)
    for stack, n in _N_SAMPLES.items():
        for _ in range(n):
            search.add("execution_sample", (0, 0, stack, False, ""))
    return search


def _know_stacks(search: ProbeSearch) -> None:
    search.add("vm_method", (_JDK, "java/util/List", "add", "()V", False))
    for number, name in enumerate(_NAMES, 1):
        search.add("vm_method", (number, "app/Main", name, "()V", False))
    for stack, frames in _STACKS.items():
        for position, method in enumerate(frames):
            search.add("stack_frame", (stack, position, method, 0, None, "Interpreted"))


def _wanted(methods: Any) -> list[str] | None:
    return None if methods is None else [name for _, name in methods]


def _measured(search: ProbeSearch, number: int, name: str, at_s: int, share: float) -> None:
    """A method has its probe from a second on, and its calls take a share of the next two."""
    search.add("probe_method", (number, number, at_s * _S, "app/Main", name, "()V", None, 1, 1, 1))
    if share:
        total = int(2 * share * _S)
        times = (at_s * _S, (at_s + 2) * _S, number, None, False, 7, None, total, 1, 1)
        search.add("probe_time", times)


def _outcomes(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(row[2], row[4], row[9] and round(row[9], 2), row[10]) for row in rows]


def test_the_search_goes_from_callers_to_callees() -> None:
    search = _search()
    rows, wanted = search.next(10 * _S)
    assert (rows, _wanted(wanted)) == ([], ["main"])
    _measured(search, 0, "main", 10, 0)
    assert search.next(12 * _S) == ([], None)

    rows, wanted = search.next(14 * _S)
    assert _outcomes(rows) == [(0, "main", None, "no call ended")]
    assert _wanted(wanted) == ["busy", "idle"]
    _measured(search, 1, "busy", 14, 0.9)
    _measured(search, 2, "idle", 14, 0.1)

    rows, wanted = search.next(17 * _S + _S // 8)
    assert rows == []  # too early
    rows, wanted = search.next(17 * _S + _S // 2)
    assert [row[3:5] + row[10:] for row in rows] == [
        ("app/Main", "busy", "matters"),
        ("app/Main", "idle", "does not matter"),
    ]
    assert _wanted(wanted) == ["inner"]
    _measured(search, 3, "inner", 18, 0.5)

    rows, wanted = search.next(22 * _S)
    assert [row[4::6] for row in rows] == [("inner", "matters")]
    assert _wanted(wanted) == []
    assert search.is_over
    assert search.next(30 * _S) == ([], None)


def test_shares_are_of_the_time_that_was_told() -> None:
    """From 10 to 12 s a call ran for 0.5 s; at 13.5 s what came later is not told yet."""
    search = _search()
    search.next(10 * _S)
    _measured(search, 0, "main", 10, 0.25)
    ((start, end, *_, share, outcome),) = search.next(13 * _S + _S // 2)[0]

    assert (start, end) == (10 * _S, 12_250_000_000)
    assert (round(share, 4), outcome) == (round(0.5 / 2.25, 4), "matters")


def test_the_budget_ends_the_search() -> None:
    search = _search(budget=2)
    search.next(10 * _S)
    _measured(search, 0, "main", 10, 0)
    rows, wanted = search.next(14 * _S)

    assert [row[4::6] for row in rows] == [("main", "no call ended"), ("idle", "no budget")]
    assert _wanted(wanted) == ["busy"]
    assert [row[4::6] for row in search.finish(15 * _S)] == [("busy", "watch ended")]


def test_a_method_without_a_probe_is_said() -> None:
    search = _search()
    search.next(10 * _S)

    assert _outcomes(search.next(14 * _S)[0]) == [(0, "main", None, "no probe")]


def test_few_samples_begin_no_search() -> None:
    search = ProbeSearch(Following(3))
    search.add("vm_method", (0, "app/Main", "main", "()V", False))
    search.add("stack_frame", (0, 0, 0, 0, None, "Interpreted"))
    for _ in range(19):
        search.add("execution_sample", (0, 0, 0, False, ""))

    assert search.next(10 * _S) == ([], None)
    reason = "19 with methods of the program, and a search begins with 20"
    assert search.unseen() == ("probes that follow samples", reason)


def test_a_metric_that_no_method_has_enough_of_is_said() -> None:
    search = ProbeSearch(Following(3, 0.9, "lock_wait_time"))
    _know_stacks(search)
    for number in range(10, 14):
        search.add("vm_method", (number, f"app/Other{number}", "run", "()V", False))
        search.add("stack_frame", (number, 0, number, 0, None, "Interpreted"))
        row = _row("monitor_enter", stack_id=number, duration_ns=_S)
        search.add("monitor_enter", row)

    assert search.next(10 * _S) == ([], [])
    reason = "no method that threads of the program begin with has 90% of it"
    assert search.unseen() == ("probes that follow lock_wait_time", reason)


def _row(table: str, **values: Any) -> tuple[Any, ...]:
    """A row of a watch table with these values, and 1 in the other columns."""
    columns = [column.name for column in watch_tables()[table].columns]
    assert values.keys() <= set(columns)
    return tuple(values.get(name, 1) for name in columns)


@pytest.mark.parametrize("metric", sorted(FOLLOWED))
def test_a_search_follows_the_stacks_of_its_metric(metric: str) -> None:
    """The rows of one stack are few and large, so that they have most only if they are weighed."""
    search = ProbeSearch(Following(9, 0.5, metric))
    _know_stacks(search)
    followed = FOLLOWED[metric]
    n_idle, n_busy = (9, 1) if followed.amount else (1, 9)
    for table in watch_tables().keys() - set(followed.tables):
        columns = {column.name for column in watch_tables()[table].columns}
        if "stack_id" in columns and table not in {"stack_frame", "compiled_code"}:
            for _ in range(1000):
                search.add(table, _row(table, stack_id=3))
    for table in followed.tables:
        for stack, n, amount in ((3, n_idle, 10_000_000), (1, n_busy, 1_000_000_000)):
            amounts = {followed.amount: amount} if followed.amount else {"is_native": False}
            for _ in range(3 * n):
                search.add(table, _row(table, stack_id=stack, **amounts))
        search.add(table, _row(table, stack_id=None))
    search.next(10 * _S)
    _measured(search, 0, "main", 10, 0)
    _, wanted = search.next(14 * _S)

    assert _wanted(wanted) == ["busy"]


@pytest.mark.parametrize("metric", sorted(FOLLOWED))
def test_what_is_followed_is_a_metric_function(metric: str) -> None:
    """It is computed of the same tables, and of the same column."""
    followed, function = FOLLOWED[metric], METRIC_FUNCTIONS[metric]

    assert function.source.split(", ") == list(followed.tables)
    assert (followed.amount or "1 AS amount") in function.rows
    assert (function.unit == "ns") == followed.is_time


def test_every_time_that_has_stacks_can_be_followed() -> None:
    """Classes are loaded while others are: the rows are not the times themselves."""
    timed = {
        name
        for name, function in METRIC_FUNCTIONS.items()
        if function.unit == "ns" and "stack_id" in function.rows
    }
    assert timed - FOLLOWED.keys() == {"class_load_time"}


def test_long_waits_begin_a_search_though_they_are_few() -> None:
    search = ProbeSearch(Following(3, 0.2, "lock_wait_time"))
    _know_stacks(search)
    search.add("monitor_enter", _row("monitor_enter", stack_id=1, duration_ns=1_999_999_999))
    assert search.next(10 * _S) == ([], None)
    search.add("monitor_enter", _row("monitor_enter", stack_id=1, duration_ns=1))

    assert _wanted(search.next(10 * _S)[1]) == ["main"]
    assert search.unseen() is None

"""Ctrl-C and the clock end what DuckDB does, whatever it does."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from jvmscope.errors import LimitReached
from jvmscope.queries import Engine, Question, Result
from jvmscope.queries.limits.deadline import Deadline
from jvmscope.queries.limits.interruption import in_time, interruptible
from jvmscope.queries.xquery import evaluation

if TYPE_CHECKING:
    from pathlib import Path

# Rows that come at once, and then a batch that never comes.
_ENDLESS = """
    SELECT i FROM range(200000) AS first (i)
    UNION ALL
    SELECT a.i FROM range(1000000) AS a (i), range(1000000) AS b (i) WHERE hash(a.i + b.i) = 7
"""
# Whoever runs the tests in the background has Ctrl-C ignored below.
_QUERY = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from jvmscope.__main__ import main
main()
"""


def test_ctrl_c_ends_a_query_in_the_middle_of_a_batch(shapes: Path) -> None:
    command = [sys.executable, "-c", _QUERY, "query", str(shapes), "--sql", _ENDLESS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"i\n"
        assert process.stdout.readline() == b"0\n"
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, errors) == (130, b"interrupted\n")


_ABANDONED = """
import sys
from pathlib import Path
from jvmscope.queries import Engine
with Engine(Path(sys.argv[1])) as engine:
    first = next(engine.query(sys.argv[2]).batches())
print(first.num_rows > 0)
"""


def test_rows_that_nobody_reads_are_not_waited_for(shapes: Path) -> None:
    command = [sys.executable, "-c", _ABANDONED, str(shapes), _ENDLESS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_an_interrupt_that_comes_too_early_is_repeated() -> None:
    ended = threading.Event()
    interrupts = []

    def interrupt() -> None:
        interrupts.append(time.monotonic())
        if len(interrupts) == 3:  # as DuckDB, which forgets those before it has begun
            ended.set()

    with pytest.raises(TimeoutError):
        interruptible(ended.wait, interrupt, time.monotonic() + 0.01)
    assert len(interrupts) == 3


def test_what_work_returns_or_raises_is_passed_on() -> None:
    assert interruptible(lambda: 3, lambda: None, None) == 3
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0, lambda: None, None)


# Twice as much SQL for each variable; the last line says that planning has begun.
_DOUBLING = "let $a0 := count($methods) " + " ".join(
    f"let $a{n} := $a{n - 1} + $a{n - 1}" for n in range(1, 40)
)
_PLANNED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from jvmscope.__main__ import main
from jvmscope.queries.xquery import query as xquery
make_plan = xquery.make_plan
def said(*arguments):
    print("planning", flush=True)
    return make_plan(*arguments)
xquery.make_plan = said
main()
"""


@pytest.mark.parametrize("options", [(), ("--timeout", "1h")])
def test_ctrl_c_ends_planning(shapes: Path, options: tuple[str, ...]) -> None:
    query = f"{_DOUBLING} return $a39"
    command = [sys.executable, "-c", _PLANNED, "query", str(shapes), query, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"planning\n"
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, errors) == (130, b"interrupted\n")


def test_the_clock_ends_planning(shapes: Path) -> None:
    with Engine(shapes) as engine, pytest.raises(LimitReached, match=r"stopped after 0\.2 s"):
        engine.query(Question(f"{_DOUBLING} return $a39", timeout=0.2))


@pytest.mark.parametrize("form", ["items", "table"])
def test_the_clock_ends_writing(shapes: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_arguments: object, **_options: object) -> None:
        while True:
            pass

    monkeypatch.setattr(evaluation, "serialized", endless)
    monkeypatch.setattr(evaluation, "result_of_items", endless)
    with Engine(shapes) as engine, pytest.raises(LimitReached, match=r"stopped after 2 s"):
        engine.answer(Question("<a/>", form=form, timeout=2.0))


def test_work_in_python_has_no_thread_without_a_deadline() -> None:
    here = threading.current_thread()

    assert in_time(threading.current_thread, Deadline(None)) is here
    assert in_time(threading.current_thread, Deadline(60.0)) is not here
    with pytest.raises(ZeroDivisionError):
        in_time(lambda: 1 // 0, Deadline(60.0))


class _Last:
    """What a thread drops at its very end, and takes its time for."""

    def __init__(self, is_left: threading.Event) -> None:
        self._is_left = is_left

    def __del__(self) -> None:
        self._is_left.wait(0.2)


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_the_thread_of_the_work_ends_with_it(deadline: float | None) -> None:
    local = threading.local()
    is_left = threading.Event()

    def work() -> threading.Thread:
        local.last = _Last(is_left)
        return threading.current_thread()

    if deadline is None:
        thread = interruptible(work, lambda: None, None)
    else:
        thread = in_time(work, Deadline(deadline))
    is_alive = thread.is_alive()
    is_left.set()
    assert not is_alive


def test_work_that_catches_all_errors_is_ended(capfd: pytest.CaptureFixture[str]) -> None:
    def stubborn() -> None:
        while True:
            with contextlib.suppress(Exception):
                int("x")

    with pytest.raises(LimitReached):
        in_time(stubborn, Deadline(0.05))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("columns", ["range", "range, [range]"], ids=["rows", "batches"])
def test_rows_that_come_quickly_are_reported(columns: str, shapes: Path) -> None:
    told: list[float] = []
    with Engine(shapes) as engine:
        engine.on_progress = told.append
        text = f"SELECT {columns} FROM range(300000)"
        answer = engine.answer(Question(text, as_rows=True))
        assert isinstance(answer, Result)
        n_rows = sum(1 for _ in answer.rows())

    assert n_rows == 300_000
    assert len(told) >= 3


@pytest.mark.parametrize("form", ["items", "table"])
def test_work_on_trees_is_reported(form: str, shapes: Path) -> None:
    told: list[float] = []
    text = "count(for $n in 1 to 400000 return <n>{$n}</n>[@a])"
    with Engine(shapes) as engine:
        engine.on_progress = told.append
        engine.answer(Question(text, language="xquery", form=form))

    assert set(told) == {-1.0}

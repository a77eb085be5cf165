"""Ctrl-C and the clock end what DuckDB does, whatever it does."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from jvmscope.queries.interruption import interruptible

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
from jvmscope.cli import run
sys.exit(run(sys.argv[1:]))
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
    assert (process.returncode, errors) == (130, b"")


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

"""Signals that a watch notes: the first asks it to end, and a later one ends it at once."""

from __future__ import annotations

import signal

import pytest

from jvmscope.watch import requests
from jvmscope.watch.requests import noted_signals


class _Now(Exception):
    pass


def _leave(_number: int, _frame: object) -> None:
    raise _Now


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_comes_again_ends_the_watch_at_once(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    times = iter([10.0, 10.1, 12.0])  # to us, to our group, and again
    monkeypatch.setattr(requests.time, "monotonic", lambda: next(times))
    before = signal.signal(number, _leave)
    try:
        with noted_signals() as came:
            assert came() is None
            for _ in range(2):
                signal.raise_signal(number)
                assert came() == number
            with pytest.raises(_Now):
                signal.raise_signal(number)
        assert signal.getsignal(number) is _leave
    finally:
        signal.signal(number, before)

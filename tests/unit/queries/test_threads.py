"""A thread that finds no room for its stack is started again, for a while."""

from __future__ import annotations

import threading

import pytest

from jvmscope.errors import LimitReached
from jvmscope.queries.limits.threads import start_thread


class _Roomless(threading.Thread):
    """A thread for whose stack there is no room, the first times."""

    n_refusals = 0

    def start(self) -> None:
        if type(self).n_refusals:
            type(self).n_refusals -= 1
            raise RuntimeError("can't start new thread")
        super().start()


def test_a_thread_waits_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Roomless, "n_refusals", 3)
    done = threading.Event()
    before = threading.stack_size()
    start_thread(lambda: _Roomless(target=done.set), 1 << 20).join()
    assert done.is_set()
    assert threading.stack_size() == before


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Roomless, "n_refusals", 10**9)
    with pytest.raises(LimitReached, match="not enough memory for the stack"):
        start_thread(_Roomless)

"""Signals end a process in order; what it has not finished goes, whatever else comes."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

import pytest

from jvmscope import whole_files
from jvmscope.errors import QueryError
from jvmscope.metrics.processes import in_processes
from jvmscope.signals import Ended, cleaning_up

if TYPE_CHECKING:
    from pathlib import Path

_SIGNALS = [signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize("number", _SIGNALS)
def test_a_signal_ends_us_in_order(number: signal.Signals) -> None:
    with pytest.raises(Ended) as caught, cleaning_up():
        signal.raise_signal(number)
    assert caught.value.code == 128 + number
    assert signal.getsignal(number) is signal.SIG_DFL


@pytest.mark.parametrize("number", [*_SIGNALS, signal.SIGINT])
def test_a_second_signal_does_not_end_the_clean_up(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = whole_files._remove
    removed: list[Path] = []

    def disturbed(path: Path) -> None:
        removed.append(path)
        if len(removed) == 1:
            signal.raise_signal(number)
        remove(path)

    monkeypatch.setattr(whole_files, "_remove", disturbed)

    def write() -> None:
        with cleaning_up(), whole_files.whole_file(tmp_path / "a.csv") as partial:
            partial.write_text("half")
            signal.raise_signal(number)

    with pytest.raises((Ended, KeyboardInterrupt)):
        write()
    assert list(tmp_path.iterdir()) == []
    assert len(removed) == 2


def _write_for_ever(path: Path) -> None:
    partial = path.with_name("good.csv.partial")
    if path.name == "bad.csv":
        while not partial.exists():
            time.sleep(0.01)
        raise QueryError("wrong")
    with whole_files.whole_file(path):
        partial.write_text("half")
        signal.pause()


def test_workers_that_are_given_up_leave_nothing(tmp_path: Path) -> None:
    items = [tmp_path / "bad.csv", tmp_path / "good.csv"]
    with pytest.raises(QueryError):
        list(in_processes(_write_for_ever, items, 2))
    assert list(tmp_path.iterdir()) == []

"""Signals end a process in order; what it has not finished goes, whatever else comes."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from jvmscope import whole_files
from jvmscope.errors import LimitReached, QueryError
from jvmscope.metrics.processes import in_processes
from jvmscope.signals import Ended, cleaning_up, heard

if TYPE_CHECKING:
    from pathlib import Path

_SIGNALS = [signal.SIGTERM, signal.SIGHUP]
_LONGEST_S = 60
_STARTED = """\
import atexit, os, signal, sys
from jvmscope.__main__ import main

left = int(sys.argv.pop(1))

def look(event, _):
    global left
    left -= event == "import"
    if not left:
        left = -1
        os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
if left:
    sys.addaudithook(look)
else:
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
main()
"""


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


class _Deaf:
    """Gets a signal where Python drops exceptions."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)


def _be_deaf(number: int) -> None:
    with cleaning_up():
        _Deaf(number)
        end = time.monotonic() + _LONGEST_S
        while time.monotonic() < end:
            pass


def _change(number: int) -> None:
    with cleaning_up():
        try:
            signal.raise_signal(number)
        except BaseException as error:
            raise RuntimeError("Query interrupted") from error


@pytest.mark.parametrize("number", [*_SIGNALS, signal.SIGINT])
def test_a_signal_that_python_drops_comes_again(
    number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises((Ended, KeyboardInterrupt)):
        _be_deaf(number)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("number", [*_SIGNALS, signal.SIGINT])
def test_a_signal_of_which_a_library_makes_an_error_is_one_again(number: signal.Signals) -> None:
    with pytest.raises((Ended, KeyboardInterrupt)):
        _change(number)


def test_a_dropped_signal_at_the_very_end_counts() -> None:
    with pytest.raises(Ended), cleaning_up():
        _Deaf(signal.SIGTERM)


def test_who_acts_upon_a_signal_does_not_get_it_again() -> None:
    with cleaning_up():
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            assert heard() == signal.SIGINT
    assert heard() is None


@pytest.mark.parametrize("moment", [0, 1, 40])
def test_ctrl_c_before_and_after_a_verb_ends_it_without_a_word(moment: int) -> None:
    command = [sys.executable, "-c", _STARTED, str(moment), "list", "metrics", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


_ENDED_INSIDE = """\
import atexit, os, signal, sys
from jvmscope.__main__ import main

class Held:
    def __del__(self, write=os.write):
        write(2, b"taken apart")

def look(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".sql"):
        os.kill(os.getpid(), int(sys.argv.pop()))

sys.modules["held"] = Held()
atexit.register(os.write, 2, b"exit function")
signal.signal(signal.SIGINT, signal.default_int_handler)
print("kept by Python", end="")
sys.addaudithook(look)
main()
"""


@pytest.mark.parametrize("number", [*_SIGNALS, signal.SIGINT])
def test_python_is_not_taken_apart_around_what_a_signal_ended(number: signal.Signals) -> None:
    command = [sys.executable, "-c", _ENDED_INSIDE, "list", "metrics", str(int(number))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    word = "interrupted" if number == signal.SIGINT else f"ended by {number.name}"
    assert (done.returncode, done.stdout) == (128 + number, "kept by Python")
    assert done.stderr == f"{word}\nexit function"


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


def _end_myself() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    threading.Event().wait()


def _write_beside_a_thread_that_gets_the_signal(path: Path) -> None:
    with whole_files.whole_file(path) as partial:
        partial.write_text("half")
        thread = threading.Thread(target=_end_myself)  # as libraries start them on being imported
        thread.start()
        thread.join()


def test_a_worker_leaves_nothing_whichever_thread_gets_the_signal(tmp_path: Path) -> None:
    work = _write_beside_a_thread_that_gets_the_signal
    with pytest.raises(LimitReached):
        list(in_processes(work, [tmp_path / "good.csv"], 1))
    assert list(tmp_path.iterdir()) == []

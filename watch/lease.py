"""The recordings by which the VM's event stream flows, each too short to outlive a dead watcher.

A recording ends by itself after ``TERM_S``, and is renewed when half of that is over. A watcher
that is killed therefore leaves a VM that records nothing more, with no help from anybody.

A recording with a duration writes its events to a file when it ends, and is then gone; without a
file the VM would choose one in the program's directory. That file is the null device.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError
from jvmscope.watch.attach import NoAnswerError, run_in_vm
from jvmscope.watch.flight.recording import repository_path, start_recording

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.watch.machines import JavaVm

__all__ = ["TERM_S", "Lease"]

TERM_S = 8
"""How long a recording lasts."""

_RENEWED_S = TERM_S / 2
_AGAIN_S = 0.5
_ENDS_S = 4.0


class Lease:
    """The recordings of one watch, renewed by a thread until ``end``.

    Args:
        vm: the VM.
        settings: the events that are recorded, as `settings_file` has them.
        on_lapse: called with the beginning and end of a time without a recording, in nanoseconds
            since 1970.
    """

    def __init__(self, vm: JavaVm, settings: str, on_lapse: Callable[[int, int], None]) -> None:
        self._vm = vm
        self._settings = settings
        self._on_lapse = on_lapse
        self._n_recordings = 0
        self._running: list[tuple[str, float]] = []  # until when, of the monotonic clock
        self._left: list[tuple[str, float]] = []  # until when, at most, they may still be there
        self._is_over = threading.Event()
        self._has_given_up = False
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)
        self.failure: AgentError | None = None
        """Why the VM could not be asked again; None while all is well."""

    def begin(self) -> Path:
        """Starts the first recording; returns the directory of the stream, as seen from here.

        Raises:
            AgentError: the VM refuses it.
        """
        self._start()
        path = repository_path(self._vm)
        self._thread.start()
        return path

    def end(self, patience_s: float = _ENDS_S) -> None:
        """Stops the recordings that may still run; does nothing in a VM that has ended.

        In a VM that does not answer they stay, and end by themselves.

        Args:
            patience_s: how long the VM may take to answer.
        """
        self._is_over.set()
        if self._has_given_up:
            return
        if self._thread.is_alive():
            self._thread.join(patience_s)
        try:
            if self._thread.is_alive():
                raise NoAnswerError(self._vm, patience_s)
            self._stop(patience_s)
        except NoAnswerError as error:
            self.failure = error
            self._has_given_up = True

    def _stop(self, patience_s: float) -> None:
        for name, _ in self._left:
            try:
                run_in_vm(self._vm, f"JFR.stop name={name}", patience_s)
            except NoAnswerError:
                raise
            except AgentError:  # it is over, or has never begun
                continue
        self._left = []

    def _renew(self) -> None:
        due = time.monotonic() + _RENEWED_S
        while not self._is_over.wait(max(0.0, due - time.monotonic())):
            try:
                self._start()
                self.failure = None
                due = time.monotonic() + _RENEWED_S
            except AgentError as error:  # the VM ends, or is stopped: who watches will see
                self.failure = error
                due = time.monotonic() + _AGAIN_S

    def _start(self) -> None:
        self._n_recordings += 1
        name = f"jvmscope-{os.getpid()}-{self._n_recordings}"
        asked = time.monotonic()
        options = (f"duration={TERM_S}s", "filename=/dev/null")
        try:
            start_recording(self._vm, name, self._settings, *options)
        finally:  # a VM that is stopped begins and ends them later
            self._left = [each for each in self._left if each[1] > asked]
            self._left.append((name, time.monotonic() + TERM_S))
        self._note_lapse(time.monotonic())
        self._running.append((name, asked + TERM_S))

    def _note_lapse(self, now: float) -> None:
        """Reports the time without a recording, and forgets the recordings that are over."""
        if self._running and (last := self._running[-1][1]) < now:
            now_ns = time.time_ns()
            self._on_lapse(now_ns - round((now - last) * 1e9), now_ns)
        self._running = [each for each in self._running if each[1] > now]

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
from contextlib import suppress
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError
from jvmscope.watch.attach import run_in_vm
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
        self._is_over = threading.Event()
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

    def end(self) -> None:
        """Stops the recordings that still run; does nothing in a VM that has ended."""
        self._is_over.set()
        if self._thread.is_alive():
            self._thread.join()
        for name, ends in self._running:
            if time.monotonic() < ends:
                with suppress(AgentError):
                    run_in_vm(self._vm, f"JFR.stop name={name}")
        self._running = []

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
        start_recording(self._vm, name, self._settings, *options)
        self._note_lapse(time.monotonic())
        self._running.append((name, asked + TERM_S))

    def _note_lapse(self, now: float) -> None:
        """Reports the time without a recording, and forgets the recordings that are over."""
        if self._running and (last := self._running[-1][1]) < now:
            now_ns = time.time_ns()
            self._on_lapse(now_ns - round((now - last) * 1e9), now_ns)
        self._running = [each for each in self._running if each[1] > now]

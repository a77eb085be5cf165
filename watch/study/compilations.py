"""The compilations of a VM, by its event stream, and when the compilers are quiet."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.watch.flight import Repository
from jvmscope.watch.flight.recording import repository_path, start_recording
from jvmscope.watch.settings import settings_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.watch.flight import Event
    from jvmscope.watch.machines import JavaVm

__all__ = ["FLUSHED_S", "Compilation", "Compilations", "quiet_from"]

FLUSHED_S = 1.5
"""How old an event is at most when it is read: the VM flushes its stream every second."""

_EVENT = "jdk.Compilation"
_KEPT = "maxage=1m"


class Compilation(NamedTuple):
    """A compilation that made code: when it ended by CLOCK_MONOTONIC, of what, at which tier."""

    at_ns: int
    class_name: str | None
    name: str | None
    descriptor: str | None
    tier: int


class Compilations:
    """The compilations from now on.

    Args:
        vm: the VM, which ends with the study: nothing of this is stopped.

    Raises:
        AgentError: the VM refuses to record its events.
    """

    def __init__(self, vm: JavaVm) -> None:
        since_ns = time.time_ns()
        start_recording(vm, "jvmscope-study", settings_file({"compilation"}), _KEPT)
        self._repository = Repository(repository_path(vm), since_ns, frozenset({_EVENT}))
        self._waiting: list[Compilation] = []

    def read(self) -> None:
        """Reads what the VM has told since the last time."""
        ahead_ns = time.time_ns() - time.monotonic_ns()
        for event in self._repository.events():
            if event.fields["succeded"]:  # as the event spells it
                self._waiting.append(_compilation(event, ahead_ns))

    def ends_since(self, since_ns: int) -> list[int]:
        """Returns when those ended that were not taken yet, after some time and in order."""
        return sorted(each.at_ns for each in self._waiting if each.at_ns > since_ns)

    def take(self) -> list[Compilation]:
        """Returns what was read since this was last called, by time."""
        taken, self._waiting = sorted(self._waiting, key=lambda each: each.at_ns), []
        return taken

    def close(self) -> None:
        """Closes the files of the event stream."""
        self._repository.close()


def quiet_from(since_ns: int, ends: Sequence[int], told_ns: int, quiet_ns: int) -> int | None:
    """Returns when the first span without the end of a compilation began.

    Args:
        since_ns: when the first one may begin.
        ends: when compilations ended after that, in order; maybe also some after ``told_ns``.
        told_ns: until when all are known.
        quiet_ns: how long the span has to be.

    >>> quiet_from(0, [3, 5, 12], 13, 7)
    5
    >>> quiet_from(0, [3, 5, 12], 11, 7) is None
    True
    """
    last_ns = since_ns
    for end_ns in ends:
        if min(end_ns, told_ns) - last_ns >= quiet_ns:
            break
        last_ns = end_ns
    return last_ns if told_ns - last_ns >= quiet_ns else None


def _compilation(event: Event, ahead_ns: int) -> Compilation:
    at, fields = event.chunk.constants.at, event.fields
    return Compilation(
        fields["startTime"] + fields["duration"] - ahead_ns,
        at(fields, "method", "type", "name"),
        at(fields, "method", "name"),
        at(fields, "method", "descriptor"),
        fields["compileLevel"],
    )

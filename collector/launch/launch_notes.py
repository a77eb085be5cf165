"""What the shim noted about each JVM that it started."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.collector.launch.machine import process_start_ticks

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LaunchNote", "Start", "prepared_home", "read_launch_notes", "read_starts"]


@dataclass(frozen=True)
class LaunchNote:
    """One JVM: its directory, process, JDK, program and options.

    ``command`` is the command line as the program's user wrote it, ``added`` what the shim
    put into it; ``notes`` are sentences about determinism. ``prepared_home`` is the JDK whose
    class library was instrumented for it: where options reach every JVM, not always its own.
    """

    directory: Path
    ordinal: int
    pid: int
    started_ticks: int
    java_home: str
    java_version: str
    main: str
    working_directory: str
    command: list[str]
    added: list[str]
    notes: list[str]
    prepared_home: str

    def has_started(self) -> bool:
        """Whether the agent in it runs, and needs nothing more of the recording's workspace."""
        return (self.directory / "raw" / "vm.properties").exists()

    def is_alive(self) -> bool:
        """Whether its process still runs; a process that got the same number later is not it."""
        return process_start_ticks(self.pid) == self.started_ticks


def read_launch_notes(partial: Path) -> list[LaunchNote]:
    """The JVMs whose launch was completed, in the order of their start."""
    notes = []
    for directory in partial.glob("jvm-*"):
        path = directory / "launch"
        if path.exists():
            notes.append(_read(directory, os.fsdecode(path.read_bytes())))
    return sorted(notes, key=lambda note: note.ordinal)


def prepared_home(path: Path) -> str:
    """The home of the JDK that was prepared, as the note in a file has it; empty: it has none."""
    values = _values(os.fsdecode(path.read_bytes()))
    return _prepared_home(values) if "home" in values else ""


def _values(text: str) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for line in text.split("\0"):
        key, _, value = line.partition("=")
        values.setdefault(key, []).append(value)
    return values


def _prepared_home(values: dict[str, list[str]]) -> str:
    return values.get("prepared", values["home"])[0]


def _read(directory: Path, text: str) -> LaunchNote:
    values = _values(text)
    return LaunchNote(
        directory=directory,
        ordinal=int(directory.name.removeprefix("jvm-")),
        pid=int(values["pid"][0]),
        started_ticks=int(values["started_ticks"][0]),
        java_home=values["home"][0],
        java_version=values["version"][0],
        main=values["main"][0],
        working_directory=values["directory"][0],
        command=values["argument"],
        added=values.get("added", []),
        notes=values.get("note", []),
        prepared_home=_prepared_home(values),
    )


class Start(NamedTuple):
    """A start of a JVM that the shim saw.

    ``what`` is `recorded`, `unselected`, `passed` (no program) or `failed`; ``pid`` is its process,
    0 where options reach every JVM; ``name`` is its main or a message.
    """

    what: str
    pid: int
    name: str


def read_starts(workspace: Path) -> list[Start]:
    """Every start of a JVM that the shim saw, in their order."""
    path = workspace / "starts"
    if not path.exists():
        return []
    starts = []
    for line in os.fsdecode(path.read_bytes()).splitlines():
        what, pid, name = line.split(" ", 2)
        starts.append(Start(what, int(pid), name))
    return starts

"""A recording whose own process was killed: from NAME.partial to runs that ``recover`` reads."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector import agent_jar, unread
from jvmscope.collector.begun import BEGUN, OF_JVMS, Begun
from jvmscope.collector.destination import PARTIAL, Destination, is_held
from jvmscope.collector.finish import Finisher
from jvmscope.collector.launch.launch_notes import read_launch_notes
from jvmscope.collector.launch.session import read_settings
from jvmscope.collector.launch.toolopts import adopt_jvms, running_jvms
from jvmscope.collector.launch.workspace import clear_abandoned, serves
from jvmscope.errors import RunError
from jvmscope.schema.manifest import MANIFEST_NAME, read_manifest

if TYPE_CHECKING:
    from jvmscope.collector.launch.launch_notes import LaunchNote
    from jvmscope.collector.record_options import Messages

__all__ = ["is_partial", "killed_in", "make_runs"]


def is_partial(path: Path) -> bool:
    """Whether a directory is that of a recording that did not come to its end."""
    return path.name.endswith(PARTIAL) and not (path / MANIFEST_NAME).exists() and path.is_dir()


def killed_in(directory: Path) -> list[Path]:
    """Returns the directories of recordings in a directory whose processes were killed."""
    left = (directory.glob(f"*{PARTIAL}/{prefix}*") for prefix in OF_JVMS)
    found = sorted({path.parent for paths in left for path in paths})
    return [
        path for path in found if is_partial(path) and (path / BEGUN).exists() and not is_held(path)
    ]


def make_runs(partial: Path, messages: Messages) -> list[Path]:
    """Makes runs of what the JVMs of a killed recording left, and returns them in order.

    They have no tables yet, but those that were read before. If it fails, `partial` stays.

    Raises:
        RunError: the recording still goes on, its JVMs do, none of them left anything to be read,
            it is damaged or gone, or there is no space to keep it.
    """
    begun = Begun.read(partial)
    with Destination.of_killed(partial, begun) as place:
        _adopt(partial, begun)
        finisher = Finisher(
            begun,
            messages,
            jar=agent_jar(),
            keeps_raw=False,
            keeps_unread=True,
            end=None,
            duration_s=None,
        )
        whole = [path.parent for path in partial.glob(f"jvm-*/{MANIFEST_NAME}")]
        notes = _notes(partial)
        left = [note for note in notes if note.directory not in whole and finisher.has(note)]
        for note in left:
            _keep(note)  # all, or none of them becomes a run
        for note in left:
            finisher.set_aside(note, "jvmscope was killed before it was read")
        for directory in whole:
            _remove_raw(directory)
        made = [note.directory for note in finisher.finished]
        runs = place.keep(sorted([*whole, *made], key=_ordinal))
        if not runs:
            raise RunError(f"{partial}: its JVMs ended before there was anything to record")
    clear_abandoned()
    return runs


def _adopt(partial: Path, begun: Begun) -> None:
    """Completes what options that reach every JVM had them write, as the recording would have."""
    if not any(partial.glob("pid-*")):
        return
    running = running_jvms(partial)
    if running:
        raise RunError(f"{partial}: {_still_runs(running[0])}")
    workspace = Path(begun.workspace)
    if not serves(workspace, partial):
        raise RunError(f"{partial}: {workspace}, which knows of its JVMs, is gone; record again")
    adopt_jvms(read_settings(begun.workspace), workspace, Path(begun.command[0]).name)


def _notes(partial: Path) -> list[LaunchNote]:
    """Returns the notes of JVMs that have ended, and whose nodes are still there."""
    try:
        notes = read_launch_notes(partial)
    except (ValueError, LookupError):
        raise RunError(f"{partial}: damaged, since its notes of JVMs are; record again") from None
    for note in notes:
        if note.is_alive():
            raise RunError(f"{partial}: {note.main}, {_still_runs(note.pid)}")
        arena = note.directory / "raw" / "arena"
        if arena.is_symlink() and not arena.exists():
            raise RunError(
                f"{partial}: the nodes of {note.main} were in memory, in {arena.readlink()}, and "
                "are gone, as after a restart of the machine; record again"
            )
    return notes


def _remove_raw(run: Path) -> None:
    """Removes what the recording would have removed next of a run that it has read."""
    if read_manifest(run).status != "failed":
        shutil.rmtree(run / "raw", ignore_errors=True)
    (run / unread.LAUNCH).unlink(missing_ok=True)


def _still_runs(pid: int) -> str:
    return f"process {pid}, still runs and is recorded: wait until it ends, or end it"


def _keep(note: LaunchNote) -> None:
    """Keeps what a JVM left in its own directory, where it may be already."""
    try:
        unread.keep(note)
    except OSError as error:
        raise RunError(f"{note.directory}: cannot be kept: {error.strerror}") from None


def _ordinal(directory: Path) -> int:
    return int(directory.name.removeprefix("jvm-"))

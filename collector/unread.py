"""What a JVM left that could not be read: kept in its run, for ``jvmscope recover``.

RUN/raw/           what the agent wrote; a link, if only memory has room for it
RUN/raw/launch     the shim's note
RUN/raw/prepared/  what the dump reads of the prepared JDK, which the cache may drop
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector.launch.workspace import MEMORY
from jvmscope.collector.sparse import copy_sparsely

if TYPE_CHECKING:
    from jvmscope.collector.launch.launch_notes import LaunchNote

__all__ = ["LAUNCH", "discard", "in_memory", "keep", "use_kept_jdk"]

LAUNCH = "launch"
_PREPARED = "prepared"
_READ_BY_THE_DUMP = ("jdk.index", "exclusions.tsv")
_CACHE = "cache="
_PREFIX = "jvmscope-unread-"


def keep(note: LaunchNote) -> None:
    """Makes a JVM's raw directory last longer than the recording's workspace and the cache.

    Raises:
        OSError: there is no room for it, neither on the disk nor in memory.
    """
    raw = note.directory / "raw"
    _keep_launch(note.directory / LAUNCH, raw / LAUNCH)
    nodes = raw / "arena"
    try:
        _keep_prepared(raw)
        if nodes.is_symlink():
            copy_sparsely(nodes, raw / "arena.copy")
            (raw / "arena.copy").replace(nodes)
    except OSError:  # the disk may well be full: that would be why no table could be written
        (raw / "arena.copy").unlink(missing_ok=True)
        shutil.rmtree(raw / _PREPARED, ignore_errors=True)
        _move_to_memory(raw)


def _keep_launch(path: Path, kept: Path) -> None:
    """Gives the note a second name, for which a full disk has room as well.

    By the first, a process that is killed now is known to have left a JVM.
    """
    if kept.exists():
        return
    try:
        kept.hardlink_to(path)
    except OSError:  # a file system without such links
        path.replace(kept)


def in_memory(raw: Path) -> Path | None:
    """Returns the directory in memory that `raw` leads to; None: it is on the disk."""
    if not raw.is_symlink():
        return None
    target = raw.readlink()
    is_ours = target.parent == MEMORY and target.name.startswith(_PREFIX)
    return target if is_ours else None


def use_kept_jdk(raw: Path) -> None:
    """Has the dump read the prepared JDK's files where ``keep`` put them; the run may have moved.

    Raises:
        OSError: the options cannot be written.
    """
    prepared = raw / _PREPARED
    if not prepared.is_dir():
        return
    path = raw / "options"
    lines = os.fsdecode(path.read_bytes()).splitlines()
    others = [line for line in lines if not line.startswith(_CACHE)]
    text = "\n".join([*others, f"{_CACHE}{prepared.absolute()}", ""])
    path.write_bytes(os.fsencode(text))


def discard(raw: Path) -> None:
    """Removes a raw directory, also from memory.

    Raises:
        OSError: it cannot be removed.
    """
    target = in_memory(raw)
    if target is not None:
        shutil.rmtree(target, ignore_errors=True)
        raw.unlink()
    else:
        shutil.rmtree(raw)


def _move_to_memory(raw: Path) -> None:
    """Moves a raw directory where its nodes are already, which makes room on the disk, too."""
    target = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=MEMORY))
    try:
        for path in raw.iterdir():
            source = path.resolve()  # nodes may be in a directory that is removed soon
            shutil.move(source, target / path.name)
        _keep_prepared(target)
        shutil.rmtree(raw)
        raw.symlink_to(target)
    except OSError:
        shutil.rmtree(target)
        raise


def _keep_prepared(raw: Path) -> None:
    """Copies what the dump reads of the prepared JDK; without a tree it reads nothing of it."""
    lines = os.fsdecode((raw / "options").read_bytes()).splitlines()
    entry = next((line.removeprefix(_CACHE) for line in lines if line.startswith(_CACHE)), None)
    if entry is None:
        return
    prepared = raw / _PREPARED
    prepared.mkdir(exist_ok=True)
    for name in _READ_BY_THE_DUMP:
        with suppress(FileNotFoundError):
            shutil.copyfile(Path(entry) / name, prepared / name)

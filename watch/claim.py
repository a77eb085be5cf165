"""The right to write a watch run: one watch at a time has it, and loses it when it ends in any way.

It is a lock on the run's directory, which the system lets go of with the process that has it.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["claimed"]


@contextmanager
def claimed(run: Path) -> Iterator[None]:
    """Makes the directory of a watch run, unless it exists, and keeps other watches from it.

    Directories that this has made and that are still empty at the end are removed.

    Raises:
        AgentError: another watch writes it.
        OSError: it cannot be made.
    """
    made = [path for path in (run, *run.parents) if not path.exists()]
    run.mkdir(parents=True, exist_ok=True)
    directory = os.open(run, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _lock(directory, run)
        try:
            yield
        finally:
            _remove_empty(made)
    finally:
        os.close(directory)


def _lock(directory: int, run: Path) -> None:
    is_ours = True
    try:
        fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_ours = os.path.samestat(os.fstat(directory), run.stat())
    except (BlockingIOError, FileNotFoundError):
        is_ours = False
    except OSError:  # a file system without locks
        return
    if not is_ours:
        raise AgentError(
            f"{run}: another watch writes it now: wait for its end, or give a new name"
        )


def _remove_empty(made: list[Path]) -> None:
    for path in made:
        with suppress(OSError):
            path.rmdir()

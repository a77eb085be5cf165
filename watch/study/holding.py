"""Who works in a study: one process at a time, which holds a lock until it ends."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["held_study"]

_LOCK = "lock"


@contextmanager
def held_study(path: Path) -> Iterator[None]:
    """Holds the study in a directory, which may get another name meanwhile.

    The file of the lock says which process holds it. It is removed at the end, unless the study is
    gone by then; one that is left by a process that was killed holds nothing.

    Raises:
        AgentError: another process works in the study, or the lock cannot be written.
    """
    file = path / _LOCK
    try:
        lock = _locked(file)
    except BlockingIOError:
        raise AgentError(
            f"{path}: {_holder(file)} works in this study now: wait until it ends, or end it by "
            "Ctrl-C and continue with --resume"
        ) from None
    except OSError as error:
        raise AgentError(f"{path}: cannot be written: {error.strerror or error}") from None
    try:
        yield
    finally:
        _release(lock)


def _locked(file: Path) -> int:
    """Returns a descriptor that holds the lock, of the file that has the name now."""
    while True:
        lock = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):  # whoever held it has just removed it
                if file.stat().st_ino == os.fstat(lock).st_ino:
                    os.ftruncate(lock, 0)
                    os.write(lock, f"{os.getpid()}\n".encode())
                    return lock
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)


def _release(lock: int) -> None:
    with suppress(OSError):
        Path(f"/proc/self/fd/{lock}").readlink().unlink()  # the name that it has by now
    os.close(lock)


def _holder(file: Path) -> str:
    try:
        return f"process {int(file.read_text(encoding='utf-8'))}"
    except (OSError, ValueError):
        return "another process"

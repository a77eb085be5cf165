"""Programs that this process starts and waits for; none of them outlives a signal that ends it.

The library's own functions lose a program for which a signal comes while it starts: nobody kills
it, and whoever waits for it waits until it ends by itself.
"""

from __future__ import annotations

import contextlib
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jvmscope.signals import held

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["NotStarted", "child", "run_child"]


class NotStarted(OSError):
    """The program cannot be started; ``errno`` and ``strerror`` are the system's."""


@contextmanager
def child(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a program, and kills it at the end of the block if it still runs.

    Args:
        command: the program, word by word.
        options: as of ``subprocess.Popen``.

    Raises:
        NotStarted: it cannot be started.
    """
    process = None
    try:
        with held():
            try:
                process = subprocess.Popen(command, **options)
            except OSError as error:
                raise NotStarted(error.errno, error.strerror) from None
        yield process
    finally:
        if process is not None:
            with held():
                _end(process)


def run_child(
    command: Sequence[str], *, given: bytes = b"", timeout_s: float | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """Runs a program to its end, and returns its status and what it wrote.

    Args:
        command: the program, word by word.
        given: its standard input.
        timeout_s: after how long it is killed; None: never.
        options: as of ``subprocess.Popen``; without any, both its streams are returned.

    Raises:
        NotStarted: it cannot be started.
        subprocess.TimeoutExpired: it was killed.
    """
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with child(command, **{**pipes, **options}) as process:
        out, errors = process.communicate(given, timeout_s)
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):  # of bytes that nobody reads any more
                stream.close()

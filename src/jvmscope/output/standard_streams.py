"""stdout and stderr: a reader that has enough ends what is written, never the command.

``jvmscope compare … | head -1`` closes the pipe while the command still has to judge, remove files
or say how it ended, so that the exit status does not depend on who reads.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING, BinaryIO

from jvmscope.control_characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["echo", "give_up_stdout", "open_missing_streams", "standard_output", "tell"]

_STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}


@contextlib.contextmanager
def standard_output() -> Iterator[BinaryIO]:
    """Yields stdout; when its reader has enough, the block ends, and what follows goes nowhere."""
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        give_up_stdout()


def give_up_stdout() -> None:
    """Lets what is still written to stdout go nowhere, also what Python keeps until the end."""
    nowhere = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    os.dup2(nowhere.fileno(), sys.stdout.fileno())
    sys.stdout = nowhere  # a writer that failed may have closed what it wrote to


def echo(text: str) -> None:
    """Prints lines of text on stdout."""
    with standard_output() as stream:
        stream.write(f"{text}\n".encode("utf-8", "surrogateescape"))


def tell(message: str) -> None:
    """Prints a message on stderr, if anybody reads there."""
    try:
        message = visible(message, keeps="\n\t")
        print(message, file=sys.stderr, flush=True)  # noqa: T201  # this is where messages go out
    except BrokenPipeError:
        # A program that is recorded still inherits the pipe; only Python writes elsewhere.
        sys.stderr = io.StringIO()


def open_missing_streams() -> None:
    """Opens the standard streams with which the process was not started, as ``>&-`` leaves them.

    Otherwise the next file that is opened would be one of them, also for started programs. Reading
    finds nothing, and writing results is the error that it is.
    """
    for number, (name, mode) in enumerate(_STREAMS.items()):
        if getattr(sys, name) is None:
            _open_nowhere(number, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def _open_nowhere(number: int, flags: int) -> None:
    opened = os.open(os.devnull, flags)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    os.set_inheritable(number, True)  # noqa: FBT003

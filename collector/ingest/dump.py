"""The Java process that reads the raw files of a recording."""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from jvmscope.errors import RunError

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["dumping"]

_MAIN = "io.jvmscope.dump.Main"
_HEAP = "-Xmx1g"  # the trees are mapped, not loaded: what is kept grows with the classes alone
_PIPE_BYTES = 1 << 20

# What a user sets for every JVM is meant for the program, and prints a line on stderr.
_FOREIGN_VARIABLES = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")


@contextmanager
def dumping(raw_dir: Path, *, java: Path, jar: Path) -> Iterator[io.RawIOBase]:
    """Yields the stream of frames that the dump of a raw directory writes.

    Raises:
        RunError: at the end, if the dump failed and the frames did not say why.
    """
    command = [str(java), _HEAP, "-XX:+UseSerialGC", "-cp", str(jar), _MAIN, str(raw_dir)]
    environment = {k: v for k, v in os.environ.items() if k not in _FOREIGN_VARIABLES}
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
            )
        except OSError as error:
            raise RunError(f"{java}: cannot be started: {error}") from None
        with process:
            stream = process.stdout
            assert stream is not None  # noqa: S101  # stdout=PIPE
            with suppress(OSError):
                fcntl.fcntl(stream, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
            try:
                yield stream  # type: ignore[misc]  # a FileIO, since bufsize is 0
            except BaseException as error:
                process.kill()
                if isinstance(error, RunError):
                    raise RunError(f"{error}{_complaint(errors)}") from None
                raise
        if process.returncode != 0:
            raise RunError(f"dump: ended with status {process.returncode}{_complaint(errors)}")


def _complaint(errors: IO[bytes]) -> str:
    """Returns the first line that Java wrote on stderr, as a clause; empty if it wrote none."""
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return f"; Java said: {lines[0].strip()}" if lines else ""

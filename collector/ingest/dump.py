"""The Java process that reads the raw files of a recording."""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from jvmscope.children import NotStarted, child
from jvmscope.collector.arena import read_arena_header
from jvmscope.collector.launch.flags import without_foreign_options
from jvmscope.collector.launch.machine import machine_memory
from jvmscope.collector.lifetime_file import LIFETIME_FILE, read_lifetime_header
from jvmscope.errors import RunError

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["dumping"]

_MAIN = "io.jvmscope.dump.Main"
_OPTIONS = ("-XX:+UseSerialGC",)

# The trees are mapped, not loaded: what is kept grows with the classes alone. Only lifetimes need
# to find contexts by their nodes, in 16 bytes each where a node has 40 or more, and rows are kept
# until all objects have been looked at, each in 100 bytes or so in up to four rows.
_HEAP_BYTES = 1 << 30
_HEAP_BYTES_OF_OBJECT = 640
_HEAP_OF_TREES = 0.8  # twice what is kept, for the moments in which it grows
_MOST_HEAP = 0.75  # of the machine's memory, or the container's

# A small recording is read before the optimising compiler has paid; of a large one only the walks
# over the trees are worth compiling again, and at the usual thresholds the compiler took a third
# of the processor time.
_SMALL_BYTES = 128 << 20
_SMALL_OPTIONS = ("-XX:TieredStopAtLevel=1",)
_LARGE_OPTIONS = (
    "-XX:Tier4InvocationThreshold=200000",
    "-XX:Tier4MinInvocationThreshold=50000",
    "-XX:Tier4CompileThreshold=300000",
    "-XX:Tier4BackEdgeThreshold=1000000",
)
_PIPE_BYTES = 1 << 20


@contextmanager
def dumping(raw_dir: Path, *, java: Path, jar: Path) -> Iterator[io.RawIOBase]:
    """Yields the stream of frames that the dump of a raw directory writes.

    Raises:
        RunError: at the end, if the dump failed and the frames did not say why.
    """
    options = _java_options(raw_dir)
    command = [str(java), *options, "-cp", str(jar.absolute()), _MAIN, str(raw_dir.absolute())]
    # Paths in what the VM left may have characters that Java does not name in another locale.
    environment = {**without_foreign_options(dict(os.environ)), "LC_ALL": "C.UTF-8"}
    with tempfile.TemporaryFile() as errors:
        dump = child(
            command,
            cwd="/",  # the program may have removed ours, and no JVM starts there
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=0,
        )
        try:
            with dump as process:
                stream = process.stdout
                assert stream is not None  # noqa: S101  # stdout=PIPE
                with suppress(OSError):
                    fcntl.fcntl(stream, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
                yield stream  # type: ignore[misc]  # a FileIO, since bufsize is 0
                stream.close()
                process.wait()
        except NotStarted as error:
            raise RunError(f"{java}: cannot be started: {error}") from None
        except RunError as error:
            raise RunError(f"{error}{_complaint(errors)}") from None
        if process.returncode != 0:
            raise RunError(f"dump: ended with status {process.returncode}{_complaint(errors)}")


def _java_options(raw_dir: Path) -> tuple[str, ...]:
    header = read_arena_header(raw_dir / "arena")
    is_small = header is None or header.used_bytes < _SMALL_BYTES
    used_bytes = 0 if header is None else header.used_bytes
    heap = f"-Xmx{_heap_bytes(raw_dir, used_bytes, machine_memory()) >> 20}m"
    return (heap, *_OPTIONS, *(_SMALL_OPTIONS if is_small else _LARGE_OPTIONS))


def _heap_bytes(raw_dir: Path, trees_bytes: int, memory_bytes: int) -> int:
    """Returns how large the heap may grow; what is not needed is not taken."""
    lifetimes = read_lifetime_header(raw_dir / LIFETIME_FILE)
    if lifetimes is None:
        return _HEAP_BYTES
    of_trees = int(_HEAP_OF_TREES * trees_bytes)
    of_objects = lifetimes.n_objects * _HEAP_BYTES_OF_OBJECT
    most = max(_HEAP_BYTES, int(_MOST_HEAP * memory_bytes))
    return min(_HEAP_BYTES + of_trees + of_objects, most)


def _complaint(errors: IO[bytes]) -> str:
    """Returns the first line that Java wrote on stderr, as a clause; empty if it wrote none."""
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return f"; Java said: {lines[0].strip()}" if lines else ""

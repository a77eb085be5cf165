"""The dump of recordings in a Java process that is kept, and has warmed up.

Most of what the dump of a small recording takes is the start of a JVM whose compiler knows nothing
yet. Where many programs are recorded and the dump's process itself is not what is tested, one
process for each JDK reads them all. It runs the same code (`WarmDump.java`).
"""

from __future__ import annotations

import atexit
import functools
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.toolchain import BRIEF, run_tool

from jvmscope.collector import agent_jar
from jvmscope.collector.ingest import recording

if TYPE_CHECKING:
    from collections.abc import Iterator
    from socket import SocketIO

    from oracle.toolchain import Jdk

__all__ = ["use_warm_dump", "warm_dump"]

_SOURCE = Path(__file__).parent / "WarmDump.java"
_JAVA_OPTIONS = ("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # as the dump's own


@functools.cache
def warm_dump(jdk: Jdk) -> str:
    """Returns the socket of a process that dumps what this JDK recorded, until the tests end."""
    folder = tempfile.TemporaryDirectory(prefix="jvmscope-dump-")
    atexit.register(folder.cleanup)
    jar = str(agent_jar())
    run_tool([jdk.tool("javac"), *BRIEF, "-cp", jar, "-d", folder.name, str(_SOURCE)])
    path = str(Path(folder.name, "socket"))
    words = ["-cp", f"{folder.name}:{jar}", "io.jvmscope.dump.WarmDump", path]
    process = subprocess.Popen(
        [jdk.java, *_JAVA_OPTIONS, *words],
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    atexit.register(_end, process)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return path


def _end(process: subprocess.Popen[bytes]) -> None:
    process.communicate()  # closes its standard input, at whose end it ends


def use_warm_dump(path: str) -> None:
    """Has this process read recordings by the dump behind a socket.

    A dump that fails ends its stream without a result, for which ingest has an error of its own.
    """

    @contextmanager
    def dumping(raw_dir: Path, *, java: Path, jar: Path) -> Iterator[SocketIO]:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)
            connection.sendall(f"{raw_dir.absolute()}\n".encode())
            with connection.makefile("rb", buffering=0) as stream:
                yield stream

    recording.dumping = dumping

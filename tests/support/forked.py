"""The command `jvmscope` in a process that is forked from one which has imported it already.

Most recordings of the tests take less time than their imports. What begins at the start of Python
(the locale, its options) is that of the tests; a test of such needs `python -m jvmscope`.
"""

from __future__ import annotations

import faulthandler
import functools
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from multiprocessing import forkserver
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.cli import main
from jvmscope.schema.definitions import tables
from support.hanging import kill_telling
from support.warm_dump import use_warm_dump

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from multiprocessing.context import ForkServerContext

__all__ = ["run_jvmscope"]

_IMPORTED = [
    __name__,
    "jvmscope.commands.record",
    "jvmscope.actions.recording",
    "jvmscope.collector.finish",
    "jvmscope.collector.launch.session",
    "pyarrow.compute",
    "pyarrow.parquet",
]
tables()  # parsed once, too


def run_jvmscope(
    words: Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
    stdin: bytes = b"",
    timeout_s: float,
    dump: str | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Runs a command line of `jvmscope` to its end, as `subprocess.run` would.

    Recordings are read by the process behind the socket `dump`, if one is named.

    Raises:
        subprocess.TimeoutExpired: it took longer than `timeout_s`, and was killed; its notes say
            what it printed, and where it and its JVMs waited.
    """
    forks = _forks()
    with tempfile.TemporaryDirectory(prefix="jvmscope-test-") as folder:
        streams = [Path(folder, name) for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(stdin)
        paths = list(map(str, streams))
        arguments = (list(words), str(directory), dict(environment), paths)
        process = forks.Process(
            target=_become, args=arguments, kwargs={"timeout_s": timeout_s, "dump": dump}
        )
        process.start()
        process.join(timeout_s)
        status = process.exitcode
        if status is None:
            assert process.pid is not None
            kill_telling(process.pid)
            process.join()
        process.close()
        stdout, stderr = (stream.read_bytes() if stream.exists() else b"" for stream in streams[1:])
    if status is None:
        error = subprocess.TimeoutExpired(list(words), timeout_s, stdout, stderr)
        for text in (stdout, stderr):
            error.add_note(text.decode(errors="replace"))
        raise error
    return subprocess.CompletedProcess(list(words), status, stdout, stderr)


@functools.cache
def _forks() -> ForkServerContext:
    """Returns what forks processes from one that has found all modules, this one among them."""
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(_IMPORTED)
    own = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # until Python 3.13 it is not passed on
    try:
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        if own is not None:
            os.environ["PYTHONPATH"] = own
    return forks


def _become(
    words: list[str],
    directory: str,
    environment: dict[str, str],
    streams: list[str],
    *,
    timeout_s: float,
    dump: str | None,
) -> None:
    """Turns this process into the command; shortly before its time is up, it prints where it is."""
    os.environ.clear()
    os.environ.update(environment)
    for descriptor, path in enumerate(streams):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(file, descriptor)
        os.close(file)
    os.chdir(directory)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    faulthandler.dump_traceback_later(0.9 * timeout_s, file=2)
    sys.argv = ["jvmscope", *words]
    if dump is not None:
        use_warm_dump(dump)
    main()

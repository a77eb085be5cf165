"""Runs of Java programs, recorded when a test needs them and kept by their content.

What a recording depends on decides where it is kept: the source, how it is recorded, the JDK, the
agent, and our own code that makes tables of what the agent wrote.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.children import run_child
from jvmscope.collector import agent_jar
from jvmscope.collector.launch.cache import cache_root
from jvmscope.collector.launch.flags import without_foreign_options
from jvmscope.collector.launch.injection import default_jdk
from jvmscope.errors import AgentError
from jvmscope.schema import MANIFEST_NAME, read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.collector.launch.jdk import Jdk
    from jvmscope.testing.settings import ProgramSettings

__all__ = ["Programs"]

_DIGITS = 20
_TIMEOUT_S = 600
_UNUSED_S = 30 * 24 * 3600
_LAST_WORDS = 2000


class Programs:
    """The recorded programs of query tests.

    Args:
        say: is told what takes a while.
    """

    def __init__(self, say: Callable[[str], None] = lambda _message: None) -> None:
        self._say = say
        self._folder = Path(cache_root(dict(os.environ))) / "tests"

    def run_of(self, source: Path, settings: ProgramSettings) -> Path:
        """Returns the run of a Java program, recorded now if it was not before.

        Args:
            source: the file ``NAME.java`` with the class NAME, which has the method main.
            settings: how it is recorded.

        Raises:
            AgentError: there is no JDK, or the program cannot be compiled or recorded.
        """
        jdk = default_jdk(os.environ)
        if jdk is None:
            raise AgentError(f"{source}: no java in JAVA_HOME or PATH to record it with")
        entry = self._folder / f"{source.stem}-{_digest(source, settings, jdk)}"
        run = entry / f"{source.stem}.run"
        self._folder.mkdir(parents=True, exist_ok=True)
        with _locked(entry.with_name(f"{entry.name}.lock")):
            if not (run / MANIFEST_NAME).is_file():
                self._say(f"Recording {source} …")
                self._record(source, settings, jdk, entry)
                _remove_unused(self._folder)
            os.utime(entry)
        return run

    def _record(self, source: Path, settings: ProgramSettings, jdk: Jdk, entry: Path) -> None:
        with tempfile.TemporaryDirectory(dir=self._folder, prefix="recording-") as name:
            folder = Path(name)
            classes = folder / "classes"
            javac = str(Path(jdk.home) / "bin" / "javac")
            compiler = [javac, "-g", "-encoding", "UTF-8", "-d", str(classes)]
            _run([*compiler, str(source.absolute())], folder, source, 0)
            run = folder / "runs" / f"{source.stem}.run"
            run.parent.mkdir()
            options = ["-q", *settings.options(), "-o", str(run)]
            program = [jdk.java, *settings.jvm_args, "-cp", str(classes), source.stem]
            recorder = [sys.executable, "-m", "jvmscope", "record", *options, "--"]
            _run([*recorder, *program, *settings.args], folder, source, settings.exit)
            if not run.is_dir() or read_manifest(run).status != "complete":
                raise AgentError(f"{source}: the recording is not complete")
            shutil.rmtree(entry, ignore_errors=True)
            run.parent.replace(entry)


def _run(command: list[str], folder: Path, source: Path, status: int) -> None:
    environment = without_foreign_options(dict(os.environ))
    try:
        done = run_child(
            command,
            cwd=folder,
            env=environment,
            stderr=subprocess.STDOUT,
            timeout_s=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AgentError(f"{source}: {Path(command[0]).name}: {error}") from None
    if done.returncode != status:
        words = done.stdout.decode(errors="backslashreplace").strip()[-_LAST_WORDS:]
        what = f"ended with status {done.returncode}, expected {status}"
        raise AgentError(f"{source}: {Path(command[0]).name} {what}:\n{words}")


def _digest(source: Path, settings: ProgramSettings, jdk: Jdk) -> str:
    parts = [source.read_bytes(), repr(settings).encode(), jdk.identity(), _recorder_digest()]
    if "probe" in settings.record:
        folder = Path(settings.record["probe"])
        parts += [part for file in _files_in(folder) for part in (bytes(file), file.read_bytes())]
    lengths = [str(len(part)).encode() for part in parts]
    return hashlib.sha256(b"\0".join([*lengths, *parts])).hexdigest()[:_DIGITS]


def _files_in(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file())


@cache
def _recorder_digest() -> bytes:
    """Returns the digest of the agent, and of our code from what it writes to tables."""
    digest = hashlib.sha256(agent_jar().read_bytes())
    for package in ("jvmscope.collector", "jvmscope.schema"):
        with resources.as_file(resources.files(package)) as folder:
            for path in sorted(folder.rglob("*")):
                if path.suffix in {".py", ".sql"} and "agent" not in path.parts:
                    digest.update(path.read_bytes())
    return digest.digest()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Lets one process at a time record a program."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _remove_unused(folder: Path) -> None:
    """Removes the runs that no test has used for a month, and their locks."""
    for entry in folder.iterdir():
        with contextlib.suppress(OSError):
            if time.time() - entry.stat().st_mtime > _UNUSED_S:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()

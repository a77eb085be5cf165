"""Recording as a user does: `jvmscope record` in a process of its own."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from oracle import runtime_21
from oracle.laboratory import BUILD
from oracle.toolchain import BRIEF, Jdk, MissingTool, alone, digest, find_jdks, run_tool
from support.forked import run_jvmscope
from support.hanging import kill_telling

from jvmscope.collector import agent_jar
from jvmscope.errors import AgentError
from jvmscope.schema.manifest import Manifest, read_manifest

__all__ = ["OBJECT_PROBES", "Outcome", "Recorder", "compile_java", "jdks"]

# What tests of objects record, for which one prepared JDK serves them all.
OBJECT_PROBES = "allocations,immutability,sharing,zeroing,locking,hashcodes"

_TIMEOUT_S = 240


@dataclass(frozen=True)
class Outcome:
    """What a user sees of a recording."""

    status: int
    stdout: str
    stderr: str
    runs: list[Path]
    directory: Path

    @property
    def run(self) -> Path:
        """The only run."""
        assert len(self.runs) == 1, (self.runs, self.stderr)
        return self.runs[0]

    @property
    def manifest(self) -> Manifest:
        """What the only run says of itself."""
        return read_manifest(self.directory / self.run)


class Recorder:
    """Records programs below a directory, with one JDK first in PATH.

    With `dump`, the socket of a `warm_dump`, that reads what `record` records.
    """

    def __init__(self, directory: Path, jdk: Jdk, dump: str | None = None) -> None:
        self.directory = directory
        self.jdk = jdk
        self.dump = dump
        self.runs = directory / "runs"
        self.environment = {
            "PATH": f"{jdk.home}/bin:/usr/bin:/bin",
            "HOME": os.environ.get("HOME", "/"),
            "LANG": "C.UTF-8",
        }
        for name in ("JVMSCOPE_CACHE", "JVMSCOPE_AGENT_JAR", "XDG_CACHE_HOME"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    @classmethod
    def of(cls, jdk: Jdk, directory: Path, **sources: str) -> Recorder:
        """A recorder with the given classes, compiled into `classes`."""
        compile_java(jdk, directory / "classes", **sources)
        return cls(directory, jdk)

    def words(self, *words: str | Path, options: tuple[str | Path, ...] = ()) -> list[str]:
        """What follows `jvmscope` in the command line of a recording."""
        return [str(word) for word in ("record", "--runs", self.runs, *options, "--", *words)]

    def command(self, *words: str | Path, options: tuple[str | Path, ...] = ()) -> list[str]:
        """The command line of a recording."""
        return [sys.executable, "-m", "jvmscope", *self.words(*words, options=options)]

    def record(
        self, *words: str | Path, options: tuple[str | Path, ...] = (), stdin: str = ""
    ) -> Outcome:
        """Records a command to its end; in our own locale, unlike what `start` starts."""
        result = run_jvmscope(
            self.words(*words, options=options),
            directory=self.directory,
            environment=self.environment,
            stdin=stdin.encode(),
            timeout_s=_TIMEOUT_S,
            dump=self.dump,
        )
        return self.outcome(result.returncode, result.stdout.decode(), result.stderr.decode())

    def start(
        self, *words: str | Path, options: tuple[str | Path, ...] = ()
    ) -> subprocess.Popen[str]:
        """Starts a recording in a process group of its own; `finish` waits for it."""
        return subprocess.Popen(
            self.command(*words, options=options),
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def finish(self, process: subprocess.Popen[str], already_read: str = "") -> Outcome:
        """Waits for a recording that was started."""
        try:
            stdout, stderr = process.communicate(timeout=_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            kill_telling(process.pid)
            for text in process.communicate():
                error.add_note(text)
            raise
        return self.outcome(process.returncode, already_read + stdout, stderr)

    def outcome(self, status: int, stdout: str, stderr: str) -> Outcome:
        """Reads off what a recording wrote."""
        prefix = "Wrote "
        lines = [line for line in stderr.splitlines() if line.startswith(prefix)]
        written = [line[len(prefix) :] for line in lines if not line.endswith("/xml")]
        return Outcome(status, stdout, stderr, [Path(path) for path in written], self.directory)


@functools.cache
def jdks(*, with_21: bool = False) -> tuple[Jdk, ...]:
    """The JDKs to test with; without any the tests are left out, except where CI forbids it.

    Args:
        with_21: the runtime of JDK 21, too, for the tests that are most likely to find what only
            that release does.
    """
    try:
        agent_jar()
        found = runtime_21.with_21() if with_21 else find_jdks()
    except (AgentError, MissingTool) as error:
        is_stale = isinstance(error, AgentError) and "was not built" not in str(error)
        if os.environ.get("CI") or is_stale:
            raise
        pytest.skip(str(error), allow_module_level=True)
    return tuple(found)


def jdk_of_docs() -> Jdk:
    """The JDK whose counts the pages show; others execute another class library."""
    oldest = jdks()[0]
    if oldest.version != 17:
        pytest.skip("the pages show what JDK 17 does")
    return oldest


def compile_java(jdk: Jdk, directory: Path, options: tuple[str, ...] = (), **sources: str) -> Path:
    """Puts classes, given by name and source text, into `directory`.

    What they were compiled to is kept. The compiler runs where the sources are; its options may
    name files, such as a jar.
    """
    texts = [text for source in sources.items() for text in source]
    named = [path for option in options if (path := Path(option)).is_file()]
    key = digest(named, str(jdk.home), *options, *texts)
    compiled = BUILD / f"java-{jdk.version}-{key}"
    with alone(compiled):
        if not compiled.exists():
            _compile(jdk, compiled, options, sources)
    shutil.copytree(compiled, directory, dirs_exist_ok=True)
    return directory


def _compile(jdk: Jdk, compiled: Path, options: tuple[str, ...], sources: dict[str, str]) -> None:
    made = compiled.with_suffix(f".{os.getpid()}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources.items():
            file = Path(folder, f"{name}.java")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        files = [f"{name}.java" for name in sources]
        command = [jdk.tool("javac"), *BRIEF, *options, "-d", str(made), *files]
        run_tool(command, Path(folder))
    made.rename(compiled)

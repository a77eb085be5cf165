"""One launch of the program that is studied, with static probes in its VM."""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from jvmscope.errors import AgentError
from jvmscope.schema.ending import signal_name
from jvmscope.signals import held
from jvmscope.watch.machines import JavaVm, find_vm
from jvmscope.watch.study.agent_link import StaticAgent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["ProgramEnded", "StudiedProgram"]

_JAR = "jvmscope-agent.jar"
_START_S = 60.0
_END_S = 10.0
_ENDING_S = 1.0
_POLL_S = 0.05
_N_LINES = 3
_AGENT = (
    "Manifest-Version: 1.0\r\n"
    "Premain-Class: io.jvmscope.study.StudyAgent\r\n"
    # The agent's classes are loaded by the boot loader alone, as those of dynamic probes.
    f"Boot-Class-Path: {_JAR}\r\n"
    "Can-Retransform-Classes: false\r\n\r\n"
)


class ProgramEnded(AgentError):
    """The program has ended, and the study has not; the message says how."""


class StudiedProgram:
    """A program that runs for a study, from its launch to ``close``.

    Its VM is the first one that loads the agent: that of the command, or one that it starts.

    Args:
        command: the program, word by word.
        jar: the agent's jar.
        classes: regular expressions of the classes with static probes; none: all of the program.
        buffer_bytes: the most memory that the buffers of static probes take.
        output: where the program's output goes, to ``.out`` and ``.err``; files that are open may
            be moved with their directory, whose new name ``output`` gets.

    Raises:
        AgentError: the command cannot be started, is no Java program, or its VM takes no agents.
    """

    def __init__(
        self,
        command: Sequence[str],
        jar: Path,
        *,
        classes: Sequence[str],
        buffer_bytes: int,
        output: Path,
    ) -> None:
        self._command = command
        self.output = output
        # The name of a socket has at most 107 bytes, so no long directory of the user's.
        self.directory = Path(tempfile.mkdtemp(prefix=".jvmscope-study-", dir="/tmp"))
        self.started_ns = time.monotonic_ns()
        self._process: subprocess.Popen[bytes] | None = None
        self._agent: StaticAgent | None = None
        self._listening = socket.socket(socket.AF_UNIX)
        try:
            shutil.copyfile(jar, self.directory / _JAR)
            with zipfile.ZipFile(self.directory / "study.jar", "w") as made:
                made.writestr("META-INF/MANIFEST.MF", _AGENT)
            options = "\n".join([str(buffer_bytes), *classes]) + "\n"
            (self.directory / "options").write_text(options, encoding="utf-8")
            self._listening.bind(str(self.directory / "socket"))
            self._listening.listen(1)
            self._listening.settimeout(_POLL_S)
            with held():
                self._process = self._launch()
        except BaseException:
            self.close()
            raise

    @property
    def agent(self) -> StaticAgent:
        """The agent of static probes."""
        if self._agent is None:
            raise RuntimeError("the VM has not connected yet")
        return self._agent

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def has_ended(self) -> bool:
        """Whether the command has ended."""
        return self._process is None or self._process.poll() is not None

    def explained(self, error: AgentError) -> AgentError:
        """Returns what an error comes from: the end of the program, or the error itself."""
        if isinstance(error, ProgramEnded) or self._process is None:
            return error
        try:
            self._process.wait(_ENDING_S)
        except subprocess.TimeoutExpired:
            return error
        message = "the program has to run until the study ends it"
        return ProgramEnded(f"{self._command[0]}: {message}: {self._ending()}")

    def _ending(self) -> str:
        """Returns how the command ended, and the last lines that it printed, of errors if any."""
        status = None if self._process is None else self._process.poll()
        if status is None:
            ended = "the VM has ended"
        elif status < 0:
            ended = f"it was ended by {signal_name(-status)}"
        else:
            ended = f"it ended with exit status {status}"
        files = [self.output.with_suffix(suffix) for suffix in (".out", ".err")]
        printed = [file for file in files if file.exists() and file.stat().st_size]
        if not printed:
            return f"{ended} and printed nothing"
        lines = printed[-1].read_text(errors="replace").splitlines()
        last = "".join(f"\n  {line}" for line in lines[-_N_LINES:])
        return f"{ended}; its output is in {' and '.join(map(str, printed))}{last}"

    def close(self) -> None:
        """Ends the program, and removes the agent's files."""
        if self._process is not None and self._process.poll() is None:
            self._end(self._process)
        if self._agent is not None:
            self._agent.close()
        self._listening.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """Ends the command and its VM, which may take longer than a script that has started it."""
        vm = _opened(self._agent.pid) if self._agent is not None else None
        try:
            for number in (signal.SIGTERM, signal.SIGKILL):
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_END_S)
                    if vm is None or select.select([vm], [], [], _END_S)[0]:
                        return
        finally:
            if vm is not None:
                os.close(vm)

    def _launch(self) -> subprocess.Popen[bytes]:
        """Starts the command; its process group is its own, so Ctrl-C is for us alone."""
        option = f"-javaagent:{self.directory / 'study.jar'}={self.directory}"
        words, environment = list(self._command), dict(os.environ)
        if Path(words[0]).name == "java":
            words.insert(1, option)
        else:
            before = environment.get("JAVA_TOOL_OPTIONS")
            environment["JAVA_TOOL_OPTIONS"] = f"{before} {option}" if before else option
        with (
            self.output.with_suffix(".out").open("wb") as out,
            self.output.with_suffix(".err").open("wb") as err,
        ):
            try:
                return subprocess.Popen(
                    words,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    env=environment,
                    start_new_session=True,
                )
            except OSError as error:
                message = f"{words[0]}: cannot be started: {error.strerror}"
                raise AgentError(message) from None

    def connected_vm(self, look: Callable[[], None]) -> JavaVm:
        """Waits until the VM has connected, which is before the program's main; returns it.

        Args:
            look: called again and again; what it raises ends the wait.

        Raises:
            AgentError: none does, or it cannot be attached to.
        """
        ends = time.monotonic() + _START_S
        with self._listening as listening:
            while self._agent is None:
                with suppress(TimeoutError):
                    self._agent = StaticAgent(listening.accept()[0])
                    break
                look()
                if self.has_ended:
                    message = f"{self._command[0]}: no Java VM could be studied: {self._ending()}"
                    raise ProgramEnded(message)
                if time.monotonic() > ends:
                    raise AgentError(
                        f"{self._command[0]}: no Java VM of it asked for the agent within "
                        f"{_START_S:.0f} s: expected a Java program, or a command that passes "
                        "JAVA_TOOL_OPTIONS on to one"
                    )
        vm = find_vm(self.agent.pid)
        if vm is None:
            raise AgentError("the VM has ended")
        vm.expect_watchable()
        return vm


def _opened(pid: int) -> int | None:
    """Returns a descriptor that can be read when a process has ended; None if it has."""
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None

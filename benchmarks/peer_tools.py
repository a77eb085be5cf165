"""Tools that measure a method of a running VM, each put into it and asked what it counted.

A tool is a context: on entry it measures ``Probed.plain`` of the program, and what it yields tells,
once the measuring is done, how many calls the tool saw.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector import agent_jar
from jvmscope.watch import find_vm, parse_probe
from jvmscope.watch.probes.link import AgentLink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["BTRACE", "BYTEMAN", "SOURCES", "Program", "Tool", "btrace_calls", "tools"]

SOURCES = Path(__file__).parent / "workloads" / "probed"
BTRACE = "2.2.6"
BYTEMAN = "4.0.26"

_LONG_S = 60.0
_POLL_S = 0.1


@dataclass(frozen=True)
class Program:
    """A program that was started.

    Attributes:
        process: its process; it ends when its input does.
        java_home: its JDK.
        folder: for files.
        jars: the jars of the peers.
        errors: where its standard error goes.
    """

    process: subprocess.Popen[str]
    java_home: Path
    folder: Path
    jars: Path
    errors: Path

    def java(self, *words: str) -> list[str]:
        """Returns a command that runs the program's ``java``."""
        return [str(self.java_home / "bin" / "java"), *words]

    def end(self) -> str:
        """Ends the program, and returns its standard error."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait(_LONG_S)
        return self.errors.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Tool:
    """A tool.

    Attributes:
        name: its name, and what of it is used.
        keeps: what it keeps of the method.
        measuring: puts it into a program; the function that it yields ends the measuring and
            returns how many calls were counted.
        releases: the Java versions that it works on, from the first to the last.
        elsewhere: what is said of others.
    """

    name: str
    keeps: str
    measuring: Callable[[Program], object]
    releases: tuple[int, int] = (17, 25)
    elsewhere: str = "fails"


@contextmanager
def _jvmscope(program: Program) -> Iterator[Callable[[], int]]:
    vm = find_vm(program.process.pid)
    if vm is None:
        raise SystemExit("the program has ended")
    link = AgentLink(vm, agent_jar())
    try:
        link.send(parse_probe("Probed.plain").fields(0, has_callers=False))
        link.send(["insert"])
        link.answer("inserted")

        def n_calls() -> int:
            link.send(["remove"])
            n = 0
            while True:
                kind, *rest = link.answer("time", "removed")
                if kind == "removed":
                    return n
                n += sum(map(int, rest[10::2]))

        yield n_calls
    finally:
        link.close()


def _btrace(script: str) -> Callable[[Program], object]:
    @contextmanager
    def measuring(program: Program) -> Iterator[Callable[[], int]]:
        output = program.folder / "btrace.txt"
        words = ["-cp", str(program.jars / "btrace-client.jar")]
        words += ["org.openjdk.btrace.client.Main", "-p", str(_free_port())]
        words += [str(program.process.pid), str(SOURCES / "peers" / f"{script}.java")]
        with output.open("w") as stream:
            client = subprocess.Popen(
                program.java(*words),
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env={"JAVA_HOME": str(program.java_home)},
            )
        try:
            _until(lambda: "Successfully started" in output.read_text(encoding="utf-8"), client)

            def n_calls() -> int:
                told = _lines(output)
                _until(lambda: _lines(output) > told + 2, client)  # wholly printed once more
                return btrace_calls(output.read_text(encoding="utf-8"))

            yield n_calls
        finally:
            client.kill()
            client.wait()

    return measuring


def _lines(file: Path) -> int:
    """Returns how often BTrace has told its counts."""
    return len(re.findall(r"^(?:calls|histogram)", file.read_text(encoding="utf-8"), re.MULTILINE))


def btrace_calls(text: str) -> int:
    """Returns the calls of what BTrace printed last but one, which is whole."""
    counts = re.findall(r"^calls (\d+)", text, re.MULTILINE)
    if counts:
        return int(counts[-2])
    whole = re.split(r"^histogram", text, flags=re.MULTILINE)[-2]
    return sum(map(int, re.findall(r"\|[@ ]*?\s(\d+)$", whole, re.MULTILINE)))


@contextmanager
def _byteman(program: Program) -> Iterator[Callable[[], int]]:
    jars = ":".join(
        str(program.jars / f"{name}.jar")
        for name in ("byteman-install", "byteman-submit", "byteman")
    )
    port = str(_free_port())
    home = program.folder / "byteman"  # where the installer looks for the agent
    (home / "lib").mkdir(parents=True)
    (home / "lib" / "byteman.jar").symlink_to(program.jars / "byteman.jar")
    install = "org.jboss.byteman.agent.install.Install"
    submit = "org.jboss.byteman.agent.submit.Submit"
    rules = str(SOURCES / "peers" / "timed.btm")
    for words in (
        [install, "-p", port, str(program.process.pid)],
        [submit, "-p", port, "-l", rules],
    ):
        subprocess.run(
            program.java("-cp", jars, *words),
            check=True,
            capture_output=True,
            timeout=_LONG_S,
            env={"BYTEMAN_HOME": str(home)},
        )
    yield lambda: int(re.findall(r"^calls (\d+)", program.end(), re.MULTILINE)[-1])


@contextmanager
def _method_timing(program: Program) -> Iterator[Callable[[], int]]:
    recording = program.folder / "timing.jfr"
    tool, pid = program.java_home / "bin", str(program.process.pid)
    settings = ("enabled=true", "filter=Probed::plain", "period=endChunk")
    start = [f"+jdk.MethodTiming#{setting}" for setting in settings]
    _quiet([str(tool / "jcmd"), pid, "JFR.start", "name=timing", "settings=none", *start])

    def n_calls() -> int:
        _quiet([str(tool / "jcmd"), pid, "JFR.stop", "name=timing", f"filename={recording}"])
        words = ["print", "--json", "--events", "jdk.MethodTiming", str(recording)]
        found = json.loads(_quiet([str(tool / "jfr"), *words]))
        events = found["recording"]["events"]
        return max(int(each["values"]["invocations"]) for each in events)

    yield n_calls


def tools() -> tuple[Tool, ...]:
    """Returns the tools."""
    kept = "count, sum, shortest, longest, histogram, by thread; outermost of a recursion"
    return (
        Tool("jvmscope", kept, _jvmscope),
        Tool(f"BTrace {BTRACE}, aggregation", "histogram", _btrace("Histogram"), (17, 17)),
        Tool(
            f"BTrace {BTRACE}, fields",
            "count, sum; not for several threads",
            _btrace("Sums"),
            (17, 17),
        ),
        Tool(f"Byteman {BYTEMAN}, compiled rules", "count, sum; not for several threads", _byteman),
        Tool(
            "`jdk.MethodTiming`",
            "count, average, shortest, longest",
            _method_timing,
            (25, 25),
            "has none",
        ),
    )


def _quiet(command: list[str]) -> str:
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=_LONG_S
    ).stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until(is_true: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + _LONG_S
    while not is_true():
        if process.poll() is not None or time.monotonic() > ends:
            raise SystemExit("the peer does not measure the program")
        time.sleep(_POLL_S)

"""A workload that repeats its iteration in one VM, and the processor time that the VM takes."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector.launch.jdk import jdk_of_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.catalogue import Workload
    from jvmscope.collector.launch.jdk import Jdk

__all__ = [
    "LEAD",
    "MOST_STEAL",
    "NOWHERE",
    "PAGE",
    "THREADS_OF_AGENT",
    "THREADS_OF_WATCHING",
    "VM_OPTIONS",
    "Program",
    "become_quiet",
    "cpu_ns",
    "jdks_of",
    "running",
    "steal",
    "threads_ns",
    "watching",
]

PAGE = Path(__file__).parent.parent / "docs" / "watch.md"
"""Where it is written what watching costs."""

LEAD = 2
"""Iterations before a period: one had both, and the next may compile."""

NOWHERE = "benchmarks.Nowhere.act"
"""A method of a class that no program has."""

THREADS_OF_WATCHING = ("JFR ", "Attach Listener")
"""How the names of threads begin that only watching needs."""

THREADS_OF_AGENT = ("jvmscope",)
"""How those of the agent of probes begin."""

MOST_STEAL = 0.01
"""The share of a period that the machine may be taken away; a pair with more is dropped."""

VM_OPTIONS = ("-XX:+UseSerialGC",)
"""No collector's threads that wait for each other in a loop."""

_COMPILERS = ("C1 ", "C2 ")
_QUIET = 0.02  # the most that the compilers take of the processor time of a quiet VM
_QUIET_WITHIN = 40  # periods
_ENDLESS = 1_000_000
_POLL_S = 0.01
_LONG_S = 120.0


class Program:
    """A workload in its steady form, whose iterations are counted as it reports them."""

    def __init__(self, pid: int, reports: int) -> None:
        self.pid = pid
        self._reports = reports
        os.set_blocking(reports, False)
        self._rest = b""

    def _reported(self) -> int | None:
        """How many iterations were reported since it was asked; null: nothing was printed."""
        try:
            text = os.read(self._reports, 1 << 16)
        except BlockingIOError:
            return None
        if not text:
            raise SystemExit("the program has ended")
        *lines, self._rest = (self._rest + text).split(b"\n")
        return sum(line.startswith(b"ITER ") for line in lines)

    def pass_iterations(self, n: int) -> None:
        """Waits until so many more have ended, at once when the last is reported."""
        while self._reported() is not None:
            pass  # those that have ended already
        while n > 0:
            select.select([self._reports], [], [])
            n -= self._reported() or 0

    def pass_seconds(self, seconds: float) -> int:
        """Waits for whole iterations until so much time has passed; returns how many."""
        n, ends = 0, time.monotonic() + seconds
        while time.monotonic() < ends:
            self.pass_iterations(1)
            n += 1
        return n


def cpu_ns(pid: int) -> int:
    """Processor time of a process, with that of its threads that have ended."""
    return time.clock_gettime_ns(~pid << 3 | 2)  # CPUCLOCK_SCHED, as clock_getcpuclockid makes it


def threads_ns(pid: int, names: tuple[str, ...]) -> int:
    """Processor time of threads of a VM whose names begin so."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has ended
            if (task / "comm").read_text(encoding="utf-8").startswith(names):
                total += int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return total


def steal() -> tuple[float, float]:
    """The time that the machine was taken away, and all time, in ticks."""
    words = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]
    ticks = [int(word) for word in words]
    return ticks[7], sum(ticks)


@contextmanager
def running(workload: Workload, size: str, java: str) -> Iterator[Program]:
    """Starts a workload in its steady form, and ends it."""
    reports, errors = os.pipe()
    process = subprocess.Popen(
        [java, *VM_OPTIONS, *workload.command(size=size, iterations=_ENDLESS)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
    )
    os.close(errors)
    try:
        yield Program(process.pid, reports)
    finally:
        process.kill()
        process.wait()
        os.close(reports)


@contextmanager
def watching(program: Program, options: Sequence[str], run: Path) -> Iterator[int]:
    """Watches a program, from when its watch run is there; yields the process of jvmscope."""
    command = [sys.executable, "-m", "jvmscope", "watch", "-q", *options, "-o", str(run)]
    watcher = subprocess.Popen([*command, str(program.pid)], start_new_session=True)
    try:
        ends = time.monotonic() + _LONG_S
        while not (run / "run.json").exists():
            if watcher.poll() is not None or time.monotonic() > ends:
                raise SystemExit("the program is not watched")
            time.sleep(_POLL_S)
        yield watcher.pid
    finally:
        watcher.terminate()  # SIGINT is ignored by what runs in the background
        watcher.wait(_LONG_S)


def jdks_of(homes: Sequence[Path] | None) -> list[Jdk]:
    """The JDKs of some directories; none: that of the java on the PATH."""
    if not homes:
        java = shutil.which("java")
        if java is None:
            raise SystemExit("no java on the PATH")
        homes = [Path(os.path.realpath(java)).parents[1]]
    return [jdk_of_home(str(home)) for home in homes]


def become_quiet(program: Program, n_iterations: int) -> None:
    """Waits until the compilers have little to do in three periods one after the other."""
    n_quiet = 0
    for _ in range(_QUIET_WITHIN):
        compilers, cpu = threads_ns(program.pid, _COMPILERS), cpu_ns(program.pid)
        program.pass_iterations(n_iterations)
        compilers = threads_ns(program.pid, _COMPILERS) - compilers
        is_quiet = compilers <= _QUIET * (cpu_ns(program.pid) - cpu)
        n_quiet = n_quiet + 1 if is_quiet else 0
        if n_quiet == 3:
            return

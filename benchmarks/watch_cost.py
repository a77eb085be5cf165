"""What watching costs a program: `python -m benchmarks.watch_cost`.

A workload repeats its iteration in one VM. Once it is warm, it is watched and left alone in turn,
for the same number of iterations, and neighbours are compared by the processor time of the process:
with its compilers and collectors, and with what watching adds to the VM. Two measurements of each:

- The **paired difference** is all that watching costs, and has the noise of the machine in it: the
  mean has its 95 % confidence interval (Student's t). A row compares the program left alone with
  itself: what its interval is wide is noise.
- The **threads** that only watching needs (of the flight recorder, of the agent, of what answers
  the attach interface) have processor times of their own, as a share of the program's: without
  noise, but without what the program's threads pay for an event or a sample.

The goal is judged by the upper bound of the paired difference: `yes` if that is below, `no` if even
the lower one is above, else `undecided`. Pairs in which the machine was taken away from the program
(``steal`` of /proc/stat above 1 %) are dropped. What jvmscope itself takes, in another process, is
a column of its own.

    python -m benchmarks.watch_cost --publish h2 lucene saxon
"""

from __future__ import annotations

import argparse
import os
import random
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scipy import stats

from benchmarks import catalogue, measure, publish
from benchmarks.prepare import prepare
from jvmscope.collector.launch.jdk import jdk_of_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.catalogue import Workload

PAGE = Path(__file__).parent.parent / "docs" / "watch.md"
_SECTION = "cost of watching"
_NOWHERE = "benchmarks.Nowhere.act"  # a class that no program has
_SETTINGS: dict[str, list[str] | None] = {
    "left alone": None,
    "watched": [],
    "watched, with the agent of probes": ["--probe", _NOWHERE],
}
_OF_WATCHING = ("JFR ", "jvmscope", "Attach Listener")  # how the names of these threads begin
_VM_OPTIONS = ("-XX:+UseSerialGC",)  # no collector's threads that wait for each other in a loop
_GOAL_PERCENT = 2.0
_LEAST_PAIRS = 2  # for an interval
_LEAD = 2  # iterations before a period: one had both, and the next may compile
_MOST_STEAL = 0.01
_CONFIDENCE = 0.95
_NS = 1e9
_POLL_S = 0.01
_LONG_S = 120.0
_ENDLESS = 1_000_000


@dataclass
class Costs:
    """Of pairs of periods: each list has a value for each pair."""

    differences: list[float] = field(default_factory=list)
    """Relative, of the processor time of an iteration."""
    threads: list[float] = field(default_factory=list)
    """The share of the threads of watching in the processor time of the process."""
    watcher: list[float] = field(default_factory=list)
    """Processor time of jvmscope by second."""
    n_dropped: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the mean's confidence interval."""
        mean = statistics.fmean(self.differences)
        n = len(self.differences)
        error = statistics.stdev(self.differences) / n**0.5
        half = float(stats.t.ppf((1 + _CONFIDENCE) / 2, n - 1)) * error
        return mean - half, mean + half

    @property
    def judged(self) -> str:
        """Whether the goal is met."""
        low, high = (100 * bound for bound in self.interval)
        return "yes" if high <= _GOAL_PERCENT else "no" if low > _GOAL_PERCENT else "undecided"


@dataclass(frozen=True)
class _Period:
    cpu_ns: int
    """Processor time of the process."""
    threads_ns: int
    """Processor time of the threads that only watching needs."""
    watcher_share: float
    steal: float


class _Program:
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


def _cpu_ns(pid: int) -> int:
    """Processor time of a process, with that of its threads that have ended."""
    return time.clock_gettime_ns(~pid << 3 | 2)  # CPUCLOCK_SCHED, as clock_getcpuclockid makes it


def _threads_ns(pid: int) -> int:
    """Processor time of the threads of a VM that only watching needs."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has ended
            if (task / "comm").read_text(encoding="utf-8").startswith(_OF_WATCHING):
                total += int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return total


def _steal() -> tuple[float, float]:
    """The time that the machine was taken away, and all time, in ticks."""
    words = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]
    ticks = [int(word) for word in words]
    return ticks[7], sum(ticks)


@contextmanager
def _running(workload: Workload, size: str, java: str) -> Iterator[_Program]:
    reports, errors = os.pipe()
    process = subprocess.Popen(
        [java, *_VM_OPTIONS, *workload.command(size=size, iterations=_ENDLESS)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
    )
    os.close(errors)
    try:
        yield _Program(process.pid, reports)
    finally:
        process.kill()
        process.wait()
        os.close(reports)


@contextmanager
def _watching(program: _Program, options: Sequence[str]) -> Iterator[int]:
    """Watches the program; yields the process of jvmscope."""
    with tempfile.TemporaryDirectory(prefix="watch-cost-") as folder:
        run = Path(folder) / "a.watch"
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


def _period(program: _Program, n_iterations: int, watcher: int | None = None) -> _Period:
    program.pass_iterations(_LEAD)
    stolen, ticks = _steal()
    watcher_ns = 0 if watcher is None else _cpu_ns(watcher)
    threads_ns = _threads_ns(program.pid)
    cpu_ns, start = _cpu_ns(program.pid), time.monotonic()
    program.pass_iterations(n_iterations)
    cpu_ns, passed = _cpu_ns(program.pid) - cpu_ns, time.monotonic() - start
    threads_ns = _threads_ns(program.pid) - threads_ns
    watcher_ns = 0 if watcher is None else _cpu_ns(watcher) - watcher_ns
    stolen_now, ticks_now = _steal()
    steal = (stolen_now - stolen) / max(1, ticks_now - ticks)
    return _Period(cpu_ns, threads_ns, watcher_ns / _NS / passed, steal)


def _pair(
    program: _Program, options: Sequence[str] | None, n_iterations: int, is_first: bool
) -> list[_Period]:
    """A watched period and one that is not, in this order, whichever comes first."""
    periods: list[_Period] = []
    for is_watched in (is_first, not is_first):
        if is_watched and options is not None:
            with _watching(program, options) as watcher:
                periods.insert(0, _period(program, n_iterations, watcher))
        elif is_watched:
            periods.insert(0, _period(program, n_iterations))
        else:
            periods.append(_period(program, n_iterations))
    return periods


def _measured(
    program: _Program, n_pairs: int, n_iterations: int, chance: random.Random
) -> dict[str, Costs]:
    found = {name: Costs() for name in _SETTINGS}
    for k in range(n_pairs):
        for name, options in _SETTINGS.items():
            watched, alone = _pair(program, options, n_iterations, chance.random() < 0.5)
            costs = found[name]
            if max(watched.steal, alone.steal) > _MOST_STEAL:
                costs.n_dropped += 1
                continue
            costs.differences.append(watched.cpu_ns / alone.cpu_ns - 1)
            costs.threads.append(watched.threads_ns / watched.cpu_ns)
            costs.watcher.append(watched.watcher_share)
        print(f"pair {k + 1} of {n_pairs}", file=sys.stderr)
    return found


def _rows(program: str, found: dict[str, Costs]) -> Iterator[str]:
    for name, costs in found.items():
        n = len(costs.differences)
        if n < _LEAST_PAIRS:
            yield f"| {program} | {name} | {n} | | | | | |"
            continue
        low, high = costs.interval
        row = (
            f"| {program} | {name} | {n} | {100 * statistics.fmean(costs.differences):.1f} % "
            f"| {100 * low:.1f} to {100 * high:.1f} % "
        )
        if _SETTINGS[name] is None:
            yield f"{row}| | | |"
        else:
            yield (
                f"{row}| {costs.judged} | {100 * statistics.fmean(costs.threads):.2f} % "
                f"| {100 * statistics.fmean(costs.watcher):.0f} % |"
            )


def main() -> None:
    """Measures the programs, prints the table, and publishes it if asked to."""
    parser = argparse.ArgumentParser(prog="benchmarks.watch_cost", description=__doc__)
    parser.add_argument("programs", nargs="*", default=["h2", "lucene", "saxon"])
    parser.add_argument("--size", default="small", help="of an iteration: several a second")
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=2.0, help="of a period, about")
    parser.add_argument("--warm-up", type=float, default=40.0, metavar="SECONDS")
    parser.add_argument("--publish", action="store_true", help="put the table into docs/watch.md")
    arguments = parser.parse_args()
    java = shutil.which("java") or sys.exit("benchmarks.watch_cost: no java on the PATH")
    jdk = jdk_of_home(str(Path(os.path.realpath(java)).parents[1]))
    chance = random.Random(7)  # noqa: S311 - the order of measurements
    lines = [
        "| program | | pairs | CPU time more | 95 % interval | at most 2 % | threads | jvmscope |",
        "| --- | --- | --: | --: | --: | --- | --: | --: |",
    ]
    loads = []
    for workload in catalogue.load(arguments.programs):
        prepare(workload, java_home=Path(jdk.home))
        with _running(workload, arguments.size, java) as program:
            program.pass_seconds(arguments.warm_up)
            for options in [options for options in _SETTINGS.values() if options is not None]:
                with _watching(program, options):  # what the VM loads for the first watch
                    program.pass_iterations(1)
            n_iterations = max(1, program.pass_seconds(arguments.seconds))
            found = _measured(program, arguments.pairs, n_iterations, chance)
        lines += _rows(workload.name, found)
        loads.append(os.getloadavg()[0])
    about = measure.machine()
    lines.append(
        f"\nJava {jdk.version}, `{' '.join(_VM_OPTIONS)}`, {about['cores']} processors "
        f"({about['processor']}), {time.strftime('%Y-%m-%d')}, load average {max(loads):.1f}."
    )
    content = "\n".join(lines)
    print(content)
    if arguments.publish:
        publish.write_section(PAGE, _SECTION, content)


if __name__ == "__main__":
    main()

"""What watching costs a program: `python -m benchmarks.watch_cost`.

A workload repeats its iteration in one VM. Once it is warm, it is watched and left alone in turn,
for some seconds each time, and neighbours are compared by the processor time of the process for an
iteration: with its compilers and collectors, and with what watching adds to the VM. What jvmscope
itself takes, in another process, is a column of its own. The mean difference has its 95 %
confidence interval (Student's t), by whose upper bound the goal is judged: `yes` if that is below,
`no` if even the lower one is above, else `undecided`. Pairs in which the machine was taken away
from the program (``steal`` of /proc/stat above 1 %) are dropped.

    python -m benchmarks.watch_cost --publish h2 lucene saxon
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
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
_SETTINGS = {
    "watched": [],
    "watched, with the agent of probes": ["--probe", _NOWHERE],
}
_GOAL_PERCENT = 2.0
_LEAST_PAIRS = 2  # for an interval
_MOST_STEAL = 0.01
_CONFIDENCE = 0.95
_TICKS = os.sysconf("SC_CLK_TCK")
_POLL_S = 0.01
_LONG_S = 120.0
_ENDLESS = 1_000_000


@dataclass
class Costs:
    """Relative differences of pairs, and processor time of jvmscope by second."""

    differences: list[float] = field(default_factory=list)
    n_dropped: int = 0
    watcher: list[float] = field(default_factory=list)

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
    cpu_s: float
    """Processor time of the process for an iteration."""
    watcher_share: float
    steal: float


class _Program:
    """A workload in its steady form, whose iterations are counted as it reports them."""

    def __init__(self, process: subprocess.Popen[bytes], errors: Path) -> None:
        self.pid = process.pid
        self._process = process
        self._errors = errors.open("rb")
        self._n = 0

    def pass_iterations(self, n: int) -> None:
        """Waits until so many more have ended."""
        wanted = self._n + n
        while self._n < wanted:
            if self._process.poll() is not None:
                raise SystemExit("the program has ended")
            self._n += len(re.findall(rb"^ITER ", self._errors.read(), re.MULTILINE))
            time.sleep(_POLL_S)

    def pass_seconds(self, seconds: float) -> int:
        """Waits for whole iterations until so much time has passed; returns how many."""
        before, ends = self._n, time.monotonic() + seconds
        while time.monotonic() < ends:
            self.pass_iterations(1)
        return self._n - before


def _cpu_s(pid: int) -> float:
    """Processor time of a process, in hundredths of a second."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / _TICKS


def _steal() -> tuple[float, float]:
    """The time that the machine was taken away, and all time, in ticks."""
    words = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]
    ticks = [int(word) for word in words]
    return ticks[7], sum(ticks)


@contextmanager
def _running(workload: Workload, size: str, java: str) -> Iterator[_Program]:
    with tempfile.TemporaryDirectory(prefix="watch-cost-") as folder:
        errors = Path(folder) / "stderr"
        with errors.open("wb") as stderr:
            process = subprocess.Popen(
                [java, *workload.command(size=size, iterations=_ENDLESS)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
            )
        try:
            yield _Program(process, errors)
        finally:
            process.kill()
            process.wait()


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


def _period(program: _Program, seconds: float, watcher: int | None = None) -> _Period:
    program.pass_iterations(2)  # the first one had both, and the next may compile
    stolen, ticks = _steal()
    cpu, start = _cpu_s(program.pid), time.monotonic()
    watcher_cpu = 0.0 if watcher is None else _cpu_s(watcher)
    n = program.pass_seconds(seconds)
    used, passed = _cpu_s(program.pid) - cpu, time.monotonic() - start
    watcher_used = 0.0 if watcher is None else _cpu_s(watcher) - watcher_cpu
    stolen_now, ticks_now = _steal()
    return _Period(used / n, watcher_used / passed, (stolen_now - stolen) / (ticks_now - ticks))


def _pair(
    program: _Program, options: Sequence[str], seconds: float, is_first: bool
) -> list[_Period]:
    """A watched period and one that is not, in this order, whichever comes first."""
    periods = []
    for is_watched in (is_first, not is_first):
        if is_watched:
            with _watching(program, options) as watcher:
                periods.insert(0, _period(program, seconds, watcher))
        else:
            periods.append(_period(program, seconds))
    return periods


def _measured(
    program: _Program, n_pairs: int, seconds: float, chance: random.Random
) -> dict[str, Costs]:
    found = {name: Costs() for name in _SETTINGS}
    for _ in range(n_pairs):
        for name, options in _SETTINGS.items():
            watched, alone = _pair(program, options, seconds, chance.random() < 0.5)
            costs = found[name]
            if max(watched.steal, alone.steal) > _MOST_STEAL:
                costs.n_dropped += 1
                continue
            costs.differences.append(watched.cpu_s / alone.cpu_s - 1)
            costs.watcher.append(watched.watcher_share)
    return found


def _rows(program: str, found: dict[str, Costs]) -> Iterator[str]:
    for name, costs in found.items():
        if len(costs.differences) < _LEAST_PAIRS:
            yield f"| {program} | {name} | {len(costs.differences)} | | | | |"
            continue
        low, high = costs.interval
        yield (
            f"| {program} | {name} | {len(costs.differences)} "
            f"| {100 * statistics.fmean(costs.differences):.1f} % "
            f"| {100 * low:.1f} to {100 * high:.1f} % | {costs.judged} "
            f"| {100 * statistics.fmean(costs.watcher):.0f} % |"
        )


def main() -> None:
    """Measures the programs, prints the table, and publishes it if asked to."""
    parser = argparse.ArgumentParser(prog="benchmarks.watch_cost", description=__doc__)
    parser.add_argument("programs", nargs="*", default=["h2", "lucene", "saxon"])
    parser.add_argument("--size", default="small", help="of an iteration: several a second")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=3.0, help="of a period, at least")
    parser.add_argument("--warm-up", type=float, default=20.0, metavar="SECONDS")
    parser.add_argument("--publish", action="store_true", help="put the table into docs/watch.md")
    arguments = parser.parse_args()
    java = shutil.which("java") or sys.exit("benchmarks.watch_cost: no java on the PATH")
    jdk = jdk_of_home(str(Path(os.path.realpath(java)).parents[1]))
    chance = random.Random(7)  # noqa: S311 - the order of measurements
    lines = [
        "| program | | pairs | processor time more | 95 % interval | at most 2 % | jvmscope, CPU |",
        "| --- | --- | --: | --: | --: | --- | --: |",
    ]
    loads = []
    for workload in catalogue.load(arguments.programs):
        prepare(workload, java_home=Path(jdk.home))
        with _running(workload, arguments.size, java) as program:
            program.pass_seconds(arguments.warm_up)
            with _watching(program, []):  # what the VM loads for the first watch
                program.pass_iterations(1)
            found = _measured(program, arguments.pairs, arguments.seconds, chance)
        lines += _rows(workload.name, found)
        loads.append(os.getloadavg()[0])
    about = measure.machine()
    lines.append(
        f"\nJava {jdk.version}, {about['cores']} processors ({about['processor']}), "
        f"{time.strftime('%Y-%m-%d')}, load average {max(loads):.1f}."
    )
    content = "\n".join(lines)
    print(content)
    if arguments.publish:
        publish.write_section(PAGE, _SECTION, content)


if __name__ == "__main__":
    main()

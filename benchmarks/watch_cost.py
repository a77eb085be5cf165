"""What watching costs a program: `python -m benchmarks.watch_cost`.

A workload repeats its iteration in one VM. Once it is warm, it is watched and left alone in turn,
for the same number of iterations, and neighbours are compared by the processor time of the process:
with its compilers and collectors, and with what watching adds to the VM. Measured are:

- The **first watch** of a VM, in seconds of processor time more than the same iterations took
  before: the VM may throw away compiled code when its flight recorder begins. Pairs begin when its
  compilers are quiet again.
- The **paired difference** is all that watching costs, and has the noise of the machine in it: the
  median of the means of all two pairs (Hodges and Lehmann), with the 95 % interval of Wilcoxon's
  signed ranks, as a compilation makes an outlier of a pair. A row compares the program left alone
  with itself: what its interval is wide is noise.
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
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import catalogue, measure, publish
from benchmarks.paired import LEAST_PAIRS, Estimate, estimate
from benchmarks.prepare import prepare
from benchmarks.watched_program import (
    LEAD,
    MOST_STEAL,
    NOWHERE,
    PAGE,
    THREADS_OF_AGENT,
    THREADS_OF_WATCHING,
    VM_OPTIONS,
    Program,
    become_quiet,
    cpu_ns,
    jdks_of,
    running,
    steal,
    threads_ns,
    watching,
)
from jvmscope.signals import cleaning_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SECTION = "cost of watching"
_SETTINGS: dict[str, list[str] | None] = {
    "left alone": None,
    "watched": [],
    "watched, samples every second": ["--sample-every", "1s"],
    "watched, with the agent of probes": ["--probe", NOWHERE],
}
_OF_WATCHING = (*THREADS_OF_WATCHING, *THREADS_OF_AGENT)
_GOAL_PERCENT = 2.0
_FIRST_S = 10.0  # of the first watch of a VM
_NS = 1e9


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
    def estimate(self) -> Estimate:
        """The difference, and the bounds of its confidence interval."""
        return estimate(self.differences)

    @property
    def judged(self) -> str:
        """Whether the goal is met."""
        low, high = (100 * bound for bound in self.estimate[1:])
        return "yes" if high <= _GOAL_PERCENT else "no" if low > _GOAL_PERCENT else "undecided"


@dataclass(frozen=True)
class _Period:
    cpu_ns: int
    """Processor time of the process."""
    threads_ns: int
    """Processor time of the threads that only watching needs."""
    watcher_share: float
    steal: float


@contextmanager
def _watching(program: Program, options: Sequence[str]) -> Iterator[int]:
    """Watches the program, whose run nobody reads; yields the process of jvmscope."""
    with (
        tempfile.TemporaryDirectory(prefix="watch-cost-") as folder,
        watching(program, options, Path(folder, "a.watch")) as watcher,
    ):
        yield watcher


def _period(program: Program, n_iterations: int, watcher: int | None = None) -> _Period:
    program.pass_iterations(LEAD)
    stolen, ticks = steal()
    watcher_ns = 0 if watcher is None else cpu_ns(watcher)
    threads = threads_ns(program.pid, _OF_WATCHING)
    cpu, start = cpu_ns(program.pid), time.monotonic()
    program.pass_iterations(n_iterations)
    cpu, passed = cpu_ns(program.pid) - cpu, time.monotonic() - start
    threads = threads_ns(program.pid, _OF_WATCHING) - threads
    watcher_ns = 0 if watcher is None else cpu_ns(watcher) - watcher_ns
    stolen_now, ticks_now = steal()
    share = (stolen_now - stolen) / max(1, ticks_now - ticks)
    return _Period(cpu, threads, watcher_ns / _NS / passed, share)


def _first_watch_s(program: Program, seconds: float) -> float:
    """What the first watch costs more than the iterations in it."""
    start, n_before = cpu_ns(program.pid), program.pass_seconds(seconds)
    before = (cpu_ns(program.pid) - start) / n_before
    with _watching(program, []):
        program.pass_iterations(1)
        start, n_watched = cpu_ns(program.pid), program.pass_seconds(_FIRST_S)
        watched = cpu_ns(program.pid) - start
    return (watched - n_watched * before) / _NS


def _pair(
    program: Program, options: Sequence[str] | None, n_iterations: int, is_first: bool
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
    program: Program, n_pairs: int, n_iterations: int, chance: random.Random
) -> dict[str, Costs]:
    found = {name: Costs() for name in _SETTINGS}
    for k in range(n_pairs):
        for name, options in _SETTINGS.items():
            watched, alone = _pair(program, options, n_iterations, chance.random() < 0.5)
            costs = found[name]
            if max(watched.steal, alone.steal) > MOST_STEAL:
                costs.n_dropped += 1
                continue
            costs.differences.append(watched.cpu_ns / alone.cpu_ns - 1)
            costs.threads.append(watched.threads_ns / watched.cpu_ns)
            costs.watcher.append(watched.watcher_share)
        print(f"pair {k + 1} of {n_pairs}", file=sys.stderr)
    return found


def _rows(program: str, found: dict[str, Costs], first_s: float) -> Iterator[str]:
    for name, costs in found.items():
        n = len(costs.differences)
        row = f"| {program} | {name} | {n} "
        if n < LEAST_PAIRS:
            yield f"{row}| | | | | | |"
            continue
        difference, low, high = costs.estimate
        row += f"| {100 * difference:.1f} % | {100 * low:.1f} to {100 * high:.1f} % "
        if _SETTINGS[name] is None:
            yield f"{row}| | | | |"
            continue
        first = "" if _SETTINGS[name] else f"{first_s:.1f} s"
        yield (
            f"{row}| {costs.judged} | {100 * statistics.fmean(costs.threads):.2f} % "
            f"| {100 * statistics.fmean(costs.watcher):.0f} % | {first} |"
        )


def main() -> None:
    """Measures the programs, prints the table, and publishes it if asked to."""
    parser = argparse.ArgumentParser(prog="benchmarks.watch_cost", description=__doc__)
    parser.add_argument("programs", nargs="*", default=["h2", "lucene", "saxon"])
    parser.add_argument("--java-home", action="append", type=Path, help="of the java on the PATH")
    parser.add_argument("--size", default="small", help="of an iteration: several a second")
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=2.0, help="of a period, about")
    parser.add_argument("--warm-up", type=float, default=40.0, metavar="SECONDS")
    parser.add_argument("--publish", action="store_true", help="put the table into docs/watch.md")
    arguments = parser.parse_args()
    jdks = jdks_of(arguments.java_home)
    chance = random.Random(7)  # noqa: S311 - the order of measurements
    columns = ["program", "Java", "", "pairs", "CPU time more", "95 % interval", "at most 2 %"]
    lines = [
        f"| {' | '.join([*columns, 'threads', 'jvmscope', 'first watch'])} |",
        "| --- | --: | --- | --: | --: | --: | --- | --: | --: | --: |",
    ]
    loads = []
    for workload in catalogue.load(arguments.programs):
        for jdk in jdks:
            prepare(workload, java_home=Path(jdk.home))
            with running(workload, arguments.size, str(Path(jdk.home) / "bin/java")) as program:
                program.pass_seconds(arguments.warm_up)
                first_s = _first_watch_s(program, arguments.warm_up / 4)
                with _watching(program, ["--probe", NOWHERE]):
                    program.pass_seconds(_FIRST_S)
                n_iterations = max(1, program.pass_seconds(arguments.seconds))
                become_quiet(program, n_iterations)
                found = _measured(program, arguments.pairs, n_iterations, chance)
            lines += _rows(f"{workload.name} | {jdk.major}", found, first_s)
            loads.append(os.getloadavg()[0])
    about = measure.machine()
    lines.append(
        f"\nJava {' and '.join(jdk.version for jdk in jdks)}, `{' '.join(VM_OPTIONS)}`, "
        f"{about['cores']} processors ({about['processor']}), {time.strftime('%Y-%m-%d')}, "
        f"load average {max(loads):.1f}."
    )
    content = "\n".join(lines)
    print(content)
    if arguments.publish:
        publish.write_section(PAGE, _SECTION, content)


if __name__ == "__main__":
    with cleaning_up():  # a signal ends the programs that run, too
        main()

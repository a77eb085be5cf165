"""What the parts of watching cost a program: `python -m benchmarks.watch_parts`.

What `benchmarks.watch_cost` compares, a program with and without a watch, has the noise of the
machine in it, which is as large as what watching costs. Here each kind of sample is measured alone
and made many times more frequent, and the difference is divided by the samples that were taken:

- A workload repeats its iteration in one VM, with all that a watch records but samples. A second
  recording, of samples of threads, comes and goes. Neighbours are compared by the processor time
  of the process, and the difference by sample is the median of the means of all two pairs (Hodges
  and Lehmann) with the 95 % interval of Wilcoxon's signed ranks.
- An **event with a stack**, such as a sample of an allocation, has its own thread walk that. How
  many a workload has is the workload's, so a program that is made for it
  (`benchmarks.stack_events`) is compared in the same way.
- A **usual watch** then says how many of both there are each second of processor time, how many
  events without a stack, and what the threads take that only watching needs. All but the
  sampler's count here, as the sampler's own time is in the difference by sample.
- An event without a stack is taken to cost 10 µs: it is a record of some dozen bytes in a buffer
  of its thread.

The sum is what watching costs. Its upper bound is the sum of upper bounds: some of what threads do
is for samples, so that is counted twice.

    python -m benchmarks.watch_parts --publish h2 saxon
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
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from benchmarks import catalogue, measure, publish
from benchmarks.paired import LEAST_PAIRS, Estimate, estimate
from benchmarks.prepare import prepare
from benchmarks.stack_events import stack_events
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
from jvmscope.schema.watched import watch_tables
from jvmscope.signals import cleaning_up
from jvmscope.watch import find_vm
from jvmscope.watch.attach import run_in_vm
from jvmscope.watch.flight import Repository
from jvmscope.watch.flight.recording import repository_path, start_recording
from jvmscope.watch.settings import settings_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmscope.watch.machines import JavaVm

_SECTION = "parts of watching"
_GOAL = 0.02
_THREADS = "execution_sample"
_ALLOCATIONS = "allocation_sample"
_SAMPLES = {_THREADS: ("40 ms", "2 ms"), _ALLOCATIONS: ("50/s", "3000/s")}
"""What of a table of samples is made more frequent, and how."""
_SAMPLER = ("JFR Thread Samp", "JFR Sampler Thr")  # on JDK 17, and on 25
_WARM_UP = 4  # pairs
_USUAL_S = 60.0  # longer than the longest pause between two code lists
_FLUSHES_S = 2.5  # in which the VM has written what it has recorded
_NS = 1e9
_PLAIN_NS = 1e4  # of an event without a stack, at most


@dataclass(frozen=True)
class Usual:
    """A watch as it is by default, by second of the program's processor time."""

    n_samples: float
    """Samples of threads."""
    n_stacks: float
    """Events that have a stack."""
    n_plain: float
    """Events without a stack."""
    threads: float
    """The share of the threads of watching, without the sampler of threads."""
    agent: float
    """The share of the thread of an agent of probes, when no method has a probe."""


@dataclass(frozen=True)
class Parts:
    """What a sample of threads and an event with a stack cost, in ns, and a usual watch."""

    sample_ns: Estimate
    stack_ns: Estimate
    usual: Usual

    @property
    def total(self) -> Estimate:
        """What watching takes of the program's processor time, with the sums of the bounds."""
        rest = _PLAIN_NS * self.usual.n_plain / _NS + self.usual.threads
        samples = self.sample_ns.times(self.usual.n_samples / _NS)
        stacks = self.stack_ns.times(self.usual.n_stacks / _NS)
        return Estimate(*(sum(bounds) + rest for bounds in zip(samples, stacks, strict=True)))

    @property
    def judged(self) -> str:
        """Whether the goal is met."""
        _, low, high = self.total
        return "yes" if high <= _GOAL else "no" if low > _GOAL else "undecided"


@contextmanager
def _recording(vm: JavaVm, name: str, settings: str) -> Iterator[None]:
    start_recording(vm, name, settings)
    try:
        yield
    finally:
        run_in_vm(vm, f"JFR.stop name={name}")


def _often(table: str) -> str:
    usual, often = _SAMPLES[table]
    settings = settings_file({table})
    if f">{usual}<" not in settings:
        raise SystemExit(f"benchmarks.watch_parts: {table} is not sampled by {usual}")
    return settings.replace(f">{usual}<", f">{often}<")


@dataclass(frozen=True)
class _Bench:
    """A warm program, and how it is measured."""

    vm: JavaVm
    period: Callable[[], tuple[int, tuple[int, int]]]
    """Has the program go on; returns what it cost in ns, and from when to when that was."""
    n_pairs: int
    chance: random.Random

    def warm_up(self, table: str) -> None:
        """Has the VM compile what it needs for a kind of sample."""
        for _ in range(_WARM_UP):
            self._pair(_often(table))

    def each_ns(self, table: str) -> Estimate:
        """What a sample costs."""
        differences: list[int] = []
        extents: list[tuple[int, int]] = []
        counted: list[int] = []
        events = frozenset(watch_tables()[table].events)
        repository = Repository(repository_path(self.vm), time.time_ns(), events)
        for _ in range(self.n_pairs):
            stolen, ticks = steal()
            difference, extent = self._pair(_often(table))
            stolen_now, ticks_now = steal()
            counted += [event.fields["startTime"] for event in repository.events()]
            if stolen_now - stolen <= MOST_STEAL * (ticks_now - ticks):
                differences.append(difference)
                extents.append(extent)
        time.sleep(_FLUSHES_S)
        counted += [event.fields["startTime"] for event in repository.events()]
        repository.close()
        if len(differences) < LEAST_PAIRS:
            raise SystemExit("benchmarks.watch_parts: the machine was taken away too often")
        n_samples = [sum(start <= at < end for at in counted) for start, end in extents]
        return estimate(differences).times(1 / statistics.fmean(n_samples))

    def _pair(self, settings: str) -> tuple[int, tuple[int, int]]:
        """What a recording costs in a period, and when that was."""
        difference, extent = 0, (0, 0)
        is_first = self.chance.random() < 0.5
        for is_recorded in (is_first, not is_first):
            if is_recorded:
                with _recording(self.vm, "often", settings):
                    cpu, extent = self.period()
                difference += cpu
            else:
                difference -= self.period()[0]
        return difference, extent


def _period(program: Program, n_iterations: int) -> tuple[int, tuple[int, int]]:
    """The processor time of iterations, and from when to when they were."""
    program.pass_iterations(LEAD)
    cpu, start = cpu_ns(program.pid), time.time_ns()
    program.pass_iterations(n_iterations)
    return cpu_ns(program.pid) - cpu, (start, time.time_ns())


def _usual(program: Program) -> Usual:
    """A watch by default."""
    with tempfile.TemporaryDirectory(prefix="watch-parts-") as folder:
        run = Path(folder) / "a.watch"
        with watching(program, ["--probe", NOWHERE], run):
            program.pass_seconds(_FLUSHES_S)
            start, cpu = time.time_ns(), cpu_ns(program.pid)
            before = _threads_of_watching(program)
            program.pass_seconds(_USUAL_S)
            after = _threads_of_watching(program)
            cpu, end = cpu_ns(program.pid) - cpu, time.time_ns()
        n_events = {
            name: _between(run / "tables" / f"{name}.parquet", start, end)
            for name, table in watch_tables().items()
            if table.events
        }
    n_stacks = sum(n for name, n in n_events.items() if _has_stack(name))
    n_samples = n_events[_THREADS]
    n_plain = sum(n_events.values()) - n_samples - n_stacks
    rates = (n * _NS / cpu for n in (n_samples, n_stacks, n_plain))
    threads, agent = ((now - then) / cpu for now, then in zip(after, before, strict=True))
    return Usual(*rates, threads, agent)


def _threads_of_watching(program: Program) -> tuple[int, int]:
    """The processor time of threads that only watching needs, and of the agent of probes."""
    sampler = threads_ns(program.pid, _SAMPLER)
    return (
        threads_ns(program.pid, THREADS_OF_WATCHING) - sampler,
        threads_ns(program.pid, THREADS_OF_AGENT),
    )


def _has_stack(name: str) -> bool:
    """Tells whether the thread that has an event of a table walks its own stack."""
    return name != _THREADS and dict(watch_tables()[name].settings).get("stackTrace") == "true"


def _between(table: Path, start: int, end: int) -> int:
    """How many events of a table began in a time; 0 if it has none."""
    if not table.exists():
        return 0
    columns = pq.read_schema(table).names
    name = "at_ns" if "at_ns" in columns else "start_ns"
    return sum(start <= at < end for at in pq.read_table(table, columns=[name])[name].to_pylist())


@contextmanager
def _without_samples(vm: JavaVm) -> Iterator[None]:
    """Records all that a watch does but samples; what comes and goes beside it can be read."""
    others = {name for name, each in watch_tables().items() if not each.asked} - set(_SAMPLES)
    with _recording(vm, "others", settings_file(others)):
        yield


def _stack_ns(java_home: Path, n_pairs: int) -> Estimate:
    """What an event with a stack costs."""
    with stack_events(java_home) as program:
        vm = _vm(program.pid)
        with _without_samples(vm):
            chance = random.Random(8)  # noqa: S311 - the order of measurements
            bench = _Bench(vm, program.period, n_pairs, chance)
            bench.warm_up(_ALLOCATIONS)
            return bench.each_ns(_ALLOCATIONS)


def _parts(
    program: Program, stack_ns: Estimate, warm_up: float, seconds: float, n_pairs: int
) -> Parts:
    """Measures a program that has begun."""
    program.pass_seconds(warm_up)
    vm = _vm(program.pid)
    with _without_samples(vm):
        program.pass_seconds(warm_up / 2)
        n_iterations = max(1, program.pass_seconds(seconds))
        become_quiet(program, n_iterations)
        chance = random.Random(7)  # noqa: S311 - the order of measurements
        bench = _Bench(vm, partial(_period, program, n_iterations), n_pairs, chance)
        sample_ns = bench.each_ns(_THREADS)
    return Parts(sample_ns, stack_ns, _usual(program))


def _vm(pid: int) -> JavaVm:
    vm = find_vm(pid)
    if vm is None:
        raise SystemExit("benchmarks.watch_parts: the program has ended")
    return vm


def _row(program: str, parts: Parts) -> str:
    """A row of the table."""
    cells = [program]
    numbers = (parts.usual.n_samples, parts.usual.n_stacks)
    for each, n in zip((parts.sample_ns, parts.stack_ns), numbers, strict=True):
        value, low, high = each.times(1e-3)
        cells += [f"{value:.0f} ({low:.0f} to {high:.0f})", f"{n:.0f}"]
    value, low, high = parts.total.times(100)
    cells += [
        f"{parts.usual.n_plain:.0f}",
        f"{100 * parts.usual.threads:.2f} %",
        f"{100 * parts.usual.agent:.2f} %",
        f"{value:.1f} %",
        f"{low:.1f} to {high:.1f} %",
        parts.judged,
    ]
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures the programs, prints the table, and publishes it if asked to."""
    parser = argparse.ArgumentParser(prog="benchmarks.watch_parts", description=__doc__)
    parser.add_argument("programs", nargs="*", default=["h2", "lucene", "saxon"])
    parser.add_argument("--java-home", action="append", type=Path, help="of the java on the PATH")
    parser.add_argument("--size", default="small", help="of an iteration: several a second")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=2.0, help="of a period, about")
    parser.add_argument("--warm-up", type=float, default=30.0, metavar="SECONDS")
    parser.add_argument("--publish", action="store_true", help="put the table into docs/watch.md")
    asked = parser.parse_args(arguments)
    jdks = jdks_of(asked.java_home)
    columns = [
        "program",
        "Java",
        "µs a sample of threads",
        "a second",
        "µs an event with a stack",
    ]
    columns += ["a second", "others a second", "threads", "agent of probes"]
    columns += ["watching", "95 % interval"]
    lines = [
        f"| {' | '.join([*columns, 'at most 2 %'])} |",
        f"| --- |{' --: |' * (len(columns) - 1)} --- |",
    ]
    loads = []
    stack_ns = {jdk: _stack_ns(Path(jdk.home), asked.pairs) for jdk in jdks}
    for workload in catalogue.load(asked.programs):
        for jdk in jdks:
            prepare(workload, java_home=Path(jdk.home))
            with running(workload, asked.size, str(Path(jdk.home) / "bin/java")) as program:
                parts = _parts(program, stack_ns[jdk], asked.warm_up, asked.seconds, asked.pairs)
            lines.append(_row(f"{workload.name} | {jdk.major}", parts))
            print(lines[-1], file=sys.stderr)
            loads.append(os.getloadavg()[0])
    about = measure.machine()
    lines.append(
        f"\n{asked.pairs} pairs each, Java {' and '.join(jdk.version for jdk in jdks)}, "
        f"`{' '.join(VM_OPTIONS)}`, {about['cores']} processors ({about['processor']}), "
        f"{time.strftime('%Y-%m-%d')}, load average {max(loads):.1f}."
    )
    content = "\n".join(lines)
    print(content)
    if asked.publish:
        publish.write_section(PAGE, _SECTION, content)


if __name__ == "__main__":
    with cleaning_up():  # a signal ends the programs that run, too
        main()

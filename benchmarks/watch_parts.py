"""What the parts of watching cost a program: `python -m benchmarks.watch_parts`.

What `benchmarks.watch_cost` compares, a program with and without a watch, has the noise of the
machine in it, which is as large as what watching costs. Here each kind of sample is measured alone
and made many times more frequent, and the difference is divided by the samples that were taken:

- A workload repeats its iteration in one VM, with all that a watch records but samples. A second
  recording of one kind of sample comes and goes. Neighbours are compared by the processor time of
  the process, and the difference by sample is the median of the means of all two pairs (Hodges
  and Lehmann) with the 95 % interval of Wilcoxon's signed ranks.
- A **usual watch** then says how many samples it takes each second of processor time, how many
  other events there are, and what the threads take that only watching needs. All but the sampler's
  count here, as the sampler's own time is in the difference by sample.
- Another event that has a stack is taken to cost as much as the dearest sample, and one without
  a stack 10 µs: it is a record of some dozen bytes in a buffer of its thread.

The sum is what watching costs. Its upper bound is the sum of upper bounds: some of what threads do
is for samples, so that is counted twice.

    python -m benchmarks.watch_parts --publish h2 saxon
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from benchmarks import catalogue, measure, publish
from benchmarks.paired import LEAST_PAIRS, Estimate, estimate
from benchmarks.prepare import prepare
from benchmarks.watch_cost import PAGE
from benchmarks.watched_program import (
    MOST_STEAL,
    VM_OPTIONS,
    Program,
    become_quiet,
    cpu_ns,
    running,
    steal,
    threads_ns,
)
from jvmscope.collector.launch.jdk import jdk_of_home
from jvmscope.schema.watched import watch_tables
from jvmscope.watch import find_vm
from jvmscope.watch.attach import run_in_vm
from jvmscope.watch.flight import Repository
from jvmscope.watch.flight.recording import repository_path, start_recording
from jvmscope.watch.settings import settings_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.watch.machines import JavaVm

_SECTION = "parts of watching"
_GOAL = 0.02
_SAMPLES = {  # the table of samples: what is made more frequent, and how
    "execution_sample": ("40 ms", "2 ms"),
    "allocation_sample": ("50/s", "3000/s"),
}
_OF_WATCHING = ("JFR ", "jvmscope", "Attach Listener")  # how the names of these threads begin
_SAMPLER = ("JFR Thread Samp", "JFR Sampler Thr")  # on JDK 17, and on 25
_LEAD = 2  # iterations before a period
_USUAL_S = 60.0  # longer than the longest pause between two code lists
_FLUSHES_S = 2.5  # in which the VM has written what it has recorded
_STARTS_S = 120.0
_NS = 1e9
_PLAIN_NS = 1e4  # of an event without a stack, at most


@dataclass(frozen=True)
class Usual:
    """A watch as it is by default, by second of the program's processor time."""

    samples: dict[str, float]
    """By table."""
    n_stacks: float
    """Other events that have stacks."""
    n_plain: float
    """Events without a stack."""
    threads: float
    """The share of the threads of watching, without the sampler of threads."""


@dataclass(frozen=True)
class Parts:
    """What one sample costs, in ns of processor time, and a usual watch."""

    each_ns: dict[str, Estimate]
    usual: Usual

    def share(self, table: str) -> Estimate:
        """What a kind of sample takes of the program's processor time."""
        return self.each_ns[table].times(self.usual.samples[table] / _NS)

    @property
    def others(self) -> float:
        """What the other events take at most."""
        dearest = max(max(0.0, each.high) for each in self.each_ns.values())
        return (dearest * self.usual.n_stacks + _PLAIN_NS * self.usual.n_plain) / _NS

    @property
    def total(self) -> Estimate:
        """What watching takes, with the sums of the bounds."""
        shares = [self.share(table) for table in self.each_ns]
        rest = self.others + self.usual.threads
        return Estimate(*(sum(bounds) + rest for bounds in zip(*shares, strict=True)))

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

    program: Program
    vm: JavaVm
    n_iterations: int
    n_pairs: int
    chance: random.Random

    def period(self) -> tuple[int, tuple[int, int]]:
        """The processor time of iterations, and from when to when they were."""
        self.program.pass_iterations(_LEAD)
        cpu, start = cpu_ns(self.program.pid), time.time_ns()
        self.program.pass_iterations(self.n_iterations)
        return cpu_ns(self.program.pid) - cpu, (start, time.time_ns())

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


def _usual(program: Program) -> Usual:
    """A watch by default."""
    with tempfile.TemporaryDirectory(prefix="watch-parts-") as folder:
        run = Path(folder) / "a.watch"
        command = [sys.executable, "-m", "jvmscope", "watch", "-q", "-o", str(run)]
        watcher = subprocess.Popen([*command, str(program.pid)], start_new_session=True)
        ends = time.monotonic() + _STARTS_S
        while not (run / "run.json").exists():
            if watcher.poll() is not None or time.monotonic() > ends:
                raise SystemExit("benchmarks.watch_parts: the program is not watched")
            time.sleep(0.01)
        program.pass_seconds(_FLUSHES_S)
        start, cpu = time.time_ns(), cpu_ns(program.pid)
        threads = threads_ns(program.pid, _OF_WATCHING) - threads_ns(program.pid, _SAMPLER)
        program.pass_seconds(_USUAL_S)
        threads, threads_before = (
            threads_ns(program.pid, _OF_WATCHING) - threads_ns(program.pid, _SAMPLER),
            threads,
        )
        cpu, end = cpu_ns(program.pid) - cpu, time.time_ns()
        watcher.terminate()  # SIGINT is ignored by what runs in the background
        watcher.wait(_STARTS_S)
        n_events = {
            name: _between(run / "tables" / f"{name}.parquet", start, end)
            for name, table in watch_tables().items()
            if table.events
        }
    return Usual(
        {name: n_events[name] * _NS / cpu for name in _SAMPLES},
        sum(n for name, n in n_events.items() if _is_other(name, has_stack=True)) * _NS / cpu,
        sum(n for name, n in n_events.items() if _is_other(name, has_stack=False)) * _NS / cpu,
        (threads - threads_before) / cpu,
    )


def _is_other(name: str, *, has_stack: bool) -> bool:
    """Tells whether a table's events are no samples, and have stacks or not."""
    settings = dict(watch_tables()[name].settings)
    return name not in _SAMPLES and (settings.get("stackTrace") == "true") == has_stack


def _between(table: Path, start: int, end: int) -> int:
    """How many events of a table began in a time; 0 if it has none."""
    if not table.exists():
        return 0
    columns = pq.read_schema(table).names
    name = "at_ns" if "at_ns" in columns else "start_ns"
    return sum(start <= at < end for at in pq.read_table(table, columns=[name])[name].to_pylist())


def _parts(program: Program, warm_up: float, seconds: float, n_pairs: int) -> Parts:
    """Measures a program that has begun."""
    chance = random.Random(7)  # noqa: S311 - the order of measurements
    program.pass_seconds(warm_up)
    vm = find_vm(program.pid)
    if vm is None:
        raise SystemExit("benchmarks.watch_parts: the program has ended")
    others = {name for name, each in watch_tables().items() if not each.asked} - set(_SAMPLES)
    with _recording(vm, "others", settings_file(others)):
        program.pass_seconds(warm_up / 2)
        n_iterations = max(1, program.pass_seconds(seconds))
        become_quiet(program, n_iterations)
        bench = _Bench(program, vm, n_iterations, n_pairs, chance)
        each_ns = {table: bench.each_ns(table) for table in _SAMPLES}
    return Parts(each_ns, _usual(program))


def _row(program: str, parts: Parts) -> str:
    """A row of the table."""
    cells = [program]
    for table, each in parts.each_ns.items():
        value, low, high = each.times(1e-3)
        n = parts.usual.samples[table]
        cells += [f"{value:.0f} ({low:.0f} to {high:.0f})", f"{n:.0f}"]
    value, low, high = parts.total.times(100)
    cells += [
        f"{parts.usual.n_stacks:.0f} + {parts.usual.n_plain:.0f}",
        f"{100 * parts.usual.threads:.2f} %",
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
    if not asked.java_home:
        java = shutil.which("java") or sys.exit("benchmarks.watch_parts: no java on the PATH")
        asked.java_home = [Path(os.path.realpath(java)).parents[1]]
    jdks = [jdk_of_home(str(home)) for home in asked.java_home]
    columns = [
        "program",
        "Java",
        "µs a sample of threads",
        "a second",
        "µs a sample of allocations",
    ]
    columns += ["a second", "other events a second", "threads", "watching", "95 % interval"]
    lines = [
        f"| {' | '.join([*columns, 'at most 2 %'])} |",
        f"| --- |{' --: |' * (len(columns) - 1)} --- |",
    ]
    loads = []
    for workload in catalogue.load(asked.programs):
        for jdk in jdks:
            prepare(workload, java_home=Path(jdk.home))
            with running(workload, asked.size, str(Path(jdk.home) / "bin/java")) as program:
                parts = _parts(program, asked.warm_up, asked.seconds, asked.pairs)
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
    main()

"""What tools take to measure a method of a running VM: `python -m benchmarks.probe_peers`.

Each measurement has a VM of its own, which calls a small method as often as it can, in one thread,
and says how much processor time of the thread a call took. The VM is warmed up, then one tool
is put into it, and the program is asked in turn for calls with the tool and for calls of a method
that reads the clock twice and has no tool. Their difference, of medians, is the cost beyond two
readings. The tools take turns in an order by chance. The table has the median of the VMs, and its
interval of at least 95 % (of ranks, by the binomial distribution). A tool that did not count
exactly the calls that were made is an error.

    python -m benchmarks.probe_peers --java-home /path/to/jdk17 --java-home /path/to/jdk25 --publish
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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scipy import stats

from benchmarks import measure, publish
from benchmarks.catalogue import BUILD
from benchmarks.peer_tools import BTRACE, BYTEMAN, SOURCES, Program, tools
from benchmarks.prepare import fetch
from jvmscope.collector.launch.jdk import jdk_of_home
from jvmscope.signals import cleaning_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.peer_tools import Tool

PAGE = Path(__file__).parent.parent / "docs" / "watch.md"
_SECTION = "peers of probes"
_CALLS = 6 * 300_000  # of one answer of the program
_ANSWERS = 3
_CONFIDENCE = 0.95
_COORDINATES = {
    **{
        f"btrace-{part}": f"io.btrace:btrace-{part}:{BTRACE}"
        for part in ("agent", "boot", "client")
    },
    **{
        name: f"org.jboss.byteman:{name}:{BYTEMAN}"
        for name in ("byteman", "byteman-install", "byteman-submit")
    },
}


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Returns an interval of the median, of any distribution; None: there are too few values."""
    ordered, n = sorted(values), len(values)
    rank = int(stats.binom.ppf((1 - _CONFIDENCE) / 2, n, 0.5))
    if rank and stats.binom.cdf(rank - 1, n, 0.5) > (1 - _CONFIDENCE) / 2:
        rank -= 1
    return (ordered[rank - 1], ordered[n - rank]) if rank else None


def _jars() -> Path:
    """Returns a folder with the peers' jars, named without their versions."""
    folder = BUILD / "probe-peers"
    plain = folder / "plain"
    if not plain.exists():
        found = fetch(list(_COORDINATES.values()), folder)
        plain.mkdir()
        for name, coordinate in _COORDINATES.items():
            shutil.copy(
                found / f"{name}-{coordinate.rpartition(':')[2]}.jar", plain / f"{name}.jar"
            )
    return plain


@contextmanager
def _running(java_home: Path, jars: Path) -> Iterator[Program]:
    with tempfile.TemporaryDirectory(prefix="probe-peers-") as name:
        folder = Path(name)
        sources = [str(SOURCES / "Probed.java"), str(SOURCES / "peers" / "Timed.java")]
        subprocess.run([str(java_home / "bin/javac"), "-g", "-d", name, *sources], check=True)
        errors = folder / "stderr"
        with errors.open("w") as stream:
            process = subprocess.Popen(
                [str(java_home / "bin/java"), "-cp", name, "Probed"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                text=True,
            )
        try:
            yield Program(process, java_home, folder, jars, errors)
        finally:
            process.kill()
            process.wait()


def _asked(program: Program, act: str) -> float:
    """Returns the time of a call, in ns; passes by what a tool prints into the program."""
    stdin, stdout = program.process.stdin, program.process.stdout
    if stdin is None or stdout is None:
        raise SystemExit("the program is not asked by a pipe")
    stdin.write(f"{act}\n")
    stdin.flush()
    for line in stdout:
        try:
            return float(line)
        except ValueError:
            continue
    raise SystemExit("the program has ended")


def _beyond(tool: Tool, java_home: Path, jars: Path) -> float:
    """Returns what a call costs beyond two readings of the clock, in ns, in one VM."""
    with _running(java_home, jars) as program:
        for act in ("plain", "timed", "plain", "timed"):
            _asked(program, act)
        with_tool, readings = [], []
        measuring: Any = tool.measuring(program)
        with measuring as n_calls:
            for _ in range(_ANSWERS):
                with_tool.append(_asked(program, "plain"))
                readings.append(_asked(program, "timed"))
            counted = n_calls()
        if counted != _ANSWERS * _CALLS:
            raise SystemExit(f"{tool.name}: counted {counted} of {_ANSWERS * _CALLS} calls")
        return statistics.median(with_tool) - statistics.median(readings)


def _measured(java_homes: dict[int, Path], n: int) -> dict[tuple[str, int], list[float]]:
    jars, chance = _jars(), random.Random(7)  # noqa: S311 - the order of measurements
    cases = [
        (tool, release)
        for tool in tools()
        for release in java_homes
        if tool.releases[0] <= release <= tool.releases[1]
    ]
    found: dict[tuple[str, int], list[float]] = {(tool.name, each): [] for tool, each in cases}
    for number in range(n):
        for tool, release in chance.sample(cases, len(cases)):
            cost = _beyond(tool, java_homes[release], jars)
            found[tool.name, release].append(cost)
            print(f"{number + 1}/{n} {tool.name}, Java {release}: {cost:.1f} ns", file=sys.stderr)
    return found


def table(found: dict[tuple[str, int], list[float]], releases: Sequence[int]) -> list[str]:
    """Returns the lines of the table, from each tool's costs by Java version."""
    return list(_rows(found, releases))


def _rows(found: dict[tuple[str, int], list[float]], releases: Sequence[int]) -> Iterator[str]:
    heads = " | ".join(f"Java {release} | 95 % interval" for release in releases)
    yield f"| tool | keeps | {heads} |"
    yield f"| --- | --- |{' --: | --- |' * len(releases)}"
    for tool in tools():
        cells = []
        for release in releases:
            values = found.get((tool.name, release))
            if values is None:
                cells.append(f"{tool.elsewhere} | ")
                continue
            bounds = interval(values)
            shown = "too few" if bounds is None else f"{bounds[0]:.1f} to {bounds[1]:.1f} ns"
            cells.append(f"{statistics.median(values):.1f} ns | {shown}")
        yield f"| {tool.name} | {tool.keeps} | {' | '.join(cells)} |"


def main() -> None:
    """Measures the tools, prints the table, and publishes it if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.probe_peers", description=__doc__)
    parser.add_argument("--java-home", type=Path, action="append", required=True)
    parser.add_argument("--repetitions", type=int, default=11, help="VMs of each tool")
    parser.add_argument("--publish", action="store_true", help="put the table into docs/watch.md")
    arguments = parser.parse_args()
    jdks = {jdk_of_home(str(home)): home for home in arguments.java_home}
    homes = {int(str(jdk.version).partition(".")[0]): home for jdk, home in jdks.items()}
    found = _measured(homes, arguments.repetitions)
    about = measure.machine()
    versions = " and ".join(str(jdk.version) for jdk in jdks)
    lines = table(found, list(homes))
    lines.append(
        f"\n{arguments.repetitions} VMs each, Java {versions}, {about['cores']} processors "
        f"({about['processor']}), {time.strftime('%Y-%m-%d')}, load average "
        f"{os.getloadavg()[0]:.1f}."
    )
    content = "\n".join(lines)
    print(content)
    if arguments.publish:
        publish.write_section(PAGE, _SECTION, content)


if __name__ == "__main__":
    with cleaning_up():  # a signal ends the programs that run, too
        main()

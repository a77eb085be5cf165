"""How true the times of native code are: a program whose threads know theirs.

`python -m benchmarks.native_share` records workloads/native_share on each JDK, alone and with the
calling context tree, with each clock. Its threads loop for known times in bytecode and in native
code. The table has for each thread: by how many points the share of native code differs from the
program's own, and by how much the sum of both sides differs from the processor time that the system
charged the thread. Returns 1 if one of them is beyond its goal, or a count differs at all.

    python -m benchmarks.native_share --java-home /path/to/17 --java-home /path/to/25 --publish
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import jvmscope
from benchmarks import measure, publish
from jvmscope.collector.launch.jdk import jdk_of_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.collector.launch.jdk import Jdk

__all__ = ["CLOCKS", "Known", "Laboratory", "Seen", "Setting", "table"]

CLOCKS = ("timestamp", "thread", "none")
PAGE = Path(__file__).parent.parent / "docs" / "native.md"
_SOURCES = Path(__file__).parent / "workloads" / "native_share"
_MAIN = "import sys; from jvmscope.cli import main; sys.exit(main())"
_MOST_POINTS = 2.0
_MOST_PERCENT = 2.0
_CALLS = """
    SELECT t.name, SUM(n_calls), SUM(n_jni_calls)
    FROM native_method JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    JOIN thread AS t USING (thread_id)
    WHERE c.name = 'Share' GROUP BY t.name
"""
_TIMES = """
    WITH passed AS (SELECT thread_id, SUM(n_transitions) AS n FROM native_transition GROUP BY ALL)
    SELECT t.name, native_ns, bytecode_ns, 2 * n * interval_ns
    FROM thread_time JOIN passed USING (thread_id) JOIN thread AS t USING (thread_id), native_clock
"""


@dataclass(frozen=True, slots=True)
class Known:
    """What a thread knows of itself: nanoseconds on each side and of all, and its calls."""

    native_ns: int
    bytecode_ns: int
    total_ns: int
    n_native: int
    n_jni: int


@dataclass(frozen=True, slots=True)
class Seen:
    """The same as a run has it.

    Attributes:
        taken_off_ns: what measuring cost by the run's clock, which is in neither side.
        native_ns, bytecode_ns, taken_off_ns: None if only calls were counted.
    """

    n_native: int
    n_jni: int
    native_ns: int | None = None
    bytecode_ns: int | None = None
    taken_off_ns: int | None = None

    def points(self, known: Known) -> float | None:
        """Returns by how many points the share of native code is too large."""
        if self.native_ns is None or self.bytecode_ns is None:
            return None
        right = known.native_ns / (known.native_ns + known.bytecode_ns)
        return 100 * (self.native_ns / (self.native_ns + self.bytecode_ns) - right)

    def percent(self, known: Known, *, is_whole: bool = True) -> float | None:
        """Returns by how many percent the sum is too large; whole: with what was taken off."""
        if self.native_ns is None or self.bytecode_ns is None or self.taken_off_ns is None:
            return None
        total = self.native_ns + self.bytecode_ns + (self.taken_off_ns if is_whole else 0)
        return 100 * (total / known.total_ns - 1)

    def misses(self, known: Known) -> list[str]:
        """Returns what is beyond the goals, in words."""
        points, percent = self.points(known) or 0, self.percent(known) or 0
        found = []
        if abs(points) > _MOST_POINTS:
            found.append(f"the share is wrong by {points:+.2f} points")
        if abs(percent) > _MOST_PERCENT:
            found.append(f"the sum is wrong by {percent:+.2f} %")
        if (self.n_native, self.n_jni) != (known.n_native, known.n_jni):
            found.append(
                f"{self.n_native} calls and {self.n_jni} by JNI, not {known.n_native} and "
                f"{known.n_jni}"
            )
        return found


@dataclass(frozen=True, slots=True)
class Setting:
    """A way to record the program."""

    java: str
    has_tree: bool
    clock: str

    def __str__(self) -> str:
        return f"{self.java}, {'with the tree' if self.has_tree else 'alone'}"


class Laboratory:
    """Builds the program for a JDK and records it."""

    def __init__(self, jdk: Jdk, folder: Path) -> None:
        self._jdk = jdk
        self._folder = folder
        tools, include = Path(jdk.home, "bin"), Path(jdk.home, "include")
        source = _SOURCES / "Share.java"
        compiler = [str(tools / "javac"), "-encoding", "UTF-8", "-g", "-d", str(folder)]
        subprocess.run([*compiler, str(source)], check=True)
        options = ["-std=c11", "-D_GNU_SOURCE", "-O2", "-fPIC", "-shared"]
        headers = [f"-I{include}", f"-I{include / 'linux'}"]
        files = [str(_SOURCES / "share.c"), "-o", str(folder / "share.so"), "-lpthread"]
        subprocess.run([os.environ.get("CC", "cc"), *options, *headers, *files], check=True)

    def record(
        self, setting: Setting, milliseconds: int
    ) -> tuple[dict[str, Known], dict[str, Seen]]:
        """Returns what the threads know and what the run has, each by name of the thread.

        Args:
            setting: how it is recorded; its JDK is that of this laboratory.
            milliseconds: how long each thread works, about.
        """
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            run = Path(folder) / "share.run"
            options = [] if setting.has_tree else ["--no-tree"]
            options += ["--probes", "native", "--native-clock", setting.clock, "-o", str(run)]
            program = [self._jdk.java, "-Dstdout.encoding=UTF-8", "-cp", str(self._folder), "Share"]
            if self._jdk.major >= 24:
                program.insert(1, "--enable-native-access=ALL-UNNAMED")
            done = subprocess.run(
                [
                    *(sys.executable, "-c", _MAIN, "record", "--quiet", *options, "--"),
                    *(*program, str(self._folder / "share.so"), str(milliseconds)),
                ],
                stdout=subprocess.PIPE,
                check=True,
            )
            return _known(done.stdout.decode()), _seen(run, has_times=setting.clock != "none")


def _known(output: str) -> dict[str, Known]:
    lines = [line.split("\t") for line in output.splitlines()]
    return {name: Known(*map(int, values)) for name, *values in lines}


def _seen(run: Path, *, has_times: bool) -> dict[str, Seen]:
    with jvmscope.open(run) as opened:
        calls = list(opened.query(_CALLS, language="sql").rows())
        rows = opened.query(_TIMES, language="sql").rows() if has_times else ()
        times = {name: values for name, *values in rows}
    return {name: Seen(*values, *times.get(name, ())) for name, *values in calls}


Results = dict["Setting", tuple[dict[str, Known], dict[str, Seen]]]


def table(results: Results, clock: str) -> str:
    """Returns a row for each thread, and for each setting with this clock both differences."""
    settings = [setting for setting in results if setting.clock == clock]
    names = list(results[settings[0]][0])
    lines = [["thread", *map(str, settings)], ["---", *["--:"] * len(settings)]]
    for name in names:
        pairs = [(results[each][0][name], results[each][1][name]) for each in settings]
        cells = [f"{_signed(s.points(k))} / {_signed(s.percent(k))} %" for k, s in pairs]
        lines.append([name, *cells])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.2f}"


def _summary(results: Results, clock: str) -> str:
    """Returns the largest differences with a clock, in words."""
    pairs = [
        (known[name], seen[name])
        for setting, (known, seen) in results.items()
        for name in known
        if setting.clock == clock
    ]
    points = max(abs(seen.points(known) or 0) for known, seen in pairs)
    percent = max(abs(seen.percent(known) or 0) for known, seen in pairs)
    bare = max(abs(seen.percent(known, is_whole=False) or 0) for known, seen in pairs)
    return (
        f"`--native-clock {clock}`: shares are wrong by at most {points:.2f} points, sums by "
        f"{percent:.2f} %, and without what measuring cost by {bare:.2f} %."
    )


def _page(results: Results, loads: Sequence[float]) -> str:
    machine = measure.machine()
    about = (
        f"{machine['cores']} processors ({machine['processor']}), "
        f"{time.strftime('%Y-%m-%d', time.gmtime())}, load average {min(loads):.1f} to "
        f"{max(loads):.1f}."
    )
    counts = (
        "; ".join(misses(results)) or "All calls were counted, with each clock and without one."
    )
    summaries = "\n".join(f"- {_summary(results, clock)}" for clock in CLOCKS[:2])
    return f"{table(results, CLOCKS[0])}\n\n{summaries}\n- {counts}\n\n{about}"


def misses(results: Results) -> Iterator[str]:
    """Yields what is beyond the goals."""
    for setting, (known, seen) in results.items():
        for name, facts in known.items():
            for words in seen[name].misses(facts):
                yield f"{setting}, {setting.clock}: {name}: {words}"


def main() -> int:
    """Measures, prints the table, and publishes it if asked to."""
    parser = argparse.ArgumentParser(prog="benchmarks.native_share", description=__doc__)
    parser.add_argument("--java-home", type=Path, action="append", help="repeatable")
    parser.add_argument("--milliseconds", type=int, default=800, help="of each thread, about")
    parser.add_argument("--publish", action="store_true", help="put the table into docs/native.md")
    arguments = parser.parse_args()
    homes = arguments.java_home or [os.environ.get("JAVA_HOME") or sys.exit("no --java-home")]
    results: Results = {}
    loads = []
    for home in homes:
        jdk = jdk_of_home(str(home))
        with tempfile.TemporaryDirectory(prefix="native-share-") as folder:
            laboratory = Laboratory(jdk, Path(folder))
            for has_tree in (False, True):
                for clock in CLOCKS:
                    setting = Setting(f"JDK {jdk.major}", has_tree, clock)
                    results[setting] = laboratory.record(setting, arguments.milliseconds)
                    loads.append(os.getloadavg()[0])
    content = _page(results, loads)
    print(content)
    if arguments.publish:
        text = PAGE.read_text(encoding="utf-8")
        text = publish.replace_section(text, "native share of known programs", content)
        PAGE.write_text(text, encoding="utf-8")
    return int(any(misses(results)))


if __name__ == "__main__":
    sys.exit(main())

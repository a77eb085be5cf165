"""What a probe costs for each invocation: `python -m benchmarks.probe_cost`.

A program calls a small method, very often, in one thread, and says how much
processor time of the thread a call took: bare, with two readings of the clock written in Java, and
with a probe put into it while it runs. What a probe costs beyond two readings is the difference of
the last two. Modes take turns; the smallest value of each counts.

    python -m benchmarks.probe_cost --java-home /path/to/jdk
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector import agent_jar
from jvmscope.signals import cleaning_up
from jvmscope.watch import find_vm, parse_probe
from jvmscope.watch.probes.link import AgentLink

if TYPE_CHECKING:
    from collections.abc import Iterator

_GOAL_NS = 60
_SOURCE = Path(__file__).parent / "workloads" / "probed" / "Probed.java"

_MODES = {
    "probe": ("Probed.plain", False),
    "probe with a condition that holds": ("Probed.plain(int n) when n >= 0", False),
    "probe with a condition that does not hold": ("Probed.plain(int n) when n < 0", False),
    "probe with callers": ("Probed.plain", True),
}


def main() -> int:
    """Prints nanoseconds a call for each mode; returns 1 if the goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.probe_cost", description=__doc__)
    parser.add_argument("--java-home", type=Path, default=os.environ.get("JAVA_HOME"))
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    tool = arguments.java_home / "bin" if arguments.java_home else Path()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(tool / "javac"), "-g", "-d", folder, str(_SOURCE)], check=True)
        program = subprocess.Popen(
            [str(tool / "java"), "-cp", folder, "Probed"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            best = _measured(program, arguments.repetitions)
        finally:
            program.kill()
            program.communicate()
    for mode, ns in best.items():
        print(f"{mode}: {ns:.1f} ns a call")
    beyond = best["probe"] - best["two readings"]
    print(f"a probe beyond two readings: {beyond:.1f} ns; goal {_GOAL_NS}")
    return int(beyond > _GOAL_NS)


def _measured(program: subprocess.Popen[str], repetitions: int) -> dict[str, float]:
    """Returns the smallest time of a call for each mode."""
    time.sleep(1)  # until it takes SIGQUIT
    vm = find_vm(program.pid)
    if vm is None:
        raise SystemExit("the program has ended")
    best: dict[str, float] = {}
    link = AgentLink(vm, agent_jar())
    for _ in range(repetitions):
        for mode, ns in _round(program, link):
            best[mode] = min(ns, best.get(mode, ns))
    link.close()
    return best


def _round(program: subprocess.Popen[str], link: AgentLink) -> Iterator[tuple[str, float]]:
    yield "bare", _asked(program, "plain")
    yield "two readings", _asked(program, "timed")
    for mode, (text, has_callers) in _MODES.items():
        link.send(parse_probe(text).fields(0, has_callers=has_callers))
        link.send(["insert"])
        link.answer("inserted")
        yield mode, _asked(program, "plain")
        link.send(["remove"])
        link.answer("removed")
    yield "bare after", _asked(program, "plain")


def _asked(program: subprocess.Popen[str], act: str) -> float:
    if program.stdin is None or program.stdout is None:
        raise SystemExit("the program is not asked by a pipe")
    program.stdin.write(f"{act}\n")
    program.stdin.flush()
    return float(program.stdout.readline())


if __name__ == "__main__":
    with cleaning_up():  # a signal ends the programs that run, too
        sys.exit(main())

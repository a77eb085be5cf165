"""What a command costs before its work: `python -m benchmarks.start RUN`.

Each command is a process of its own, from Python's start to its end. Its processor time, user and
system, is what counts, since other work on the machine disturbs it less than the clock.

    python -m benchmarks.start app.run                     # of a small run, prints a table
    python -m benchmarks.start app.run --check             # fails where a goal is missed
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from pathlib import Path

from benchmarks.measure import Sample, run
from benchmarks.publish import PAGE, write_section

_COMMANDS = {
    "`--help`": (["--help"], 0.1),
    "SQL": (["query", "RUN", "SELECT name, kind FROM thread"], 0.25),
    "XQuery": (["query", "RUN", "count($cct//dcg:context)"], 0.4),
}
"""What is run, and the goal in seconds of processor time."""


def main() -> int:
    """Prints or publishes a row for each command; returns 1 if a goal that counts is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start", description=__doc__)
    parser.add_argument("run", type=Path, help="a small run")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--check", action="store_true", help="fail where a goal is missed")
    parser.add_argument("--publish", action="store_true", help="write into docs/performance.md")
    arguments = parser.parse_args()
    lines = [
        f"`{arguments.repetitions}` processes each, load average {os.getloadavg()[0]:.1f}:",
        "",
        "| command | goal, s | fastest | median | peak memory, MiB |",
        "| --- | --: | --: | --: | --: |",
    ]
    is_missed = False
    for name, (words, goal) in _COMMANDS.items():
        samples = _samples(words, arguments.run, arguments.repetitions)
        seconds = [sample.cpu_ms / 1000 for sample in samples]
        peak = max(sample.peak_rss_bytes for sample in samples) >> 20
        is_missed |= min(seconds) > goal
        lines.append(
            f"| {name} | {goal} | {min(seconds):.2f} | {statistics.median(seconds):.2f} | {peak} |"
        )
    text = "\n".join(lines)
    if arguments.publish:
        write_section(PAGE, "start", text)
    print(text)
    return int(arguments.check and is_missed)


def _samples(words: list[str], of: Path, n: int) -> list[Sample]:
    command = [sys.executable, "-m", "jvmscope", *(str(of) if w == "RUN" else w for w in words)]
    samples = [run(command, timeout_seconds=300) for _ in range(n + 1)][1:]  # the first compiles
    for sample in samples:
        if sample.status:
            raise SystemExit(f"{' '.join(command)} ended with {sample.status}: {sample.stderr}")
    return samples


if __name__ == "__main__":
    sys.exit(main())

"""All metrics of the catalogue on large runs: seconds and memory together, and of each.

    python -m benchmarks.metrics                                  # 1 M and 10 M contexts, synthetic
    python -m benchmarks.metrics --run app.run --repetitions 3    # recorded ones
    python -m benchmarks.metrics --publish                        # into docs/performance.md

A repetition is two processes. One imports, opens the run and measures all metrics, without the
cache, as ``jvmscope measure RUN --no-cache`` does; the other measures them one after the other, for
what each of them takes by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.publish import PAGE, write_section
from benchmarks.queries.synthetic import write_synthetic
from jvmscope.schema import read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SHOWN = 12


@dataclass(frozen=True)
class Measured:
    """What a process took for all metrics of one run: seconds by the clock, of processors, MiB.

    ``by_metric`` has seconds of processors, which other work on the machine disturbs less.
    """

    n_contexts: int
    seconds: float
    processor: float
    peak_mib: int
    by_metric: dict[str, float]


def main() -> None:
    """Measures, and prints or publishes one table of the whole, and one of the slowest metrics."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metrics", description=__doc__)
    parser.add_argument("--sizes", default="1000000,10000000", help="contexts, synthetic")
    parser.add_argument("--run", type=Path, action="append", default=[], help="a recorded run")
    parser.add_argument("--scope", default="run")
    parser.add_argument("--metric", action="append", default=[], help="ID, GLOB or tag:T")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=900, help="seconds for one process")
    parser.add_argument("--publish", action="store_true", help="write into docs/performance.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jvmscope-bench-") as scratch:
        measured = {
            name: [_measure(run, arguments) for _ in range(arguments.repetitions)]
            for name, run in _runs(arguments, Path(scratch))
        }
    text = f"{_conditions(sys.argv[1:])}\n\n{_totals(measured)}\n\n{_slowest(measured)}"
    if arguments.publish:
        write_section(PAGE, "metrics", text)
    print(text)


def _runs(arguments: argparse.Namespace, scratch: Path) -> Iterator[tuple[str, Path]]:
    for run in arguments.run:
        yield run.name.removesuffix(".run"), run
    for size in filter(None, arguments.sizes.split(",") if not arguments.run else ()):
        run = scratch / f"{size}.run"
        write_synthetic(run, int(size))
        yield f"synthetic, {int(size):,}", run


def _measure(run: Path, arguments: argparse.Namespace) -> Measured:
    together = _process("together", run, arguments)
    alone = _process("alone", run, arguments)
    n_contexts = read_manifest(run).tables["context"].rows
    return Measured(n_contexts, **{**together, "by_metric": alone["by_metric"]})


def _process(how: str, run: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    words = [sys.executable, "-m", "benchmarks.metrics.one", how, str(run), arguments.scope]
    done = subprocess.run(
        [*words, *arguments.metric],
        capture_output=True,
        text=True,
        timeout=arguments.timeout,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    if done.stderr:
        print(done.stderr, end="", file=sys.stderr)
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def _totals(measured: dict[str, list[Measured]]) -> str:
    lines = [
        "| run | contexts | metrics | seconds | processor seconds | peak memory, MiB |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    for name, taken in measured.items():
        middle = statistics.median(m.seconds for m in taken)
        processor = statistics.median(m.processor for m in taken)
        lines.append(
            f"| {name} | {taken[0].n_contexts:,} | {len(taken[0].by_metric)} | {middle:.1f} | "
            f"{processor:.1f} | {max(m.peak_mib for m in taken):,} |"
        )
    return "\n".join(lines)


def _slowest(measured: dict[str, list[Measured]]) -> str:
    middle = {
        name: {
            metric: statistics.median(m.by_metric[metric] for m in taken)
            for metric in taken[0].by_metric
        }
        for name, taken in measured.items()
    }
    last = middle[list(middle)[-1]]
    chosen = sorted(last, key=lambda metric: -last[metric])[:_SHOWN]
    lines = [
        f"| processor seconds of the slowest | {' | '.join(middle)} |",
        "| --- |" + " --: |" * len(middle),
    ]
    for metric in chosen:
        cells = " | ".join(f"{by_metric[metric]:.2f}" for by_metric in middle.values())
        lines.append(f"| `{metric}` | {cells} |")
    return "\n".join(lines)


def _conditions(words: Sequence[str]) -> str:
    load = os.getloadavg()[0]
    command = " ".join(["python -m benchmarks.metrics", *(Path(word).name for word in words)])
    return (
        f"`{command}`, Python {platform.python_version()}, {os.cpu_count()} processors, "
        f"load average {load:.1f}:"
    )


if __name__ == "__main__":
    main()

"""Asks mutated queries: python -m fuzz --count 100000 [--language sql] [--jobs 2] [--seed 1]."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from support.samples import write_shapes

from fuzz.corpus import seeds
from fuzz.processes import Task, endings


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many queries")
    parser.add_argument("--language", choices=("xquery", "xpath", "sql"), default="xquery")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--seed", type=int, default=1, help="where the mutations begin")
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds that a query may take")
    home = os.environ.get("QT3_HOME")
    parser.add_argument(
        "--home", type=Path, default=home and Path(home), help="the QT3 suite, to mutate it, too"
    )
    return parser.parse_args()


def main() -> int:
    """Runs what the arguments ask for; returns 0 if every query ended as it may."""
    arguments = _arguments()
    kinds: Counter[str] = Counter()
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="jvmscope-fuzz-") as name:
        folder = Path(name, "work")
        folder.mkdir()
        task = Task(
            seeds=seeds(arguments.language, arguments.home),
            run=write_shapes(Path(name, "shapes.run"), probes=("receiver",)),
            folder=folder,
            language=arguments.language,
            timeout=arguments.timeout,
        )
        for ending in endings(task, arguments.count, arguments.jobs, arguments.seed):
            kinds[ending.kind] += 1
            if ending.problem:
                kinds["problem"] += 1
                sys.stdout.write(f"=== {ending.text!r}\n{ending.problem}\n")
            if kinds.total() % 1000 == 0:
                sys.stdout.write(f"{kinds.total()} after {time.monotonic() - start:.0f} s\n")
            sys.stdout.flush()
        appeared = sorted(path.name for path in folder.iterdir())
    for kind, count in kinds.most_common():
        sys.stdout.write(f"{count:>8} {kind}\n")
    if appeared:
        sys.stdout.write(f"files appeared: {appeared}\n")
    return 1 if kinds["problem"] or appeared else 0


if __name__ == "__main__":
    sys.exit(main())

"""Questions asked of runs of several sizes, by jvmscope and by processors of XML, in turn.

    python -m benchmarks.queries --sizes 10000,100000,1000000 --repetitions 3
    python -m benchmarks.queries --run app.run --processors jvmscope,sql

Each processor answers each question in a process of its own, so a figure is what a user waits for:
start, load, answer. Load and answer are given apart as well. Answers are compared.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.catalogue import BUILD
from benchmarks.prepare import fetch
from benchmarks.queries.processors import PROCESSORS, Measured, Subject, ask
from benchmarks.queries.questions import QUESTIONS
from benchmarks.queries.synthetic import write_synthetic
from jvmscope.schema import read_manifest
from jvmscope.schema.xml import export_xml

if TYPE_CHECKING:
    from collections.abc import Iterator

_BASEX = "org.basex:basex:10.7"
_XML = frozenset({"saxon", "basex", "lxml"})


def main() -> None:
    """Measures, and prints one table a size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.queries", description=__doc__)
    parser.add_argument("--sizes", default="10000,100000,1000000", help="contexts, synthetic")
    parser.add_argument("--run", type=Path, action="append", default=[], help="a recorded run")
    parser.add_argument("--processors", default=",".join(PROCESSORS))
    parser.add_argument("--questions", default=",".join(q.name for q in QUESTIONS))
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one process")
    arguments = parser.parse_args()
    processors = tuple(arguments.processors.split(","))
    for subject in _subjects(arguments, needs_xml=bool(_XML & {*processors})):
        n = read_manifest(subject.run).tables["context"].rows
        print(f"\n{n:,} contexts\n")
        print("| question | " + " | ".join(processors) + " | best of XML / jvmscope |")
        print("| --- |" + " --: |" * (len(processors) + 1))
        for name in arguments.questions.split(","):
            measured = _interleaved(processors, subject, name, arguments)
            print(_line(name, measured), flush=True)


def _subjects(arguments: argparse.Namespace, *, needs_xml: bool) -> Iterator[Subject]:
    basex = None
    if "basex" in arguments.processors:
        basex = fetch([_BASEX], BUILD / "basex") / "*"
    with tempfile.TemporaryDirectory(prefix="jvmscope-bench-") as scratch:
        runs = list(arguments.run)
        for size in filter(None, arguments.sizes.split(",") if not runs else ()):
            runs.append(Path(scratch, f"{size}.run"))
            write_synthetic(runs[-1], int(size))
        for run in runs:
            if not needs_xml:
                yield Subject(run)
                continue
            cct, classes = Path(scratch, "cct.xml"), Path(scratch, "classes.xml")
            export_xml(run, cct, classes)
            yield Subject(run, cct, classes, basex)


def _interleaved(
    processors: tuple[str, ...], subject: Subject, question: str, arguments: argparse.Namespace
) -> dict[str, list[Measured]]:
    """Returns the measurements of each processor, taken in turn; none where it failed."""
    found: dict[str, list[Measured]] = {processor: [] for processor in processors}
    failed: set[str] = set()
    for _ in range(arguments.repetitions):
        for processor in processors:
            if processor in failed:
                continue
            try:
                one = ask(processor, subject, (question,), arguments.timeout)
            except (subprocess.SubprocessError, OSError) as error:
                print(f"{processor}, {question}: {_reason(error)}", file=sys.stderr)
                failed.add(processor)
                continue
            found[processor].append(one)
    answers = {m.answers[question] for taken in found.values() for m in taken}
    if len(answers) > 1:
        print(f"{question}: THE ANSWERS DIFFER: {sorted(answers)}", file=sys.stderr)
    return found


def _reason(error: Exception) -> str:
    text = getattr(error, "stderr", None) or str(error)
    return str(text).strip().splitlines()[-1][:200]


def _line(question: str, measured: dict[str, list[Measured]]) -> str:
    cells = []
    for taken in measured.values():
        if not taken:
            cells.append("-")
            continue
        whole = statistics.median(m.whole for m in taken)
        load = statistics.median(m.load for m in taken)
        answer = statistics.median(m.seconds[question] for m in taken)
        peak = max(m.peak_mib for m in taken)
        cells.append(f"{whole:.2f} s (load {load:.2f}, answer {answer:.3f}; {peak:,} MiB)")
    others = [
        statistics.median(m.whole for m in taken)
        for processor, taken in measured.items()
        if processor in _XML and taken
    ]
    ratio = "-"
    if others and measured.get("jvmscope"):
        ratio = f"{min(others) / statistics.median(m.whole for m in measured['jvmscope']):.1f}"
    return f"| {question} | " + " | ".join(cells) + f" | {ratio} |"


if __name__ == "__main__":
    main()

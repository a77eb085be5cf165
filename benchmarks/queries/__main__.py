"""Questions asked of runs of several sizes, by jvmscope and by processors of XML, in turn.

    python -m benchmarks.queries --sizes 10000,100000,1000000 --repetitions 3
    python -m benchmarks.queries --run app.run --processors jvmscope,sql
    python -m benchmarks.queries --sizes 1000000,10000000 --xml-most 1000000 --publish

First, compiled XQuery beside SQL by hand, warm, in one process (``by_hand``). Then each processor
answers each question in a process of its own, so a figure is what a user waits for: start, load,
answer. Load and answer are given apart as well. Answers are compared. A question in which a
processor fails, for memory or otherwise, says why.
"""

from __future__ import annotations

import argparse
import platform
import shlex
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.catalogue import BUILD
from benchmarks.measure import machine
from benchmarks.prepare import fetch
from benchmarks.publish import PAGE, replace_section
from benchmarks.queries import by_hand
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
    parser.add_argument(
        "--xml-most", type=int, default=1_000_000, help="contexts, above which none reads XML"
    )
    parser.add_argument("--publish", action="store_true", help="write into docs/performance.md")
    arguments = parser.parse_args()
    lines = [_machine()]
    print(lines[0])
    for subject in _subjects(arguments):
        for line in _tables(subject, arguments):
            print(line, flush=True)
            lines.append(line)
    if arguments.publish:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(replace_section(text, "queries", "\n".join(lines)), encoding="utf-8")


def _machine() -> str:
    packages = ("duckdb", "saxonche", "lxml")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    java = subprocess.run(["java", "-version"], capture_output=True, check=False, text=True)
    facts = ", ".join(f"{name} {value}" for name, value in machine().items())
    return (
        f"Python {platform.python_version()}, {versions}, BaseX {_BASEX.rpartition(':')[2]} on "
        f"{java.stderr.partition(chr(10))[0]}; {facts}; "
        f"`python -m benchmarks.queries {shlex.join(sys.argv[1:])}`:"
    )


def _tables(subject: Subject, arguments: argparse.Namespace) -> Iterator[str]:
    """Yields the lines of both tables of a run."""
    questions = arguments.questions.split(",")
    n = read_manifest(subject.run).tables["context"].rows
    yield f"\n**{n:,} contexts** ({'synthetic' if not arguments.run else subject.run.name})\n"
    yield "Compiled XQuery beside SQL by hand, ms:\n"
    yield from by_hand.table(subject.run, questions, max(5, arguments.repetitions))
    processors = tuple(
        processor
        for processor in arguments.processors.split(",")
        if subject.cct is not None or processor not in _XML
    )
    yield "\nEach in a process of its own:\n"
    yield "| question | " + " | ".join(processors) + " | best of XML / jvmscope |"
    yield "| --- |" + " --: |" * (len(processors) + 1)
    for name in questions:
        yield _line(name, *_interleaved(processors, subject, name, arguments))


def _subjects(arguments: argparse.Namespace) -> Iterator[Subject]:
    basex = None
    needs_xml = bool(_XML & {*arguments.processors.split(",")})
    if "basex" in arguments.processors:
        basex = fetch([_BASEX], BUILD / "basex") / "*"
    with tempfile.TemporaryDirectory(prefix="jvmscope-bench-") as scratch:
        runs = list(arguments.run)
        for size in filter(None, arguments.sizes.split(",") if not runs else ()):
            runs.append(Path(scratch, f"{size}.run"))
            write_synthetic(runs[-1], int(size))
        for run in runs:
            n = read_manifest(run).tables["context"].rows
            if not needs_xml or n > arguments.xml_most:
                yield Subject(run)
                continue
            cct, classes = Path(scratch, "cct.xml"), Path(scratch, "classes.xml")
            export_xml(run, cct, classes)
            yield Subject(run, cct, classes, basex)


def _interleaved(
    processors: tuple[str, ...], subject: Subject, question: str, arguments: argparse.Namespace
) -> tuple[dict[str, list[Measured]], dict[str, str]]:
    """Returns the measurements of each processor, taken in turn, and why one failed."""
    found: dict[str, list[Measured]] = {processor: [] for processor in processors}
    failed: dict[str, str] = {}
    for _ in range(arguments.repetitions):
        for processor in processors:
            if processor in failed:
                continue
            try:
                one = ask(processor, subject, (question,), arguments.timeout)
            except (subprocess.SubprocessError, OSError) as error:
                failed[processor] = _reason(error)
                continue
            found[processor].append(one)
    answers = {m.answers[question] for taken in found.values() for m in taken}
    if len(answers) > 1:
        print(f"{question}: THE ANSWERS DIFFER: {sorted(answers)}", file=sys.stderr)
    return found, failed


def _reason(error: Exception) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"not in {error.timeout:.0f} s"
    text = getattr(error, "stderr", None) or str(error)
    return str(text).strip().splitlines()[-1][:100].replace("|", "/")


def _line(question: str, measured: dict[str, list[Measured]], failed: dict[str, str]) -> str:
    cells = []
    for processor, taken in measured.items():
        if not taken:
            cells.append(f"failed: {failed[processor]}")
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

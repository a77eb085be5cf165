"""Who answers: jvmscope, SQL by hand, SaxonC-HE, BaseX, lxml; each in a process of its own.

A processor's program prints one JSON line: seconds to load, seconds of each answer, the answers.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.queries.questions import QUESTIONS, Question, prolog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Answer = Callable[[Question], str]

__all__ = ["PROCESSORS", "Measured", "Subject", "ask", "main"]

PROCESSORS = ("jvmscope", "sql", "saxon", "basex", "lxml")


@dataclass(frozen=True)
class Subject:
    """A run, and its XML view where the processor reads files."""

    run: Path
    cct: Path | None = None
    classes: Path | None = None
    basex: Path | None = None  # the jar's class path


@dataclass(frozen=True)
class Measured:
    """What one process did.

    Attributes:
        load: seconds until the first question; for jvmscope, opening the run.
        seconds: of each question, by name.
        answers: of each question, by name.
        whole: seconds of the process, from start to end.
        peak_mib: its largest resident set.
    """

    load: float
    seconds: Mapping[str, float]
    answers: Mapping[str, str]
    whole: float
    peak_mib: int


def ask(processor: str, subject: Subject, questions: tuple[str, ...], timeout: float) -> Measured:
    """Returns how a processor answered the questions, in one process.

    Raises:
        subprocess.SubprocessError: it failed, or the time was over.
    """
    files = [str(f) if f else "" for f in (subject.cct, subject.classes, subject.basex)]
    command = [sys.executable, "-m", "benchmarks.queries.processors", processor, str(subject.run)]
    start = time.perf_counter()
    done = subprocess.run(
        [*command, *files, *questions],
        capture_output=True,
        check=True,
        text=True,
        timeout=timeout,
    )
    whole = time.perf_counter() - start
    found = json.loads(done.stdout.splitlines()[-1])
    return Measured(
        found["load"], found["seconds"], found["answers"], whole, found["peak_kib"] >> 10
    )


def main() -> None:
    """Answers questions as one processor, in this process."""
    import resource

    processor, run, cct, classes, basex, *questions = sys.argv[1:]
    subject = Subject(Path(run), Path(cct), Path(classes), Path(basex))
    start = time.perf_counter()
    answer = _OPENED[processor](subject)
    load = time.perf_counter() - start
    seconds, answers = {}, {}
    for question in QUESTIONS:
        if question.name in questions:
            start = time.perf_counter()
            answers[question.name] = answer(question)
            seconds[question.name] = time.perf_counter() - start
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    peak = max(_own_peak_kib(), children)
    print(json.dumps({"load": load, "seconds": seconds, "answers": answers, "peak_kib": peak}))


def _own_peak_kib() -> int:
    """Returns this process's largest resident set; getrusage would count its parent's as well."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


def _jvmscope(subject: Subject) -> Answer:
    from jvmscope.queries import Engine

    engine = Engine(subject.run)

    def answer(question: Question) -> str:
        ((value,),) = engine.query(question.xquery).rows()
        return str(value)

    return answer


def _sql(subject: Subject) -> Answer:
    from jvmscope.queries import Engine

    engine = Engine(subject.run)

    def answer(question: Question) -> str:
        ((value,),) = engine.query(question.sql).rows()
        return str(value)

    return answer


def _saxon(subject: Subject) -> Answer:
    from saxonche import PySaxonProcessor

    processor = PySaxonProcessor(license=False)
    documents = [processor.parse_xml(xml_file_name=str(f)) for f in (subject.cct, subject.classes)]

    def answer(question: Question) -> str:
        query = processor.new_xquery_processor()
        query.set_query_content(
            'declare namespace dcg = "urn:jvmscope:dcg:1";'
            "declare variable $cct external; declare variable $classes external;"
            "declare variable $methods := $classes//dcg:method;" + question.xquery
        )
        query.set_parameter("cct", documents[0])
        query.set_parameter("classes", documents[1])
        return str(query.run_query_to_value().item_at(0).string_value)

    return answer


def _basex(subject: Subject) -> Answer:
    def answer(question: Question) -> str:
        text = prolog(str(subject.cct), str(subject.classes)) + question.xquery
        command = ["java", "-Xmx12g", "-cp", str(subject.basex), "org.basex.BaseX", text]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()

    return answer


def _lxml(subject: Subject) -> Answer:
    from lxml import etree

    parser = etree.XMLParser(huge_tree=True)
    trees = [etree.parse(f, parser) for f in (str(subject.cct), str(subject.classes))]
    return lambda question: question.lxml(*trees)


_OPENED = {"jvmscope": _jvmscope, "sql": _sql, "saxon": _saxon, "basex": _basex, "lxml": _lxml}

if __name__ == "__main__":
    main()

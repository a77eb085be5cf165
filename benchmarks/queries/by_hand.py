"""Compiled XQuery beside SQL by hand, over the same tables: warm, in one process, in turn.

The figures are medians. ``compile`` is from the text to the SQL; ``DuckDB`` is that SQL and the
SQL by hand run on the same connection; ``answer`` is all of ``Engine.query``, compilation
included, so that its ratio is what short queries pay as well.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from typing import TYPE_CHECKING

from benchmarks.queries.questions import QUESTIONS, Question
from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["table"]

_HEADER = """\
| question | compile | DuckDB: compiled | by hand | ratio | answer: XQuery | SQL | ratio |
| --- | --: | --: | --: | --: | --: | --: | --: |"""


def table(run: Path, questions: list[str], repetitions: int) -> Iterator[str]:
    """Yields the lines of a table, in milliseconds by the clock and by processor time."""
    yield _HEADER
    with Engine(run) as engine:
        for question in QUESTIONS:
            if question.name in questions:
                clock, processor = _measured(engine, question, repetitions)
                yield f"| {question.name} | {_cells(clock)} |"
                yield f"| … processor time | {_cells(processor)} |"


def _measured(
    engine: Engine, question: Question, repetitions: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Returns the medians of each way to answer, by the clock and of the processor.

    Raises:
        AssertionError: part of the question is not compiled, or the answers differ.
    """
    plan = engine.xquery(question.xquery).plan
    if plan.program is not None or len(plan.parts) != 1:
        raise AssertionError(f"{question.name} is not compiled as one part")
    compiled = plan.parts[0].sql
    cursor = engine.connect()
    ways: dict[str, Callable[[], object]] = {
        "compile": lambda: engine.xquery(question.xquery),
        "compiled": lambda: cursor.execute(compiled).fetchall(),
        "by hand": lambda: cursor.execute(question.sql).fetchall(),
        "xquery": lambda: list(engine.query(question.xquery).rows()),
        "sql": lambda: list(engine.query(question.sql).rows()),
    }
    if ways["xquery"]() != ways["sql"]():
        raise AssertionError(f"{question.name}: the answers differ")
    clock, processor = defaultdict(list), defaultdict(list)
    for _ in range(repetitions):
        for name, way in ways.items():
            at, used = time.perf_counter(), time.process_time()
            way()
            clock[name].append((time.perf_counter() - at) * 1000)
            processor[name].append((time.process_time() - used) * 1000)
    return (
        {name: statistics.median(taken) for name, taken in clock.items()},
        {name: statistics.median(taken) for name, taken in processor.items()},
    )


def _cells(taken: dict[str, float]) -> str:
    cells = [f"{taken['compile']:.1f}"]
    for one, other in (("compiled", "by hand"), ("xquery", "sql")):
        ratio = taken[one] / taken[other]
        cells += [f"{taken[one]:.1f}", f"{taken[other]:.1f}", f"{ratio:.2f}"]
    return " | ".join(cells)

"""What a report is about: the runs and suites that it is asked for, each under a name of its own.

A benchmark of a suite is a subject once for each set of parameters and each JVM. Of several
invocations the first that was recorded stands for all: counts are facts, not samples.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jvmscope.reports.model import Subject
from jvmscope.schema import read_manifest
from jvmscope.schema.suite import is_suite, open_suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from jvmscope.schema.suite import Row, Suite

__all__ = ["Subjects", "subjects_of"]


@dataclass(frozen=True)
class Subjects:
    """Subjects without facts, what a report about them is called, and what is to be known."""

    title: str
    subjects: tuple[Subject, ...]
    notes: tuple[str, ...]


def subjects_of(paths: Sequence[Path]) -> Subjects:
    """Returns the subjects in the order of the paths, and of the suites' rows.

    Args:
        paths: directories of runs, and of suites.

    Raises:
        RunError: one of them is neither, or a run has no calling context tree.
        SuiteError: a suite's lock file is damaged.
    """
    found: list[Subject] = []
    titles: list[str] = []
    notes: list[str] = []
    for path in paths:
        if is_suite(path):
            suite = open_suite(path)
            found += _of_suite(suite)
            notes += _notes(suite)
            titles.append(suite.name)
        else:
            found.append(_of_run(path))
            titles.append(found[-1].name)
    if len(titles) > 3:
        titles = [*titles[:2], f"{len(titles) - 2} more"]
    return Subjects(", ".join(titles), tuple(_told_apart(found)), tuple(notes))


def _of_run(path: Path) -> Subject:
    manifest = read_manifest(path)
    manifest.expect_tree(path)
    name = path.absolute().name.removesuffix(".run")
    is_complete = manifest.status == "complete"
    return Subject(
        name=name,
        benchmark=name,
        status="recorded" if is_complete else manifest.status,
        reason=None if is_complete else "; ".join(manifest.limits) or "the recording is incomplete",
        run=path,
    )


def _of_suite(suite: Suite) -> list[Subject]:
    for row in suite.rows:
        if row.run is not None:
            read_manifest(row.run).expect_tree(row.run)
    return [
        Subject(
            name=_name(row),
            benchmark=row.benchmark,
            parameters=tuple((key, str(value)) for key, value in row.parameters.items()),
            jvm=row.jvm,
            suite=suite.name,
            status=row.status,
            reason=row.reason,
            run=row.run,
            is_measured=row.run is not None,
            command=" ".join(row.command) or None,
        )
        for row in map(_representative, _invocations(suite.rows))
    ]


def _name(row: Row) -> str:
    """Returns a row's name without the number of the invocation."""
    return row.name.removesuffix(f"-{row.invocation}")


def _invocations(rows: Iterable[Row]) -> list[list[Row]]:
    """Returns the rows of one benchmark, its parameters and JVM together, in their order."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_name(row), []).append(row)
    return list(groups.values())


def _representative(rows: Sequence[Row]) -> Row:
    return next((row for row in rows if row.run is not None), rows[0])


def _notes(suite: Suite) -> list[str]:
    groups = _invocations(suite.rows)
    chosen = [_representative(rows) for rows in groups]
    lost = Counter(row.status for row in chosen if row.run is None)
    notes = []
    if lost:
        said = ", ".join(f"{n} {status}" for status, n in lost.items())
        n = sum(lost.values())
        notes.append(f"{suite.name}: of {len(chosen)} benchmarks {n} have no values: {said}")
    if any(len(rows) > 1 for rows in groups):
        notes.append(
            f"{suite.name}: of several invocations the first recorded one is shown; "
            "jvmscope check RUN RUN says whether others are identical"
        )
    several = [_name(row) for row in chosen if len(row.runs) > 1]
    if several:
        notes.append(f"of several JVMs that it started, the first is shown: {', '.join(several)}")
    return notes


def _told_apart(subjects: Sequence[Subject]) -> list[Subject]:
    """Returns the subjects with names of which no two are the same.

    What shares its name gets the suite's, or the parent directories' before it, as far as needed.
    """
    prefixes = [_prefixes(subject) for subject in subjects]
    names = [subject.name for subject in subjects]
    for depth in range(max((len(prefix) for prefix in prefixes), default=0)):
        shared = {name for name, n in Counter(names).items() if n > 1}
        names = [
            f"{prefix[depth]}/{name}" if name in shared and depth < len(prefix) else name
            for name, prefix in zip(names, prefixes, strict=True)
        ]
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(f"{name} ({seen[name]})" if seen[name] > 1 else name)
    return [replace(subject, name=n) for subject, n in zip(subjects, unique, strict=True)]


def _prefixes(subject: Subject) -> list[str]:
    """Returns what tells a subject apart from one of the same name, the nearest first."""
    above = [] if subject.run is None else list(subject.run.absolute().parts[-2:0:-1])
    return above if subject.suite is None else [subject.suite, *above]

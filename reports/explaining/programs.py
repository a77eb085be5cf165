"""The programs that are explained: runs of one program count together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import JvmscopeError
from jvmscope.reports.subjects import subjects_of
from jvmscope.reports.wording import plural
from jvmscope.schema import read_manifest, tables
from jvmscope.schema.folding import is_folded, why_folded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmscope.reports.explaining.outcomes import Outcome
    from jvmscope.reports.model import Subject

__all__ = ["FEWEST", "UNITS", "Program", "check_number", "programs_of"]

FEWEST = 5
"""A rule that is better in all of fewer programs would be so by chance in 6 % of cases."""

UNITS = ("program", "benchmark")
"""What is left out together: a program; or a benchmark of a suite, with all of its parameters."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program, or a benchmark, and its runs."""

    name: str
    runs: tuple[Path, ...]


def programs_of(paths: Sequence[Path], outcome: Outcome, unit: str) -> list[Program]:
    """Returns the programs by name.

    Runs of the same command are runs of one program, and so are those of a suite's benchmark with
    the same parameters on the same JVM, also if the suite was recorded several times.

    Args:
        paths: directories of runs and suites.
        outcome: what is to be explained.
        unit: one of ``UNITS``.

    Raises:
        RunError: a path is neither a run nor a suite.
        SuiteError: a suite's lock file is damaged.
        JvmscopeError: a probe was not recorded, calls were folded, or there are too few programs.
    """
    subjects = subjects_of(paths).subjects
    _check_recorded(subjects, outcome)
    _check_unfolded(subjects, outcome)
    groups: dict[tuple[object, ...], list[Subject]] = {}
    for subject in sorted(subjects, key=lambda subject: subject.name):
        if subject.run is not None:
            groups.setdefault(_identity(subject, unit), []).append(subject)
    found = [
        Program(
            _name(group[0], unit),
            tuple(subject.run for subject in group if subject.run is not None),
        )
        for group in groups.values()
    ]
    check_number([program.name for program in found], unit)
    return sorted(found, key=lambda program: program.name)


def check_number(names: Sequence[str], unit: str) -> None:
    """Refuses too few programs.

    Raises:
        JvmscopeError: there are fewer than five.
    """
    if len(names) < FEWEST:
        units = plural(unit)
        raise JvmscopeError(
            f"explain needs at least {FEWEST} {units}, found {len(names)}"
            f"{': ' if names else ''}{', '.join(names)}; a rule is tested on {units} that it was "
            f"not made from, and success in {FEWEST - 1} or fewer could be chance"
        )


def _name(subject: Subject, unit: str) -> str:
    if unit == "benchmark" and subject.suite is not None:
        return f"{subject.suite}/{subject.benchmark}"
    return subject.name


def _identity(subject: Subject, unit: str) -> tuple[object, ...]:
    """Returns what runs of one program have in common, wherever they were recorded."""
    if subject.suite is None:
        return () if subject.run is None else tuple(read_manifest(subject.run).command)
    if unit == "benchmark":
        return (subject.suite, subject.benchmark)
    return (subject.suite, subject.benchmark, subject.parameters, subject.jvm)


def _check_recorded(subjects: Sequence[Subject], outcome: Outcome) -> None:
    for subject in subjects:
        if subject.run is None:
            continue
        recorded = read_manifest(subject.run).tables
        missing = [name for name in outcome.requires if name not in recorded]
        if missing:
            probes = ",".join(dict.fromkeys(_probe(name, outcome) for name in missing))
            noun = "table" if len(missing) == 1 else "tables"
            raise JvmscopeError(
                f"{subject.run}: {outcome.name} needs the {noun} "
                f"{' and '.join(missing)}, which this run does not have: "
                f"record again with --probes {probes}"
            )


def _check_unfolded(subjects: Sequence[Subject], outcome: Outcome) -> None:
    """Refuses runs whose contexts have lost callers: depths and callers are features."""
    for subject in subjects:
        manifest = None if subject.run is None else read_manifest(subject.run)
        if manifest is not None and is_folded(manifest):
            raise JvmscopeError(
                f"{subject.run}: {outcome.name} is explained by callers and depths, which this run "
                f"does not know: {why_folded(manifest)}"
            )


def _probe(table: str, outcome: Outcome) -> str:
    """Returns the probe that records a table; of several, the one of the outcome's own table."""
    recorded = tables()[table].recorded
    probes = recorded.removeprefix("--probes ").replace(" and ", " ").replace(" or ", " ")
    names = probes.replace(",", " ").split()
    own = tables()[outcome.requires[1]].recorded.removeprefix("--probes ") if len(names) > 1 else ""
    return own if own in names else names[0]

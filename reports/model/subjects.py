"""What a report is about: runs, and benchmarks of suites, recorded or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Fact", "Subject"]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something known of a subject: a count, or a text.

    Attributes:
        name: what it is called.
        value: the number or the text.
        unit: the number's unit; None for texts.
        together: how the facts of several subjects may be put together: by adding them, by taking
            the largest, or not at all, as those of classes, most of which subjects share.
        kind: an amount of what the program did, something about the recording, or a status, which
            is only worth a column where subjects differ.
    """

    name: str
    value: float | str
    unit: str | None = None
    together: Literal["sum", "largest"] | None = None
    kind: Literal["amount", "recording", "status"] = "amount"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is reported on: a run, or a benchmark of a suite, whether it was recorded or not.

    Attributes:
        name: what the report calls it; no two have the same.
        benchmark: the benchmark's name; of a run alone the run's.
        parameters: the values of the suite's matrix, by name.
        jvm: the suite's name of the JVM; None: it names none.
        suite: the suite's name; None: a run alone.
        status: ``recorded``, ``failed``, ``timeout``, ``invalid``, ``truncated`` or ``missing``.
        reason: why it is not ``recorded``.
        run: the run's directory; None: there is none.
        is_measured: whether it has values; where not, each of its values says the status.
        command: the command line, or None.
        jvm_version: the JVM's version, or None.
        facts: counts of threads, contexts, bytecodes, …, in the order in which to show them.
    """

    name: str
    benchmark: str
    parameters: tuple[tuple[str, str], ...] = ()
    jvm: str | None = None
    suite: str | None = None
    status: str = "recorded"
    reason: str | None = None
    run: Path | None = None
    is_measured: bool = True
    command: str | None = None
    jvm_version: str | None = None
    facts: tuple[Fact, ...] = ()

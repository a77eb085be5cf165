"""Why a gate may not pass although no condition holds and no budget is exceeded.

Less is always within a budget, so a program that failed, or did not run at all, would pass every
gate. Each kind of objection can be allowed by name, but for recordings that are not whole.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.queries import WHOLE_RUN, Scope
from jvmscope.reports.changes.budgets import describe_row
from jvmscope.reports.changes.nulls import asks_nothing, is_in_neither, is_unmeasured, why_null
from jvmscope.reports.changes.objection_kinds import PARTIAL
from jvmscope.reports.changes.pairs import are_without_tree
from jvmscope.reports.changes.unseen_rows import unseen_rows
from jvmscope.reports.changes.vocabulary import (
    asks_for_null,
    asks_for_reasons_alone,
    concerned,
    named_columns,
    needs_execution,
    sides_of,
)
from jvmscope.reports.comparability import option_differences
from jvmscope.reports.wording import counted
from jvmscope.schema import read_manifest
from jvmscope.schema.ending import ended_threads, ending_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from jvmscope.queries import Result
    from jvmscope.reports.changes.condition_results import Held
    from jvmscope.reports.changes.pairs import Pair
    from jvmscope.schema import Manifest

__all__ = [
    "GATE_SCOPE",
    "Objection",
    "default_scope",
    "of_budgets",
    "of_conditions",
    "of_pairs",
    "of_recordings",
    "of_scope",
    "of_unexecuted",
]

GATE_SCOPE = Scope("application+")
"""What conditions and budgets are about unless the user says so: the work that a program causes."""

_MOST_REASONS = 3
"""How many reasons one line names."""

_NO_BENCHMARK = "no benchmark that it is about was recorded on both sides"
"""Why a condition or a budget judges nothing although missing benchmarks are allowed."""

_FIRST_METRIC = "execution.totals"
"""The metric that most conditions mean, and every run has."""


def default_scope(pairs: Sequence[Pair], *, is_judged: bool) -> Scope:
    """Returns the scope of a comparison unless the user gives one; only trees have parts."""
    return GATE_SCOPE if is_judged and not are_without_tree(pairs) else WHOLE_RUN


@dataclass(frozen=True)
class Objection:
    """One reason why a gate does not pass.

    Attributes:
        kind: a key of ``KINDS``, or ``PARTIAL``.
        text: what is wrong, one line.
    """

    kind: str
    text: str

    def __str__(self) -> str:
        """Returns the line, with the option that allows it."""
        return self.text if self.kind == PARTIAL else f"{self.text} (--allow {self.kind})"


def of_pairs(pairs: Sequence[Pair]) -> Iterator[Objection]:
    """Yields what is wrong with runs before anything is measured.

    Of suites, whether a program failed is what the suite says, which knows the expected status.

    Raises:
        RunError: a directory is not a run.
    """
    for pair in pairs:
        about = f"{pair.benchmark}: " if pair.benchmark is not None else ""
        manifests: list[Manifest] = []
        for side, name in ((pair.a, "A"), (pair.b, "B")):
            if side.run is None:
                reason = side.reason or "there is no run"
                yield Objection("missing-benchmark", f"{about}{name}: {reason}")
                continue
            if side.n_runs > 1:
                text = f"{about}{name}: only the first of {side.n_runs} JVMs is compared"
                yield Objection("unchecked", text)
            if side.unreached:
                shown = ", ".join(side.unreached)
                text = f"{about}{name}: it started JVMs that were not recorded: {shown}"
                yield Objection("unchecked", text)
            manifest = read_manifest(side.run)
            manifests.append(manifest)
            yield from _of_run(side.run, manifest, f"{about}{name}: ", pair.benchmark is None)
        if len(manifests) == 2:
            yield from _of_both(pair, manifests[0], manifests[1], about)


def of_recordings(runs: Iterable[Path]) -> Iterator[Objection]:
    """Yields what is wrong with the recorded runs beside watch runs, whose counts are used.

    Raises:
        RunError: a directory is not a run.
    """
    for run in runs:
        yield from _of_run(run, read_manifest(run), "--with: ", judges_program=True)


def _of_run(run: Path, manifest: Manifest, about: str, judges_program: bool) -> Iterator[Objection]:
    if manifest.incompleteness is not None:
        yield Objection(PARTIAL, f"{about}{run}: {manifest.incompleteness}")
    elif judges_program:
        ending = ending_of(run, manifest)
        if ending is None and manifest.kind != "watch":
            text = f"{about}{run}: how the program ended is not known"
            yield Objection("failed-program", text)
        elif ending is not None and ending.is_failure:
            yield Objection("failed-program", f"{about}{run}: the program {ending.text}")


def _of_both(pair: Pair, a: Manifest, b: Manifest, about: str) -> Iterator[Objection]:
    if pair.a.run is not None and pair.b.run is not None and pair.a.run.samefile(pair.b.run):
        yield Objection("same-run", f"{about}A and B are the same run, {pair.a.run}")
    mains = a.main.class_name, b.main.class_name
    if None not in mains and mains[0] != mains[1]:
        text = f"{about}A is a run of {mains[0]}, and B of {mains[1]}"
        yield Objection("other-program", text)
    yield from _of_threads(pair, a, b, about)
    for difference in option_differences(a, b):
        yield Objection("other-options", f"{about}recorded differently: {difference}")


def _of_threads(pair: Pair, a: Manifest, b: Manifest, about: str) -> Iterator[Objection]:
    """Yields whether uncaught exceptions ended more threads of one run: that one did less.

    A program in which they end as many threads each time does not differ in that.
    """
    if pair.a.run is None or pair.b.run is None:
        return
    in_a, in_b = ended_threads(pair.a.run, a), ended_threads(pair.b.run, b)
    if in_a is None or in_b is None or len(in_a) == len(in_b):
        return
    fewer, more = sorted((in_a, in_b), key=len)
    names = list((Counter(more) - Counter(fewer)).elements())
    shown = ", ".join(names[:_MOST_REASONS]) + (", …" if len(names) > _MOST_REASONS else "")
    ended = f"{counted(len(in_a), 'thread')} of A and {len(in_b):,} of B"
    yield Objection("failed-program", f"{about}uncaught exceptions ended {ended}: {shown}")


def of_scope(totals: Result, scope: Scope) -> Iterator[Objection]:
    """Yields the runs in which nothing was executed in the scope.

    Args:
        totals: the changes of ``execution.totals``.
        scope: the scope.
    """
    for row in totals.arrow().to_pylist():
        if row["measure"] != "n_bytecodes":
            continue
        about = f"{row['benchmark']}: " if row["benchmark"] is not None else ""
        empty = [name for name in ("A", "B") if row[name.lower()] == 0]
        if empty:
            text = f"{about}{' and '.join(empty)}: no bytecode was executed in the scope {scope}"
            yield Objection("empty-scope", text)


def of_conditions(
    held: Iterable[Held], changes: Result | None, missing: frozenset[str | None]
) -> Iterator[Objection]:
    """Yields the conditions that are null for any value that they are about, or false for nulls.

    What is 0 in both runs has not grown, and what only A has is gone: neither asks for an answer.
    ``COALESCE(b, 0) > 5`` is false where ``b`` is null, but if b was not recorded, nobody knows.

    Args:
        held: what became of the conditions.
        changes: what they were evaluated on.
        missing: the benchmarks that one side lacks, which are told by themselves.
    """
    if changes is None:
        return
    table = changes.arrow()
    rows = table.to_pylist()
    for each in held:
        sides = sides_of(each.condition)
        is_unknown = [is_unmeasured(row, sides) for row in rows]
        if not missing and not each.n_null and not any(is_unknown):
            continue
        is_asked = not asks_for_null(each.condition)
        is_about_reasons = asks_for_reasons_alone(each.condition)
        judged: defaultdict[str | None, list[dict[str, Any]]] = defaultdict(list)
        open_: defaultdict[str | None, list[dict[str, Any]]] = defaultdict(list)
        is_about = concerned(each.condition, table)
        is_judged = False
        asked = [
            (row, is_true, is_open)
            for row, is_true, is_open, is_meant in zip(
                rows, each.holds, is_unknown, is_about, strict=True
            )
            if is_meant
        ]
        if "b" in sides:
            unseen = unseen_rows(each.condition, table, rows, is_about)
            asked += [(row, is_true, True) for row, is_true in unseen]
        for row, is_true, is_open in asked:
            if row["benchmark"] in missing:
                is_judged |= is_true is not None and not is_open
                continue
            is_null = is_true is None and not (is_about_reasons or asks_nothing(row))
            is_left = is_null or (is_true is False and is_asked and is_open)
            (open_ if is_left else judged)[row["benchmark"]].append(row)
        if missing and not (is_judged or judged or open_):
            yield Objection("unchecked", f"{_NO_BENCHMARK}: {each.condition}")
        for benchmark, found in open_.items():
            about = f"{benchmark}: " if benchmark is not None else ""
            n_null = _of_all(len(found), len(found) + len(judged[benchmark]))
            text = f"{about}null for {n_null}: {each.condition}: {_reasons(found)}"
            advice = _advice(each.condition, judged[benchmark])
            yield Objection("unchecked", f"{text}; {advice}" if advice else text)


def of_unexecuted(
    held: Iterable[Held], changes: Result | None, executed: Callable[[], Sequence[str]]
) -> Iterator[Objection]:
    """Yields the conditions on how methods change that neither run has executed.

    Nothing of them is compared, so that the condition is false whatever they would do. One that
    reads ``b`` alone may well ask that a method is never executed.

    Args:
        held: what became of the conditions.
        changes: what they were evaluated on.
        executed: returns the methods that were executed in either run.
    """
    if changes is None:
        return
    table = changes.arrow()
    for each in held:
        condition = each.condition
        if "a" not in sides_of(condition) or "method" not in named_columns(condition):
            continue
        about = table.filter(pa.array(concerned(condition, table), pa.bool_()))
        is_about_none = all(map(is_in_neither, about.to_pylist()))
        if is_about_none and needs_execution(condition, executed()):
            text = f"nothing to compare: {condition}: no method that it names was executed"
            yield Objection("unchecked", text)


def of_budgets(
    rows: Sequence[dict[str, Any]], missing: frozenset[str | None]
) -> Iterator[Objection]:
    """Yields the budgets that could not be checked.

    Args:
        rows: what became of the budgets.
        missing: the benchmarks that one side lacks, which are told by themselves.
    """
    unchecked = [row for row in rows if row["status"] == "unchecked"]
    told = [row for row in unchecked if row["benchmark"] not in missing]
    judged = {row["budget"] for row in rows if row["status"] != "unchecked"}
    judged |= {row["budget"] for row in told}
    for name in dict.fromkeys(row["budget"] for row in unchecked):
        if name not in judged:
            yield Objection("unchecked", f"budget not checked: {name}: {_NO_BENCHMARK}")
    for row in told:
        about = ", ".join(filter(None, (row["budget"], row["benchmark"], row["row"])))
        yield Objection("unchecked", f"budget not checked: {about}: {row['reason']}")


def _of_all(n: int, n_all: int) -> str:
    if n < n_all:
        return f"{n:,} of {counted(n_all, 'value')}"
    return "the only value that it is about" if n == 1 else f"all {counted(n, 'value')}"


def _advice(condition: str, judged: Sequence[dict[str, Any]]) -> str | None:
    """Returns how to say which values a condition means, if some could be judged; None: no way.

    Many metrics have measures of the same name, and few recordings have what all of them need.
    """
    if not judged or "metric" in named_columns(condition):
        return None
    metrics = [row["metric"] for row in judged]
    metric = _FIRST_METRIC if _FIRST_METRIC in metrics else metrics[0]
    return f"if you mean one metric, name it: metric = '{metric}' AND …"


def _reasons(rows: Sequence[dict[str, Any]]) -> str:
    """Returns why a condition is null for some values, each reason with the first of its rows."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(why_null(row), []).append(row)
    parts = []
    for why, same in list(found.items())[:_MOST_REASONS]:
        named = describe_row(same[0]) or f"{same[0]['metric']} {same[0]['measure']}"
        others = f" and {len(same) - 1:,} more" if len(same) > 1 else ""
        parts.append(f"{why} ({named}{others})" if len(rows) > 1 else why)
    left = len(found) - len(parts)
    return "; ".join(parts) + (f"; and {counted(left, 'more reason')}" if left else "")

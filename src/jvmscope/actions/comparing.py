"""What ``jvmscope compare`` computes, with its progress."""

from __future__ import annotations

import itertools
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.actions.folding_notice import tell_folding
from jvmscope.errors import QueryError
from jvmscope.metrics.measure import selected
from jvmscope.reports.changes.budgets import (
    EXECUTED,
    TOTALS,
    check_budgets,
    has_subject,
    unknown_subjects,
)
from jvmscope.reports.changes.condition import parse_condition
from jvmscope.reports.changes.condition_results import evaluate
from jvmscope.reports.changes.fixed_keys import check_fixed_keys
from jvmscope.reports.changes.measuring import Measuring, changes, changes_of, no_changes
from jvmscope.reports.changes.names_of_keys import NAMED, names_in
from jvmscope.reports.changes.objection_kinds import PARTIAL
from jvmscope.reports.changes.objections import (
    Objection,
    of_budgets,
    of_conditions,
    of_pairs,
    of_recordings,
    of_scope,
    of_unexecuted,
)
from jvmscope.reports.changes.open_runs import OpenRuns
from jvmscope.reports.changes.pairs import are_watches, have_trees, runs_of
from jvmscope.reports.changes.tree_excerpt import MOST_NODES
from jvmscope.reports.changes.trees import compare_trees
from jvmscope.reports.changes.uncounted import of_uncounted
from jvmscope.reports.changes.vocabulary import (
    DEFINED,
    OF_VALUES,
    asks_for_null,
    check_names,
    check_reach,
    has_names,
    named_columns,
    needs_execution,
)
from jvmscope.reports.comparability import (
    machine_differences,
    probe_differences,
    tree_difference,
)
from jvmscope.schema import read_manifest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence, Set
    from pathlib import Path

    from jvmscope.metrics.measure import Failure
    from jvmscope.output.console import Console
    from jvmscope.queries import CostModel, Result, Scope
    from jvmscope.reports.changes.budgets import Budget
    from jvmscope.reports.changes.condition_results import Held
    from jvmscope.reports.changes.pairs import Pair

__all__ = ["Comparing"]

_CHANCE = "times of one watch each: watch each program again to know what is chance"

_UNSAID = ("missing-benchmark", "same-run", "other-program")
"""What is only worth a word where the comparison is judged."""


@dataclass(frozen=True)
class Comparing:
    """A comparison of pairs of runs, each of which is measured once.

    Whoever makes one closes ``runs``. ``failures`` are the metrics that failed so far.
    """

    console: Console
    pairs: Sequence[Pair]
    scope: Scope
    params: Mapping[str, Any]
    cost_model: CostModel | None = None
    is_cached: bool = True
    timeout: float | None = None
    runs: OpenRuns = field(default_factory=OpenRuns)
    failures: list[Failure] = field(default_factory=list)
    _later: set[str] = field(default_factory=set)  # metrics that will be asked for, too
    _so_far: list[tuple[Sequence[str], Result]] = field(default_factory=list)
    _known: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # by side and column

    @property
    def is_of_suites(self) -> bool:
        """Whether the runs are those of suites."""
        return any(pair.benchmark is not None for pair in self.pairs)

    @property
    def is_of_watches(self) -> bool:
        """Whether the runs are watch runs."""
        return are_watches(self.pairs)

    @property
    def has_tree(self) -> bool:
        """Whether a page shows a tree unless the user says so: that of two runs with trees."""
        return not self.is_of_suites and have_trees(self.pairs)

    def warn(self) -> list[Objection]:
        """Warns of what keeps the runs from being compared, also that calls were folded.

        Returns:
            What keeps them from it, also what is worth a word only where they are judged.

        Raises:
            RunError: one of them is not a run.
        """
        found = [*of_pairs(self.pairs), *of_recordings(self.runs.recorded)]
        for text in dict.fromkeys(each.text for each in found if each.kind not in _UNSAID):
            self.console.warn(text)
        for run in (*runs_of(self.pairs), *self.runs.recorded):
            tell_folding(run, self.console)
        for text in self._told_differences():
            self.console.say(text)
        if self.is_of_watches:
            self.console.say(_CHANCE)
        return found

    def _told_differences(self) -> list[str]:
        """Returns how JVMs, versions of jvmscope, probes and trees differ, of which benchmarks."""
        found: dict[str, list[str]] = {}
        for pair in self.pairs:
            if pair.a.run is None or pair.b.run is None:
                continue
            manifests = read_manifest(pair.a.run), read_manifest(pair.b.run)
            of_machines = machine_differences(*manifests, has_other_jvm=pair.has_other_jvm)
            of_recordings = *probe_differences(*manifests), *tree_difference(*manifests)
            for text in (*of_machines, *of_recordings):
                found.setdefault(text, []).append(pair.benchmark or "")
        return [f"{text}{_of_benchmarks(names)}" for text, names in found.items()]

    def read_budgets(self, path: Path) -> list[Budget]:
        """Returns the budgets in a file; they are about benchmarks and methods that there are.

        Raises:
            SuiteError: the file has mistakes, or budgets name what exists in neither run; each
                with its line and column.
        """
        from jvmscope.actions.budget_file import read_budgets
        from jvmscope.suite.problems import SuiteText

        budgets = read_budgets(path)
        self._later.update((*_needed(budgets), TOTALS))
        keys = ("method", "benchmark")
        names = self._names({key for key in keys for b in budgets if getattr(b, key) is not None})
        text = SuiteText.read(path)
        for number, budget in enumerate(budgets):
            at = ("budget", number)
            for key, message, hint in unknown_subjects(budget, names):
                text.wrong_value((*at, key), message, hint)
            if budget.where is not None:
                try:
                    check_names(budget.where, self._names(named_columns(budget.where)))
                except QueryError as error:
                    text.wrong_value((*at, "where"), error.message, error.hint)
        text.raise_problems()
        return budgets

    def tree(self, weight: str, most_nodes: int | None) -> Result:
        """Returns the differential trees, with so many nodes each, or as many as there may be."""
        with self.console.patience("comparing trees") as progress:
            return compare_trees(
                self.pairs,
                weight=weight,
                scope=self.scope,
                params=self.params,
                cost_model=self.cost_model,
                most_nodes=most_nodes or MOST_NODES,
                timeout=self.timeout,
                on_progress=progress,
                open_run=self.runs.open,
            )

    def changes(self, metrics: Sequence[str], conditions: Sequence[str] = ()) -> Result:
        """Returns the changes of the metrics that are asked for, and of those conditions name.

        A condition that is wrong is told before anything is measured.
        """
        named = {id_ for condition in conditions for id_ in parse_condition(condition)}
        asked = selected(metrics, [*runs_of(self.pairs)])
        chosen = sorted({query.id for query in asked} | named)
        for condition in conditions:
            evaluate(condition, no_changes(chosen))
            check_reach(condition, chosen)
            check_names(condition, self._names(named_columns(condition)))
        self._later.update([TOTALS] if conditions else ())
        if any("method" in named_columns(condition) for condition in conditions):
            self._later.add(EXECUTED)
        measured = self._measured(chosen)
        for condition in conditions:
            check_names(condition, _words(measured, named_columns(condition)))
            check_fixed_keys(condition, measured.arrow())
        return measured

    def held(self, conditions: Sequence[str], changes: Result | None) -> list[Held]:
        """Returns what became of each condition."""
        if changes is None:
            return []
        return [evaluate(condition, changes.arrow()) for condition in conditions]

    def objections(
        self, held: Sequence[Held], changes: Result | None, budgets: Result | None, totals: Result
    ) -> list[Objection]:
        """Returns what keeps the comparison from passing, beside its runs: values and failures."""
        missing = frozenset(
            pair.benchmark for pair in self.pairs if pair.a.run is None or pair.b.run is None
        )
        rows = [] if budgets is None else budgets.arrow().to_pylist()
        return [
            *of_scope(totals, self.scope),
            *of_uncounted(self.pairs, self.runs.open),
            *of_conditions(held, changes, missing),
            *of_unexecuted(held, changes, self._executed),
            *of_budgets(rows, missing),
            *(Objection(PARTIAL, str(failure)) for failure in self.failures),
        ]

    def totals(self) -> Result:
        """Returns the changes of what was executed in all."""
        return self._measured([TOTALS])

    def _executed(self, sides: str = "ab") -> list[str]:
        """Returns the methods that runs of some sides executed in the scope."""
        rows = self._measured([EXECUTED]).arrow().to_pylist()
        methods = {row["method"] for row in rows if any(row[side] for side in sides)}
        return sorted(methods - {None})

    def tell_only_in_a(self, conditions: Sequence[str], budgets: Sequence[Budget]) -> None:
        """Warns of conditions and budgets about what B does not have, or did not execute.

        What is gone has not grown, so they pass; but so they do if it has another name in B, or if
        the program did not come as far as that.
        """
        gone = [
            each
            for each in conditions
            if not asks_for_null(each) and not has_names(each, self._names_in_b(each))
        ]
        gone += [
            f"budget {each.name}"
            for each in budgets
            if (each.where and not has_names(each.where, self._names_in_b(each.where)))
            or (each.method and not has_subject(each, self._names({"method"}, "b")))
        ]
        for each in gone:
            self.console.warn(f"only A has what is named; it may have another name in B: {each}")
        for each in conditions:
            if each not in gone and self._is_executed_in_a_alone(each):
                self.console.warn(f"only A executed the methods that are named: {each}")

    def _is_executed_in_a_alone(self, condition: str) -> bool:
        """Returns whether a condition is about methods that B has, but never executed."""
        if "method" not in named_columns(condition) or asks_for_null(condition):
            return False
        return needs_execution(condition, self._executed("b")) and not needs_execution(
            condition, self._executed("a")
        )

    def _names_in_b(self, condition: str) -> dict[str, list[str]]:
        return self._names(named_columns(condition) & NAMED.keys(), "b")

    def _names(self, columns: Set[str], sides: str = "ab") -> dict[str, list[str]]:
        """Returns what exists in the runs of some sides by the name of each column."""
        found = {}
        for column in columns:
            if column == "benchmark":
                known = [[pair.benchmark for pair in self.pairs if pair.benchmark]]
            else:
                known = [self._names_of(side, column) for side in sides]
            found[column] = list(dict.fromkeys(itertools.chain.from_iterable(known)))
        return found

    def _names_of(self, side: str, column: str) -> list[str]:
        """Returns what exists in the runs of one side by the name of a column."""
        if (side, column) not in self._known:
            names: dict[str, None] = {}
            runs = [(pair.a if side == "a" else pair.b).run for pair in self.pairs]
            for run in runs if column in NAMED else ():
                if run is not None:
                    with self.runs.open(run) as engine:
                        names.update(dict.fromkeys(names_in(engine, column)))
            self._known[side, column] = list(names)
        return self._known[side, column]

    def check(self, budgets: Sequence[Budget], path: Path) -> Result:
        """Returns whether the budgets in a file are kept.

        Raises:
            QueryError: one is about what exists in neither run.
        """
        measured = self._measured(sorted(_needed(budgets)))
        for budget in budgets:
            if budget.where is not None:
                with _placed_in(path, budget):
                    check_names(budget.where, _words(measured, named_columns(budget.where)))
                    check_fixed_keys(budget.where, changes_of([budget.source[0]], measured).arrow())
        return check_budgets(budgets, measured.arrow(), [pair.benchmark for pair in self.pairs])

    def _measured(self, metrics: Sequence[str]) -> Result:
        """Returns the changes of metrics, measured together with what will be asked for later."""
        for ids, measured in self._so_far:
            if set(metrics) <= set(ids):
                return changes_of(metrics, measured)
        ids = sorted({*metrics, *self._later})
        self._so_far.append((ids, self._changes(ids)))
        return changes_of(metrics, self._so_far[-1][1])

    def _changes(self, metrics: Sequence[str]) -> Result:
        with self.console.patience("comparing") as progress:
            measuring = Measuring(
                scope=self.scope,
                params=self.params,
                timeout=self.timeout,
                is_cached=self.is_cached,
                cost_model=self.cost_model,
                on_failure=self.failures.append,
                on_progress=progress,
                open_run=self.runs.open,
            )
            return changes(self.pairs, metrics, measuring)


def _of_benchmarks(names: Sequence[str]) -> str:
    """Returns of which benchmarks something is, as few as one reads; nothing for two runs.

    >>> _of_benchmarks([""]), _of_benchmarks(["a"]), _of_benchmarks(["a", "b", "c"])
    ('', ' (a)', ' (a and 2 more)')
    """
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return f" ({names[0]}{more})" if names[0] else ""


@contextmanager
def _placed_in(path: Path, budget: Budget) -> Iterator[None]:
    """Has errors of a budget's condition say where the budget is."""
    try:
        yield
    except QueryError as error:
        raise QueryError(error.message, path=str(path), line=budget.line, hint=error.hint) from None


def _needed(budgets: Sequence[Budget]) -> set[str]:
    """Returns the ids of the metrics that decide whether budgets are kept."""
    needed = {budget.source[0] for budget in budgets}
    needed |= {EXECUTED for budget in budgets if budget.is_of_methods}
    return needed or {EXECUTED}


def _words(measured: Result, columns: Collection[str]) -> dict[str, list[str]]:
    """Returns the words of columns that name no part of a program, as ``population``."""
    table = measured.arrow()
    types = {field.name: field.type for field in table.schema}
    return {
        column: [word for word in table[column].unique().to_pylist() if word is not None]
        for column in columns
        if column not in (*NAMED, "benchmark", *DEFINED, *OF_VALUES)
        and types.get(column) == "string"
    }

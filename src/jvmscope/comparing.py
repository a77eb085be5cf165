"""What ``jvmscope compare`` computes, with its progress."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.folding import tell_folding
from jvmscope.metrics import select
from jvmscope.reports.changes.budgets import check_budgets
from jvmscope.reports.changes.condition import parse_condition
from jvmscope.reports.changes.folding import MOST_NODES
from jvmscope.reports.changes.holding import evaluate
from jvmscope.reports.changes.measuring import Measuring, changes, no_changes
from jvmscope.reports.changes.trees import compare_trees
from jvmscope.reports.comparability import option_differences
from jvmscope.schema import read_manifest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from jvmscope.console import Console
    from jvmscope.metrics.measure import Failure
    from jvmscope.queries import Result
    from jvmscope.queries.costs import CostModel
    from jvmscope.reports.changes.budgets import Budget
    from jvmscope.reports.changes.holding import Held
    from jvmscope.reports.changes.pairs import Pair

__all__ = ["Comparing"]


@dataclass(frozen=True)
class Comparing:
    """A comparison of pairs of runs; ``failures`` are the metrics that failed so far."""

    console: Console
    pairs: Sequence[Pair]
    scope: str
    params: Mapping[str, Any]
    cost_model: CostModel | None = None
    is_cached: bool = True
    timeout: float | None = None
    failures: list[Failure] = field(default_factory=list)

    @property
    def is_of_suites(self) -> bool:
        """Whether the runs are those of suites."""
        return any(pair.benchmark is not None for pair in self.pairs)

    def warn(self) -> bool:
        """Warns of runs that are not whole or have folded calls, and of pairs recorded differently.

        Returns:
            Whether all runs are whole: counts of a part of an execution prove nothing.

        Raises:
            RunError: one of them is no run.
        """
        is_whole = True
        told: set[str] = set()
        for pair in self.pairs:
            runs = [side.run for side in (pair.a, pair.b) if side.run is not None]
            manifests = [read_manifest(run) for run in runs]
            for run, manifest in zip(runs, manifests, strict=True):
                if manifest.status != "complete":
                    self.console.warn(f"{run}: the recording is {manifest.status}")
                    is_whole = False
                tell_folding(run, self.console)
            versions = [str(manifest.jvm.get("version")) for manifest in manifests]
            if len(set(versions)) > 1 and not self.is_of_suites:
                self.console.say(f"recorded on different JVMs: {', '.join(versions)}")
            if len(manifests) == 2:
                told.update(option_differences(*manifests))
        for difference in sorted(told):
            self.console.warn(f"recorded differently: {difference}")
        return is_whole

    def read_budgets(self, path: Path) -> list[Budget]:
        """Returns the budgets in a file."""
        from jvmscope.budget_file import read_budgets

        return read_budgets(path)

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
            )

    def changes(self, metrics: Sequence[str], conditions: Sequence[str] = ()) -> Result:
        """Returns the changes of the metrics that are asked for, and of those conditions name.

        A condition that is wrong is told before anything is measured.
        """
        named = {id_ for condition in conditions for id_ in parse_condition(condition)}
        chosen = sorted({query.id for query in select(metrics)} | named)
        for condition in conditions:
            evaluate(condition, no_changes(chosen))
        return self._measured(chosen)

    def held(self, conditions: Sequence[str], changes: Result | None) -> list[Held]:
        """Returns what became of each condition."""
        if changes is None:
            return []
        return [evaluate(condition, changes.arrow()) for condition in conditions]

    def check(self, budgets: Sequence[Budget]) -> Result:
        """Returns whether budgets are kept."""
        needed = sorted({budget.source[0] for budget in budgets if budget.source})
        measured = self._measured(needed or ["execution.methods"])
        return check_budgets(budgets, measured.arrow(), [pair.benchmark for pair in self.pairs])

    def _measured(self, metrics: Sequence[str]) -> Result:
        with self.console.patience("comparing") as progress:
            measuring = Measuring(
                scope=self.scope,
                params=self.params,
                timeout=self.timeout,
                is_cached=self.is_cached,
                cost_model=self.cost_model,
                on_failure=self.failures.append,
                on_progress=progress,
            )
            return changes(self.pairs, metrics, measuring)

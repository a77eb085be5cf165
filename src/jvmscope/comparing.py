"""What ``jvmscope compare`` computes, with its progress."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.metrics import select
from jvmscope.reports.changes.budgets import check_budgets
from jvmscope.reports.changes.condition import evaluate, parse_condition
from jvmscope.reports.changes.folding import MOST_NODES
from jvmscope.reports.changes.measuring import Measuring, changes, no_changes
from jvmscope.reports.changes.trees import compare_trees

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.console import Console
    from jvmscope.metrics.measure import Failure
    from jvmscope.queries import Result
    from jvmscope.queries.costs import CostModel
    from jvmscope.reports.changes.budgets import Budget
    from jvmscope.reports.changes.condition import Held
    from jvmscope.reports.changes.pairs import Pair

__all__ = ["Comparing", "split_trees"]


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

    def held(self, conditions: Sequence[str], result: Result) -> list[Held]:
        """Returns what became of each condition."""
        return [evaluate(condition, result.arrow()) for condition in conditions]

    def budgets(self, budgets: Sequence[Budget]) -> Result:
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


def split_trees(trees: Result) -> list[tuple[str | None, Result]]:
    """Returns the trees of each benchmark; of two runs the one, without a name."""
    table = trees.arrow()
    names = table["benchmark"].to_pylist()
    rows: dict[str | None, list[int]] = {}
    for number, name in enumerate(names):
        rows.setdefault(name, []).append(number)
    return [
        (name, trees.of_table(table.take(pa.array(numbers)), trees.columns))
        for name, numbers in rows.items()
    ]

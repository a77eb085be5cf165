"""A comparison with all that was asked of it: does it fail, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jvmscope.reports.changes.cells import is_change, number, percent
from jvmscope.reports.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries import Result, Scope
    from jvmscope.reports.changes.condition_results import Held
    from jvmscope.reports.changes.objections import Objection

__all__ = ["Outcome"]


@dataclass(frozen=True)
class Outcome:
    """A comparison with all that was asked of it.

    Attributes:
        a: what the first side is called.
        b: what the second side is called.
        scope: the part of the runs that was measured.
        changes: what ``measuring.changes`` returns; None: the trees alone are compared.
        held: what became of each condition.
        budgets: the rows of ``budgets.check_budgets``; None: there are no budgets.
        tree: what ``trees.compare_trees`` returns; None: trees are not compared.
        weight: what these are weighed by.
        objections: why it does not pass although nothing failed.
        totals: the changes of ``execution.totals``, if conditions or budgets are judged.
    """

    a: str
    b: str
    scope: Scope
    changes: Result | None
    held: Sequence[Held] = ()
    budgets: Result | None = None
    tree: Result | None = None
    weight: str = "bytecodes"
    objections: Sequence[Objection] = ()
    totals: Result | None = None

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The changes."""
        return _rows(self.changes)

    @cached_property
    def budget_rows(self) -> list[dict[str, Any]]:
        """The outcomes of the budgets."""
        return _rows(self.budgets)

    @property
    def tree_rows(self) -> list[dict[str, Any]]:
        """The nodes of the trees."""
        return _rows(self.tree)

    @property
    def is_judged(self) -> bool:
        """Whether there are conditions or budgets."""
        return bool(self.held) or self.budgets is not None

    @property
    def fails(self) -> bool:
        """Whether a condition holds or a budget is exceeded."""
        return any(held.rows.num_rows for held in self.held) or any(
            row["status"] == "exceeded" for row in self.budget_rows
        )

    @property
    def passes(self) -> bool:
        """Whether it is judged, nothing failed, and nothing keeps it from passing."""
        return self.is_judged and not self.fails and not self.objections

    @property
    def verdict(self) -> str:
        """The result in one line."""
        parts = []
        if self.held:
            n_held = sum(1 for held in self.held if held.rows.num_rows)
            parts.append(f"{n_held} of {len(self.held)} conditions hold")
        if self.budgets is not None:
            exceeded = {row["budget"] for row in self.budget_rows if row["status"] == "exceeded"}
            n_budgets = len({row["budget"] for row in self.budget_rows})
            parts.append(f"{len(exceeded)} of {n_budgets} budgets are exceeded")
        n_values, n_changed = self._counts()
        if n_values:
            parts.append(f"{n_changed:,} of {n_values:,} values differ")
        parts += [self._bytecodes()] if self._bytecodes() else []
        return self._word() + ", ".join(parts) if parts else "the trees alone were compared"

    def _word(self) -> str:
        if not self.is_judged:
            return ""
        if self.fails:
            return "fails: "
        if self.passes:
            return "passes: "
        return f"does not pass, for {counted(len(self.objections), 'reason')}: "

    def _bytecodes(self) -> str:
        """Returns how the bytecodes of two runs changed, which no other value tells as well."""
        rows = [row for row in _rows(self.totals) if row["measure"] == "n_bytecodes"]
        if len(rows) != 1 or rows[0]["delta"] is None:
            return ""
        (row,) = rows
        share = f" ({percent(row['delta_pct'])})" if row["delta_pct"] is not None else ""
        return f"bytecodes {number(row['a'])} → {number(row['b'])}{share}"

    @property
    def failures(self) -> list[str]:
        """A line for each condition that holds, budget that is exceeded, and objection."""
        lines = [
            f"holds for {held.rows.num_rows:,} of {counted(held.n_rows, 'value')}: {held.condition}"
            for held in self.held
            if held.rows.num_rows
        ]
        for row in self.budget_rows:
            about = ", ".join(filter(None, (row["budget"], row["benchmark"], row["row"])))
            if row["status"] == "exceeded":
                values = f"{number(row['a']) or 'none'} → {number(row['b'])}"
                lines.append(f"budget exceeded: {about}: {values}, {row['limit']}")
        return lines + [f"does not pass: {objection}" for objection in self.objections]

    def _counts(self) -> tuple[int, int]:
        """Returns how many values there are, and how many differ; of what decides that alone."""
        if self.changes is None:
            return 0, 0
        deciding = ["a", "b", "delta", "reason_code_a", "reason_code_b"]
        table = self.changes.arrow().select(deciding)
        return table.num_rows, sum(map(is_change, table.to_pylist()))


def _rows(result: Result | None) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [] if result is None else result.arrow().to_pylist()
    return rows

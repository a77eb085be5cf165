"""The page of a comparison: the verdict, then what failed, what changed, the trees, what is left.

All but what failed and what changed in whole runs is folded where a page can be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.changes.budget_sections import budget_sections
from jvmscope.reports.changes.tree_sections import tree_sections
from jvmscope.reports.changes.value_sections import (
    change_sections,
    condition_sections,
    reason_sections,
)
from jvmscope.reports.faces.blocks import Grid, Section, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.reports.changes.outcome import Outcome
    from jvmscope.reports.faces.blocks import Block

__all__ = ["comparison_page"]


def comparison_page(outcome: Outcome, *, most: int | None) -> Iterator[Block]:
    """Yields the page; a section that would have no rows is left out.

    Args:
        outcome: the comparison.
        most: how many rows of a section to show, the largest changes first; None: all rows in their
            order, and values that are the same, too.
    """
    yield Verdict(
        title=f"{outcome.a} → {outcome.b}",
        text=outcome.verdict,
        scope=str(outcome.scope),
        has_failed=not outcome.passes if outcome.is_judged else None,
    )
    if outcome.objections:
        lines = tuple((str(objection),) for objection in outcome.objections)
        yield Section("Why it does not pass", (Grid(("reason",), lines),))
    yield from condition_sections(outcome.held, most)
    yield from budget_sections(outcome.budget_rows)
    yield from change_sections(outcome.rows, most)
    yield from tree_sections(outcome.tree_rows, outcome.weight)
    yield from reason_sections(outcome.rows)

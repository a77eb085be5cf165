"""Reports on watch runs in the Python API: the values of pairs, or what a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.api.warned import warn_of_runs
from jvmscope.errors import QueryError, RunError
from jvmscope.queries import Engine
from jvmscope.reports.watched import has_block, parse_pair, read_pairs
from jvmscope.reports.watched.plain import pairs_table, refined_table
from jvmscope.reports.watched.refining import Search

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmscope.queries import Result

__all__ = ["values_of_pairs"]


def values_of_pairs(
    run: Path,
    pairs: Sequence[str],
    *,
    beside: Path | None,
    refine: str | None,
    refine_threshold: float,
    refine_budget: int,
) -> Result:
    """Returns what ``jvmscope.report_watch`` does.

    Raises:
        RunError: it is not a watch run, or the one beside it is not a recorded one.
        QueryError: a text is not a pair, or keywords do not go together.
        ValueError: the threshold or the budget is out of its range.
    """
    if not 0 < refine_threshold <= 1:
        raise ValueError(f"a threshold is above 0 and at most 1, not {refine_threshold}")
    if refine_budget < 1:
        raise ValueError(f"a budget is of at least 1 focus, not {refine_budget}")
    if refine is not None and pairs:
        raise QueryError("a search chooses foci by itself: give no pairs to refine")
    if refine:
        parse_pair(refine, "refine")
    if beside is not None and not any(map(has_block, read_pairs(pairs))):
        raise QueryError("only pairs with basic blocks need a recorded run beside: leave it out")
    with Engine(run, beside=beside) as engine:
        if engine.manifest.kind != "watch":
            raise RunError(f"{run}: a recorded run; expected a watch run. See jvmscope.report")
        warn_of_runs([run])
        if refine is None:
            return pairs_table(engine, pairs)
        return refined_table(engine, refine or None, Search(refine_threshold, refine_budget))

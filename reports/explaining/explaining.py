"""Explains an outcome: makes the rule from all programs, and tests it on each that is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jvmscope.extras import extra
from jvmscope.reports.explaining.growing import grow, selected_by
from jvmscope.reports.explaining.model import Explanation, LeftOut
from jvmscope.reports.explaining.observations import Reading, observe
from jvmscope.reports.explaining.outcomes import outcome_of
from jvmscope.reports.explaining.programs import UNITS, check_number, programs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from jvmscope.queries import Scope
    from jvmscope.reports.explaining.observations import Observations

__all__ = ["explain"]

_MOST_FOLDS = 10


def explain(
    name: str,
    paths: Sequence[Path],
    *,
    scope: Scope,
    depth: int,
    left_out_by: str,
    params: Mapping[str, Any],
    timeout: float | None = None,
    on_progress: Callable[[float], None] = lambda _percent: None,
) -> Explanation:
    """Returns the explanation of an outcome.

    Args:
        name: the outcome's.
        paths: directories of runs and suites.
        scope: the part of each run.
        depth: conditions on a path of the tree, at most.
        left_out_by: one of ``programs.UNITS``.
        params: for the outcome's table of features.
        timeout: seconds for each query.
        on_progress: called with the percentage that is done.

    Raises:
        ValueError: the depth or `left_out_by` is wrong.
        QueryError: there is no such outcome or parameter, or a run lacks the scope.
        RunError: a path is neither a run nor a suite.
        JvmscopeError: a probe was not recorded, there are too few programs, or scikit-learn is not
            installed.
        LimitReached: a query took too long, or needs more memory than allowed.
    """
    if depth < 1:
        raise ValueError(f"a tree has a depth of at least 1, not {depth}")
    if left_out_by not in UNITS:
        raise ValueError(f"what is left out is one of {', '.join(UNITS)}, not {left_out_by!r}")
    outcome = outcome_of(name)
    values = outcome.with_defaults(params)
    extra("explain", "sklearn")
    programs = programs_of(paths, outcome, left_out_by)
    reading = Reading(outcome, values, scope, timeout, on_progress)
    observed = observe(programs, reading)
    told = sorted({observed.programs[index] for index in observed.program.tolist()})
    check_number(told, left_out_by)
    return Explanation(
        outcome=outcome.name,
        meaning=outcome.meaning,
        unit=outcome.unit,
        row=outcome.row,
        table=reading.table,
        count=outcome.count,
        params=values,
        scope=str(scope),
        unknown=outcome.unknown,
        n_unknown=observed.n_unknown,
        left_out_by=left_out_by,
        tree=grow(observed, depth),
        left_out=tuple(_left_out(observed, depth)),
    )


def _left_out(observed: Observations, depth: int) -> Iterator[LeftOut]:
    """Yields what each program's objects are to a rule that was made without the program.

    Up to ten programs are left out one by one; more are in ten groups, by turns of their names.
    """
    present = np.unique(observed.program).tolist()
    n_folds = min(len(present), _MOST_FOLDS)
    found = {}
    for fold in range(n_folds):
        out = present[fold::n_folds]
        tree = grow(observed.of([index for index in present if index not in out]), depth)
        for index in out:
            rows = observed.of([index])
            is_selected = selected_by(tree, rows)
            found[index] = LeftOut(
                program=observed.programs[index],
                n_objects=int(rows.n_objects.sum()),
                n_with=int(rows.n_with.sum()),
                n_selected=int(rows.n_objects[is_selected].sum()),
                n_selected_with=int(rows.n_with[is_selected].sum()),
            )
    for index in present:
        yield found[index]

"""The fewest subjects such that every other one is near to one of them.

This is the smallest dominating set of the graph of those that are near to each other. It is found
as an integer programme: a variable for each subject, 1 if it is chosen; of those near to a subject,
itself included, at least one is. Of several smallest subsets, where there are not too many subjects
to look for it, the one whose members are closest to all subjects is chosen. Where the solver gives
up before it is certain, the smaller of its subset and the greedy one is kept, with the bound that
was proven.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.extras import extra
from jvmscope.reports.model import Subset

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

__all__ = ["smallest_subset"]

_WHAT = "the smallest subset"
_MOST_NODES = 50_000
"""Of the solver's tree, times the subjects; a time would make the answer depend on the machine."""

_MOST_COMPARED = 100
"""Subjects among which the closest of several smallest subsets is looked for."""

_TOLERANCE = 1e-6


def smallest_subset(distances: Floats, within: float) -> Subset:
    """Returns the subset.

    Args:
        distances: between every two subjects: symmetric, zeros in the diagonal.
        within: what is near: at most this distance.

    >>> line = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 9.0])
    >>> subset = smallest_subset(np.abs(line[:, None] - line), 1.0)
    >>> subset.subjects, subset.representatives, subset.is_smallest
    ((1, 3, 5), (1, 1, 1, 3, 3, 5), True)
    """
    is_near = distances <= within
    chosen, at_least = _solved(is_near, np.ones(len(distances)))
    greedy = _greedy(is_near)
    if chosen is None or len(greedy) < len(chosen):
        chosen = greedy
    if at_least == len(chosen) and len(distances) <= _MOST_COMPARED:
        chosen = _solved(is_near, distances.sum(axis=1), n_chosen=len(chosen))[0] or chosen
    chosen = sorted({int((distances[index] == 0).argmax()) for index in chosen})  # first of equals
    nearest = distances[:, chosen].argmin(axis=1)
    return Subset(
        subjects=tuple(int(index) for index in chosen),
        representatives=tuple(int(chosen[index]) for index in nearest),
        distances=tuple(float(value) for value in distances[:, chosen].min(axis=1)),
        at_least=min(at_least, len(chosen)),
    )


def _solved(
    is_near: npt.NDArray[np.bool_], costs: Floats, n_chosen: int | None = None
) -> tuple[list[int] | None, int]:
    """Returns the cheapest choice, if the solver has one, and what it costs at least, in units.

    Args:
        is_near: which subjects are near to each other.
        costs: what it costs to choose each.
        n_chosen: how many to choose; None: any number.
    """
    optimize = extra(_WHAT, "scipy.optimize")
    sparse = extra(_WHAT, "scipy.sparse")
    n = len(costs)
    constraints = [optimize.LinearConstraint(sparse.csr_array(is_near.astype(np.float64)), lb=1)]
    if n_chosen is not None:
        constraints.append(optimize.LinearConstraint(np.ones((1, n)), n_chosen, n_chosen))
    found = optimize.milp(
        costs,
        integrality=np.ones(n),
        bounds=optimize.Bounds(0, 1),
        constraints=constraints,
        options={"node_limit": max(1, _MOST_NODES // n), "mip_rel_gap": 0.0},
    )
    bound = found.mip_dual_bound
    at_least = 1 if bound is None else max(1, math.ceil(bound - _TOLERANCE))
    chosen = None if found.x is None else [int(index) for index in np.flatnonzero(found.x > 0.5)]
    return chosen, at_least


def _greedy(is_near: npt.NDArray[np.bool_]) -> list[int]:
    """Returns a subset that takes, again and again, the subject near to most that lack one."""
    lacking = np.ones(len(is_near), dtype=bool)
    chosen: list[int] = []
    while lacking.any():
        chosen.append(int((is_near & lacking).sum(axis=1).argmax()))
        lacking &= ~is_near[chosen[-1]]
    return sorted(chosen)

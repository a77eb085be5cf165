"""What the contexts of an exported tree are weighed by, each with the SQL that says it."""

from __future__ import annotations

from dataclasses import dataclass

from jvmscope.errors import QueryError, did_you_mean

__all__ = ["WEIGHTS", "WEIGHT_NAMES", "Weight", "find_weight"]


@dataclass(frozen=True)
class Weight:
    """A measure of contexts that adds up over the tree, and never is negative.

    Attributes:
        name: what ``--weight`` calls it.
        column: what a table calls it.
        unit: its unit, in the singular.
        own: SQL of a context's own, where ``c`` is the context and ``cost`` a row of ``costs``.
        costs: a relation with a row for some contexts, by ``context_id``; None: not needed.
        sums: a relation with the sums over subtrees, ``sum``, a row for each context but roots.
        inclusive: SQL of the sum over a context's subtree, itself included.
    """

    name: str
    column: str
    unit: str
    own: str
    sums: str
    inclusive: str
    costs: str | None = None


WEIGHTS = {
    weight.name: weight
    for weight in (
        Weight("calls", "n_calls", "call", "c.n_calls", "cct.inclusive()", "sum.n_calls"),
        Weight(
            "bytecodes",
            "n_bytecodes",
            "bytecode",
            "c.n_bytecodes",
            "cct.inclusive()",
            "sum.n_bytecodes",
        ),
        Weight(
            "cycles",
            "cycles",
            "cycle",
            "COALESCE(cost.cycles, 0)",
            "costs.inclusive($cache)",
            "COALESCE(sum.inclusive_cycles, 0)",
            "costs.contexts($cache)",
        ),
    )
}
"""The weights by name. Of cycles, what the cost model has no cost for is left out."""

_WAITING = {"allocated_bytes": "allocations.sites"}

WEIGHT_NAMES = (*WEIGHTS, *_WAITING)
"""The names that are known, those included that no run can answer yet."""


def find_weight(name: str) -> Weight:
    """Returns the weight of a name.

    Raises:
        QueryError: there is no such weight, or none yet.

    >>> find_weight("calls").unit
    'call'
    """
    if name in _WAITING:
        message = f"{name} is not a weight yet; the metric {_WAITING[name]} has it"
        hint = f"weights: {', '.join(WEIGHTS)}"
        raise QueryError(message, path="--weight", hint=hint)
    if name not in WEIGHTS:
        hint = did_you_mean(name, WEIGHT_NAMES) or f"weights: {', '.join(WEIGHTS)}"
        raise QueryError(f"there is no weight {name!r}", path="--weight", hint=hint)
    return WEIGHTS[name]

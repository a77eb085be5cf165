"""What the contexts of an exported tree are weighed by, each with the SQL that says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.schema import tables

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jvmscope.queries import CostModel, Engine

__all__ = [
    "WEIGHTS",
    "Weight",
    "check_params",
    "check_recorded",
    "find_weight",
    "is_recorded",
    "not_recorded",
]


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
        has_params: whether ``own`` has the parameters of a cost model.
        table: the table of a probe that it is read from; None: every run has it.
    """

    name: str
    column: str
    unit: str
    own: str
    sums: str
    inclusive: str
    costs: str | None = None
    has_params: bool = False
    table: str | None = None


def _allocated(what: str, unit: str) -> Weight:
    column = f"n_{what}"
    return Weight(
        f"allocated_{what}",
        column,
        unit,
        f"COALESCE(cost.{column}, 0)",
        "allocated.inclusive()",
        f"sum.{column}",
        costs="allocated.contexts()",
        table="allocation",
    )


def _native(name: str, sums: str, column: str, unit: str, table: str) -> Weight:
    return Weight(
        f"native_{name}",
        column,
        unit,
        f"COALESCE(cost.{column}, 0)",
        f"natives.inclusive_{sums}()",
        f"sum.{column}",
        costs=f"natives.{sums}()",
        table=table,
    )


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
            costs="costs.contexts($cache)",
            has_params=True,
        ),
        _allocated("bytes", "byte"),
        _allocated("objects", "object"),
        _native("calls", "calls", "n_calls", "native call", "context_native"),
        _native("time", "times", "native_ns", "nanosecond", "context_native_time"),
    )
}
"""The weights by name. Of cycles, what the cost model has no cost for is left out; of allocated
bytes, objects of unknown size."""


def find_weight(name: str) -> Weight:
    """Returns the weight of a name.

    Raises:
        QueryError: there is no such weight.

    >>> find_weight("calls").unit
    'call'
    """
    if name not in WEIGHTS:
        hint = did_you_mean(name, WEIGHTS) or f"weights: {', '.join(WEIGHTS)}"
        raise QueryError(f"there is no weight {name!r}", path="--weight", hint=hint)
    return WEIGHTS[name]


def is_recorded(weight: Weight, engine: Engine) -> bool:
    """Tells whether a run has what a weight is read from."""
    return weight.table is None or weight.table in engine.manifest.tables


def check_recorded(weight: Weight, engine: Engine) -> None:
    """Finds out whether a run has what a weight is read from.

    Raises:
        QueryError: it has not; with the option to record it with.
    """
    if not is_recorded(weight, engine):
        raise not_recorded(weight, str(engine.run))


def check_params(
    weight: Weight, params: Mapping[str, Any] | None, cost_model: CostModel | None
) -> None:
    """Refuses parameters that a weight does not have, and two cost models.

    Raises:
        QueryError: some are given.
    """
    from jvmscope.queries import refuse_two_models  # imports DuckDB, which help does without

    if params and not weight.has_params:
        raise QueryError(f"{weight.name} have no parameters; cycles have", path="--param")
    refuse_two_models(params or {}, cost_model)


def not_recorded(weight: Weight, run: str) -> QueryError:
    """Returns the error for a weight that a run does not have."""
    message = f'{run} has no {weight.name}: the table "{weight.table}" was not recorded'
    option = tables()[weight.table or ""].recorded
    probe = option.removeprefix("--probes ")
    hint = f"record the program again with {option}"
    in_python = {option: f"probes=[{probe!r}]"}
    return QueryError(message, path="--weight", hint=hint, in_python=in_python)

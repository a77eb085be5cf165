"""One export of the tree, from its options to its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.queries import WHOLE_RUN, Question
from jvmscope.reports.exports.forest import Forest, scope_of
from jvmscope.reports.exports.formats import TreeFormat, format_named
from jvmscope.reports.exports.weights import check_params, check_recorded, find_weight

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import BinaryIO

    from jvmscope.queries import CostModel, Engine, Scope

__all__ = ["export_tree"]


def export_tree(
    engine: Engine,
    form: str,
    out: BinaryIO,
    *,
    weight: str = "bytecodes",
    root: str | None = None,
    scope: Scope = WHOLE_RUN,
    min_fraction: float = 0.0,
    params: Mapping[str, Any] | None = None,
    cost_model: CostModel | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> None:
    """Writes the trees of a run in a format that other tools open.

    The weights of what is written add up to those of the contexts that it is about, exactly.

    Args:
        engine: the run.
        form: the name of a format of trees.
        out: gets the bytes.
        weight: a key of ``jvmscope.reports.exports.weights.WEIGHTS``, such as ``calls``.
        root: a pattern of methods, as in the scope ``subtree``; only what they call, with
            themselves, is written. None: everything in the scope.
        scope: the part of the run that is written where there is no root.
        min_fraction: subtrees with less than this share of what is written become one node
            below their parent; 0: none.
        params: with cycles, parameters of the cost model, ``model`` and ``cache``.
        cost_model: with cycles, the user's own; None: the one that the parameters name.
        on_progress: called with the percentage done, now and then.

    Raises:
        QueryError: there is no such format, weight or scope, no method matches, or an argument is
            out of range.
        LimitReached: the database needs more memory than it may have.
    """
    chosen = format_named(form)
    if not isinstance(chosen, TreeFormat):
        raise QueryError(f"{form} contains whole tables, not trees", path="export")
    measure = find_weight(weight)
    check_recorded(measure, engine)
    check_params(measure, params, cost_model)
    if not 0 <= min_fraction < 1:
        raise QueryError(f"{min_fraction} is not a fraction from 0 to 1", path="--min-fraction")
    terms = Question(
        "", params=params or {}, scope=scope_of(engine, scope, root), cost_model=cost_model
    )
    forest = Forest(
        engine,
        measure,
        terms,
        min_fraction,
        chosen.has_sums,
        on_progress or (lambda _percentage: None),
    )
    chosen.write(forest, out)

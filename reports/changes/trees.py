"""Differential trees of pairs of runs."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import QueryError
from jvmscope.metrics import catalogue
from jvmscope.queries import (
    WHOLE_RUN,
    Deadline,
    Engine,
    Question,
    Result,
    arrow_schema,
    in_time,
    model_params,
    refuse_two_models,
)
from jvmscope.reports.changes.differential_tree import differential_tree, read_tree
from jvmscope.reports.changes.pairs import saying_which
from jvmscope.reports.changes.tree_excerpt import MOST_NODES, Shape, fold, tree_columns
from jvmscope.reports.exports.weights import find_weight
from jvmscope.reports.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from jvmscope.queries import CostModel, Scope
    from jvmscope.reports.changes.pairs import Pair

__all__ = ["compare_trees"]


def compare_trees(
    pairs: Sequence[Pair],
    *,
    weight: str = "bytecodes",
    scope: Scope = WHOLE_RUN,
    params: Mapping[str, Any] | None = None,
    cost_model: CostModel | None = None,
    most_nodes: int = MOST_NODES,
    timeout: float | None = None,
    on_progress: Callable[[float], None] | None = None,
    open_run: Callable[[Path], AbstractContextManager[Engine]] = Engine,
) -> Result:
    """Returns the differential trees of pairs, one after the other, as ``folding.fold`` does.

    A pair of which a run is missing has no rows.

    Args:
        pairs: what is compared.
        weight: a key of ``jvmscope.reports.exports.weights.WEIGHTS``, such as ``calls``.
        scope: the part of the runs whose contexts weigh anything.
        params: of cycles, parameters of the cost model, and ``cache``.
        cost_model: of cycles, the user's own; None: the one that the parameters name.
        most_nodes: how many nodes of each tree to take, beside what is folded.
        timeout: stop a pair's tree after this many seconds; None: never.
        on_progress: called with the percentage done.
        open_run: opens a run.

    Raises:
        RunError: a directory is not a run, or its recording failed.
        QueryError: there is no such weight or scope, or too many nodes are asked for.
        LimitReached: the time is over, or the database needs more memory than it may have.
    """
    found = find_weight(weight)
    if not 0 < most_nodes <= MOST_NODES:
        message = f"{counted(most_nodes, 'node')}: expected from 1 to {MOST_NODES:,}"
        raise QueryError(message, path="--nodes")
    refuse_two_models(params or {}, cost_model)
    given = _cost_params(params or {}, cost_model) if found.has_params else {}
    terms = Question("", params=given, scope=scope, cost_model=cost_model)
    tables = []
    for number, pair in enumerate(pairs):
        if pair.a.run is None or pair.b.run is None:
            continue
        deadline = Deadline(timeout)
        with open_run(pair.a.run) as a, open_run(pair.b.run) as b:
            trees = []
            for index, engine in enumerate((a, b)):
                with saying_which(index):
                    trees.append(read_tree(engine, found, terms, deadline))
                if on_progress is not None:
                    on_progress(100 * (2 * number + index + 1) / (2 * len(pairs)))
            of_a, of_b = trees
            both = in_time(functools.partial(differential_tree, of_a, of_b), deadline)
            shape = Shape(found.unit, most_nodes, pair.benchmark)
            tables.append(fold(both, ((a, of_a), (b, of_b)), shape, deadline).arrow())
    columns = tree_columns(found.unit)
    if not tables:
        tables = [arrow_schema(columns).empty_table()]
    return Result.of_table(pa.concat_tables(tables), columns)


def _cost_params(params: Mapping[str, Any], cost_model: CostModel | None) -> dict[str, Any]:
    """Returns those of the parameters, which may be any metric's, that decide cycles."""
    of_model = model_params(catalogue()["cycles.contexts"], params, cost_model)
    chosen = {name: params[name] for name in ("model", "cache") if name in params}
    return {**of_model, **chosen}

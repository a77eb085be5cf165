"""Values for the parameters of several metrics at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries import bind_params, model_params, refuse_two_models

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.queries import CostModel, QueryFile

__all__ = ["bind_all"]


def bind_all(
    queries: Sequence[QueryFile], params: Mapping[str, Any], cost_model: CostModel | None = None
) -> dict[str, dict[str, Any]]:
    """Returns the values of each metric's parameters, by the metric's id.

    Args:
        queries: the metrics.
        params: the values that are not the defaults; each must be a parameter of some metric, or
            of the cost model that it uses.
        cost_model: the user's own, or None.

    Raises:
        QueryError: a parameter is no metric's, or a value is not of its type.
    """
    refuse_two_models(params, cost_model)
    declared = {param.name for query in queries for param in query.params}
    of_models = {query.id: model_params(query, params, cost_model) for query in queries}
    declared.update(name for given in of_models.values() for name in given)
    for name in params:
        if name not in declared:
            known = f"parameters: {', '.join(sorted(declared))}"
            hint = did_you_mean(name, declared) or (known if declared else "there are none")
            raise QueryError(f"no metric has a parameter {name!r}", path="--param", hint=hint)
    return {query.id: {**_bind(query, params), **of_models[query.id]} for query in queries}


def _bind(query: QueryFile, params: Mapping[str, Any]) -> dict[str, Any]:
    if not query.params:
        return {}
    given = {param.name: params[param.name] for param in query.params if param.name in params}
    return bind_params(query, given)

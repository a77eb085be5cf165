"""Which cost model a query gets: by its parameter ``model``, or the user's own file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.queries.costs.model import find_cost_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.costs.model import CostModel, Costs
    from jvmscope.queries.query_file import QueryFile

__all__ = [
    "DEFAULT_MODEL",
    "choose_costs",
    "model_params",
    "refuse_two_models",
    "uses_costs",
    "uses_recorded_cache",
]

DEFAULT_MODEL = "jop-2008-07"

_MODEL = "model"
_CALL = re.compile(r"\bcosts\s*\.", re.IGNORECASE)


def uses_costs(query: QueryFile) -> bool:
    """Returns whether a query calls macros of the module ``costs``.

    >>> from jvmscope.queries import parse_query_file
    >>> uses_costs(parse_query_file("FROM costs.methods('none')", None))
    True
    """
    return _CALL.search(query.text) is not None


def uses_recorded_cache(query: QueryFile, params: Mapping[str, Any]) -> bool:
    """Returns whether a query of costs is to count with the cache that was simulated."""
    return uses_costs(query) and params.get("cache") == "recorded"


def refuse_two_models(params: Mapping[str, Any], own: CostModel | None) -> None:
    """Raises an error where a model is given by name and as a file.

    Raises:
        QueryError: it is.
    """
    if own is not None and _MODEL in params:
        message = f"two cost models are given: {params[_MODEL]}, and {own.name} with --cost-model"
        raise QueryError(message, path="--param")


def model_params(
    query: QueryFile, params: Mapping[str, Any], own: CostModel | None
) -> dict[str, Any]:
    """Returns those of the given parameters that are the cost model's and not the query's."""
    if not uses_costs(query):
        return {}
    model = _model(query, params, own)
    declared = {param.name for param in query.params}
    return {
        name: value
        for name, value in params.items()
        if name in model.parameters and name not in declared
    }


def choose_costs(
    query: QueryFile, params: Mapping[str, Any], own: CostModel | None
) -> tuple[Costs, dict[str, Any]]:
    """Returns the costs for a query, and the parameters that remain for the query itself.

    Args:
        query: a query that uses costs.
        params: what was given: for the query, for the model, and ``model``, its name.
        own: the user's own model, which is taken before any other, or None.

    Raises:
        QueryError: there is no such model, or a value is not a whole number.
    """
    ours = model_params(query, params, own)
    rest = {name: value for name, value in params.items() if name not in ours}
    if _MODEL not in {param.name for param in query.params}:
        rest.pop(_MODEL, None)
    model = _model(query, params, own)
    return model.costs({name: _whole(name, value) for name, value in ours.items()}), rest


def _model(query: QueryFile, params: Mapping[str, Any], own: CostModel | None) -> CostModel:
    if own is not None:
        return own
    defaults = {param.name: param.default for param in query.params}
    return find_cost_model(str(params.get(_MODEL, defaults.get(_MODEL, DEFAULT_MODEL))))


def _whole(name: str, value: Any) -> int:
    try:
        return int(value)
    except ValueError:
        message = f"{name}={value}: expected a whole number, as it is a cost model's"
        raise QueryError(message, path="--param") from None

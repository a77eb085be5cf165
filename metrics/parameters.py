"""Values for the parameters of several metrics at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries import bind_params

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.queries import QueryFile

__all__ = ["bind_all"]


def bind_all(queries: Sequence[QueryFile], params: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns the values of each metric's parameters, by the metric's id.

    Args:
        queries: the metrics.
        params: the values that are not the defaults; each must be some metric's parameter.

    Raises:
        QueryError: a parameter is no metric's, or a value is not of its type.
    """
    declared = {param.name for query in queries for param in query.params}
    for name in params:
        if name not in declared:
            hint = did_you_mean(name, declared) or f"parameters: {', '.join(sorted(declared))}"
            raise QueryError(f"no metric has a parameter {name!r}", path="--param", hint=hint)
    return {query.id: _bind(query, params) for query in queries}


def _bind(query: QueryFile, params: Mapping[str, Any]) -> dict[str, Any]:
    if not query.params:
        return {}
    given = {param.name: params[param.name] for param in query.params if param.name in params}
    return bind_params(query, given)

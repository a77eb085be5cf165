"""Cost models: what each bytecode costs on a processor, as data files, and as relations."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jvmscope.queries.costs.choice import (
    DEFAULT_MODEL,
    choose_costs,
    model_params,
    refuse_two_models,
    uses_costs,
    uses_recorded_cache,
)
from jvmscope.queries.costs.model import CostModel, Costs, cost_models, find_cost_model

if TYPE_CHECKING:
    from jvmscope.queries.costs.reader import load_cost_model, read_cost_model
    from jvmscope.queries.costs.relations import RELATIONS, bind_costs

__all__ = [
    "DEFAULT_MODEL",
    "RELATIONS",
    "CostModel",
    "Costs",
    "bind_costs",
    "choose_costs",
    "cost_models",
    "find_cost_model",
    "load_cost_model",
    "model_params",
    "read_cost_model",
    "refuse_two_models",
    "uses_costs",
    "uses_recorded_cache",
]


_LATE = {
    "RELATIONS": "relations",
    "bind_costs": "relations",
    "load_cost_model": "reader",
    "read_cost_model": "reader",
}


def __getattr__(name: str) -> Any:
    """Returns what most queries do not need, imported when it is asked for."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)

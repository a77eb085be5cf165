"""Cost models: what each bytecode costs on a processor, as data files, and as relations."""

from jvmscope.queries.costs.choice import DEFAULT_MODEL, choose_costs, model_params, uses_costs
from jvmscope.queries.costs.model import CostModel, Costs, cost_models, find_cost_model
from jvmscope.queries.costs.reader import read_cost_model
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
    "model_params",
    "read_cost_model",
    "uses_costs",
]

"""A cost model, and what it says for given parameters and sizes of methods."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from jvmscope.queries.costs.formula import Formula

__all__ = ["LARGEST_PARAMETER", "TRANSFERS", "CostModel", "Costs", "cost_models", "find_cost_model"]

LARGEST_PARAMETER = 10**6

_INVOKES = ("invokevirtual", "invokespecial", "invokestatic", "invokeinterface", "invokedynamic")
_RETURNS = ("ireturn", "lreturn", "freturn", "dreturn", "areturn", "return")

TRANSFERS = (*_INVOKES, *_RETURNS)
"""The opcodes whose cost may depend on the method that goes on: its size, and how it is loaded."""


@dataclass(frozen=True)
class CostModel:
    """What the bytecodes cost on a processor, as formulas.

    Attributes:
        name: by which it is chosen.
        title: one line for people.
        source: where the figures are from.
        text: the file.
        parameters: names and values that can be set, such as wait states.
        definitions: names for formulas, in an order in which each needs only those before it.
        hit: cycles to load a method that the cache has; None: nothing is loaded.
        miss: cycles to load one that it does not have, by ``size``.
        opcodes: the formula of each opcode that the model knows.
        otherwise: the formula of all others; None: their cost is unknown.
        native: the formula of a native method's execution; None: it is unknown.
    """

    name: str
    title: str
    source: str
    text: str
    parameters: Mapping[str, int]
    definitions: Mapping[str, Formula]
    hit: Formula | None
    miss: Formula | None
    opcodes: Mapping[str, Formula]
    otherwise: Formula | None
    native: Formula | None

    @property
    def digest(self) -> str:
        """A hash of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def costs(self, given: Mapping[str, int]) -> Costs:
        """Returns the costs with some parameters set.

        Raises:
            QueryError: the model has no such parameter, or a value is out of its range.
        """
        for name, value in given.items():
            if not 0 <= value <= LARGEST_PARAMETER:
                message = f"{name}={value}: expected a number from 0 to {LARGEST_PARAMETER}"
                raise QueryError(message, path="--param")
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                hint = did_you_mean(name, self.parameters) or f"its parameters: {known}"
                message = f"the cost model {self.name} has no parameter {name!r}"
                raise QueryError(message, path="--param", hint=hint)
        return Costs(self, {**self.parameters, **given})


@dataclass(frozen=True)
class Costs:
    """The costs of a model with its parameters set."""

    model: CostModel
    parameters: Mapping[str, int]

    def fixed(self, opcode: str) -> int | None:
        """Returns the cycles of an opcode; None: unknown.

        An invoke or return costs what it does for a method of no bytes that the cache has.
        """
        formula = self.model.opcodes.get(opcode, self.model.otherwise)
        if formula is None:
            return None
        names = self.names(0, is_hit=True) if opcode in TRANSFERS else self.names()
        return int(formula.value(names))

    def native(self) -> int | None:
        """Returns the cycles of a native method's execution; None: unknown."""
        formula = self.model.native
        return None if formula is None else int(formula.value(self.names()))

    def beyond(self, opcode: str, sizes: np.ndarray[Any, Any], *, is_hit: bool) -> Any:
        """Returns what an invoke or return costs beyond ``fixed``, for each size of a method.

        Args:
            opcode: one of ``TRANSFERS``.
            sizes: bytes of code of the method that goes on: the callee, or the caller.
            is_hit: whether the method cache has it.
        """
        import numpy as np

        formula = self.model.opcodes.get(opcode, self.model.otherwise)
        if formula is None:
            return np.zeros_like(sizes)
        value = formula.value(self.names(sizes, is_hit=is_hit))
        return np.broadcast_to(value, sizes.shape) - (self.fixed(opcode) or 0)

    def names(self, size: Any = None, *, is_hit: bool = False) -> dict[str, Any]:
        """Returns the values that formulas may name; without a size those that depend on none."""
        names: dict[str, Any] = dict(self.parameters)
        if size is not None:
            names["size"] = size
        for name, formula in self.model.definitions.items():
            if names.keys() >= set(formula.names):
                names[name] = formula.value(names)
        load = self.model.hit if is_hit else self.model.miss
        if size is not None:
            names["load"] = 0 if load is None else load.value(names)
        return names


@cache
def cost_models() -> Mapping[str, CostModel]:
    """Returns the models that come with jvmscope, by name, in the order of the names."""
    from jvmscope.queries.costs.reader import read_cost_model

    folder = resources.files("jvmscope.queries.costs") / "models"
    found = []
    for file in folder.iterdir():
        if file.name.endswith(".toml"):
            text = file.read_text(encoding="utf-8")
            found.append(read_cost_model(text, f"queries/costs/models/{file.name}"))
    return {model.name: model for model in sorted(found, key=lambda model: model.name)}


def find_cost_model(name: str) -> CostModel:
    """Returns the model of a name.

    Raises:
        QueryError: there is none.
    """
    known = cost_models()
    if name not in known:
        hint = did_you_mean(name, known) or f"cost models: {', '.join(known)}; or --cost-model FILE"
        raise QueryError(f"there is no cost model {name!r}", path="--param", hint=hint)
    return known[name]

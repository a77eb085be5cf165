"""What names stand for while an expression is compiled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.compiler.sources import Derived
    from jvmscope.queries.compiler.values import Item
    from jvmscope.queries.syntax.ast import Expression, Variable

__all__ = ["Binding", "Bound", "Environment", "Grouped", "Lazy"]


@dataclass(frozen=True)
class Bound:
    """One item, or none, of the tuple at hand; ``is_many``: it stands for those of a group."""

    item: Item
    is_many: bool = False


@dataclass(frozen=True)
class Lazy:
    """A sequence that is compiled where it is used; expressions have no effects."""

    expression: Expression
    environment: Environment


@dataclass(frozen=True)
class Grouped:
    """A variable of each tuple of a group, whose aggregates the group shows."""

    binding: Binding
    group: Derived


Binding: TypeAlias = "Bound | Lazy | Grouped"


@dataclass(frozen=True)
class Environment:
    """Variables in scope, and the context item; None where it is absent or unknown."""

    variables: Mapping[Variable, Binding]
    focus: Item | None = None

    def bound(self, variable: Variable | None) -> Binding | None:
        """Returns what a variable stands for, None where the compiler does not know it."""
        return None if variable is None else self.variables.get(variable)

    def bind(self, variable: Variable, binding: Binding) -> Environment:
        """Returns the environment with another variable."""
        return replace(self, variables={**self.variables, variable: binding})

    def focused(self, item: Item) -> Environment:
        """Returns the environment with another context item."""
        return replace(self, focus=item)

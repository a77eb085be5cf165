"""Variables in scope while an expression is compiled, and what each stands for in SQL."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from jvmscope.queries.records import Record, record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.xquery.compiler.sources import Derived
    from jvmscope.queries.xquery.compiler.values import Item, Rows, Scalar
    from jvmscope.queries.xquery.syntax.ast import Expression, Variable

__all__ = ["Binding", "Bound", "Environment", "Grouped", "Lazy", "Tuples"]


@record
class Bound(Record):
    """One item, or none, of the tuple at hand; ``is_many``: it stands for those of a group."""

    item: Item
    is_many: bool = False


@record
class Lazy(Record):
    """A sequence that is compiled where it is used; expressions have no effects."""

    expression: Expression
    environment: Environment


@record
class Grouped(Record):
    """A variable of each tuple of a group, whose aggregates the group shows.

    Attributes:
        binding: what the variable is in one tuple.
        group: the grouping, with a row for each group.
        source: the variable before the grouping.
        again: compiles the tuples once more, under other names: their rows, what variables stand
            for in one, and the grouping keys.
    """

    binding: Binding
    group: Derived
    source: Variable
    again: Callable[[], tuple[Rows, Environment, tuple[Scalar, ...]]]


@record
class Tuples(Record):
    """What a variable is in all tuples, one after the other.

    Attributes:
        rows: the tuples.
        environment: what variables stand for in one of them.
        source: the variable there.
    """

    rows: Rows
    environment: Environment
    source: Variable


Binding: TypeAlias = "Bound | Lazy | Grouped | Tuples"


@record
class Environment(Record):
    """Variables in scope, and the context item; None where it is absent or unknown."""

    variables: Mapping[Variable, Binding]
    focus: Item | None = None

    def bound(self, variable: Variable | None) -> Binding | None:
        """Returns what a variable stands for, None where the compiler does not know it."""
        return None if variable is None else self.variables.get(variable)

    @property
    def has_groups(self) -> bool:
        """Whether a variable stands for what the tuples of a group hold."""
        return any(isinstance(binding, Grouped) for binding in self.variables.values())

    def bind(self, variable: Variable, binding: Binding) -> Environment:
        """Returns the environment with another variable."""
        return replace(self, variables={**self.variables, variable: binding})

    def focused(self, item: Item) -> Environment:
        """Returns the environment with another context item."""
        return replace(self, focus=item)

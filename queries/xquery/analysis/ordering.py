"""The order in which global variables are evaluated: each after those that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jvmscope.queries.xquery.analysis.scope import Uses
    from jvmscope.queries.xquery.syntax.ast import Variable
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["find_cycle", "in_order"]

_Declared: TypeAlias = "Variable | tuple[Name, int]"
"""A variable, or a function by name and arity."""


class _Graph:
    """What variables and functions use, by themselves."""

    def __init__(
        self, variables: Mapping[Variable, Uses], functions: Mapping[tuple[Name, int], Uses]
    ) -> None:
        self._variables = variables
        self._functions = functions

    def needs(self, node: _Declared) -> list[_Declared]:
        """Returns the variables and functions that a declaration refers to, ordered by name."""
        uses = self._functions[node] if isinstance(node, tuple) else self._variables[node]
        variables = [variable for variable in uses.variables if variable in self._variables]
        functions = [key for key in uses.functions if key in self._functions]
        return [
            *sorted(variables, key=lambda variable: variable.name.expanded),
            *sorted(functions, key=lambda key: (key[0].expanded, key[1])),
        ]

    def after_needs(self, starts: Iterable[_Declared]) -> Iterator[_Declared]:
        """Yields what declarations need, then themselves, depth first and each once."""
        entered: set[_Declared] = set()
        for start in starts:
            if start in entered:
                continue
            entered.add(start)
            stack = [(start, iter(self.needs(start)))]
            while stack:
                node, needs = stack[-1]
                need = next((need for need in needs if need not in entered), None)
                if need is None:
                    stack.pop()
                    yield node
                else:
                    entered.add(need)
                    stack.append((need, iter(self.needs(need))))

    def has_cycle(self, starts: Iterable[_Declared]) -> bool:
        """Tells whether something that declarations need, or one of them, needs itself."""
        done: set[_Declared] = set()
        for node in self.after_needs(starts):
            if not done.issuperset(self.needs(node)):
                return True  # depth first, what is needed and not done waits for this
            done.add(node)
        return False


def in_order(
    variables: Mapping[Variable, Uses], functions: Mapping[tuple[Name, int], Uses]
) -> list[Variable]:
    """Returns the variables, each after those that it needs itself or through functions.

    Args:
        variables: what the value of each variable uses.
        functions: what the body of each function uses.
    """
    graph = _Graph(variables, functions)
    return [node for node in graph.after_needs(variables) if not isinstance(node, tuple)]


def find_cycle(
    variables: Mapping[Variable, Uses], functions: Mapping[tuple[Name, int], Uses]
) -> Variable | None:
    """Returns a variable whose value needs itself, at once or through others, or None.

    Args:
        variables: what the value of each variable needs whatever happens.
        functions: what a call of each function needs whatever happens.
    """
    graph = _Graph(variables, functions)
    if not graph.has_cycle(variables):
        return None
    for variable in variables:
        for node in graph.after_needs([variable]):
            if variable in graph.needs(node):
                return variable
    return None

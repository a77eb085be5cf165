"""The order in which global variables are evaluated: each after those that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jvmscope.queries.analysis.scope import Uses
    from jvmscope.queries.syntax.ast import Variable
    from jvmscope.queries.syntax.names import Name

__all__ = ["find_cycle", "in_order"]


def in_order(
    variables: Mapping[Variable, Uses], functions: Mapping[tuple[Name, int], Uses]
) -> list[Variable]:
    """Returns the variables, each after those that it needs itself or through functions.

    Args:
        variables: what the value of each variable uses.
        functions: what the body of each function uses.

    A cycle through functions may never close when the query runs; its variables come in some
    order.
    """
    done: dict[Variable, None] = {}
    for variable in variables:
        _visit(variable, variables, functions, done)
    return list(done)


def _visit(
    start: Variable,
    variables: Mapping[Variable, Uses],
    functions: Mapping[tuple[Name, int], Uses],
    done: dict[Variable, None],
) -> None:
    """Adds a variable after its needs, depth first, on a stack of our own."""
    entered: set[object] = {start}
    stack: list[tuple[object, Iterable[object]]] = [(start, iter(_needs(variables[start])))]
    while stack:
        node, needs = stack[-1]
        for need in needs:
            if need in entered or need in done:
                continue
            entered.add(need)
            uses = variables.get(need) or functions.get(need)  # type: ignore[call-overload]
            if uses is not None:
                stack.append((need, iter(_needs(uses))))
                break
        else:
            stack.pop()
            if node in variables:
                done[node] = None  # type: ignore[index]


def _needs(uses: Uses) -> list[object]:
    functions = sorted(uses.functions, key=lambda key: (key[0].expanded, key[1]))
    return [*sorted(uses.variables, key=lambda variable: variable.name.expanded), *functions]


def find_cycle(variables: Mapping[Variable, Uses]) -> Variable | None:
    """Returns a variable whose value needs itself through variables alone, or None."""
    for start in variables:
        reached: set[Variable] = set()
        pending = [start]
        while pending:
            for need in variables[pending.pop()].variables:
                if need is start:
                    return start
                if need not in reached and need in variables:
                    reached.add(need)
                    pending.append(need)
    return None

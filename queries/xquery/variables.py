"""The variables of a query: those that it finds, and those that it refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.walk import children

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis import Program

__all__ = ["PREDEFINED", "referenced"]

PREDEFINED = ("cct", "classes", "methods", "threads")
"""The variables that a query finds without declaring them, which the run's trees evaluate."""


def referenced(program: Program) -> set[ast.Variable]:
    """Returns the variables that are referred to anywhere: in the body, functions, variables.

    The plan may have replaced what needed a predefined variable, which then is none of them.
    """
    pending: list[Any] = [program.main.body]
    pending += [function.declaration.body for function in program.functions.values()]
    pending += [declaration.expression for declaration, _ in program.variables]
    found: set[ast.Variable] = set()
    while pending:
        node = pending.pop()
        if node is None:
            continue
        if isinstance(node, ast.VariableReference) and node.variable is not None:
            found.add(node.variable)
        pending += children(node)
    return found

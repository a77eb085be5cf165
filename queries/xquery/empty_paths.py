"""Paths into a run's documents that can select nothing are empty at once.

``count($cct//dcg:contxt)`` is 0 whatever the run. Where a step is known to select nothing, the path
with that step that begins with a variable of the run becomes ``()``, and its trees, which may be
millions of nodes, are not walked. Errors in the path's predicates are not raised then, as XQuery
3.1, section 2.3.4, allows.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.variables import PREDEFINED

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmscope.queries.xquery.analysis import Program

__all__ = ["without_empty_paths"]


def without_empty_paths(program: Program, steps: Collection[ast.AxisStep]) -> Program:
    """Returns a program whose main expression has ``()`` for each path with one of the steps.

    Args:
        program: the program.
        steps: steps that select nothing from nodes of the run.
    """
    declared = {
        id(declaration.variable)
        for declaration, _ in program.variables
        if declaration.expression is not None
    }
    emptied = _Emptied({id(step) for step in steps}, declared)
    main = replace(program.main, body=emptied.of(program.main.body))
    return replace(program, main=main)


class _Emptied:
    """Makes copies of syntax in which some paths are empty; what does not change is kept."""

    def __init__(self, steps: set[int], declared: set[int]) -> None:
        self._steps = steps
        self._declared = declared

    def of(self, node: Any) -> Any:
        if isinstance(node, tuple):
            parts = tuple(map(self.of, node))
            is_same = all(new is old for new, old in zip(parts, node, strict=True))
            return node if is_same else parts
        if not isinstance(node, ast.Syntax):
            return node
        if isinstance(node, ast.Path) and self._is_empty(node):
            return ast.Parenthesized(at=node.at, end=node.end, inner=None)
        syntax: Any = node  # every class of syntax is a dataclass
        changed = {}
        for name in (field.name for field in fields(syntax)):
            old = getattr(node, name)
            new = self.of(old)
            if new is not old:
                changed[name] = new
        return replace(syntax, **changed) if changed else node

    def _is_empty(self, path: ast.Path) -> bool:
        """Tells whether a path goes from a variable of the run to a step that selects nothing."""
        first, *steps = path.steps
        is_of_run = (
            isinstance(first, ast.VariableReference)
            and first.variable is not None
            and first.variable.is_global
            and id(first.variable) not in self._declared
            and not first.name.uri
            and first.name.local in PREDEFINED
        )
        for step in steps if is_of_run else ():
            if not isinstance(step, ast.AxisStep):
                return False
            if id(step) in self._steps:
                return True
        return False

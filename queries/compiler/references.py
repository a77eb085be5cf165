"""Which variables an expression reads, and how often."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from jvmscope.queries.syntax import ast
from jvmscope.queries.syntax.walk import children

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["references", "walk"]


def walk(node: Any) -> Iterator[Any]:
    """Returns a node and all below it."""
    pending = [node]
    while pending:
        at = pending.pop()
        if not isinstance(at, tuple):
            yield at
        pending.extend(children(at))


def references(*nodes: Any) -> Counter[ast.Variable]:
    """Returns how often each variable is read; a grouping key without expression reads one."""
    found: Counter[ast.Variable] = Counter()
    for node in walk(nodes):
        variable = None
        if isinstance(node, ast.VariableReference):
            variable = node.variable
        elif isinstance(node, ast.GroupingKey):
            variable = node.source
        if variable is not None:
            found[variable] += 1
    return found

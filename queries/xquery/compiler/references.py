"""Which variables an expression reads, and how often; expressions with parts replaced."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.walk import children

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["is_read", "references", "rewritten", "walk"]


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


def is_read(variable: ast.Variable, *nodes: Any) -> bool:
    """Tells whether expressions or clauses read a variable, before a grouping or after it."""
    found = references(*nodes)
    clauses = [node for node in walk(nodes) if isinstance(node, ast.GroupByClause)]
    regrouped = dict(pair for clause in clauses for pair in clause.regrouped)
    name: ast.Variable | None = variable
    while name is not None and not found[name]:
        name = regrouped.get(name)
    return name is not None


def rewritten(node: Any, change: Any) -> Any:
    """Returns a tree in which nodes are what ``change`` makes of them; None lets it go deeper."""
    if isinstance(node, tuple):
        changed = tuple(rewritten(part, change) for part in node)
        return node if all(a is b for a, b in zip(node, changed, strict=True)) else changed
    if not is_dataclass(node) or isinstance(node, (ast.Variable, Name, type)):
        return node
    if isinstance(node, ast.Expression) and (found := change(node)) is not None:
        return found
    values = {field.name: getattr(node, field.name) for field in fields(node)}
    changed_values = {name: rewritten(value, change) for name, value in values.items()}
    if all(changed_values[name] is value for name, value in values.items()):
        return node
    return replace(node, **changed_values)

"""Walks over abstract syntax, whatever its classes."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["children", "height", "heights"]

_FIELDS = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (getattr(ast, name) for name in ast.__all__)
    if is_dataclass(kind) and kind not in (ast.Variable, ast.Module)
}


def children(node: Any) -> Iterator[Any]:
    """Returns the nodes right below a node, or in a tuple, in the order of the text.

    Clauses, bindings, cases, attributes and the like are nodes; names, types, variables and
    texts are not.
    """
    parts: Iterable[Any]
    if isinstance(node, tuple):
        parts = node
    else:
        parts = (getattr(node, name) for name in _FIELDS[type(node)])
    for part in parts:
        if isinstance(part, tuple):
            yield from children(part)
        elif type(part) in _FIELDS:
            yield part


def heights(node: Any) -> dict[int, int]:
    """Returns how many nodes stand above each other in each node, itself included, by its ``id``.

    The stack does not grow with it.
    """
    nodes = [node]
    for parent in nodes:
        nodes.extend(children(parent))
    found: dict[int, int] = {}
    for parent in reversed(nodes):
        found[id(parent)] = 1 + max((found[id(child)] for child in children(parent)), default=0)
    return found


def height(node: Any) -> int:
    """Returns how many nodes stand above each other at most; the stack does not grow with it."""
    highest = 0
    level = [node]
    while level:
        highest += 1
        level = [child for parent in level for child in children(parent)]
    return highest

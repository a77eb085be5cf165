"""Abstract syntax without places, to be compared."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["shape"]

_PLACES = {"at", "end"}


def shape(node: Any, *, with_parentheses: bool = True) -> Any:
    """Returns syntax as nested tuples that are equal for equal syntax, wherever it stands.

    Args:
        node: a module, an expression, a type, a name, or a tuple of such.
        with_parentheses: whether ``(a)`` differs from ``a``.
    """
    if isinstance(node, tuple):
        return tuple([shape(part, with_parentheses=with_parentheses) for part in node])
    if isinstance(node, Source) or not is_dataclass(node):
        return (type(node).__name__, None if isinstance(node, Source) else node)
    if isinstance(node, ast.Parenthesized) and node.inner is not None and not with_parentheses:
        return shape(node.inner, with_parentheses=with_parentheses)
    parts = [
        shape(getattr(node, field.name), with_parentheses=with_parentheses)
        for field in fields(node)
        if field.name not in _PLACES
    ]
    return (type(node).__name__, *parts)

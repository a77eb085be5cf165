"""The register of rules: how the expressions of each class are rewritten."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.analysis.scope import Scope

__all__ = ["operands_of", "rule", "rule_of"]

_Rule: TypeAlias = "Callable[[Scope, Any], Any]"
_F = TypeVar("_F", bound="Callable[[Any, Any], Any]")

_RULES: dict[type, _Rule] = {}


def rule(*kinds: type) -> Callable[[_F], _F]:
    """Returns a decorator that registers how expressions of some classes are rewritten."""

    def register(function: _F) -> _F:
        _RULES.update(dict.fromkeys(kinds, function))
        return function

    return register


def rule_of(kind: type) -> _Rule:
    """Returns the rule of a class."""
    return _RULES[kind]


def operands_of(*names: str) -> _Rule:
    """Returns the rule of classes whose parts have nothing in scope that the whole has not.

    Args:
        names: the fields that hold expressions, None, or tuples of such.
    """

    def rewrite(scope: Scope, expression: Any) -> Any:
        changes = {}
        for name in names:
            part = getattr(expression, name)
            rewritten = scope.rewrite_all((part,))[0]
            if rewritten is not part:
                changes[name] = rewritten
        return replace(expression, **changes) if changes else expression

    return rewrite

"""Precedence of expressions when they are written: where parentheses are needed."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.syntax.ast import Expression

__all__ = ["Level", "enclosed", "listed", "write", "writes"]


class Level(IntEnum):
    """Productions of the grammar, each of which includes those after it (XQuery 3.1, A.1)."""

    SEQUENCE = 0
    SINGLE = 1
    OR = 2
    AND = 3
    COMPARISON = 4
    CONCATENATION = 5
    RANGE = 6
    ADDITIVE = 7
    MULTIPLICATIVE = 8
    UNION = 9
    INTERSECT = 10
    INSTANCE = 11
    TREAT = 12
    CASTABLE = 13
    CAST = 14
    ARROW = 15
    UNARY = 16
    VALUE = 17
    MAP = 18
    PATH = 19
    STEP = 20
    POSTFIX = 21
    PRIMARY = 22


_Writer: TypeAlias = "Callable[[Any], tuple[Level, str]]"
_F = TypeVar("_F", bound="Callable[[Any], tuple[Level, str]]")

_WRITERS: dict[type, _Writer] = {}


def writes(*kinds: type) -> Callable[[_F], _F]:
    """Returns a decorator that registers what writes expressions of some classes.

    It returns a text and the production that the text is.
    """

    def register(function: _F) -> _F:
        _WRITERS.update(dict.fromkeys(kinds, function))
        return function

    return register


def write(expression: Expression, level: Level = Level.SINGLE) -> str:
    """Returns an expression's text, in parentheses where the place needs a stronger one."""
    own, text = _WRITERS[type(expression)](expression)
    return text if own >= level else f"({text})"


def listed(expressions: tuple[Expression, ...]) -> str:
    """Returns expressions with commas between them."""
    return ", ".join([write(expression) for expression in expressions])


def enclosed(expression: Expression | None) -> str:
    """Returns an expression in braces; ``{}`` for None."""
    return "{}" if expression is None else f"{{ {write(expression, Level.SEQUENCE)} }}"

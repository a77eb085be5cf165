"""Formulas of cost models: whole numbers, names, ``+ - *``, and four functions.

    98 + 2 * r + max(0, r - 3) + max(0, load - 37)
    ceil(size / 4)

``max`` and ``min`` take two or more formulas; ``ceil`` and ``floor`` take a quotient, the only
place of a division, so that a formula's value is always a whole number. The syntax is a part of
Python's, whose parser reads it; nothing is ever executed.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Formula", "FormulaError", "parse_formula"]

_LONGEST = 500
_LARGEST = 10**9
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
}
_EXTREMES: dict[str, Callable[[Any, Any], Any]] = {
    "max": lambda left, right: _where(left > right, left, right),
    "min": lambda left, right: _where(left < right, left, right),
}
_ROUNDINGS: dict[str, Callable[[Any, Any], Any]] = {
    "ceil": lambda over, under: -(-over // under),
    "floor": lambda over, under: over // under,
}
_GRAMMAR = "whole numbers, names, + - *, max(a, b), min(a, b), ceil(a / b) and floor(a / b)"


class FormulaError(ValueError):
    """A formula is wrong: what, and from which character on, counted from 0."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True)
class Formula:
    """A formula that was understood.

    Attributes:
        text: as it is written.
        names: the names in it, in the order of their first appearance.
    """

    text: str
    names: tuple[str, ...]
    _tree: ast.expr

    def value(self, values: Mapping[str, Any]) -> Any:
        """Returns the value for values of the names: whole numbers, or NumPy arrays of them.

        Raises:
            FormulaError: it divides by 0.
            KeyError: a name has no value.

        >>> parse_formula("ceil(size / 4) + r").value({"size": 9, "r": 1})
        4
        """
        import numpy as np

        found = _value(self._tree, values)
        return found if np.ndim(found) else int(found)


def parse_formula(text: str) -> Formula:
    """Returns the formula that a text is.

    Raises:
        FormulaError: it is invalid.

    >>> parse_formula("2 * r + max(0, load - 37)").names
    ('r', 'load')
    """
    if len(text) > _LONGEST:
        raise FormulaError(f"a formula has at most {_LONGEST} characters", _LONGEST)
    if not text.isascii():
        at = next(at for at, character in enumerate(text) if not character.isascii())
        raise FormulaError(f"expected {_GRAMMAR}", at)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        at = getattr(error, "offset", None) or len(text)
        raise FormulaError(f"expected {_GRAMMAR}", max(0, min(at, len(text)) - 1)) from None
    names: dict[str, None] = {}
    _check(tree, names)
    return Formula(text, tuple(names), tree)


def _check(node: ast.expr, names: dict[str, None]) -> None:
    """Notes the names of an expression, and rejects what is not a formula."""
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            if number > _LARGEST:
                raise FormulaError(f"a number is at most {_LARGEST}", node.col_offset)
        case ast.Name(id=name):
            names[name] = None
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult()):
            _check(node.left, names)
            _check(node.right, names)
        case ast.BinOp(op=ast.Div()):
            raise FormulaError("a quotient must be inside ceil() or floor()", node.col_offset)
        case ast.Call(func=ast.Name(id=function), keywords=[]):
            for argument in _arguments(node, function):
                _check(argument, names)
        case _:
            raise FormulaError(f"expected {_GRAMMAR}", node.col_offset)


def _arguments(call: ast.Call, function: str) -> list[ast.expr]:
    if function in _EXTREMES and len(call.args) >= 2:
        return call.args
    if function in _ROUNDINGS:
        match call.args:
            case [ast.BinOp(op=ast.Div(), left=left, right=right)]:
                return [left, right]
        raise FormulaError(f"{function}() takes a quotient, as size / 4", call.col_offset)
    raise FormulaError(f"expected {_GRAMMAR}", call.col_offset)


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return values[name]
        case ast.BinOp(op=op, left=left, right=right):
            return _OPERATORS[type(op)](_value(left, values), _value(right, values))
        case ast.Call(func=ast.Name(id=function)):
            found = [_value(argument, values) for argument in _arguments(node, function)]
            if function in _EXTREMES:
                return reduce(_EXTREMES[function], found)
            if _has_zero(found[1]):
                raise FormulaError("it divides by 0", node.col_offset)
            return _ROUNDINGS[function](*found)
    raise AssertionError(ast.dump(node))


# NumPy takes longer to import than a short query; most commands read no formula.


def _where(condition: Any, left: Any, right: Any) -> Any:
    import numpy as np

    return np.where(condition, left, right)


def _has_zero(found: Any) -> bool:
    import numpy as np

    return bool(np.any(np.equal(found, 0)))

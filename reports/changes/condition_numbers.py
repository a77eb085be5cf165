"""Comparisons of ``a``, ``b`` and their differences that no two numbers can meet together.

``delta`` is ``b - a``, and where the sign of ``a`` is known, ``delta_pct > 3`` is
``100 * (b - a) > 3 * |a|``. So each comparison bounds a sum of multiples of ``a`` and ``b``, and
whether numbers meet all of them is decided by eliminating ``b`` and then ``a`` (Fourier-Motzkin),
with fractions. DuckDB rounds: where that may matter, a bound is eased by more than rounding can do.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from jvmscope.reports.changes.condition_parts import columns_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmscope.reports.changes.condition_parts import Node

__all__ = ["Bound", "bounds_of", "can_hold"]

_MOST_BOUNDS = 40
"""Each elimination may square the number of bounds; more of them are not judged."""

_EASE = Fraction(1, 10**9)
"""What a sum may be off by, relative to its terms: much more than by rounding to doubles."""

_NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?")
_LARGEST = Fraction(10**60)
"""What a factor may be, or its reciprocal: with others a product might overflow."""

_COMPARED = {
    "COMPARE_GREATERTHAN": ("left", "right", True),
    "COMPARE_GREATERTHANOREQUALTO": ("left", "right", False),
    "COMPARE_LESSTHAN": ("right", "left", True),
    "COMPARE_LESSTHANOREQUALTO": ("right", "left", False),
}
"""The operand that must be larger, the other, and whether they may not be equal."""

_Terms = tuple[Fraction, Fraction, Fraction, Fraction]
"""The factors of ``a``, ``b`` and ``delta_pct``, and a constant."""

_Line = tuple[Fraction, Fraction, Fraction, bool]
"""The factors of ``a`` and ``b``, and a constant: the sum is positive, if the last is set; or 0."""


@dataclass(frozen=True)
class _Sum:
    """A sum of columns with factors.

    Attributes:
        terms: the factors.
        sizes: what the factors of each column come to without their signs.
    """

    terms: _Terms
    sizes: _Terms


@dataclass(frozen=True)
class Bound:
    """A sum of ``a`` and ``b``, or of ``delta_pct`` alone, that is positive, or not negative.

    Attributes:
        sum: the sum.
        is_strict: whether it may not be 0.
        is_exact: whether DuckDB's rounding cannot change what is true.
    """

    sum: _Sum
    is_strict: bool
    is_exact: bool


def bounds_of(node: Node, *, is_positive: bool) -> list[Bound]:
    """Returns what a comparison asks of numbers, as far as it is looked at.

    Args:
        node: a part of a parsed condition.
        is_positive: whether it must be true, else false.
    """
    kind = node["type"]
    if kind in _COMPARED:
        more, less, is_strict = _COMPARED[kind]
        if not is_positive:
            more, less, is_strict = less, more, not is_strict
        sides = [(node[more], node[less])]
    elif kind == "COMPARE_BETWEEN" and is_positive:
        sides, is_strict = [(node["input"], node["lower"]), (node["upper"], node["input"])], False
    elif kind == "COMPARE_EQUAL" and is_positive:
        sides, is_strict = [(node["left"], node["right"]), (node["right"], node["left"])], False
    else:
        return []
    bounds = (_bound(more, less, is_strict=is_strict) for more, less in sides)
    return [bound for bound in bounds if bound is not None]


def can_hold(bounds: Iterable[Bound], *, may_be_negative: bool) -> bool:
    """Tells whether two numbers may meet all bounds; if it is too much to decide, they may.

    Args:
        bounds: what must hold.
        may_be_negative: whether ``a`` and ``b`` may be.
    """
    asked = list(dict.fromkeys(bounds))
    if not asked or len(asked) > _MOST_BOUNDS:
        return True
    signs = (-1, 0, 1) if may_be_negative else (0, 1)
    has_percentage = any(bound.sum.terms[2] for bound in asked)
    return any(
        _is_possible([*_signed(sign_a, sign_b), *(_line(b, sign_a, sign_b) for b in asked)])
        for sign_a, sign_b in itertools.product(signs, repeat=2)
        if sign_a or not has_percentage  # of 0 it is null
    )


def _bound(more: Node, less: Node, *, is_strict: bool) -> Bound | None:
    """Returns that one expression is more than another; None: they are not sums of columns."""
    left, right = _sum(more), _sum(less)
    total = left and right and _added(left, right, -1)
    if not total or not any(total.sizes[:3]) or (total.sizes[2] and any(total.sizes[:2])):
        return None
    is_exact = _is_plain(more) and _is_plain(less)
    return Bound(total, is_strict, is_exact and _is_exact(total, [more, less], is_strict=is_strict))


def _sum(node: Node) -> _Sum | None:
    """Returns an expression as a sum of columns with factors; None: it is not one."""
    if node.get("class") == "COLUMN_REF":
        return _COLUMNS.get(node["column_names"][-1].lower())
    if "literal" in node:
        number = _number(node["literal"])
        return None if number is None else _constant(number)
    if not node.get("is_operator"):
        return None
    found = [_sum(argument["expression"]) for argument in node["arguments"]]
    operands = [each for each in found if each is not None]
    if len(operands) != len(found):
        return None
    if len(operands) == 1:
        return _added(_constant(Fraction(0)), operands[0], {"-": -1, "+": 1}.get(_name(node), 0))
    return _of_two(_name(node), *operands) if len(operands) == 2 else None


def _of_two(name: str, left: _Sum, right: _Sum) -> _Sum | None:
    if name in {"+", "-"}:
        return _added(left, right, 1 if name == "+" else -1)
    if name == "*" and not any(left.sizes[:3]):
        return _times(right, left.terms[3])
    if name == "*" and not any(right.sizes[:3]):
        return _times(left, right.terms[3])
    if name == "/" and not any(right.sizes[:3]) and right.terms[3]:
        return _times(left, 1 / right.terms[3])
    return None


def _name(node: Node) -> str:
    return str(node["function_name"])


def _added(left: _Sum, right: _Sum, sign: int) -> _Sum | None:
    if not sign:
        return None
    terms = [one + sign * other for one, other in zip(left.terms, right.terms, strict=True)]
    sizes = [one + other for one, other in zip(left.sizes, right.sizes, strict=True)]
    return _Sum(_four(terms), _four(sizes))


def _times(found: _Sum, factor: Fraction) -> _Sum | None:
    sizes = [size * abs(factor) for size in found.sizes]
    if any(size and not 1 / _LARGEST < size < _LARGEST for size in sizes):
        return None
    return _Sum(_four([term * factor for term in found.terms]), _four(sizes))


def _four(numbers: Sequence[Fraction]) -> _Terms:
    first, second, third, fourth = numbers
    return first, second, third, fourth


def _constant(number: Fraction) -> _Sum:
    zero = Fraction(0)
    return _Sum((zero, zero, zero, number), (zero, zero, zero, abs(number)))


def _column(a: int, b: int, percentage: int) -> _Sum:
    terms = [Fraction(factor) for factor in (a, b, percentage, 0)]
    return _Sum(_four(terms), _four([abs(term) for term in terms]))


_COLUMNS = {
    "a": _column(1, 0, 0),
    "b": _column(0, 1, 0),
    "delta": _column(-1, 1, 0),
    "delta_pct": _column(0, 0, 1),
}


def _number(literal: dict[str, str]) -> Fraction | None:
    """Returns a number as DuckDB compares it with a double; None: it is another literal."""
    if literal["kind"] not in {"INTEGER", "NUMERIC"} or not _NUMBER.fullmatch(literal["text"]):
        return None
    read = float(literal["text"])
    number = Fraction(read) if abs(read) < _LARGEST else _LARGEST
    return number if not number or 1 / _LARGEST < abs(number) < _LARGEST else None


def _is_plain(node: Node) -> bool:
    """Tells whether an expression is a column, a number or a difference of columns.

    It may have a sign, which never rounds.
    """
    if node.get("class") == "COLUMN_REF" or "literal" in node:
        return True
    arguments = [each["expression"] for each in node.get("arguments", ())]
    if len(arguments) == 1 and node.get("is_operator") and _name(node) in {"+", "-"}:
        return _is_plain(arguments[0])
    is_difference = len(arguments) == 2 and _name(node) == "-"
    return (
        is_difference
        and {frozenset("a"), frozenset("b")} == set(map(columns_of, arguments))
        and (all(each.get("class") == "COLUMN_REF" for each in arguments))
    )


def _is_exact(total: _Sum, sides: Sequence[Node], *, is_strict: bool) -> bool:
    """Tells whether a comparison of plain sides is true of doubles just where it is of numbers.

    The sign of a difference is exact, and so is a percentage of 0, or below -100, but others are
    rounded.
    """
    a, b, percentage, constant = total.terms
    columns = columns_of(sides)
    if columns in ({"a"}, {"b"}) or not any(total.terms):  # as x > x
        return True
    if columns == {"delta_pct"}:
        return not constant or (percentage < 0 and constant == 100 * percentage and is_strict)
    return columns in ({"a", "b"}, {"delta"}) and not constant and a == -b and abs(a) == 1


def _signed(sign_a: int, sign_b: int) -> list[_Line]:
    """Returns what it means that numbers have these signs."""
    zero, one = Fraction(0), Fraction(1)
    lines: list[_Line] = []
    for sign, (of_a, of_b) in ((sign_a, (one, zero)), (sign_b, (zero, one))):
        if sign:
            lines.append((sign * of_a, sign * of_b, zero, True))
        else:
            lines += [(of_a, of_b, zero, False), (-of_a, -of_b, zero, False)]
    return lines


def _line(bound: Bound, sign_a: int, sign_b: int) -> _Line:
    """Returns a bound for numbers of these signs, eased unless it is exact."""
    a, b, percentage, constant = bound.sum.terms
    size_a, size_b, size_percentage, size_constant = bound.sum.sizes
    if size_percentage:  # times the size of a, which is not 0
        a, b, constant = constant * sign_a - 100 * percentage, 100 * percentage, Fraction(0)
        size_a, size_b = size_constant + 100 * size_percentage, 100 * size_percentage
        size_constant = Fraction(0)
    ease = Fraction(0) if bound.is_exact else _EASE
    return (
        a + ease * size_a * sign_a,
        b + ease * size_b * sign_b,
        constant + ease * size_constant,
        bound.is_strict,
    )


def _is_possible(lines: Sequence[_Line]) -> bool:
    """Tells whether there are numbers ``a`` and ``b`` for which all sums are what they must be."""
    for at in (1, 0):
        lower = [line for line in lines if line[at] > 0]
        upper = [line for line in lines if line[at] < 0]
        rest = [line for line in lines if not line[at]]
        lines = list(dict.fromkeys([*rest, *(_without(at, x, y) for x in lower for y in upper)]))
    return all(
        constant > 0 or (constant == 0 and not is_strict) for *_, constant, is_strict in lines
    )


def _without(at: int, lower: _Line, upper: _Line) -> _Line:
    """Returns what two sums say together of the other number."""
    by, of = Fraction(1) / lower[at], Fraction(-1) / upper[at]
    a, b, constant = (
        one * by + other * of for one, other in zip(lower[:3], upper[:3], strict=True)
    )
    return a, b, constant, lower[3] or upper[3]

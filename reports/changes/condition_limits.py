"""Conditions that no value can meet, since what they ask for contradicts itself.

``delta > 5 AND delta < 3`` would pass every comparison, and so would ``a IS NULL AND delta > 5``,
since a difference is null where a value is. So would ``delta > 0 AND b < a``, and ``a < 0`` where
values are counts. What is looked at are comparisons of a column with a number, a text or null, of
sums of ``a``, ``b`` and their differences, and of an expression with itself; what else a condition
says only narrows it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jvmscope.reports.changes.condition_columns import (
    DIFFERENCE,
    NEVER_NEGATIVE,
    Limit,
    bounds,
    counting_columns,
    implied,
)
from jvmscope.reports.changes.condition_numbers import bounds_of, can_hold
from jvmscope.reports.changes.condition_parts import (
    columns_of,
    number_of,
    strict_columns,
    without_truth,
)
from jvmscope.reports.changes.self_comparisons import is_of_itself

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from jvmscope.reports.changes.condition_parts import Node

    _Part = tuple[Node, bool]  # what must be true, or false

__all__ = ["contradiction", "missing_column"]

_AND, _OR, _NOT = "CONJUNCTION_AND", "CONJUNCTION_OR", "OPERATOR_NOT"
_MIRRORED = {
    "COMPARE_GREATERTHAN": "COMPARE_LESSTHAN",
    "COMPARE_GREATERTHANOREQUALTO": "COMPARE_LESSTHANOREQUALTO",
    "COMPARE_EQUAL": "COMPARE_EQUAL",
}
_MIRRORED |= {right: left for left, right in _MIRRORED.items()}
_NEGATED = {
    "COMPARE_GREATERTHAN": "COMPARE_LESSTHANOREQUALTO",
    "COMPARE_LESSTHAN": "COMPARE_GREATERTHANOREQUALTO",
}
_NEGATED |= {right: left for left, right in _NEGATED.items()}
_ONE_OF = ("COMPARE_EQUAL", "COMPARE_IN")
_NONE_OF = ("COMPARE_NOTEQUAL", "COMPARE_NOT_IN")
_MOST_ALTERNATIVES = 64
_NULLS = {"OPERATOR_IS_NULL": True, "OPERATOR_IS_NOT_NULL": False}


def contradiction(expression: Node, *, may_be_negative: bool = True) -> str | None:
    """Returns why no value can meet a condition; None: values may meet it.

    Args:
        expression: the parsed condition.
        may_be_negative: whether values may be.
    """
    why = None
    for parts in _alternatives(expression, is_positive=True):
        found = _contradicted(parts, may_be_negative=may_be_negative)
        if found is None:
            return None
        why = why or found
    return why


def missing_column(expression: Node, columns: Collection[str]) -> str | None:
    """Returns a column that must not be null and is not among some; None: there is none.

    Args:
        expression: the parsed condition.
        columns: those that may have values, in lower case.
    """
    return _missing(expression, columns, is_positive=True)


def _missing(node: Node, columns: Collection[str], *, is_positive: bool) -> str | None:
    node, is_positive = without_truth(node, is_positive=is_positive)
    kind = node["type"]
    if kind == _NOT:
        return _missing(node["children"][0], columns, is_positive=not is_positive)
    if kind in {_AND, _OR}:
        children = node["children"]
        found = [_missing(child, columns, is_positive=is_positive) for child in children]
        is_all = (kind == _AND) == is_positive  # must all hold, or one of them
        return next(filter(None, found), None) if is_all or all(found) else None
    asked = [limit.column for limit in _limits(node, is_positive=is_positive) if not limit.is_null]
    return next((column for column in asked if column not in columns), None)


def _contradicted(parts: Sequence[_Part], *, may_be_negative: bool) -> str | None:
    """Returns why parts cannot all hold; None: they may."""
    for part, is_positive in parts:
        if is_of_itself(part, is_positive=is_positive):
            return _contradicts(part)
    limits: dict[str, list[Limit]] = {}
    for part, is_positive in parts:
        for limit in _limits(part, is_positive=is_positive):
            limits.setdefault(limit.column, []).append(limit)
    for found in (limits, implied(limits)):
        why = next(filter(None, map(_conflict, found.values())), None)
        if why is not None:
            return why
    if not may_be_negative and any(map(_is_empty, implied(limits, may_be_negative=False).values())):
        return NEVER_NEGATIVE
    asked = [
        (bound, part)
        for part, is_positive in parts
        for bound in bounds_of(part, is_positive=is_positive)
    ]
    numbers = [bound for bound, _ in asked]
    if can_hold(numbers, may_be_negative=may_be_negative):
        return None
    if can_hold(numbers, may_be_negative=True):
        return NEVER_NEGATIVE
    return _contradicts([part for _, part in asked])


def _contradicts(parts: Node | Sequence[Node]) -> str:
    columns = sorted(columns_of(parts))
    what = f"what it asks of {' and '.join(columns)}" if columns else "what it asks"
    return f"{what} is a contradiction"


def _alternatives(node: Node, *, is_positive: bool) -> list[list[_Part]]:
    """Returns parts of which all must hold, and for one OR or another, others instead.

    Where AND would join too many alternatives, what OR joins stays one part, which may always hold.
    """
    node, is_positive = without_truth(node, is_positive=is_positive)
    kind = node["type"]
    if kind == _NOT:
        return _alternatives(node["children"][0], is_positive=not is_positive)
    if kind not in {_AND, _OR}:
        return [[part] for part in _more_or_less(node, is_positive=is_positive)]
    found = [(child, _alternatives(child, is_positive=is_positive)) for child in node["children"]]
    if kind == (_OR if is_positive else _AND):
        return [parts for _, some in found for parts in some]
    joined: list[list[_Part]] = [[part for _, some in found if len(some) == 1 for part in some[0]]]
    for child, some in found:
        if len(some) > 1:
            is_few = len(joined) * len(some) <= _MOST_ALTERNATIVES
            choices = some if is_few else [[(child, is_positive)]]
            joined = [[*parts, *choice] for parts in joined for choice in choices]
    return joined


def _more_or_less(node: Node, *, is_positive: bool) -> list[_Part]:
    """Returns that a number is more, or less, than another that it must not equal; else a part."""
    if node["type"] == ("COMPARE_NOTEQUAL" if is_positive else "COMPARE_EQUAL"):
        sides = [{**node, "type": kind} for kind in ("COMPARE_GREATERTHAN", "COMPARE_LESSTHAN")]
        if all(bounds_of(side, is_positive=True) for side in sides):
            return [(side, True) for side in sides]
    return [(node, is_positive)]


def _limits(node: Node, *, is_positive: bool) -> Iterator[Limit]:
    """Yields what a part asks of columns, as far as it is looked at."""
    kind = node["type"]
    if kind in _NULLS:
        column = _column(node["children"][0])
        if column is not None:
            yield Limit(column, is_null=_NULLS[kind] == is_positive)
        return
    yield from map(Limit, sorted(strict_columns(node)))
    limit = None
    if kind == "COMPARE_BETWEEN":
        limit = _between(node) if is_positive else None
    elif kind in _MIRRORED:
        limit = _compared(node, is_positive=is_positive)
    if limit is not None:
        yield limit
    if kind in (*_ONE_OF, *_NONE_OF):
        yield from _texts(node, is_one=(kind in _ONE_OF) == is_positive)


def _texts(node: Node, *, is_one: bool) -> Iterator[Limit]:
    """Yields which texts a column must be, or must not be, if it is compared with texts alone."""
    operands = node.get("children") or [node["left"], node["right"]]
    columns = [column for operand in operands if (column := _column(operand)) is not None]
    literals = [operand["literal"] for operand in operands if "literal" in operand]
    texts = frozenset(each["text"] for each in literals if each["kind"] == "STRING")
    if len(columns) == 1 and len(operands) == 1 + len(literals) and texts:
        column = columns[0]
        yield Limit(column, texts=texts) if is_one else Limit(column, other_than=texts)


def _between(node: Node) -> Limit | None:
    column, sign = _signed(node["input"])
    low, high = number_of(node["lower"]), number_of(node["upper"])
    if column is None or low is None or high is None:
        return None
    low, high = (low, high) if sign > 0 else (-high, -low)
    return Limit(column, low=low, high=high)


def _compared(node: Node, *, is_positive: bool) -> Limit | None:
    kind, why = node["type"], ""
    (column, sign), number = _signed(node["left"]), number_of(node["right"])
    is_of_values = {_column(node["left"]), _column(node["right"])} == {"a", "b"}
    if is_of_values:  # it is about the sign of their difference
        kind = kind if column == "b" else _MIRRORED[kind]
        column, number, why = "delta", 0.0, DIFFERENCE
    if column is None:
        (column, sign), number = _signed(node["right"]), number_of(node["left"])
        kind = _MIRRORED[kind]
    if not is_positive:
        kind = _NEGATED.get(kind, "")
    if column is None or number is None or not kind:
        return None
    if sign < 0:
        number, kind = -number, _MIRRORED[kind]
    if kind == "COMPARE_EQUAL":
        return Limit(column, low=number, high=number, why=why)
    is_out = not kind.endswith("EQUALTO")
    if "GREATER" in kind:
        return Limit(column, low=number, is_low_out=is_out, why=why)
    return Limit(column, high=number, is_high_out=is_out, why=why)


def _conflict(limits: Sequence[Limit]) -> str | None:
    """Returns why no value of a column meets all limits; None: one may."""
    column = limits[0].column
    if not _is_empty(limits):
        is_none = column in counting_columns() and not _has_count(limits)
        return f"{column} is a whole number, and never negative" if is_none else None
    said = [limit.why for limit in limits if limit.why]
    return said[0] if said else f"what it asks of {column} is a contradiction"


def _has_count(limits: Sequence[Limit]) -> bool:
    """Tells whether 0, 1, 2 … has a number that meets all limits, some of which ask for null."""
    low, high = bounds(limits)
    first = max(math.ceil(low), 0) if math.isfinite(low) else 0
    if any(limit.is_low_out and limit.low == first for limit in limits):
        first += 1
    is_out = any(limit.is_high_out and limit.high == first for limit in limits)
    return first < high or (first == high and not is_out)


def _is_empty(limits: Sequence[Limit]) -> bool:
    """Tells whether no value of a column meets all limits; a null meets no limit of values."""
    if any(limit.is_null for limit in limits):
        return not all(limit.is_null for limit in limits)
    texts = [limit.texts for limit in limits if limit.texts is not None]
    excluded = frozenset().union(*(limit.other_than for limit in limits))
    if texts and not frozenset.intersection(*texts) - excluded:
        return True
    low, high = bounds(limits)
    is_out = any(limit.is_low_out and limit.low == low for limit in limits) or any(
        limit.is_high_out and limit.high == high for limit in limits
    )
    return low > high or (low == high and is_out)


def _column(node: Node) -> str | None:
    """Returns the column that an expression is; ``b - a`` is ``delta``."""
    if node.get("function_name") == "-":
        operands = [_column(argument["expression"]) for argument in node["arguments"]]
        return "delta" if operands == ["b", "a"] else None
    return node["column_names"][-1].lower() if node.get("class") == "COLUMN_REF" else None


def _signed(node: Node) -> tuple[str | None, int]:
    """Returns the column that an expression is, or None, and its sign: -1 for ``-a``."""
    if not node.get("is_operator") or node["function_name"] not in {"+", "-"}:
        return _column(node), 1
    operands = [argument["expression"] for argument in node["arguments"]]
    sign = -1 if node["function_name"] == "-" else 1
    if len(operands) == 1:
        column, sign_below = _signed(operands[0])
        return column, sign * sign_below
    if sign < 0 and list(map(_column, operands)) == ["a", "b"]:
        return "delta", -1
    return _column(node), 1

"""Conditions that no value can meet, since the limits that they set contradict each other.

``delta > 5 AND delta < 3`` would pass every comparison. What is looked at are comparisons of a
column with a number or with null that AND joins; what else a condition says only narrows it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.reports.changes.condition_parts import Node

__all__ = ["contradicted_column"]

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
_NULLS = {"OPERATOR_IS_NULL": True, "OPERATOR_IS_NOT_NULL": False}


@dataclass(frozen=True)
class _Limit:
    """What a part asks of a column: to be null, or a number between two, perhaps exclusively."""

    column: str
    is_null: bool = False
    low: float = -math.inf
    high: float = math.inf
    is_low_out: bool = False
    is_high_out: bool = False


def contradicted_column(expression: Node) -> str | None:
    """Returns the column whose limits contradict each other; None: values may meet the condition.

    Args:
        expression: the parsed condition.
    """
    return _contradicted(expression, is_positive=True)


def _contradicted(node: Node, *, is_positive: bool) -> str | None:
    kind = node["type"]
    if kind == _NOT:
        return _contradicted(node["children"][0], is_positive=not is_positive)
    if kind == (_OR if is_positive else _AND):
        found = [_contradicted(child, is_positive=is_positive) for child in node["children"]]
        return found[0] if all(found) else None
    joined = list(_joined(node, is_positive=is_positive))
    for part, is_so in joined:
        if part is not node and (column := _contradicted(part, is_positive=is_so)):
            return column
    limits: dict[str, list[_Limit]] = {}
    for part, is_so in joined:
        limit = _limit(part, is_positive=is_so)
        if limit is not None:
            limits.setdefault(limit.column, []).append(limit)
    return next((column for column, found in limits.items() if _is_empty(found)), None)


def _joined(node: Node, *, is_positive: bool) -> Iterator[tuple[Node, bool]]:
    """Yields the parts that must all hold, and whether each is to be true."""
    kind = node["type"]
    if kind == _NOT:
        yield from _joined(node["children"][0], is_positive=not is_positive)
    elif kind == (_AND if is_positive else _OR):
        for child in node["children"]:
            yield from _joined(child, is_positive=is_positive)
    else:
        yield node, is_positive


def _limit(node: Node, *, is_positive: bool) -> _Limit | None:
    """Returns what a part asks of a column; None: nothing that is looked at."""
    kind = node["type"]
    if kind in _NULLS:
        column = _column(node["children"][0])
        return _Limit(column, is_null=_NULLS[kind] == is_positive) if column else None
    if kind == "COMPARE_BETWEEN":
        return _between(node) if is_positive else None
    return _compared(node, is_positive=is_positive) if kind in _MIRRORED else None


def _between(node: Node) -> _Limit | None:
    column, low, high = _column(node["input"]), _number(node["lower"]), _number(node["upper"])
    if column is None or low is None or high is None:
        return None
    return _Limit(column, low=low, high=high)


def _compared(node: Node, *, is_positive: bool) -> _Limit | None:
    kind = node["type"]
    column, number = _column(node["left"]), _number(node["right"])
    if column is None:
        column, number, kind = _column(node["right"]), _number(node["left"]), _MIRRORED[kind]
    if not is_positive:
        kind = _NEGATED.get(kind, "")
    if column is None or number is None or not kind:
        return None
    if kind == "COMPARE_EQUAL":
        return _Limit(column, low=number, high=number)
    is_out = not kind.endswith("EQUALTO")
    if "GREATER" in kind:
        return _Limit(column, low=number, is_low_out=is_out)
    return _Limit(column, high=number, is_high_out=is_out)


def _is_empty(limits: Iterable[_Limit]) -> bool:
    """Tells whether no value of a column meets all limits; a null meets no limit of numbers."""
    found = list(limits)
    if any(limit.is_null for limit in found):
        return not all(limit.is_null for limit in found)
    low = max(limit.low for limit in found)
    high = min(limit.high for limit in found)
    is_out = any(limit.is_low_out and limit.low == low for limit in found) or any(
        limit.is_high_out and limit.high == high for limit in found
    )
    return low > high or (low == high and is_out)


def _column(node: Node) -> str | None:
    return node["column_names"][-1].lower() if node.get("class") == "COLUMN_REF" else None


def _number(node: Node) -> float | None:
    literal = node.get("literal", {})
    return float(literal["text"]) if literal.get("kind") in {"INTEGER", "NUMERIC"} else None

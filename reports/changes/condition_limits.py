"""Conditions that no value can meet, since what they ask for contradicts itself.

``delta > 5 AND delta < 3`` would pass every comparison, and so would ``a IS NULL AND delta > 5``,
since a difference is null where a value is. What is looked at are comparisons of a column with a
number, a text or null that AND joins; what else a condition says only narrows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.changes.condition_columns import Limit, bounds, implied
from jvmscope.reports.changes.condition_parts import strict_columns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from jvmscope.reports.changes.condition_parts import Node

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
_NULLS = {"OPERATOR_IS_NULL": True, "OPERATOR_IS_NOT_NULL": False}


def contradiction(expression: Node) -> str | None:
    """Returns why no value can meet a condition; None: values may meet it.

    Args:
        expression: the parsed condition.
    """
    return _contradicted(expression, is_positive=True)


def missing_column(expression: Node, columns: Collection[str]) -> str | None:
    """Returns a column that must not be null and is not among some; None: there is none.

    Args:
        expression: the parsed condition.
        columns: those that may have values, in lower case.
    """
    return _missing(expression, columns, is_positive=True)


def _missing(node: Node, columns: Collection[str], *, is_positive: bool) -> str | None:
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


def _contradicted(node: Node, *, is_positive: bool) -> str | None:
    kind = node["type"]
    if kind == _NOT:
        return _contradicted(node["children"][0], is_positive=not is_positive)
    if kind == (_OR if is_positive else _AND):
        found = [_contradicted(child, is_positive=is_positive) for child in node["children"]]
        return found[0] if all(found) else None
    joined = list(_joined(node, is_positive=is_positive))
    for part, is_so in joined:
        if part is not node and (why := _contradicted(part, is_positive=is_so)):
            return why
    limits: dict[str, list[Limit]] = {}
    for part, is_so in joined:
        for limit in _limits(part, is_positive=is_so):
            limits.setdefault(limit.column, []).append(limit)
    own = next(filter(None, map(_conflict, limits.values())), None)
    return own or next(filter(None, map(_conflict, implied(limits).values())), None)


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
    if is_positive and kind in _ONE_OF:
        yield from _one_of(node)


def _one_of(node: Node) -> Iterator[Limit]:
    """Yields the texts that a column is compared with, if it is with texts alone."""
    operands = node.get("children") or [node["left"], node["right"]]
    columns = [column for operand in operands if (column := _column(operand)) is not None]
    literals = [operand["literal"] for operand in operands if "literal" in operand]
    texts = frozenset(each["text"] for each in literals if each["kind"] == "STRING")
    if len(columns) == 1 and len(operands) == 1 + len(literals) and texts:
        yield Limit(columns[0], texts=texts)


def _between(node: Node) -> Limit | None:
    column, low, high = _column(node["input"]), _number(node["lower"]), _number(node["upper"])
    if column is None or low is None or high is None:
        return None
    return Limit(column, low=low, high=high)


def _compared(node: Node, *, is_positive: bool) -> Limit | None:
    kind = node["type"]
    column, number = _column(node["left"]), _number(node["right"])
    if column is None:
        column, number, kind = _column(node["right"]), _number(node["left"]), _MIRRORED[kind]
    if not is_positive:
        kind = _NEGATED.get(kind, "")
    if column is None or number is None or not kind:
        return None
    if kind == "COMPARE_EQUAL":
        return Limit(column, low=number, high=number)
    is_out = not kind.endswith("EQUALTO")
    if "GREATER" in kind:
        return Limit(column, low=number, is_low_out=is_out)
    return Limit(column, high=number, is_high_out=is_out)


def _conflict(limits: Sequence[Limit]) -> str | None:
    """Returns why no value of a column meets all limits; None: one may."""
    if not _is_empty(limits):
        return None
    said = [limit.why for limit in limits if limit.why]
    return said[0] if said else f"what it asks of {limits[0].column} is a contradiction"


def _is_empty(limits: Sequence[Limit]) -> bool:
    """Tells whether no value of a column meets all limits; a null meets no limit of values."""
    if any(limit.is_null for limit in limits):
        return not all(limit.is_null for limit in limits)
    texts = [limit.texts for limit in limits if limit.texts is not None]
    if texts and not frozenset.intersection(*texts):
        return True
    low, high = bounds(limits)
    is_out = any(limit.is_low_out and limit.low == low for limit in limits) or any(
        limit.is_high_out and limit.high == high for limit in limits
    )
    return low > high or (low == high and is_out)


def _column(node: Node) -> str | None:
    return node["column_names"][-1].lower() if node.get("class") == "COLUMN_REF" else None


def _number(node: Node) -> float | None:
    literal = node.get("literal", {})
    return float(literal["text"]) if literal.get("kind") in {"INTEGER", "NUMERIC"} else None

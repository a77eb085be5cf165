"""Comparisons of an expression with itself, or with itself and a number more, that never hold.

``b > b`` holds for no value, and so do ``measure <> measure``, ``NOT round(a) = round(a)`` and
``delta > delta + 1``, however large the values are: a sum that is rounded may lose what was added,
but never becomes less by adding more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.reports.changes.condition_parts import number_of

if TYPE_CHECKING:
    from jvmscope.reports.changes.condition_parts import Node

__all__ = ["is_of_itself"]

_NEGATED = {
    "COMPARE_EQUAL": "COMPARE_NOTEQUAL",
    "COMPARE_NOT_DISTINCT_FROM": "COMPARE_DISTINCT_FROM",
    "COMPARE_LESSTHANOREQUALTO": "COMPARE_GREATERTHAN",
    "COMPARE_GREATERTHANOREQUALTO": "COMPARE_LESSTHAN",
    "COMPARE_IN": "COMPARE_NOT_IN",
    "COMPARE_BETWEEN": "COMPARE_NOT_BETWEEN",  # no kind of DuckDB's
}
_PLACE = ("query_location", "query_location_length", "alias")


def is_of_itself(node: Node, *, is_positive: bool) -> bool:
    """Tells whether a comparison holds for no value, since both of its sides say the same.

    Args:
        node: a part of a parsed condition.
        is_positive: whether it must be true, else false.
    """
    match node["type"] if is_positive else _NEGATED.get(node["type"]):
        case "COMPARE_NOTEQUAL" | "COMPARE_DISTINCT_FROM":
            return _is_equal(node["left"], node["right"])
        case "COMPARE_GREATERTHAN":
            return _is_never_more(node["left"], node["right"])
        case "COMPARE_LESSTHAN":
            return _is_never_more(node["right"], node["left"])
        case "COMPARE_NOT_IN":
            one, *others = node["children"]
            return any(_is_equal(one, other) for other in others)
        case "COMPARE_NOT_BETWEEN":
            return _is_never_more(node["lower"], node["input"]) and _is_never_more(
                node["input"], node["upper"]
            )
    return False


def _is_never_more(one: Node, other: Node) -> bool:
    """Tells whether an expression is never more than another, since they differ in a number."""
    (base, added), (base_of_other, added_to_other) = _split(one), _split(other)
    if not _same(base, base_of_other):
        return False
    while added and added_to_other and added[-1] == added_to_other[-1]:  # what is added first
        del added[-1], added_to_other[-1]
    # Each sum is rounded by itself, so later ones must not make up for the first: x + 1 - 1 may be
    # more than x.
    *later, first = added or [0.0]
    *later_of_other, first_of_other = added_to_other or [0.0]
    return first <= first_of_other and max(later, default=0) <= 0 <= min(later_of_other, default=0)


def _split(node: Node) -> tuple[Node, list[float]]:
    """Returns what numbers are added to, and these, the last first; subtracted ones negative."""
    added: list[float] = []
    while node.get("is_operator") and node.get("function_name") in {"+", "-"}:
        operands = [argument["expression"] for argument in node["arguments"]]
        numbers = [number_of(operand) for operand in operands]
        match node["function_name"], numbers:
            case "+", [None, number] if number is not None:
                node = operands[0]
                added.append(number)
            case "+", [number, None] if number is not None:
                node = operands[1]
                added.append(number)
            case "-", [None, number] if number is not None:
                node = operands[0]
                added.append(-number)
            case _:
                break
    return node, added


def _is_equal(one: Node, other: Node) -> bool:
    """Tells whether two expressions are the same, or the same sums."""
    (base, added), (base_of_other, added_to_other) = _split(one), _split(other)
    return added == added_to_other and _same(base, base_of_other)


def _same(one: Node, other: Node) -> bool:
    return bool(_meant(one) == _meant(other))


def _meant(tree: Any) -> Any:
    """Returns what an expression says, wherever it stands; ``b - a`` is ``delta``."""
    if isinstance(tree, list):
        return [_meant(part) for part in tree]
    if not isinstance(tree, dict):
        return tree
    if tree.get("class") == "COLUMN_REF":
        return tree["column_names"][-1].lower()
    meant = {name: _meant(part) for name, part in tree.items() if name not in _PLACE}
    if tree.get("function_name") == "-":
        operands = [argument["expression"] for argument in meant["arguments"]]
        return "delta" if operands == ["b", "a"] else meant
    return meant

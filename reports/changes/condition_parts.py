"""The parts of a parsed condition: what AND, OR and NOT join, and what each part is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

__all__ = [
    "Part",
    "alternatives",
    "at_best",
    "columns_of",
    "nodes",
    "number_of",
    "only",
    "parts",
    "reduced",
    "strict_columns",
    "texts_of",
    "weakened",
    "without_truth",
]

_JOINED = ("CONJUNCTION_AND", "CONJUNCTION_OR")
_EQUALITIES = (
    "COMPARE_EQUAL",
    "COMPARE_NOTEQUAL",
    "COMPARE_DISTINCT_FROM",
    "COMPARE_NOT_DISTINCT_FROM",
)
_STRICT = frozenset(
    {
        "COMPARE_EQUAL",
        "COMPARE_NOTEQUAL",
        "COMPARE_LESSTHAN",
        "COMPARE_LESSTHANOREQUALTO",
        "COMPARE_GREATERTHAN",
        "COMPARE_GREATERTHANOREQUALTO",
        "COMPARE_BETWEEN",
        "COMPARE_IN",
        "COMPARE_NOT_IN",
        "FUNCTION",
        "OPERATOR_CAST",
    }
)
_SAME = frozenset({"COMPARE_EQUAL", "COMPARE_NOT_DISTINCT_FROM"})
_DIFFERENT = frozenset({"COMPARE_NOTEQUAL", "COMPARE_DISTINCT_FROM"})
_TRUTHS = frozenset({*_JOINED, "OPERATOR_NOT", "OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL"})
_TAKES_NULL = ("concat", "greatest", "least", "nullif")
_LISTS = ("COMPARE_IN", "COMPARE_NOT_IN")

Node = dict[str, Any]
"""A node of DuckDB's parse."""


@dataclass(frozen=True)
class Part:
    """What AND, OR and NOT join.

    Attributes:
        node: the part, in which they are none of its outermost operators.
        is_positive: whether it is under an even number of NOT.
    """

    node: Node
    is_positive: bool


def nodes(tree: Any) -> Iterator[Node]:
    """Yields every node of a parsed statement."""
    if isinstance(tree, dict):
        yield tree
        for part in tree.values():
            yield from nodes(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from nodes(part)


def parts(expression: Node, *, is_positive: bool = True) -> Iterator[Part]:
    """Yields the parts of an expression, from left to right."""
    expression, is_positive = without_truth(expression, is_positive=is_positive)
    kind = expression.get("type")
    if kind in _JOINED or kind == "OPERATOR_NOT":
        is_below = is_positive if kind in _JOINED else not is_positive
        for child in expression["children"]:
            yield from parts(child, is_positive=is_below)
    else:
        yield Part(expression, is_positive)


def without_truth(node: Node, *, is_positive: bool) -> tuple[Node, bool]:
    """Returns what must be true or false for a part, without what it says of the truth of that.

    ``(delta > 3) = false`` must be true where ``delta > 3`` must be false, and so must ``(delta >
    3) IS FALSE``. Of what may be null as well, as ``(delta > 3) IS NOT TRUE``, nothing is taken.

    Args:
        node: a part of a parsed condition.
        is_positive: whether it must be true, else false.
    """
    kind = node.get("type")
    if kind not in _SAME | _DIFFERENT:
        return node, is_positive
    sides = [_without_cast(node["left"]), _without_cast(node["right"])]
    for inner, other in (sides, sides[::-1]):
        literal = other.get("literal", {})
        if literal.get("kind") == "BOOLEAN" and _is_truth(inner):
            is_same = kind in _SAME
            if "DISTINCT" in kind and is_same != is_positive:
                break
            is_true = literal["text"].lower() == "true"
            return without_truth(inner, is_positive=(is_true == is_same) == is_positive)
    return node, is_positive


def alternatives(expression: Node) -> Iterator[Node]:
    """Yields what OR joins outermost, or the expression itself."""
    said, is_positive = without_truth(expression, is_positive=True)
    if is_positive and said.get("type") == "CONJUNCTION_OR":
        for child in said["children"]:
            yield from alternatives(child)
    else:
        yield expression


def columns_of(tree: Any) -> frozenset[str]:
    """Returns the columns that an expression reads, in lower case."""
    return frozenset(
        node["column_names"][-1].lower()
        for node in nodes(tree)
        if node.get("class") == "COLUMN_REF"
    )


def strict_columns(expression: Node) -> frozenset[str]:
    """Returns columns without whose values an expression is null, in lower case."""
    if expression.get("class") == "COLUMN_REF":
        return columns_of(expression)
    kind = expression.get("type")
    if kind not in _STRICT or str(expression.get("function_name", "")).lower() in _TAKES_NULL:
        return frozenset()
    operands = [expression.get(name) for name in ("left", "right", "input", "child")]
    operands += (expression.get("children") or [])[:1]  # of a list's column
    operands += [argument["expression"] for argument in expression.get("arguments", ())]
    return frozenset().union(*(strict_columns(each) for each in operands if each))


def number_of(node: Node) -> float | None:
    """Returns the number that an expression is, perhaps with a sign; None: it is another."""
    literal = node.get("literal", {})
    if literal.get("kind") in {"INTEGER", "NUMERIC"}:
        return float(literal["text"])
    if node.get("is_operator") and node.get("function_name") == "-" and len(node["arguments"]) == 1:
        number = number_of(node["arguments"][0]["expression"])
        return None if number is None else -number
    return None


def texts_of(expression: Node, column: str) -> Iterator[tuple[str, Node]]:
    """Yields the texts that a column is compared with for equality, and their nodes."""
    for node in nodes(expression):
        if node.get("type") in _EQUALITIES:
            operands = [node["left"], node["right"]]
        elif node.get("type") in _LISTS:
            operands = node["children"]
        else:
            continue
        names = [operand.get("column_names", [""])[-1].lower() for operand in operands]
        if column in names:
            for operand in operands:
                if operand.get("literal", {}).get("kind") == "STRING":
                    yield operand["literal"]["text"], operand


def weakened(known: Collection[str]) -> Callable[[Node], Node]:
    """Returns what makes parts null that read other columns than the known ones.

    In SQL's logic null is "unknown": where the weakened condition is false, so is the condition,
    whatever the other columns hold.
    """

    def weaken(expression: Node) -> Node:
        if expression.get("type") in (*_JOINED, "OPERATOR_NOT"):
            children = [weaken(child) for child in expression["children"]]
            return {**expression, "children": children}
        return expression if columns_of(expression) <= set(known) else _null(expression)

    return weaken


def at_best(known: Collection[str]) -> Callable[[Node], Node]:
    """Returns what makes parts that read other columns than the known ones what helps most.

    That is true, or false under NOT: where the result is not true, neither is the condition,
    whatever the other columns hold.
    """

    def improve(expression: Node, *, is_positive: bool = True) -> Node:
        kind = expression.get("type")
        if kind in (*_JOINED, "OPERATOR_NOT"):
            is_below = is_positive if kind in _JOINED else not is_positive
            children = [improve(child, is_positive=is_below) for child in expression["children"]]
            return {**expression, "children": children}
        is_known = columns_of(expression) <= set(known)
        return expression if is_known else _truth(expression, is_true=is_positive)

    return improve


def only(part: Part) -> Callable[[Node], Node]:
    """Returns what puts a part in the place of the whole condition."""
    return lambda expression: {**part.node, "alias": expression["alias"]}


def reduced(choice: Node, rewrite: Callable[[Node], Node]) -> Callable[[Node], Node]:
    """Returns what puts a rewritten alternative in the place of the whole condition."""
    chosen = only(Part(choice, is_positive=True))
    return lambda expression: rewrite(chosen(expression))


def _without_cast(node: Node) -> Node:
    """Returns what IS TRUE, as DuckDB parses it, casts to a truth value."""
    is_cast = node.get("type") == "OPERATOR_CAST" and _is_truth(node["child"])
    child: Node = node["child"] if is_cast else node
    return child


def _is_truth(node: Node) -> bool:
    """Tells whether an expression can be nothing but true, false or null."""
    kind = str(node.get("type"))
    return kind.startswith("COMPARE_") or kind in _TRUTHS


def _truth(expression: Node, *, is_true: bool) -> Node:
    """Returns a comparison that is true, or false, in the place of an expression."""
    null = _null(expression)
    kind = "OPERATOR_IS_NULL" if is_true else "OPERATOR_IS_NOT_NULL"
    return {**null, "class": "OPERATOR", "type": kind, "children": [null]}


def _null(expression: Node) -> Node:
    place = {name: expression[name] for name in ("query_location", "query_location_length")}
    literal = {"kind": "NULL_LITERAL", "text": ""}
    alias = expression["alias"]
    constant = {"class": "CONSTANT", "type": "VALUE_CONSTANT", "literal": literal}
    return {**constant, "alias": alias, **place}

"""Numbers in quotes, which a condition compares with columns that are numbers.

``delta > 'NaN'`` and ``delta > '1e400'`` hold for no value, and would pass every comparison.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.changes.condition_columns import number_columns
from jvmscope.reports.changes.condition_parts import nodes
from jvmscope.reports.changes.condition_text import error_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.reports.changes.condition_parts import Node

__all__ = ["refuse_quoted_numbers"]

_ARITHMETIC = frozenset("+-*/%")


def refuse_quoted_numbers(condition: str, expression: Node) -> None:
    """Refuses a text in the place of a number.

    Args:
        condition: its text.
        expression: what it was parsed to.

    Raises:
        QueryError: a column that is a number, or a sum of such, is compared with a text, or added
            to one; with its place.
    """
    for node in nodes(expression):
        operands = list(_operands(node))
        column = next(filter(None, map(_number_column, operands)), None)
        for operand in operands if column is not None else ():
            text = _text(operand)
            if text is not None:
                message = f"{column} is a number, and '{text}' is a text"
                raise error_at(message, condition, operand, "write numbers without quotes")


def _operands(node: Node) -> Iterator[Node]:
    """Yields the operands of a comparison or of arithmetic."""
    if str(node.get("type")).startswith("COMPARE_"):
        yield from (
            node[name] for name in ("left", "right", "input", "lower", "upper") if name in node
        )
        yield from node.get("children", ())
    elif node.get("is_operator") and node["function_name"] in _ARITHMETIC:
        yield from (argument["expression"] for argument in node["arguments"])


def _number_column(node: Node) -> str | None:
    """Returns a column of an expression that is a number, or computed from such."""
    if node.get("class") == "COLUMN_REF":
        name: str = node["column_names"][-1].lower()
        return name if name in number_columns() else None
    return (
        next(filter(None, map(_number_column, _operands(node))), None)
        if node.get("is_operator")
        else None
    )


def _text(node: Node) -> str | None:
    """Returns the text that an expression is, whatever it is cast to."""
    if node.get("type") == "OPERATOR_CAST":
        return _text(node["child"])
    literal = node.get("literal", {})
    return str(literal["text"]) if literal.get("kind") == "STRING" else None

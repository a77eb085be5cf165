"""Types of operators: logic, comparison, arithmetic, strings, ranges, sets, casts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.analysis.bounds import (
    allows_empty,
    atomic,
    atomized,
    followed_by,
    item_of,
    optional,
    with_bounds,
)
from jvmscope.queries.xquery.analysis.typing.found import types
from jvmscope.queries.xquery.items.hierarchy import ancestors
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.types import (
    AtomicType,
    Occurrence,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.typing.found import Types
    from jvmscope.queries.xquery.syntax.types import SequenceType

    _Focus = SequenceType | None

__all__: list[str] = []

_LISTS = {"NMTOKENS": "NMTOKEN", "IDREFS": "IDREF", "ENTITIES": "ENTITY"}
_NUMBERS = ("integer", "decimal", "float", "double")


@types(ast.Logical, ast.InstanceOf, ast.Castable)
def _boolean(found: Types, node: Any, focus: _Focus) -> SequenceType:
    parts = node.operands if isinstance(node, ast.Logical) else (node.operand,)
    found.find_all(parts, focus)
    return atomic("boolean")


@types(ast.Comparison)
def _comparison(found: Types, node: ast.Comparison, focus: _Focus) -> SequenceType:
    operands = found.find_all((node.left, node.right), focus)
    is_general = node.operator in ("=", "!=", "<", "<=", ">", ">=")
    empty = not is_general and any(map(allows_empty, operands))
    return atomic("boolean", Occurrence.OPTIONAL if empty else Occurrence.ONE)


@types(ast.StringConcatenation)
def _concatenation(found: Types, node: ast.StringConcatenation, focus: _Focus) -> SequenceType:
    found.find_all(node.operands, focus)
    return atomic("string")


@types(ast.StringConstructor)
def _string(found: Types, node: ast.StringConstructor, focus: _Focus) -> SequenceType:
    found.find_all(node.parts, focus)
    return atomic("string")


@types(ast.Range)
def _range(found: Types, node: ast.Range, focus: _Focus) -> SequenceType:
    found.find_all((node.first, node.last), focus)
    return atomic("integer", Occurrence.ANY)


@types(ast.Arithmetic)
def _arithmetic(found: Types, node: ast.Arithmetic, focus: _Focus) -> SequenceType:
    operands = [atomized(type_) for type_ in found.find_all((node.left, node.right), focus)]
    numbers = [_number(operand) for operand in operands]
    empty = any(map(allows_empty, operands))
    occurrence = Occurrence.OPTIONAL if empty else Occurrence.ONE
    if "" in numbers:
        return atomic("anyAtomicType", occurrence)
    if node.operator == "idiv":
        return atomic("integer", occurrence)
    widest = max(numbers, key=_NUMBERS.index)
    if node.operator == "div" and widest == "integer":
        widest = "decimal"
    return atomic(widest, occurrence)


def _number(type_: SequenceType) -> str:
    """Returns the numeric type that an operand is computed in, "" if that is not known."""
    item = item_of(type_)
    if not isinstance(item, AtomicType):
        return ""
    if item.name.local == "untypedAtomic":
        return "double"
    above = ancestors(item.name.local)
    return next((number for number in _NUMBERS if number in above), "")


@types(ast.Unary)
def _unary(found: Types, node: ast.Unary, focus: _Focus) -> SequenceType:
    operand = atomized(found.find(node.operand, focus))
    local = _number(operand) or "numeric"
    return atomic(local, Occurrence.OPTIONAL if allows_empty(operand) else Occurrence.ONE)


@types(ast.Binary)
def _nodes(found: Types, node: ast.Binary, focus: _Focus) -> SequenceType:
    left, right = found.find_all((node.left, node.right), focus)
    if node.operator == "union":
        return followed_by(left, right)
    return optional(left)


@types(ast.Treat)
def _treat(found: Types, node: ast.Treat, focus: _Focus) -> SequenceType:
    found.find(node.operand, focus)
    return node.type


@types(ast.Cast)
def _cast(found: Types, node: ast.Cast, focus: _Focus) -> SequenceType:
    operand = found.find(node.operand, focus)
    name = node.type.name
    if name.local in _LISTS:
        return atomic(_LISTS[name.local], Occurrence.ANY)
    empty = node.type.is_optional and allows_empty(operand)
    return with_bounds(AtomicType(name), empty=empty, many=False)

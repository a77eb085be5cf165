"""The rule of the types of FLWOR expressions: how often the result is evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.analysis.bounds import (
    allows_empty,
    atomic,
    atomized,
    item_of,
    one_of_many,
    optional,
    repeated,
    with_bounds,
)
from jvmscope.queries.xquery.analysis.typing.found import types
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.types import AnyItem, AtomicType, ItemSequence, Occurrence

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.analysis.typing.found import Types
    from jvmscope.queries.xquery.syntax.types import SequenceType

    _Focus = SequenceType | None

__all__: list[str] = []

_ONCE = ItemSequence(AnyItem())


@types(ast.Flwor)
def _flwor(found: Types, node: ast.Flwor, focus: _Focus) -> SequenceType:
    tuples: SequenceType = _ONCE
    for clause in node.clauses:
        tuples = _CLAUSES[type(clause)](found, clause, focus, tuples)
    return repeated(found.find(node.result, focus), tuples)


def _for(found: Types, clause: ast.ForClause, focus: _Focus, tuples: SequenceType) -> SequenceType:
    binding = clause.binding
    sequence = found.find(binding.expression, focus)
    item = one_of_many(sequence)
    found.bind(binding.variable, optional(item) if binding.allows_empty else item)
    found.bind(binding.position_variable, atomic("integer"))
    if binding.allows_empty and allows_empty(sequence):
        sequence = with_bounds(item_of(sequence), empty=False, many=True)
    return repeated(sequence, tuples)


def _let(found: Types, clause: ast.LetClause, focus: _Focus, tuples: SequenceType) -> SequenceType:
    assignment = clause.assignment
    found.bind(assignment.variable, found.find(assignment.expression, focus))
    return tuples


def _window(
    found: Types, clause: ast.WindowClause, focus: _Focus, tuples: SequenceType
) -> SequenceType:
    sequence = found.find(clause.expression, focus)
    item = one_of_many(sequence)
    for condition in (clause.start, clause.window_end):
        if condition is not None:
            found.bind(condition.item_variable, item)
            found.bind(condition.position_variable, atomic("integer"))
            found.bind(condition.previous_variable, optional(item))
            found.bind(condition.next_variable, optional(item))
            found.find(condition.when, focus)
    window = with_bounds(item_of(sequence), empty=False, many=True)
    found.bind(clause.variable, window)
    return repeated(optional(sequence), tuples)


def _where(
    found: Types, clause: ast.WhereClause, focus: _Focus, tuples: SequenceType
) -> SequenceType:
    found.find(clause.condition, focus)
    return optional(tuples)


def _group_by(
    found: Types, clause: ast.GroupByClause, focus: _Focus, tuples: SequenceType
) -> SequenceType:
    for key in clause.keys:
        if key.expression is not None:
            value = found.find(key.expression, focus)
        else:
            value = found.of_variable(key.source)
        found.bind(key.variable, _key(value))
    for old, new in clause.regrouped:
        type_ = found.of_variable(old)
        found.bind(new, with_bounds(item_of(type_), empty=allows_empty(type_), many=True))
    return tuples


def _key(value: SequenceType) -> SequenceType:
    """Returns the type of a grouping key: one atomic value or none, text as xs:string."""
    value = atomized(value)
    item = item_of(value)
    if isinstance(item, AtomicType) and item.name.local == "untypedAtomic":
        item = item_of(atomic("string"))
    return with_bounds(item, empty=allows_empty(value), many=False)


def _order_by(
    found: Types, clause: ast.OrderByClause, focus: _Focus, tuples: SequenceType
) -> SequenceType:
    found.find_all(tuple(key.expression for key in clause.keys), focus)
    return tuples


def _count(found: Types, clause: ast.CountClause, _: _Focus, tuples: SequenceType) -> SequenceType:
    found.bind(clause.variable, atomic("integer", Occurrence.ONE))
    return tuples


_CLAUSES: dict[type, Callable[[Types, Any, _Focus, SequenceType], SequenceType]] = {
    ast.ForClause: _for,
    ast.LetClause: _let,
    ast.WindowClause: _window,
    ast.WhereClause: _where,
    ast.GroupByClause: _group_by,
    ast.OrderByClause: _order_by,
    ast.CountClause: _count,
}

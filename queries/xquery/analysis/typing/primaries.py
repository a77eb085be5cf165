"""Types of literals, variables, calls of functions, maps, arrays and lookups."""

from __future__ import annotations

from decimal import Decimal
from functools import reduce
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.bounds import (
    ANY,
    allows_empty,
    allows_many,
    atomic,
    atomized,
    either,
    followed_by,
    item_of,
    one_of_many,
    optional,
    repeated,
)
from jvmscope.queries.xquery.analysis.typing.found import types
from jvmscope.queries.xquery.items.hierarchy import xs
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN, FUNCTX, Name
from jvmscope.queries.xquery.syntax.types import (
    AnyFunction,
    ArrayTest,
    AtomicType,
    FunctionTest,
    ItemSequence,
    MapTest,
    Occurrence,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.typing.found import Types
    from jvmscope.queries.xquery.syntax.types import SequenceType

    _Focus = SequenceType | None

__all__: list[str] = []

_FUNCTION = ItemSequence(AnyFunction())
_LITERALS = {str: "string", int: "integer", Decimal: "decimal", float: "double"}
# Functions whose result has items of their first argument, and how many of them.
_SAME_ITEMS = {
    "exactly-one": Occurrence.ONE,
    "filter": Occurrence.ANY,
    "head": Occurrence.OPTIONAL,
    "one-or-more": Occurrence.MANY,
    "remove": Occurrence.ANY,
    "reverse": Occurrence.ANY,
    "sort": Occurrence.ANY,
    "subsequence": Occurrence.ANY,
    "tail": Occurrence.ANY,
    "unordered": Occurrence.ANY,
    "zero-or-one": Occurrence.OPTIONAL,
}


@types(ast.Literal)
def _literal(_: Types, node: ast.Literal, __: _Focus) -> SequenceType:
    return atomic(_LITERALS[type(node.value)])


@types(ast.VariableReference)
def _reference(found: Types, node: ast.VariableReference, _: _Focus) -> SequenceType:
    return found.of_variable(node.variable)


@types(ast.ContextItem)
def _context_item(_: Types, __: ast.ContextItem, focus: _Focus) -> SequenceType:
    return focus or one_of_many(ANY)


@types(ast.Parenthesized)
def _parenthesized(found: Types, node: ast.Parenthesized, focus: _Focus) -> SequenceType:
    return found.find(node.inner, focus)


@types(ast.Sequence)
def _sequence(found: Types, node: ast.Sequence, focus: _Focus) -> SequenceType:
    return reduce(followed_by, found.find_all(node.items, focus))


@types(ast.FunctionCall)
def _call(found: Types, node: ast.FunctionCall, focus: _Focus) -> SequenceType:
    return _result(found, node.name, node.arguments, found.find_all(node.arguments, focus))


@types(ast.ArrowCall)
def _arrow(found: Types, node: ast.ArrowCall, focus: _Focus) -> SequenceType:
    arguments = (node.first, *node.arguments)
    given = found.find_all(arguments, focus)
    if isinstance(node.function, Name):
        return _result(found, node.function, arguments, given)
    return _called(found.find(node.function, focus), arguments)


@types(ast.DynamicCall)
def _dynamic_call(found: Types, node: ast.DynamicCall, focus: _Focus) -> SequenceType:
    found.find_all(node.arguments, focus)
    return _called(found.find(node.function, focus), node.arguments)


def _result(
    found: Types, name: Name, arguments: tuple[ast.Expression, ...], given: list[SequenceType]
) -> SequenceType:
    if any(isinstance(argument, ast.Placeholder) for argument in arguments):
        return _FUNCTION
    declared = found.program.functions.get((name, len(arguments)))
    if declared is not None:
        return declared.declaration.result or ANY
    if name.uri == FN and name.local in _SAME_ITEMS:
        return _same_items(given[0], _SAME_ITEMS[name.local])
    if name == Name("distinct-nodes", "functx", FUNCTX):
        return _same_items(given[0], Occurrence.ANY)
    builtin = found.functions.lookup(name, len(arguments))
    result: SequenceType = ANY if builtin is None else builtin.result
    return result


def _same_items(given: SequenceType, occurrence: Occurrence) -> SequenceType:
    if occurrence is Occurrence.OPTIONAL and not allows_empty(given):
        occurrence = Occurrence.ONE
    elif occurrence is Occurrence.ANY and not allows_many(given):
        occurrence = Occurrence.OPTIONAL
    return ItemSequence(item_of(given), occurrence)


def _called(function: SequenceType, arguments: tuple[ast.Expression, ...]) -> SequenceType:
    if any(isinstance(argument, ast.Placeholder) for argument in arguments):
        return _FUNCTION
    match item_of(function):
        case FunctionTest(_, result):
            return result
        case MapTest(_, value):
            return optional(value)
        case ArrayTest(member):
            return member
        case _:
            return ANY


@types(ast.FunctionReference, ast.Placeholder)
def _function_reference(_: Types, __: ast.Expression, ___: _Focus) -> SequenceType:
    return _FUNCTION


@types(ast.InlineFunction)
def _inline_function(found: Types, node: ast.InlineFunction, _: _Focus) -> SequenceType:
    body = found.find(node.body, None)
    parameters = tuple(parameter.type or ANY for parameter in node.parameters)
    return ItemSequence(FunctionTest(parameters, node.result or body))


@types(ast.MapConstructor)
def _map(found: Types, node: ast.MapConstructor, focus: _Focus) -> SequenceType:
    keys = [atomized(found.find(key, focus)) for key, _ in node.entries]
    values = [found.find(value, focus) for _, value in node.entries]
    key = item_of(either(keys))
    if not isinstance(key, AtomicType):
        key = AtomicType(xs("anyAtomicType"))
    return ItemSequence(MapTest(key, either(values) if values else ANY))


@types(ast.ArrayConstructor)
def _array(found: Types, node: ast.ArrayConstructor, focus: _Focus) -> SequenceType:
    members = found.find_all(node.members, focus)
    member = either(members) if members else ANY
    return ItemSequence(ArrayTest(one_of_many(member) if node.is_curly else member))


@types(ast.Lookup)
def _lookup(found: Types, node: ast.Lookup, focus: _Focus) -> SequenceType:
    base = found.find(node.base, focus)
    if isinstance(node.key, ast.Expression):
        found.find(node.key, focus)
    match item_of(base):
        case MapTest(_, value) | ArrayTest(value):
            times = base if isinstance(node.key, (str, int)) else ANY
            return repeated(optional(value), times)
        case _:
            return ANY

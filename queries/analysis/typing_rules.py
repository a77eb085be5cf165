"""Rules of types, FLWOR expressions apart."""

from __future__ import annotations

from decimal import Decimal
from functools import reduce
from typing import TYPE_CHECKING, Any

from jvmscope.queries.analysis.bounds import (
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
    with_bounds,
)
from jvmscope.queries.analysis.typing import types
from jvmscope.queries.items.hierarchy import ancestors, xs
from jvmscope.queries.syntax import ast
from jvmscope.queries.syntax.names import FN, FUNCTX, Name
from jvmscope.queries.syntax.types import (
    AnyFunction,
    ArrayTest,
    AtomicType,
    FunctionTest,
    ItemSequence,
    KindTest,
    MapTest,
    NameTest,
    Occurrence,
)

if TYPE_CHECKING:
    from jvmscope.queries.analysis.typing import Types
    from jvmscope.queries.syntax.types import ItemType, SequenceType

    _Focus = SequenceType | None

__all__: list[str] = []

_FUNCTION = ItemSequence(AnyFunction())
_LITERALS = {str: "string", int: "integer", Decimal: "decimal", float: "double"}
_LISTS = {"NMTOKENS": "NMTOKEN", "IDREFS": "IDREF", "ENTITIES": "ENTITY"}
_NUMBERS = ("integer", "decimal", "float", "double")
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


# -- primaries


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


# -- paths


@types(ast.RootStep)
def _root(_: Types, __: ast.RootStep, ___: _Focus) -> SequenceType:
    return ItemSequence(KindTest("document-node"))


@types(ast.AxisStep)
def _step(found: Types, node: ast.AxisStep, _: _Focus) -> SequenceType:
    item = _node_type(node)
    is_named = isinstance(node.test, NameTest) and "*" not in (
        node.test.name.local,
        node.test.name.prefix,
    )
    is_single = node.axis in ("self", "parent") or (node.axis == "attribute" and is_named)
    result: SequenceType = with_bounds(item, empty=True, many=not is_single)
    for predicate in node.predicates:
        result = _filtered(found, result, predicate)
    return result


def _node_type(node: ast.AxisStep) -> ItemType:
    principal = node.axis if node.axis == "attribute" else "element"
    if isinstance(node.test, NameTest):
        name = node.test.name
        return KindTest(principal, None if "*" in (name.local, name.prefix) else name)
    if node.test.kind == "node" and node.axis == "attribute":
        return KindTest("attribute")
    return node.test


def _filtered(found: Types, base: SequenceType, predicate: ast.Expression) -> SequenceType:
    condition = item_of(found.find(predicate, one_of_many(base)))
    is_number = isinstance(condition, AtomicType) and "numeric" in ancestors(condition.name.local)
    # A number that is the same for all items picks one of them; another may pick several.
    is_position = is_number and isinstance(predicate, (ast.Literal, ast.VariableReference))
    return with_bounds(item_of(base), empty=True, many=allows_many(base) and not is_position)


@types(ast.Predicate)
def _predicate(found: Types, node: ast.Predicate, focus: _Focus) -> SequenceType:
    return _filtered(found, found.find(node.base, focus), node.predicate)


@types(ast.Path)
def _path(found: Types, node: ast.Path, focus: _Focus) -> SequenceType:
    result = found.find(node.steps[0], focus)
    for step in node.steps[1:]:
        result = repeated(found.find(step, one_of_many(result)), result)
    return result


@types(ast.SimpleMap)
def _simple_map(found: Types, node: ast.SimpleMap, focus: _Focus) -> SequenceType:
    left = found.find(node.left, focus)
    return repeated(found.find(node.right, one_of_many(left)), left)


# -- operators


@types(ast.Logical, ast.InstanceOf, ast.Castable)
def _boolean(found: Types, node: Any, focus: _Focus) -> SequenceType:
    parts = (node.left, node.right) if isinstance(node, ast.Logical) else (node.operand,)
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
    found.find_all((node.left, node.right), focus)
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


# -- control


@types(ast.If)
def _if(found: Types, node: ast.If, focus: _Focus) -> SequenceType:
    found.find(node.condition, focus)
    return either(found.find_all((node.then, node.otherwise), focus))


@types(ast.Switch)
def _switch(found: Types, node: ast.Switch, focus: _Focus) -> SequenceType:
    found.find(node.operand, focus)
    for case in node.cases:
        found.find_all(case.operands, focus)
    return either(found.find_all((*[case.result for case in node.cases], node.default), focus))


@types(ast.Typeswitch)
def _typeswitch(found: Types, node: ast.Typeswitch, focus: _Focus) -> SequenceType:
    operand = found.find(node.operand, focus)
    results = []
    for case in (*node.cases, node.default):
        found.bind(case.variable, either(case.types) if case.types else operand)
        results.append(found.find(case.result, focus))
    return either(results)


@types(ast.TryCatch)
def _try(found: Types, node: ast.TryCatch, focus: _Focus) -> SequenceType:
    bodies = (node.body, *[clause.body for clause in node.clauses])
    return either([found.find(body, focus) for body in bodies])


@types(ast.Quantified)
def _quantified(found: Types, node: ast.Quantified, focus: _Focus) -> SequenceType:
    for binding in node.bindings:
        found.bind(binding.variable, one_of_many(found.find(binding.expression, focus)))
    found.find(node.condition, focus)
    return atomic("boolean")


@types(ast.Ordered, ast.Extension)
def _body(found: Types, node: ast.Ordered | ast.Extension, focus: _Focus) -> SequenceType:
    return found.find(node.body, focus)


# -- constructors


@types(ast.DirectElement)
def _direct_element(found: Types, node: ast.DirectElement, focus: _Focus) -> SequenceType:
    for attribute in node.attributes:
        found.find_all(attribute.parts, focus)
    found.find_all(node.content, focus)
    return ItemSequence(KindTest("element", node.name))


@types(ast.ElementConstructor, ast.AttributeConstructor)
def _named(
    found: Types, node: ast.ElementConstructor | ast.AttributeConstructor, focus: _Focus
) -> SequenceType:
    found.find(node.content, focus)
    kind = "element" if isinstance(node, ast.ElementConstructor) else "attribute"
    if isinstance(node.name, Name):
        return ItemSequence(KindTest(kind, node.name))
    found.find(node.name, focus)
    return ItemSequence(KindTest(kind))


@types(ast.DocumentConstructor)
def _document(found: Types, node: ast.DocumentConstructor, focus: _Focus) -> SequenceType:
    found.find(node.content, focus)
    return ItemSequence(KindTest("document-node"))


@types(ast.TextConstructor)
def _text(found: Types, node: ast.TextConstructor, focus: _Focus) -> SequenceType:
    empty = allows_empty(found.find(node.content, focus))
    return with_bounds(KindTest("text"), empty=empty, many=False)


@types(ast.CommentConstructor)
def _comment(found: Types, node: ast.CommentConstructor, focus: _Focus) -> SequenceType:
    found.find(node.content, focus)
    return ItemSequence(KindTest("comment"))

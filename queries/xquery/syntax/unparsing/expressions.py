"""Texts of primaries, paths and operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.types import KindTest
from jvmscope.queries.xquery.syntax.unparsing.levels import Level, enclosed, listed, write, writes
from jvmscope.queries.xquery.syntax.unparsing.names import literal_text, name_text
from jvmscope.queries.xquery.syntax.unparsing.types import (
    annotation_text,
    as_type,
    single_text,
    test_text,
    type_text,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Expression
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["signature_text"]

_Text = tuple[Level, str]

_LEVELS = {
    "or": Level.OR,
    "and": Level.AND,
    **dict.fromkeys(("+", "-"), Level.ADDITIVE),
    **dict.fromkeys(("*", "div", "idiv", "mod"), Level.MULTIPLICATIVE),
    "union": Level.UNION,
    **dict.fromkeys(("intersect", "except"), Level.INTERSECT),
}


def _above(level: Level) -> Level:
    return Level(level + 1)


# -- primaries


@writes(ast.Literal)
def _literal(node: ast.Literal) -> _Text:
    return Level.PRIMARY, literal_text(node.value)


@writes(ast.VariableReference)
def _reference(node: ast.VariableReference) -> _Text:
    return Level.PRIMARY, f"${name_text(node.name)}"


@writes(ast.ContextItem)
def _context_item(_: ast.ContextItem) -> _Text:
    return Level.PRIMARY, "."


@writes(ast.Placeholder)
def _placeholder(_: ast.Placeholder) -> _Text:
    return Level.PRIMARY, "?"


@writes(ast.Parenthesized)
def _parenthesized(node: ast.Parenthesized) -> _Text:
    inner = "" if node.inner is None else write(node.inner, Level.SEQUENCE)
    return Level.PRIMARY, f"({inner})"


@writes(ast.Sequence)
def _sequence(node: ast.Sequence) -> _Text:
    return Level.SEQUENCE, listed(node.items)


@writes(ast.FunctionCall)
def _call(node: ast.FunctionCall) -> _Text:
    return Level.PRIMARY, f"{name_text(node.name)}({listed(node.arguments)})"


@writes(ast.FunctionReference)
def _function_reference(node: ast.FunctionReference) -> _Text:
    return Level.PRIMARY, f"{name_text(node.name)}#{node.arity}"


@writes(ast.InlineFunction)
def _inline_function(node: ast.InlineFunction) -> _Text:
    signature = signature_text(node.parameters, node.result)
    annotations = annotation_text(node.annotations)
    return Level.PRIMARY, f"{annotations}function{signature} {enclosed(node.body)}"


def signature_text(parameters: tuple[ast.Parameter, ...], result: SequenceType | None) -> str:
    """Returns ``(parameters) as type``."""
    texts = [f"${name_text(parameter.name)}{as_type(parameter.type)}" for parameter in parameters]
    return f"({', '.join(texts)}){as_type(result)}"


@writes(ast.Ordered)
def _ordered(node: ast.Ordered) -> _Text:
    word = "ordered" if node.is_ordered else "unordered"
    return Level.PRIMARY, f"{word} {enclosed(node.body)}"


@writes(ast.MapConstructor)
def _map(node: ast.MapConstructor) -> _Text:
    entries = ", ".join([f"{write(key)} : {write(value)}" for key, value in node.entries])
    return Level.PRIMARY, f"map {{ {entries} }}" if entries else "map {}"


@writes(ast.ArrayConstructor)
def _array(node: ast.ArrayConstructor) -> _Text:
    if not node.is_curly:
        return Level.PRIMARY, f"[{listed(node.members)}]"
    return Level.PRIMARY, f"array {enclosed(node.members[0] if node.members else None)}"


# -- what follows a primary


@writes(ast.DynamicCall)
def _dynamic_call(node: ast.DynamicCall) -> _Text:
    return Level.POSTFIX, f"{write(node.function, Level.POSTFIX)}({listed(node.arguments)})"


@writes(ast.Predicate)
def _predicate(node: ast.Predicate) -> _Text:
    return Level.POSTFIX, write(node.base, Level.POSTFIX) + _in_brackets(node.predicate)


@writes(ast.Lookup)
def _lookup(node: ast.Lookup) -> _Text:
    return Level.POSTFIX, f"{write(node.base, Level.POSTFIX)}?{_key(node.key)}"


@writes(ast.UnaryLookup)
def _unary_lookup(node: ast.UnaryLookup) -> _Text:
    return Level.PRIMARY, f"?{_key(node.key)}"


def _key(key: str | int | Expression | None) -> str:
    if key is None:
        return "*"
    if isinstance(key, (str, int)):
        return str(key)
    return write(key) if isinstance(key, ast.Parenthesized) else f"({write(key, Level.SEQUENCE)})"


def _in_brackets(predicate: Expression) -> str:
    return f"[{write(predicate, Level.SEQUENCE)}]"


# -- paths


@writes(ast.RootStep)
def _root(_: ast.RootStep) -> _Text:
    return Level.PATH, "/"


@writes(ast.AxisStep)
def _step(node: ast.AxisStep) -> _Text:
    predicates = "".join([_in_brackets(predicate) for predicate in node.predicates])
    return Level.STEP, _step_text(node) + predicates


def _step_text(node: ast.AxisStep) -> str:
    if node.is_abbreviated:
        if node.axis == "parent":
            return ".."
        is_kind = isinstance(node.test, KindTest)
        if node.axis == "attribute" and not (is_kind and _implies_attribute(node)):
            return f"@{test_text(node.test)}"
        if node.axis != "descendant-or-self":
            return test_text(node.test)
    return f"{node.axis}::{test_text(node.test)}"


def _implies_attribute(node: ast.AxisStep) -> bool:
    """Tells whether the test alone says that attributes are meant."""
    return isinstance(node.test, KindTest) and node.test.kind in ("attribute", "schema-attribute")


@writes(ast.Path)
def _path(node: ast.Path) -> _Text:
    text = ""
    separator = ""
    for step in node.steps:
        if isinstance(step, ast.RootStep):
            separator = "/"
        elif isinstance(step, ast.AxisStep) and _is_double_slash(step):
            separator = "//"
        else:
            text += separator + write(step, Level.STEP)
            separator = "/"
    return Level.PATH, text


def _is_double_slash(step: ast.AxisStep) -> bool:
    return step.is_abbreviated and step.axis == "descendant-or-self"


@writes(ast.SimpleMap)
def _simple_map(node: ast.SimpleMap) -> _Text:
    left, right = write(node.left, Level.MAP), write(node.right, Level.PATH)
    return Level.MAP, f"{left} ! {right}"


# -- operators


@writes(ast.Unary)
def _unary(node: ast.Unary) -> _Text:
    sign = "-" if node.is_negative else "+"
    return Level.UNARY, sign + write(node.operand, Level.VALUE)


@writes(ast.ArrowCall)
def _arrow(node: ast.ArrowCall) -> _Text:
    first = write(node.first, Level.ARROW)
    if isinstance(node.function, Name):
        function = name_text(node.function)
    else:
        function = write(node.function, Level.PRIMARY)
    return Level.ARROW, f"{first} => {function}({listed(node.arguments)})"


@writes(ast.Cast, ast.Castable)
def _cast(node: ast.Cast | ast.Castable) -> _Text:
    level, word = (
        (Level.CAST, "cast") if isinstance(node, ast.Cast) else (Level.CASTABLE, "castable")
    )
    return level, f"{write(node.operand, _above(level))} {word} as {single_text(node.type)}"


@writes(ast.InstanceOf)
def _instance_of(node: ast.InstanceOf) -> _Text:
    operand = write(node.operand, Level.TREAT)
    return Level.INSTANCE, f"{operand} instance of {type_text(node.type)}"


@writes(ast.Treat)
def _treat(node: ast.Treat) -> _Text:
    operand = write(node.operand, Level.CASTABLE)
    return Level.TREAT, f"{operand} treat as {type_text(node.type)}"


@writes(ast.Logical)
def _logical(node: ast.Logical) -> _Text:
    level = _LEVELS[node.operator]
    return level, _chain(node.operands, level, node.operator)


@writes(ast.Arithmetic, ast.Binary)
def _left_associative(node: ast.Arithmetic | ast.Binary) -> _Text:
    level = _LEVELS[node.operator]
    # After a lone slash, which a name would make longer, only the symbol can stand.
    operator = "|" if node.operator == "union" else node.operator
    return level, f"{write(node.left, level)} {operator} {write(node.right, _above(level))}"


@writes(ast.StringConcatenation)
def _concatenation(node: ast.StringConcatenation) -> _Text:
    return Level.CONCATENATION, _chain(node.operands, Level.CONCATENATION, "||")


def _chain(operands: tuple[ast.Expression, ...], level: Level, operator: str) -> str:
    """Returns operands with an operator between; only the first may be such a chain itself."""
    first, *others = operands
    texts = [write(first, level), *(write(operand, _above(level)) for operand in others)]
    return f" {operator} ".join(texts)


@writes(ast.Comparison)
def _comparison(node: ast.Comparison) -> _Text:
    left = write(node.left, Level.CONCATENATION)
    right = write(node.right, Level.CONCATENATION)
    return Level.COMPARISON, f"{left} {node.operator} {right}"


@writes(ast.Range)
def _range(node: ast.Range) -> _Text:
    first, last = write(node.first, Level.ADDITIVE), write(node.last, Level.ADDITIVE)
    return Level.RANGE, f"{first} to {last}"
